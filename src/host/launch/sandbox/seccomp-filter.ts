import { CHECKED_CALLS, MODE_CALLS, OPENAT2, REFUSED_CALLS } from './seccomp-calls.js'

/** Instruction of classic BPF, as seccomp takes it, in eight bytes. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number]

const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06
const AND = 0x54

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
/** Reports success without running the call. */
const PRETEND = 0x00050000
const errno = (number: number): number => 0x00050000 | number
const [EPERM, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT] = [errno(1), errno(38), errno(95), errno(97)]

/** Offsets in struct seccomp_data. Arguments are compared by their low 32 bits. */
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number): number => 16 + 8 * index

const AUDIT_ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
/** First number of the x32 ABI, whose calls would bypass a list of x64 numbers. */
const X32_BIT = 0x40000000

const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const
/** Mask of a socket's type without its flags, and the two types of pairs that cannot connect to another address. */
const SOCKET_TYPE = 0x0f
const [STREAM, SEQPACKET] = [1, 5]
/** O_CREAT and the bit of O_TMPFILE. Without them the mode does not apply. */
const CREATING = 0x400040
/** S_ISUID and S_ISGID. */
const SET_ID = 0o6000
/**
 * Allowed personalities: Linux, 32 bits, an older version, fixed addresses, and the query. None maps memory at address
 * 0.
 */
const PERSONALITIES = [0, 0x08, 0x20000, 0x20008, 0x40000, 0xffffffff] as const
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
/** FS_IOC_RESVSP, RESVSP64 and ZERO_RANGE, which do the same as fallocate. */
const PREALLOCATE = [0x40305828, 0x4030582a, 0x40305839] as const
/** FALLOC_FL_PUNCH_HOLE and COLLAPSE_RANGE, which free space. */
const FREEING = 0x0a
/** Init of a sandbox, which reports the exit status and has no filter. */
const INIT = 1
/** A lease keeps other processes from opening the file, and needs read permission only. */
const F_SETLEASE = 1024
const PR_SET_DUMPABLE = 4
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000

type Architecture = keyof typeof AUDIT_ARCH

const returning = (value: number): Instruction => [RETURN, 0, 0, value]
/** Number of a call, and the instructions for it, which end in a return. */
type Case = readonly [number: number, body: readonly Instruction[]]

/** Most cases that are compared one by one before the filter divides them. */
const LEAF = 3
/** Longest jump of a conditional instruction. */
const REACH = 255

/**
 * Builds a binary search over the loaded call number; other numbers are allowed. The kernel runs the filter once for
 * every call number when it loads it, and each sandbox loads it twice. Numbers must be unique.
 */
function searched(cases: readonly Case[]): Instruction[] {
  if (cases.length <= LEAF) {
    return [
      ...cases.flatMap(([number, body]): Instruction[] => [[EQUAL, 0, body.length, number], ...body]),
      returning(ALLOW),
    ]
  }
  const middle = cases.length >> 1
  const lower = searched(cases.slice(0, middle))
  const [pivot = 0] = cases[middle] ?? []
  if (lower.length > REACH) throw new Error('the seccomp filter is too long for its jumps')
  return [[AT_LEAST, lower.length, 0, pivot], ...lower, ...searched(cases.slice(middle))]
}

const refuseValues = (index: number, values: readonly number[]): Instruction[] => [
  [LOAD, 0, 0, argument(index)],
  ...values.flatMap((value): Instruction[] => [[EQUAL, 0, 1, value], returning(EPERM)]),
  returning(ALLOW),
]

const allowValues = (index: number, values: readonly number[]): Instruction[] => [
  [LOAD, 0, 0, argument(index)],
  ...values.flatMap((value): Instruction[] => [[EQUAL, 0, 1, value], returning(ALLOW)]),
  returning(EPERM),
]

/**
 * Allows the internet families, netlink, and Unix sockets in the command's own network namespace. In the host's,
 * abstract names would reach the host's sockets. VSOCK and other families ignore network namespaces.
 */
const socketBody = (hasUnixSockets: boolean): Instruction[] => [
  [LOAD, 0, 0, argument(0)],
  ...[AF.inet, AF.inet6, AF.netlink, ...(hasUnixSockets ? [AF.unix] : [])].flatMap((family): Instruction[] => [
    [EQUAL, 0, 1, family],
    returning(ALLOW),
  ]),
  [EQUAL, 0, 1, AF.unix],
  returning(EPERM),
  returning(EAFNOSUPPORT),
]

