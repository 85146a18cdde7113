import { type Stats, statSync } from 'node:fs'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { readIndex } from './read-index.js'

const MAX_INDEX_BYTES = 64 * 1024 * 1024

interface Known {
  readonly stats: Stats
  readonly gitlinks: readonly string[]
  readonly shared: string | null
}

/** Indexes that were read, the few there are: most commands change none. */
const KNOWN = new Map<string, Known>()
const REMEMBERED = 64

/** Returns the other repositories that the index of this one names, by their paths in its tree. `git status` goes into each of them. */
export function gitlinksOf(gitDirectory: string): readonly string[] {
  const own = indexAt(`${gitDirectory}/index`)
  // An index may be kept in two files.
  const shared = own?.shared ? indexAt(`${gitDirectory}/sharedindex.${own.shared}`) : null
  return [...(own?.gitlinks ?? []), ...(shared?.gitlinks ?? [])]
}

function indexAt(path: string): Known | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile()) return null
    const known = KNOWN.get(path)
    if (known && isSame(known.stats, stats)) return known
    // Git follows a symlink here, so what git would read is read.
    const bytes = readUntrustedFile(path, MAX_INDEX_BYTES, 'follow')
    const read = { stats, ...(bytes === null ? { gitlinks: [], shared: null } : readIndex(bytes)) }
    if (KNOWN.size >= REMEMBERED) KNOWN.clear()
    KNOWN.set(path, read)
    return read
  } catch {
    return null
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
