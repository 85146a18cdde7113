export interface CharCounter {
  push(bytes: Uint8Array): void
  /** Code points so far; an unfinished character at the end counts as the one replacement a decoder would emit. */
  total(): number
}

/** Below this the set-up of the word-wise scan costs more than it saves. */
const WORDWISE_BYTES = 64
const HIGH_BITS = 0x80808080 | 0

/**
 * Counts characters of a UTF-8 stream without decoding it, whatever the chunk borders. Invalid bytes count as the
 * replacement characters of the WHATWG decoder, so the count is that of `[...new TextDecoder().decode(everything)]`.
 */
export function createCharCounter(): CharCounter {
  let chars = 0
  // Continuation bytes still wanted, and the range the next one must lie in (it is narrower after E0, ED, F0 and F4).
  let wanted = 0
  let low = 0x80
  let high = 0xbf

  const lead = (byte: number): void => {
    if (byte < 0x80) chars += 1
    else if (byte >= 0xc2 && byte <= 0xdf) wanted = 1
    else if (byte >= 0xe0 && byte <= 0xef) {
      wanted = 2
      if (byte === 0xe0) low = 0xa0
      if (byte === 0xed) high = 0x9f
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      wanted = 3
      if (byte === 0xf0) low = 0x90
      if (byte === 0xf4) high = 0x8f
    } else chars += 1
  }

  const step = (byte: number): void => {
    if (wanted === 0) {
      lead(byte)
      return
    }
    const fits = byte >= low && byte <= high
    low = 0x80
    high = 0xbf
    wanted = fits ? wanted - 1 : 0
    if (wanted === 0) chars += 1
    if (!fits) lead(byte)
  }

  return {
    push(bytes) {
      const words = bytes.length >= WORDWISE_BYTES ? wordsOf(bytes) : null
      let at = 0
      while (at < bytes.length) {
        if (wanted === 0 && (bytes[at] as number) < 0x80) {
          const end = asciiEnd(bytes, at, words)
          chars += end - at
          at = end
        } else {
          step(bytes[at] as number)
          at += 1
        }
      }
    },
    total: () => (wanted === 0 ? chars : chars + 1),
  }
}

interface Words {
  readonly view: Int32Array
  /** Index into the bytes at which the first word starts. */
  readonly first: number
}

function wordsOf(bytes: Uint8Array): Words {
  const first = -bytes.byteOffset & 3
  return { view: new Int32Array(bytes.buffer, bytes.byteOffset + first, (bytes.length - first) >> 2), first }
}

/** Index of the first byte from `at` on that is not ASCII. Four words at a time: most output is ASCII and there is a lot of it. */
function asciiEnd(bytes: Uint8Array, at: number, words: Words | null): number {
  let i = at
  if (words !== null) {
    while (i < bytes.length && ((i - words.first) & 3) !== 0) {
      if ((bytes[i] as number) >= 0x80) return i
      i += 1
    }
    const { view } = words
    let w = (i - words.first) >> 2
    while (w + 4 <= view.length) {
      const any = (view[w] as number) | (view[w + 1] as number) | (view[w + 2] as number) | (view[w + 3] as number)
      if ((any & HIGH_BITS) !== 0) break
      w += 4
    }
    i = Math.max(i, words.first + w * 4)
  }
  while (i < bytes.length && (bytes[i] as number) < 0x80) i += 1
  return i
}
