import { CHECKED_CALLS, MODE_CALLS, OPENAT2, REFUSED_CALLS } from './seccomp-calls.js'

/** Classic BPF, as seccomp takes it: eight bytes an instruction. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number]

const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06
const AND = 0x54

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
/** Nothing is done, and the caller hears that it was. */
const PRETEND = 0x00050000
const errno = (number: number): number => 0x00050000 | number
const [EPERM, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT] = [errno(1), errno(38), errno(95), errno(97)]

/** Offsets in struct seccomp_data. Low halves only: the arguments looked at are 32 bits wide. */
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number): number => 16 + 8 * index

const AUDIT_ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
/** Numbers from here on are the x32 ABI, which would slip past a list of x64 numbers. */
const X32_BIT = 0x40000000

const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const
/** The type of a socket without its flags, and the two kinds of pairs that cannot be given another address. */
const SOCKET_TYPE = 0x0f
const [STREAM, SEQPACKET] = [1, 5]
/** O_CREAT and the bit of O_TMPFILE: only then a mode is looked at. */
const CREATING = 0x400040
/** S_ISUID and S_ISGID. */
const SET_ID = 0o6000
/** Linux as it is, of 32 bits, of another version, at fixed addresses; and the question which. None gives memory at address 0. */
const PERSONALITIES = [0, 0x08, 0x20000, 0x20008, 0x40000, 0xffffffff] as const
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
/** The same as fallocate, by way of FS_IOC_RESVSP, RESVSP64 and ZERO_RANGE. */
const PREALLOCATE = [0x40305828, 0x4030582a, 0x40305839] as const
/** FALLOC_FL_PUNCH_HOLE and COLLAPSE_RANGE: these give space back. */
const FREEING = 0x0a
/** The init of a sandbox, which passes on the exit status and has no filter. */
const INIT = 1
/** Whoever holds a lease on a file keeps all others from opening it, and may hold one on what it can only read. */
const F_SETLEASE = 1024
const PR_SET_DUMPABLE = 4
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000

type Architecture = keyof typeof AUDIT_ARCH

const returning = (value: number): Instruction => [RETURN, 0, 0, value]
/** A call by its number, and what is done about it: instructions that end in a return. */
type Case = readonly [number: number, body: readonly Instruction[]]

/** How many are tried one after the other before it is worth asking in which half they are. */
const LEAF = 3
/** As far as a jump goes. */
const REACH = 255

/**
 * What is done about the loaded number; any other is allowed. Searched by halves, because the kernel goes through it once for every number
 * there is when a filter is loaded, and each wall loads it twice. No number is there twice.
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
  if (lower.length > REACH) throw new Error('the filter of system calls is too long for its jumps')
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
 * Allows the internet families and netlink, and Unix sockets in a network namespace of the command's own: in that of the host, abstract
 * names lead to its sockets. VSOCK and the like ignore network namespaces.
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

/** A pair of datagram sockets is no closed pair: each can be connected anew, or send to any address, as a socket can. */
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

/** A set-uid file left in the workspace is a door on the host to whoever the command ran as, for anybody who can execute it. */
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
 * Who cannot be dumped cannot be looked at by the engine of an ordinary user either, which counts what he writes and holds. Programs
 * that ask for it take a refusal badly.
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
    // Space taken without a byte being written would be counted by nobody; the C library then writes instead.
    [calls.fallocate, [[LOAD, 0, 0, argument(1)], [ANY_BIT, 0, 1, FREEING], returning(ALLOW), returning(EOPNOTSUPP)]],
    // Their flags lie in memory, out of the filter's sight; the C library falls back to clone, and callers to openat.
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
 * The sandbox's filter for this machine, as `bwrap --seccomp` reads it; null where the numbers of its calls are not known here.
 * `hasUnixSockets`: the command may make Unix sockets.
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
