import { baseName, isUnder } from '../../core/model/basics/path.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { expandPath } from './expand-path.js'
import type { RealPath } from './real-path.js'
import type { MountPath } from './surroundings.js'

/** A sandbox has its own. */
const OWN: readonly string[] = ['/proc', '/dev']

/** System directories that programs need to start. A sandbox has its own /tmp and /run. */
const SYSTEM = /^(?:usr|bin|sbin|lib\w*|etc|opt|nix|gnu|snap|sys|proc|dev|run|tmp)$/
const MAX_ENTRIES = 1_000
const PATTERN = /[*?]/
/** Directories that belong to the programs of a `bin` directory. */
const BESIDE_BIN: readonly string[] = ['lib', 'lib64', 'libexec', 'share', 'include']

interface Seen extends MountPath {
  readonly roots: readonly string[]
  readonly writable: readonly string[]
  readonly hidden: readonly (readonly [path: string, kind: 'file' | 'directory'])[]
}

const isClosed = ({ sandbox, paths }: Profile): boolean => sandbox === 'required' && paths.readOutside !== 'allow'

export const isOfSystem = (path: string): boolean => SYSTEM.test(path.split('/')[1] ?? '')

/**
 * Returns program directories on PATH outside the system, with their related directories. A home has its own list of
 * shared entries.
 */
function programPaths({ env, home }: MountPath): readonly string[] {
  const places = (env.PATH ?? '').split(':').filter((path) => /^\/./.test(path) && !isOfSystem(path))
  return places
    .filter((path) => !isUnder(path, home))
    .flatMap((path) =>
      baseName(path) === 'bin' ? [path, ...BESIDE_BIN.map((name) => path.replace(/bin$/, name))] : [path],
    )
}

/**
 * Returns hidden paths that a person shows: `paths.readable` has the path itself, or one below it. A pattern or a
 * directory above shows none, and nothing shows Cordon's own records.
 */
export function shownPaths({ paths }: Profile, seen: Seen, find: (path: string) => RealPath): readonly string[] {
  const { workspace, home, state } = seen
  const named = paths.readable.filter((pattern) => !PATTERN.test(pattern))
  if (named.length === 0 || state === undefined) return []
  const own = find(state).real
  return named
    .flatMap((pattern) => expandPath(pattern, workspace, home))
    .map((path) => find(path).real)
    .filter((path) => seen.hidden.some(([place]) => isUnder(path, place)))
    .filter((path) => !isUnder(path, own) && !isUnder(own, path))
}

/**
 * Returns existing real paths of `paths.readable`, and of the person's programs if the profile allows no other reads
 * outside. Writable paths stay writable, and hidden ones hidden, unless a person shows them.
 */
export function readablePaths(profile: Profile, seen: Seen, find: (path: string) => RealPath): readonly string[] {
  const named = profile.paths.readable.flatMap((pattern) => expandPath(pattern, seen.workspace, seen.home))
  const wanted = isClosed(profile) ? [...named, ...programPaths(seen)] : named
  if (wanted.length === 0) return []
  const covered = [...seen.roots, ...seen.writable, ...seen.hidden.map(([path]) => path), ...OWN]
  const shown = shownPaths(profile, seen, find)
  const found = wanted.map(find).flatMap(({ real, kind }) => (kind === 'file' || kind === 'directory' ? real : []))
  return [...new Set(found)].filter((path) => shown.includes(path) || !covered.some((place) => isUnder(path, place)))
}

/** Returns the entries of `/` outside the system, if the profile allows no reads outside its roots. */
export function outsidePaths(
  profile: Profile,
  roots: readonly string[],
): readonly (readonly [path: string, kind: 'file' | 'directory'])[] {
  if (!isClosed(profile) || roots.includes('/')) return []
  return entriesOf('/', MAX_ENTRIES).flatMap((entry): (readonly [string, 'file' | 'directory'])[] => {
    if (isOfSystem(`/${entry.name}`) || !(entry.isDirectory() || entry.isFile())) return []
    return [[`/${entry.name}`, entry.isFile() ? 'file' : 'directory']]
  })
}