/**
 * Refuses datagram pairs without Unix sockets. Each end of a datagram pair can connect or send to any address, as a
 * socket can.
 */
const pairBody = (hasUnixSockets: boolean): Instruction[] => [
  [LOAD, 0, 0, argument(0)],
  [EQUAL, 1, 0, AF.unix],
  returning(EAFNOSUPPORT),
  ...(hasUnixSockets
    ? [returning(ALLOW)]
    : [
        ...([
          [LOAD, 0, 0, argument(1)],
          [AND, 0, 0, SOCKET_TYPE],
        ] satisfies Instruction[]),
        ...[STREAM, SEQPACKET].flatMap((type): Instruction[] => [[EQUAL, 0, 1, type], returning(ALLOW)]),
        returning(EPERM),
      ]),
]

/**
 * Refuses set-uid and set-gid modes. Such a file in the workspace would give every user of the host the rights of the
 * command's user.
 */
const modeBody = (mode: number, flags: number | null): Instruction[] => [
  ...(flags === null
    ? []
    : ([[LOAD, 0, 0, argument(flags)], [ANY_BIT, 1, 0, CREATING], returning(ALLOW)] satisfies Instruction[])),
  [LOAD, 0, 0, argument(mode)],
  [ANY_BIT, 0, 1, SET_ID],
  returning(EPERM),
  returning(ALLOW),
]

/**
 * Ignores a request to become undumpable. An unprivileged engine cannot measure what an undumpable process writes and
 * holds. Programs handle a refusal of this request badly.
 */
const prctlBody = (): Instruction[] => [
  [LOAD, 0, 0, argument(0)],
  [EQUAL, 1, 0, PR_SET_DUMPABLE],
  returning(ALLOW),
  [LOAD, 0, 0, argument(1)],
  [EQUAL, 0, 1, 0],
  returning(PRETEND),
  returning(ALLOW),
]

function program(architecture: Architecture, hasUnixSockets: boolean): Instruction[] {
  const calls = CHECKED_CALLS[architecture]
  const refused = REFUSED_CALLS.flatMap(([, x64, arm64]) => (architecture === 'x64' ? x64 : arm64) ?? [])
  const cases: readonly Case[] = [
    ...MODE_CALLS[architecture].map(({ number, mode, flags }): Case => [number, modeBody(mode, flags)]),
    [calls.socket, socketBody(hasUnixSockets)],
    [calls.socketpair, pairBody(hasUnixSockets)],
    [calls.personality, allowValues(0, PERSONALITIES)],
    [calls.ioctl, refuseValues(1, [TIOCSTI, TIOCLINUX, ...PREALLOCATE])],
    [calls.fcntl, refuseValues(1, [F_SETLEASE])],
    [calls.prctl, prctlBody()],
    [calls.ptrace, refuseValues(1, [INIT])],
    [calls.process_vm_readv, refuseValues(0, [INIT])],
    [calls.process_vm_writev, refuseValues(0, [INIT])],
    [calls.clone, [[LOAD, 0, 0, argument(0)], [ANY_BIT, 0, 1, NEW_NAMESPACES], returning(EPERM), returning(ALLOW)]],
    // Space allocated without writing would not be counted. The C library writes instead.
    [calls.fallocate, [[LOAD, 0, 0, argument(1)], [ANY_BIT, 0, 1, FREEING], returning(ALLOW), returning(EOPNOTSUPP)]],
    // Their flags lie in memory, which the filter cannot read. The C library falls back to clone, and callers to
    // openat.
    ...[calls.clone3, OPENAT2].map((number): Case => [number, [returning(ENOSYS)]]),
    ...refused.map((number): Case => [number, [returning(EPERM)]]),
  ]
  return [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, AUDIT_ARCH[architecture]],
    returning(KILL_PROCESS),
    [LOAD, 0, 0, NUMBER],
    ...(architecture === 'x64' ? ([[AT_LEAST, 0, 1, X32_BIT], returning(ENOSYS)] satisfies Instruction[]) : []),
    ...searched([...cases].sort(([a], [b]) => a - b)),
  ]
}

/**
 * Returns the seccomp filter for `bwrap --seccomp`. Returns null for an architecture whose call numbers are unknown
 * here. `hasUnixSockets` allows the command to make Unix sockets.
 */
export function seccompFilter(hasUnixSockets: boolean, architecture: string = process.arch): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const instructions = program(architecture, hasUnixSockets)
  const bytes = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code, whenTrue, whenFalse, operand], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4)
  })
  return bytes
}
