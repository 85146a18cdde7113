import type { Facts, PathFact } from '../model/facts.js'
import { baseName, isInside } from '../model/path.js'
import type { Mount } from '../model/plan.js'

type Access = 'open' | 'read-only' | 'hidden'

const ACCESS: Record<Mount['op'], Access> = {
  read: 'read-only',
  mask: 'read-only',
  'hide-directory': 'hidden',
  'empty-directory': 'hidden',
  'hide-file': 'hidden',
  write: 'open',
  tmpfs: 'open',
  // What is made in a forbidden place is taken back afterwards, and told of then.
  forbid: 'open',
  keep: 'open',
  pin: 'open',
  // Files in these are what they say they are: /dev/null can be written.
  proc: 'open',
  dev: 'open',
}

/** A later mount lies on top of an earlier one. */
const accessTo = (path: string, mounts: readonly Mount[]): Access =>
  ACCESS[mounts.findLast(({ at }) => isInside(path, at))?.op ?? 'read']

export interface ClosedTo {
  readonly facts: Facts
  /** As they were while it ran: without those that an overlay transaction leaves out. */
  readonly mounts: readonly Mount[]
  /** Where a path really leads. */
  readonly realPath: (path: string) => string
  /** Whether the command failed: only then something it could not write explains anything. */
  readonly failed: boolean
  /** The end of what it wrote to stderr. */
  readonly errors: string
}

/** More hidden files than this in one tree are not listed. */
const MOST_BELOW = 3

/** Hidden places that a command met in a tree it read whole: `grep -r x .`. Only those where it works, not all of a home. */
function hiddenBelow({ reads }: Facts, mounts: readonly Mount[], realPath: (path: string) => string): string[] {
  const trees = reads.flatMap(({ path, recursive, partial }) => (recursive && !partial ? realPath(path) : []))
  const roots = mounts.flatMap(({ op, at }) => (op === 'write' ? at : []))
  return mounts
    .filter(({ op, at }) => /^hide-/.test(op) && [trees, roots].every((all) => all.some((top) => isInside(at, top))))
    .slice(0, MOST_BELOW)
    .map(({ at }) => `read: ${at} hidden`)
}

const REFUSED = /permission denied|EACCES/i

/** Hidden places that error messages of the command's own programs name: `PermissionError: [Errno 13] Permission denied: '.env'`. */
function hiddenInErrors(errors: string, mounts: readonly Mount[]): string[] {
  const lines = errors.split('\n').filter((line) => REFUSED.test(line))
  return mounts
    .filter(({ op, at }) => /^hide-/.test(op) && lines.some((line) => namesPlace(line, baseName(at))))
    .slice(0, MOST_BELOW)
    .map(({ at }) => `read: ${at} hidden`)
}

/** What git says where it cannot put a new file in the place of a mount point. */
const BUSY = /could not write config file|device or resource busy|EBUSY/i

/** Files of git's settings that error messages name. They are read-only where no transaction reviews them. */
function busyInErrors(errors: string, mounts: readonly Mount[]): string[] {
  const lines = errors.split('\n').filter((line) => BUSY.test(line))
  return mounts
    .filter((mount) => mount.op === 'read' && mount.reviewed === true)
    .filter(({ at }) => lines.some((line) => namesPlace(line, at.split('/').slice(-2).join('/'))))
    .map(({ at }) => `write: ${at} read-only`)
}

/** Does a line hold a name as a word of its own? */
function namesPlace(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return at >= 0 && !/[\w.-]/.test((line[at - 1] ?? '') + (line[at + name.length] ?? ''))
}

/**
 * Places a command names that the wall has closed to it: `write: /etc/x read-only`, `read: /home/u/.ssh/id hidden`. Facts of the plan,
 * not of what was tried: that a named place was closed is certain, that the command came as far as to touch it is not.
 */
export function closedPlaces({ facts, mounts, realPath, failed, errors }: ClosedTo): readonly string[] {
  const told = (word: string, wanted: Access, paths: readonly PathFact[]): string[] =>
    paths
      .filter(({ path, partial }) => partial !== true && path.startsWith('/'))
      .filter(({ path }) => accessTo(realPath(path), mounts) === wanted)
      .map(({ path }) => `${word}: ${path} ${wanted}`)
  const written = failed ? [...facts.writes, ...facts.deletes] : []
  // A command that succeeded asked for no more than names: a listing, a test.
  const named = failed ? [...facts.reads, ...written] : []
  const below = failed ? hiddenBelow(facts, mounts, realPath) : []
  const refused = [...hiddenInErrors(errors, mounts), ...(failed ? busyInErrors(errors, mounts) : [])]
  return [...new Set([...told('write', 'read-only', written), ...told('read', 'hidden', named), ...below, ...refused])]
}
