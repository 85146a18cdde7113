import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'

/** Linux gives up after 40 links; so do we. */
const MAX_LINKS = 40

export interface RealPath {
  readonly real: string
  readonly kind: 'file' | 'directory' | 'other' | 'missing'
}

function lstat(path: string): Stats | 'missing' | 'unknown' {
  try {
    return lstatSync(path)
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
function walk(path: string): RealPath {
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
    const stats: Stats | 'missing' | 'unknown' = kind === 'missing' ? 'missing' : lstat(next)
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
  return { real, kind: kind === 'missing' ? kind : finalKind(real, kind) }
}

function finalKind(real: string, fallback: RealPath['kind']): RealPath['kind'] {
  const stats = lstat(real)
  return typeof stats === 'object' ? kindOf(stats) : stats === 'missing' ? 'missing' : fallback
}

/** Where an absolute path really is, symlinks resolved as far as they exist, and what stands there. Never throws. */
export function realPath(path: string): RealPath {
  if (path.includes('\0')) return { real: path, kind: 'missing' }
  try {
    const real = realpathSync.native(path)
    return { real, kind: finalKind(real, 'other') }
  } catch {
    try {
      return walk(path)
    } catch {
      // A link that vanished between two calls: whatever it led to is not known to be anything.
      return { real: path, kind: 'other' }
    }
  }
}
