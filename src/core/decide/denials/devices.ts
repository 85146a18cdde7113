import type { Invocation, PathFact } from '../../model/run/facts.js'
import type { DecideInput, Finding } from '../match/input.js'
import { realPath } from '../paths/path-patterns.js'
import { type Builtin, knownArgs } from './denial.js'

/** Devices that `dd` may use: its own streams, zeros, random data and the null device. */
const PLAIN = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|fd\/\d+|tty)$/
const isDevice = (path: string): boolean =>
  path.startsWith('/dev/') && !PLAIN.test(path) && !path.startsWith('/dev/shm/')

const BLOCK =
  /^\/dev\/(?:[shv]d[a-z*?[]|xvd|nvme|mmcblk|mtd|dm-|md\d|loop\d|nbd|zram|ram\d|sr\d|fd\d|vg|pmem|bcache|rbd|drbd|disk\/|mapper\/|block\/|mem$|kmem$|port$)/

const isBlock = (path: string): boolean => BLOCK.test(path)

/** Returns the block device of a fact, by its written or its real path. */
function blockOf(fact: PathFact, input: DecideInput): string | null {
  if (isBlock(fact.path)) return fact.path
  const real = realPath(fact, 'write', input)
  return real !== fact.path && isBlock(real) ? real : null
}

function blockWrites(input: DecideInput): readonly Finding[] {
  const { writes, deletes } = input.facts
  return [...writes, ...deletes].flatMap((fact) => {
    const path = fact.by === 'dd' ? null : blockOf(fact, input)
    if (path === null) return []
    const program = fact.by === 'redirect' ? `> ${path}` : fact.by
    return [{ span: fact.span, program, detail: `It writes to ${path}.` }]
  })
}

function ddDevices(input: DecideInput): readonly Finding[] {
  const { reads, writes } = input.facts
  return [...reads, ...writes]
    .filter((fact) => fact.by === 'dd' && (isDevice(fact.path) || isDevice(realPath(fact, 'write', input))))
    .map(({ span }) => ({ span, program: 'dd' }))
}

/** Finds a block device among the arguments of a program without a known name. */
const unknownDeviceUse = (part: Invocation): Finding | null =>
  knownArgs(part).some((arg) => BLOCK.test(arg.replace(/^of=/, ''))) ? { span: part.span } : null

/** Raw devices: what is written there is gone, and no transaction brings it back. */
export const DEVICE_BUILTINS: readonly Builtin[] = [
  {
    name: 'dd',
    because: 'It copies to or from a device.',
    instead: 'Create files of a size with truncate or head -c. Ask a person to work with devices.',
    programs: ['dd'],
    refuses: (part, { command }) =>
      command.mode === 'structured' || knownArgs(part).some((arg) => /^(?:if|of)=/.test(arg) && isDevice(arg.slice(3))),
    finds: ddDevices,
    hits: [
      'dd if=/dev/zero of=/dev/sda',
      'dd of=/dev/nvme0n1 < x',
      'dd if=/dev/sda of=copy.img',
      ['dd', 'if=a', 'of=b'],
    ],
    misses: ['dd if=a of=b bs=1M', 'dd if=/dev/zero of=img bs=1M count=9', 'dd if=a of=/dev/null', 'git add dd'],
  },
  {
    name: 'block-device',
    because: 'It writes to a block device directly.',
    instead: 'Write to a file. Ask a person to change disks.',
    judgesUnknown: unknownDeviceUse,
    finds: blockWrites,
    hits: [
      'echo x > /dev/sda',
      'cat x >> /dev/nvme0n1p1',
      'cp x /dev/sdb',
      'tee /dev/vda < x',
      '"$(cat x)" of=/dev/sda',
    ],
    misses: ['echo x > /dev/null', 'echo x 2> /dev/stderr', 'ls > sda', 'cat /dev/null'],
  },
]
