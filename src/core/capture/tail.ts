/** Chunks below this are copied together: ten million chunks of one byte must not become ten million objects. */
const SMALL_BYTES = 16 * 1024
const BLOCK_BYTES = 64 * 1024
/** Dropped entries at the front of the list before it is rebuilt; rebuilding then costs O(1) per chunk. */
const SLACK = 256

export interface Tail {
  /** The bytes belong to the tail from here on; the caller must not change them. */
  push(bytes: Uint8Array): void
  total(): number
  /** Offset in the stream of the first byte still held. */
  start(): number
  /** A copy of what is held from a stream offset on. */
  from(offset: number): Uint8Array
}

interface Piece {
  readonly start: number
  readonly buffer: Uint8Array
  length: number
}

/** The last `limitBytes` of a stream. Memory stays within the limit plus one chunk; a push costs what the chunk costs. */
export function createTail(limitBytes: number): Tail {
  let pieces: (Piece | undefined)[] = []
  let head = 0
  let total = 0
  let open: Piece | null = null

  const append = (buffer: Uint8Array, length: number): Piece => {
    const piece = { start: total, buffer, length }
    pieces.push(piece)
    return piece
  }

  const appendSmall = (bytes: Uint8Array): void => {
    if (open === null || open.buffer.length - open.length < bytes.length) {
      seal()
      open = append(new Uint8Array(Math.max(bytes.length, Math.min(BLOCK_BYTES, limitBytes))), 0)
    }
    open.buffer.set(bytes, open.length)
    open.length += bytes.length
  }

  /** A block that stays mostly empty is replaced by a copy of its size. */
  const seal = (): void => {
    if (open !== null && open.length * 2 < open.buffer.length) {
      pieces[pieces.length - 1] = { ...open, buffer: open.buffer.slice(0, open.length) }
    }
    open = null
  }

  const appendLarge = (bytes: Uint8Array): void => {
    seal()
    // A slice of a larger pooled buffer would pin all of it.
    const owned = bytes.length * 2 < bytes.buffer.byteLength ? bytes.slice() : bytes
    append(owned, owned.length)
  }

  const evict = (): void => {
    const start = total - limitBytes
    for (let piece = pieces[head]; piece !== undefined && piece.start + piece.length <= start; piece = pieces[head]) {
      if (piece === open) open = null
      pieces[head] = undefined
      head += 1
    }
    if (head > SLACK && head * 2 > pieces.length) {
      pieces = pieces.slice(head)
      head = 0
    }
  }

  const start = (): number => Math.max(0, total - limitBytes)

  return {
    push(bytes) {
      if (bytes.length === 0) return
      if (bytes.length < SMALL_BYTES) appendSmall(bytes)
      else appendLarge(bytes)
      total += bytes.length
      evict()
    },
    total: () => total,
    start,
    from(offset) {
      const first = Math.min(Math.max(offset, start()), total)
      const out = new Uint8Array(total - first)
      for (let i = pieces.length - 1; i >= head; i -= 1) {
        const piece = pieces[i] as Piece
        if (piece.start + piece.length <= first) break
        const skip = Math.max(0, first - piece.start)
        out.set(piece.buffer.subarray(skip, piece.length), piece.start + skip - first)
      }
      return out
    },
  }
}
