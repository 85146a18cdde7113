import { isInside } from '../../core/model/basics/path.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { lookThrough } from '../untrusted-files/witness.js'
import { expandPath } from './expand-path.js'
import { hiddenByName } from './hidden-names.js'
import { isOfSystem } from './readable-paths.js'
import { isLoop, type RealPath } from './real-path.js'
import type { MountPath } from './surroundings.js'

type Find = (path: string) => RealPath

const ALL_READ = 0o004
const ALL_EXECUTE = 0o001
const ROOT = 0

/**
 * Reports whether a path is a world-readable system file or directory, or a program. Commands need some of them to
 * start.
 */
function isPublic(real: string): boolean {
  try {
    const { uid, mode } = lookThrough(real) ?? { uid: ROOT, mode: 0 }
    const isProgram = (mode & ALL_EXECUTE) !== 0
    return (mode & ALL_READ) !== 0 && (isProgram || (uid === ROOT && isOfSystem(real)))
  } catch {
    return false
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/**
 * Reports whether a symlink of a hidden name would hide a path that commands need. With `.env -> /bin/bash`, a command
 * could keep every later command from starting.
 */
function locksCommands(path: string, { real, kind }: RealPath, roots: readonly string[], find: Find): boolean {
  const parent = find(parentOf(path)).real
  const isLink = real !== `${parent === '/' ? '' : parent}${path.slice(path.lastIndexOf('/'))}`
  if (!isLink || !roots.some((root) => root === '/' || isInside(path, root))) return false
  if (kind === 'directory' && roots.some((root) => isInside(root, real))) return true
  return !roots.some((root) => root !== '/' && isInside(real, root)) && isPublic(real)
}

function isBelowAny(path: string, all: ReadonlyMap<string, 'file' | 'directory'>): boolean {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) if (all.get(at) === 'directory') return true
  return false
}

/** Returns the existing real paths that the profile hides, by path or by name in the roots. */
export function hiddenPaths(
  profile: Profile,
  { workspace, home }: MountPath,
  roots: readonly string[],
  find: Find,
): readonly (readonly [string, 'file' | 'directory'])[] {
  const named = profile.paths.hidden.flatMap((pattern) => expandPath(pattern, workspace, home))
  const found = [...new Set([...named, ...hiddenByName(profile.paths.hidden, roots)])]
    .map((path) => [path, find(path)] as const)
    .filter(([, seen]) => seen.kind !== 'missing' && !isLoop(seen))
  const hidden = found.filter(([path, seen]) => !locksCommands(path, seen, roots, find))
  const all = new Map(hidden.map(([, { real, kind }]) => [real, kind === 'directory' ? kind : 'file'] as const))
  // Paths in a hidden directory are hidden with it, unless the profile names them.
  const isNamed = new Set(named.map((path) => find(path).real))
  return [...all].filter(([path]) => isNamed.has(path) || !isBelowAny(path, all))
}
