import type { Invocation, PathFact } from '../model/facts.js'
import { isTidy } from '../model/path.js'
import { type Builtin, knownArgs } from './builtin.js'
import { realPath } from './places.js'
import type { DecideInput, Finding } from './scene.js'

/** `dd` may read from and write to the streams of its own shell, and throw away. */
const PLAIN = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+|tty)$/
const isDevice = (path: string): boolean =>
  path.startsWith('/dev/') && !PLAIN.test(path) && !path.startsWith('/dev/shm/')

const BLOCK =
  /^\/dev\/(?:[shv]d[a-z*?[]|xvd|nvme|mmcblk|mtd|dm-|md\d|loop\d|nbd|zram|ram\d|sr\d|fd\d|vg|pmem|bcache|rbd|drbd|disk\/|mapper\/|block\/|mem$|kmem$|port$)/

const NONE: readonly Finding[] = []

const isBlock = (path: string): boolean => path.startsWith('/dev/') && BLOCK.test(path)

/** Could a path be that of a device, by its name or by where that leads? */
export function mayBeDevice(fact: PathFact, answers: DecideInput['answers']): boolean {
  const { path } = fact
  if (path.startsWith('/dev/') || path.startsWith('/proc/')) return true
  const real = answers.paths.size === 0 && isTidy(path) ? path : realPath(fact, 'write', { answers })
  return real.startsWith('/dev/')
}

/** The disk a fact is about, by its name or by where that leads. */
function blockOf(fact: PathFact, input: DecideInput): string | null {
  if (isBlock(fact.path)) return fact.path
  const real = realPath(fact, 'write', input)
  return real !== fact.path && isBlock(real) ? real : null
}

function blockWrites(input: DecideInput): readonly Finding[] {
  let found: Finding[] | null = null
  const add = (facts: readonly PathFact[]): void => {
    for (const fact of facts) {
      const path = fact.by === 'dd' ? null : blockOf(fact, input)
      if (path === null) continue
      const program = fact.by === 'redirect' ? `> ${path}` : fact.by
      found ??= []
      found.push({ span: fact.span, program, detail: `It writes ${path}.` })
    }
  }
  add(input.facts.writes)
  add(input.facts.deletes)
  return found ?? NONE
}

function ddDevices(input: DecideInput): readonly Finding[] {
  let found: Finding[] | null = null
  const add = (facts: readonly PathFact[]): void => {
    for (const fact of facts) {
      if (fact.by !== 'dd' || !(isDevice(fact.path) || isDevice(realPath(fact, 'write', input)))) continue
      found ??= []
      found.push({ span: fact.span, program: 'dd' })
    }
  }
  add(input.facts.reads)
  add(input.facts.writes)
  return found ?? NONE
}

/** A program nobody can name, and a disk among its arguments. */
function disguised({ argv, span }: Invocation): Finding | null {
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i]
    if (typeof arg === 'string' && arg.includes('/dev/') && BLOCK.test(arg.replace(/^of=/, ''))) return { span }
  }
  return null
}

/** Raw devices: what is written there is gone, and no transaction brings it back. */
export const DEVICE_BUILTINS: readonly Builtin[] = [
  {
    name: 'dd',
    because: 'It copies to or from a device.',
    instead: 'Make files of a size with truncate or head -c; leave devices to a person.',
    programs: ['dd'],
    refuses: (part, { command }) =>
      command.mode === 'structured' || knownArgs(part).some((arg) => /^(?:if|of)=/.test(arg) && isDevice(arg.slice(3))),
    finds: ddDevices,
    among: ['reads', 'writes'],
    hits: [
      'dd if=/dev/zero of=/dev/sda',
      'dd of=/dev/nvme0n1 < x',
      'dd if=/dev/sda of=copy.img',
      ['dd', 'if=a', 'of=b'],
    ],
    misses: ['dd if=a of=b bs=1M', 'dd if=a of=/dev/null', 'git add dd'],
  },
  {
    name: 'block-device',
    because: 'It writes a disk past its file system.',
    instead: 'Write to a file; leave disks to a person.',
    unmasks: disguised,
    finds: blockWrites,
    among: ['writes', 'deletes'],
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
