/** Mode 160000: the entry is another repository. */
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
/** Limit of repositories in one index. */
const MAX_GITLINKS = 1_000

/** Data of a git index about other repositories. */
export interface Index {
  readonly gitlinks: readonly string[] | 'too many'
  /** The hash in the name of the shared index, for a split one. */
  readonly shared: string | null
}

const NONE: Index = { gitlinks: [], shared: null }

/**
 * Reads an index that a command may have written, in linear time and memory. Tries both hash lengths, because the index
 * does not record its own.
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
  const name = new EntryName(bytes, version)
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + NUMBERS + hash
    if (flagsAt + FLAGS > bytes.length) return null
    const flags = ((bytes[flagsAt] as number) << 8) | (bytes[flagsAt + 1] as number)
    const end = name.read(flagsAt + FLAGS + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0))
    if (end === null || (flags & 0xfff) !== Math.min(name.length, 0xfff)) return null
    const isGitlink = bytes[at + 26] === MODE[2] && bytes[at + 27] === MODE[3] && bytes.readUInt16BE(at + 24) === 0
    if (isGitlink) gitlinks.push(name.text())
    if (gitlinks.length > MAX_GITLINKS) return { gitlinks: 'too many', shared: null }
    // Entries are padded to eight bytes, with one zero at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return { gitlinks, shared: sharedIn(bytes, at, hash) }
}

/** Decodes entry names. Version 4 stores only the difference from the previous name. */
class EntryName {
  readonly #bytes: Buffer
  readonly #isCut: boolean
  readonly #name = new Uint8Array(MAX_NAME_BYTES)
  length = 0

  constructor(bytes: Buffer, version: number) {
    this.#bytes = bytes
    this.#isCut = version === 4
  }

  /** Reads what is there of the next name, and returns where that ends; null where it is no name. */
  read(start: number): number | null {
    const [removed, from] = this.#isCut ? variable(this.#bytes, start) : [this.length, start]
    const kept = this.length - removed
    if (kept < 0) return null
    // Byte by byte: names are short, and a call for each costs more than the bytes.
    const bytes = this.#bytes
    let length = kept
    let at = from
    for (let byte = bytes[at]; byte !== 0; byte = bytes[++at]) {
      if (byte === undefined || length >= MAX_NAME_BYTES) return null
      this.#name[length++] = byte
    }
    this.length = length
    return at
  }

  text(): string {
    return Buffer.from(this.#name.buffer, 0, this.length).toString('utf8')
  }
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
