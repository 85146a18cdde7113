import { baseName, isInside } from '../../core/model/basics/path.js'
import type { Mount } from '../../core/model/policy/plan.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import type { Facts, PathFact } from '../../core/model/run/facts.js'

type Access = 'open' | 'read-only' | 'hidden'

const ACCESS: Record<Mount['op'], Access> = {
  read: 'read-only',
  mask: 'read-only',
  'hide-directory': 'hidden',
  'empty-directory': 'hidden',
  'hide-file': 'hidden',
  write: 'open',
  tmpfs: 'open',
  // Files made at a forbidden path are quarantined afterwards and reported then.
  forbid: 'open',
  keep: 'open',
  pin: 'open',
  crowded: 'open',
  // Files in these are what they say they are: /dev/null can be written.
  proc: 'open',
  dev: 'open',
}

/** Returns the mount of a path: the last one that contains it. */
const mountOf = (path: string, mounts: readonly Mount[]): Mount | undefined =>
  mounts.findLast(({ at }) => isInside(path, at))

const hidden = (path: string, mount: Mount | undefined): Evidence =>
  mount?.op === 'hide-file' ? { kind: 'hidden', path, file: mount.at } : { kind: 'hidden', path }

export interface ClosedTo {
  readonly facts: Facts
  /** As they were while it ran: without those that an overlay transaction leaves out. */
  readonly mounts: readonly Mount[]
  /** Resolves symlinks. */
  readonly realPath: (path: string) => string
  /** True if the command failed. A path that cannot be written explains only a failure. */
  readonly failed: boolean
  /** The end of what it wrote to stderr. */
  readonly errors: string
  /** True if the roots were read-only because the analyser found no writes. */
  readonly withoutWrites: boolean
}

/** More hidden files than this in one tree are not listed. */
const MOST_BELOW = 3

/**
 * Hidden places that a command met in a tree it read whole: `grep -r x .`. Only those where it works, not all of a
 * home.
 */
function hiddenBelow({ reads }: Facts, mounts: readonly Mount[], realPath: (path: string) => string): Evidence[] {
  const trees = reads.flatMap(({ path, recursive, partial }) => (recursive && !partial ? realPath(path) : []))
  const roots = mounts.flatMap(({ op, at }) => (op === 'write' ? at : []))
  return mounts
    .filter(({ op, at }) => /^hide-/.test(op) && [trees, roots].every((all) => all.some((top) => isInside(at, top))))
    .slice(0, MOST_BELOW)
    .map((mount) => hidden(mount.at, mount))
}

const REFUSED = /permission denied|EACCES/i

/**
 * Hidden places that error messages of the command's own programs name:
 * `PermissionError: [Errno 13] Permission denied: '.env'`.
 */
function hiddenInErrors(errors: string, mounts: readonly Mount[]): Evidence[] {
  const lines = errors.split('\n').filter((line) => REFUSED.test(line))
  return mounts
    .filter(({ op, at }) => /^hide-/.test(op) && lines.some((line) => namesPlace(line, baseName(at))))
    .slice(0, MOST_BELOW)
    .map((mount) => hidden(mount.at, mount))
}

/** git's message for a file that it cannot rename over a mount point. */
const BUSY = /could not write config file|device or resource busy|EBUSY/i

/** Files of git's settings that error messages name. They are read-only where no transaction reviews them. */
function busyInErrors(errors: string, mounts: readonly Mount[]): Evidence[] {
  const lines = errors.split('\n').filter((line) => BUSY.test(line))
  return mounts
    .filter((mount) => mount.op === 'read' && mount.reviewed === 'git')
    .filter(({ at }) => lines.some((line) => namesPlace(line, at.split('/').slice(-2).join('/'))))
    .map(({ at }) => ({ kind: 'read-only', path: at }))
}

/** Error messages about a read-only file system. */
const READ_ONLY = /read-only file system|EROFS/i
const ABSOLUTE = /(?:^|[\s'"`‘:])(\/[^\s'"`’:]+)/

/** True if an error message names a read-only file system at a relative path or at a path in a root. */
const failedToWrite = (errors: string, mounts: readonly Mount[]): boolean =>
  errors.split('\n').some((line) => {
    const path = ABSOLUTE.exec(line)?.[1]
    const isInRoot =
      path === undefined || mounts.some(({ op, at }) => op === 'read' && at !== '/' && isInside(path, at))
    return READ_ONLY.test(line) && isInRoot
  })

const GLOBAL_PACKAGES = /\/(?:usr|opt)\/\S*lib\/node_modules\/[^\s'"]+/

/**
 * The path of a package for everybody on the machine, which the words of `npm link` and `npm install -g` do not name.
 */
function globalPackage({ invocations }: Facts, errors: string, mounts: readonly Mount[]): Evidence[] {
  if (!invocations.some(({ program }) => program === 'npm')) return []
  const lines = errors.split('\n').filter((line) => READ_ONLY.test(line))
  const path = lines.flatMap((line) => GLOBAL_PACKAGES.exec(line)?.[0] ?? [])[0]
  return path === undefined || mountOf(path, mounts)?.op !== 'read' ? [] : [{ kind: 'read-only', path }]
}

/** Does a line hold a name as a word of its own? */
function namesPlace(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return at >= 0 && !/[\w.-]/.test((line[at - 1] ?? '') + (line[at + name.length] ?? ''))
}

/**
 * Returns the paths that a command names and that the sandbox closes to it. These are facts of the
 * plan: the command may not have touched the path.
 */
export function closedPlaces({
  facts,
  mounts,
  realPath,
  failed,
  errors,
  withoutWrites,
}: ClosedTo): readonly Evidence[] {
  const closedTo = (wanted: Access, paths: readonly PathFact[]): Evidence[] =>
    paths
      .filter(({ path, partial }) => partial !== true && path.startsWith('/'))
      .flatMap(({ path }): Evidence[] => {
        const real = realPath(path)
        const mount = mountOf(real, mounts)
        if (ACCESS[mount?.op ?? 'read'] !== wanted) return []
        if (wanted === 'hidden') return [hidden(path, mount)]
        return [{ kind: 'read-only', path, ...(real === path ? {} : { real }) }]
      })
  const written = failed ? [...facts.writes, ...facts.deletes] : []
  // A command that succeeded asked for no more than names: a listing, a test.
  const named = failed ? [...facts.reads, ...written] : []
  const below = failed ? hiddenBelow(facts, mounts, realPath) : []
  const stopped = closedTo('read-only', written)
  const refused = [
    ...hiddenInErrors(errors, mounts),
    ...(failed ? busyInErrors(errors, mounts) : []),
    ...(failed ? globalPackage(facts, errors, mounts) : []),
  ]
  const unsecured: Evidence[] = withoutWrites && failedToWrite(errors, mounts) ? [{ kind: 'no-transaction' }] : []
  return [...stopped, ...closedTo('hidden', named), ...below, ...refused, ...unsecured]
}
