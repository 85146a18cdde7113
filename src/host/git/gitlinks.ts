import type { Stats } from 'node:fs'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { lookThrough } from '../untrusted-files/witness.js'
import { readIndex } from './read-index.js'

const MAX_INDEX_BYTES = 64 * 1024 * 1024

interface Known {
  readonly stats: Stats
  readonly gitlinks: readonly string[] | 'too many'
  readonly shared: string | null
}

/** Indexes that were read, the few there are: most commands change none. */
const KNOWN = new Map<string, Known>()
const REMEMBERED = 512

/** The other repositories that an index names. */
export interface Gitlinks {
  /** By their paths in its tree; 'too many' too where the index is too large to be read. */
  readonly names: readonly string[] | 'too many'
  /** Bytes read. */
  readonly bytes: number
}

/** Returns the repositories that the index of this one names. `git status` enters each of them. */
export function gitlinksOf(gitDirectory: string, maxBytes = MAX_INDEX_BYTES): Gitlinks {
  const own = indexAt(`${gitDirectory}/index`, maxBytes)
  if (own === null) return { names: [], bytes: 0 }
  // An index may be split into two files.
  const shared = own.shared ? indexAt(`${gitDirectory}/sharedindex.${own.shared}`, maxBytes - own.bytes) : null
  const bytes = own.bytes + (shared?.bytes ?? 0)
  const lists = [own.gitlinks, shared?.gitlinks ?? []]
  return { names: lists.some((list) => list === 'too many') ? 'too many' : (lists.flat() as string[]), bytes }
}

function indexAt(path: string, maxBytes: number): (Known & { readonly bytes: number }) | null {
  try {
    const stats = lookThrough(path)
    if (!stats?.isFile()) return null
    const known = KNOWN.get(path)
    if (known && isSame(known.stats, stats)) return { ...known, bytes: 0 }
    if (stats.size > maxBytes) return { stats, gitlinks: 'too many', shared: null, bytes: 0 }
    // Follows a symlink, as git does.
    const bytes = readUntrustedFile(path, maxBytes, 'follow')
    const read = { stats, ...(bytes === null ? { gitlinks: [], shared: null } : readIndex(bytes)) }
    if (KNOWN.size >= REMEMBERED) KNOWN.clear()
    KNOWN.set(path, read)
    return { ...read, bytes: bytes?.length ?? 0 }
  } catch {
    return null
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
