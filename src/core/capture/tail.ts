const BLOCK_BYTES = 64 * 1024

export interface Tail {
  /** Copies the bytes; the caller may use them again. */
  push(bytes: Uint8Array): void
  total(): number
  /** Offset in the stream of the first byte still held. */
  start(): number
  /** A copy of what is held from a stream offset on. */
  from(offset: number): Uint8Array
}

/**
 * The last `limitBytes` of a stream, in a ring of blocks that are made when first needed and then used over and over.
 * Copying beats keeping the chunks: those would grow old before they are dropped, and garbage that is old is
 * collected late.
 */
export function createTail(limitBytes: number): Tail {
  const size = Math.min(BLOCK_BYTES, limitBytes)
  const ring: Uint8Array[] = new Array(Math.ceil(limitBytes / size) + 1)
  let total = 0

  const slotOf = (offset: number): number => Math.floor(offset / size) % ring.length
  const start = (): number => Math.max(0, total - limitBytes)

  const store = (bytes: Uint8Array): void => {
    const at = total % size
    const slot = slotOf(total)
    const block = ring[slot] ?? new Uint8Array(size)
    ring[slot] = block
    block.set(bytes, at)
    total += bytes.length
  }

  return {
    push(bytes) {
      // Only the end of a chunk larger than the limit can stay.
      let at = Math.max(0, bytes.length - limitBytes)
      total += at
      while (at < bytes.length) {
        const room = size - (total % size)
        const whole = at === 0 && bytes.length <= room
        const part = whole ? bytes : bytes.subarray(at, at + room)
        store(part)
        at += part.length
      }
    },
    total: () => total,
    start,
    from(offset) {
      const first = Math.min(Math.max(offset, start()), total)
      const out = new Uint8Array(total - first)
      for (let at = first; at < total; ) {
        const from = at % size
        const to = Math.min(size, from + total - at)
        out.set((ring[slotOf(at)] as Uint8Array).subarray(from, to), at - first)
        at += to - from
      }
      return out
    },
  }
}
