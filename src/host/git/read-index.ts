/** What an entry says that is no file but another repository: mode 160000. */
const GITLINK = 0o160000
const MODE = Buffer.from([0, 0, GITLINK >> 8, GITLINK & 0xff])
/** The extension that names the file with the rest of a split index. */
const LINK = 'link'
/** Bytes of an entry before its name: times, numbers, mode and size; the hash; flags. */
const NUMBERS = 40
const FLAGS = 2
const EXTENSION = 8
/** The kernel opens no longer path, so no repository can be at one. */
const MAX_NAME_BYTES = 4_096
/** More repositories than this are not looked at. */
const MAX_GITLINKS = 1_000

/** What an index of git says about other repositories. */
export interface Index {
  readonly gitlinks: readonly string[]
  /** The hash in the name of the shared index, for a split one. */
  readonly shared: string | null
}

const NONE: Index = { gitlinks: [], shared: null }

/**
 * Reads the bytes of an index that a command may have written. Memory and time are linear in their number. The hash of a repository has
 * one of two lengths, which its index does not say: by the wrong one it cannot be read.
 */
export function readIndex(bytes: Buffer): Index {
  if (!bytes.includes(MODE) && !bytes.includes(`${LINK}\0`)) return NONE
  return readWith(bytes, 20) ?? readWith(bytes, 32) ?? NONE
}

/** Null where this is no index with such hashes. */
function readWith(bytes: Buffer, hash: number): Index | null {
  const version = bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const gitlinks: string[] = []
  // A version 4 entry holds what differs from the name before it, so that a few bytes can stand for a name of any length.
  const name = Buffer.alloc(MAX_NAME_BYTES)
  let length = 0
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + NUMBERS + hash
    if (flagsAt + FLAGS > bytes.length) return null
    const flags = bytes.readUInt16BE(flagsAt)
    let from = flagsAt + FLAGS + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0)
    let kept = 0
    if (version === 4) {
      const [removed, next] = variable(bytes, from)
      kept = length - removed
      from = next
    }
    const end = bytes.indexOf(0, from)
    if (end < 0 || kept < 0 || kept + end - from > MAX_NAME_BYTES) return null
    length = kept + bytes.copy(name, kept, from, end)
    if ((flags & 0xfff) !== Math.min(length, 0xfff)) return null
    const isGitlink = bytes.readUInt32BE(at + 24) === GITLINK
    if (isGitlink && gitlinks.length < MAX_GITLINKS) gitlinks.push(name.toString('utf8', 0, length))
    // Entries are padded to eight bytes, with one zero at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return { gitlinks, shared: sharedIn(bytes, at, hash) }
}

/** Finds the hash of the shared index among the extensions, which follow the entries. */
function sharedIn(bytes: Buffer, from: number, hash: number): string | null {
  for (let at = from; at + EXTENSION + hash <= bytes.length; at += EXTENSION + bytes.readUInt32BE(at + 4)) {
    const content = at + EXTENSION
    if (bytes.toString('latin1', at, at + 4) === LINK) return bytes.toString('hex', content, content + hash)
  }
  return null
}

/** A number of seven bits to a byte, each higher part counted from one. */
function variable(bytes: Buffer, from: number): readonly [value: number, next: number] {
  let at = from
  let byte = bytes[at++] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at < bytes.length && value <= MAX_NAME_BYTES) {
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return [value, at]
}
