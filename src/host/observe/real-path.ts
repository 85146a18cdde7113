import { readlinkSync, type Stats } from 'node:fs'
import { isTidy } from '../../core/model/basics/path.js'
import { lookAt } from '../untrusted-files/witness.js'
import { Listings } from './listings.js'

/** Linux gives up after 40 links; so do we. */
const MAX_LINKS = 40

export interface RealPath {
  readonly real: string
  readonly kind: 'file' | 'directory' | 'other' | 'missing'
}

type Seen = Stats | 'missing' | 'unknown'

function lstat(path: string): Seen {
  try {
    return lookAt(path) ?? 'missing'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown'
  }
}

const kindOf = (stats: Stats): RealPath['kind'] =>
  stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other'

const below = (directory: string, name: string): string => (directory === '/' ? `/${name}` : `${directory}/${name}`)
const parent = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/**
 * Resolves symlinks one by one like the kernel: `..` after a symlink leaves its target, and a dangling symlink resolves
 * to its target, because a write through it would create that file.
 */
function walk(path: string, look: (path: string) => Seen): RealPath {
  const ahead = path.split('/').reverse()
  let real = '/'
  let kind: RealPath['kind'] = 'directory'
  let links = 0
  while (ahead.length > 0) {
    const name = ahead.pop() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      real = parent(real)
      continue
    }
    const next = below(real, name)
    const stats: Seen = kind === 'missing' ? 'missing' : look(next)
    if (typeof stats === 'object' && stats.isSymbolicLink()) {
      links += 1
      if (links > MAX_LINKS) return { real: next, kind: 'other' }
      const target = readlinkSync(next)
      if (target.startsWith('/')) real = '/'
      ahead.push(...target.split('/').reverse())
      continue
    }
    real = next
    kind = stats === 'missing' ? 'missing' : stats === 'unknown' ? 'other' : kindOf(stats)
  }
  return { real, kind: kind === 'missing' ? kind : finalKind(real, kind, look) }
}

function finalKind(real: string, fallback: RealPath['kind'], look: (path: string) => Seen): RealPath['kind'] {
  const stats = look(real)
  return typeof stats === 'object' ? kindOf(stats) : stats === 'missing' ? 'missing' : fallback
}

/** Reports whether a symlink leads back to itself. It cannot be opened, and no mount can cover it. */
export function isLoop({ real, kind }: RealPath): boolean {
  const stats = kind === 'other' ? lstat(real) : 'missing'
  return typeof stats === 'object' && stats.isSymbolicLink()
}

/** Returns the real path of an absolute path, resolved as far as it exists, and its file type. Never throws. */
export const realPath = (path: string): RealPath => found(path, lstat)

/** As `realPath` for many paths at one moment; `bases` are real directories below which most of the paths lie. */
export function realPathsNow(bases: readonly string[] = []): (path: string) => RealPath {
  const seen = new Map<string, Seen>()
  const listings = new Listings()
  const look = (path: string): Seen => {
    const known = seen.get(path)
    if (known !== undefined) return known
    const stats = listings.lacks(parent(path), path.slice(path.lastIndexOf('/') + 1)) ? 'missing' : lstat(path)
    seen.set(path, stats)
    return stats
  }
  /** Reports whether a base lacks the first name of the path below it. */
  const isMissing = (path: string): boolean => {
    const base = bases.find((one) => path.startsWith(one) && path[one.length] === '/')
    if (base === undefined || !isTidy(path)) return false
    const end = path.indexOf('/', base.length + 1)
    return listings.lacks(base, path.slice(base.length + 1, end === -1 ? undefined : end))
  }
  return (path) => (isMissing(path) ? { real: path, kind: 'missing' } : found(path, look))
}

function found(path: string, look: (path: string) => Seen): RealPath {
  if (path.includes('\0')) return { real: path, kind: 'missing' }
  try {
    return walk(path, look)
  } catch {
    // The symlink vanished between two calls, so its target is unknown.
    return { real: path, kind: 'other' }
  }
}
