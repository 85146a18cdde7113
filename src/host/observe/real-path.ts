import { lstatSync, readlinkSync, type Stats } from 'node:fs'

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
 * Link by link, as the kernel walks: `..` after a link leaves the link's target, and a dangling link leads where it points,
 * whether or not anything is there yet. A write through it would land there.
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

/** Where an absolute path really is, symlinks resolved as far as they exist, and what stands there. Never throws. */
export const realPath = (path: string): RealPath => found(path, lstat)

/** The same for many paths at one moment: what they have in common is looked at once. */
export function realPathsNow(): (path: string) => RealPath {
  const seen = new Map<string, Seen>()
  const look = (path: string): Seen => {
    const known = seen.get(path)
    if (known !== undefined) return known
    const stats = lstat(path)
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
    // A link that vanished between two calls: whatever it led to is not known to be anything.
    return { real: path, kind: 'other' }
  }
}
