import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { entriesOf } from '../untrusted-files/entries-of.js'

/** Linux gives up after 40 links; so do we. */
const MAX_LINKS = 40

export interface RealPath {
  readonly real: string
  readonly kind: 'file' | 'directory' | 'other' | 'missing'
}

type Seen = Stats | 'missing' | 'unknown'

function lstat(path: string): Seen {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? 'missing'
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

/** From the so manieth name in one directory on, its names are listed. A directory with more names than this is not. */
const LISTED_AFTER = 8
const MOST_NAMES = 2_000

/** Answers most lookups of missing names from directory listings. */
class Listings {
  readonly #asked = new Map<string, number>()
  readonly #names = new Map<string, ReadonlySet<string> | null>()

  lacks(path: string): boolean {
    const directory = parent(path)
    const times = (this.#asked.get(directory) ?? 0) + 1
    this.#asked.set(directory, times)
    if (times < LISTED_AFTER) return false
    if (times === LISTED_AFTER) this.#names.set(directory, namesIn(directory))
    const names = this.#names.get(directory)
    return names !== null && names !== undefined && !names.has(path.slice(path.lastIndexOf('/') + 1))
  }
}

function namesIn(directory: string): ReadonlySet<string> | null {
  const entries = entriesOf(directory, MOST_NAMES)
  // None: it may be one that cannot be listed.
  return entries.length === 0 || entries.length >= MOST_NAMES ? null : new Set(entries.map(({ name }) => name))
}

/** As `realPath` for many paths at one moment; common parents are looked up once. */
export function realPathsNow(): (path: string) => RealPath {
  const seen = new Map<string, Seen>()
  const listings = new Listings()
  const look = (path: string): Seen => {
    const known = seen.get(path)
    if (known !== undefined) return known
    const stats = listings.lacks(path) ? 'missing' : lstat(path)
    seen.set(path, stats)
    return stats
  }
  return (path) => found(path, look)
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
