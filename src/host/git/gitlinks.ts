import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'

/** What an entry says that is no file but another repository: mode 160000. */
const GITLINK = 0o160000
const MODE = Buffer.from([0, 0, GITLINK >> 8, GITLINK & 0xff])
/** Bytes of an entry before its name: times, numbers, mode and size; the hash; flags. */
const NUMBERS = 40
const FLAGS = 2
const MAX_INDEX_BYTES = 256 * 1024 * 1024

interface Known {
  readonly stats: Stats
  readonly paths: readonly string[]
}

const NONE: readonly string[] = []
/** Indexes that were read, the few there are: most commands change none. */
const KNOWN = new Map<string, Known>()
const REMEMBERED = 64

/** Other repositories that the index of this one names, by their paths in its tree. `git status` goes into each of them. */
export function gitlinksOf(gitDirectory: string): readonly string[] {
  return [`${gitDirectory}/index`, ...sharedIndexes(gitDirectory)].flatMap(gitlinksIn)
}

/** An index may be kept in two files. */
function sharedIndexes(gitDirectory: string): readonly string[] {
  try {
    if (statSync(gitDirectory, { throwIfNoEntry: false }) === undefined) return NONE
    return readdirSync(gitDirectory).flatMap((name) =>
      name.startsWith('sharedindex.') ? `${gitDirectory}/${name}` : [],
    )
  } catch {
    return NONE
  }
}

function gitlinksIn(path: string): readonly string[] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MAX_INDEX_BYTES) return NONE
    const known = KNOWN.get(path)
    if (known && isSame(known.stats, stats)) return known.paths
    const bytes = readFileSync(path)
    const paths = bytes.includes(MODE) ? readIndex(bytes) : NONE
    if (KNOWN.size >= REMEMBERED) KNOWN.clear()
    KNOWN.set(path, { stats, paths })
    return paths
  } catch {
    return NONE
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs

/** The hash of a repository has one of two lengths, which its index does not say: by the wrong one it cannot be read. */
function readIndex(bytes: Buffer): readonly string[] {
  return entriesOf(bytes, 20) ?? entriesOf(bytes, 32) ?? NONE
}

/** The paths of gitlinks; null where this is no index with such hashes. */
function entriesOf(bytes: Buffer, hash: number): readonly string[] | null {
  const version = bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const found: string[] = []
  let name = Buffer.alloc(0)
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + NUMBERS + hash
    if (flagsAt + FLAGS > bytes.length) return null
    const flags = bytes.readUInt16BE(flagsAt)
    let from = flagsAt + FLAGS + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0)
    let kept = 0
    if (version === 4) {
      const [removed, next] = variable(bytes, from)
      kept = name.length - removed
      from = next
    }
    const end = bytes.indexOf(0, from)
    if (end < 0 || kept < 0) return null
    name = Buffer.concat([name.subarray(0, kept), bytes.subarray(from, end)])
    if ((flags & 0xfff) !== Math.min(name.length, 0xfff)) return null
    if (bytes.readUInt32BE(at + 24) === GITLINK) found.push(name.toString())
    // Entries are padded to eight bytes, with one zero at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return found
}

/** A number of seven bits to a byte, each higher part counted from one. */
function variable(bytes: Buffer, from: number): readonly [value: number, next: number] {
  let at = from
  let byte = bytes[at++] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return [value, at]
}
