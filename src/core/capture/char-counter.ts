export interface CharCounter {
  push(bytes: Uint8Array): void
  /** Code points so far; an unfinished character at the end counts as the one replacement a decoder would emit. */
  total(): number
}

/** Below this the set-up of the word-wise scan costs more than it saves. */
const WORDWISE_BYTES = 64
const HIGH_BITS = 0x80808080 | 0

/**
 * Counts characters of a UTF-8 stream without decoding it, across chunk borders. Invalid bytes count as the
 * replacement characters of the WHATWG decoder: one for each longest beginning of a character that does not go on. So
 * every stretch counts one, valid or not, and the count is that of `[...new TextDecoder().decode(everything)]`.
 */
export function createCharCounter(): CharCounter {
  let chars = 0
  // The lead byte and the length so far of a character that the last chunk left unfinished. It is counted already.
  let lead = 0
  let had = 0

  return {
    push(bytes) {
      let at = had === 0 ? 0 : stretchEnd(bytes, 0, lead, had)
      had = had > 0 && at === bytes.length && had + at < lengthFrom(lead) ? had + at : 0
      const words = bytes.length >= WORDWISE_BYTES ? wordsOf(bytes) : null
      let count = 0
      while (at < bytes.length) {
        if (words !== null && ((at - words.first) & 15) === 0) {
          const end = asciiEnd(words, at)
          count += end - at
          at = end
          if (at >= bytes.length) break
        }
        const byte = bytes[at] as number
        count += 1
        at += 1
        if (byte < 0x80) continue
        if (isPlain(bytes, at, byte)) {
          at += byte < 0xe0 ? 1 : 2
          continue
        }
        const end = stretchEnd(bytes, at, byte, 1)
        const length = end - at + 1
        if (end === bytes.length && length < lengthFrom(byte)) {
          lead = byte
          had = length
        }
        at = end
      }
      chars += count
    },
    total: () => chars,
  }
}

/** The quick way for the two and three byte characters that no special rule concerns: nearly all that are not ASCII. */
function isPlain(bytes: Uint8Array, at: number, lead: number): boolean {
  if (lead < 0xc2 || lead > 0xef || lead === 0xe0 || lead === 0xed || at + 1 >= bytes.length) return false
  const second = (bytes[at] as number) & 0xc0
  return second === 0x80 && (lead < 0xe0 || ((bytes[at + 1] as number) & 0xc0) === 0x80)
}

/** Bytes of the character that starts with this one; 1 for what starts none. */
function lengthFrom(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

/** Returns the end of the character that has `had` bytes before `from`, or the chunk's end if it is cut off there. */
function stretchEnd(bytes: Uint8Array, from: number, lead: number, had: number): number {
  const end = Math.min(bytes.length, from + lengthFrom(lead) - had)
  let at = from
  // The second byte must lie in a narrower range after these: no overlong forms, no surrogates, nothing above U+10FFFF.
  if (had === 1 && at < end) {
    const second = bytes[at] as number
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    if (second < low || second > high) return at
    at += 1
  }
  while (at < end && ((bytes[at] as number) & 0xc0) === 0x80) at += 1
  return at
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

/**
 * Goes over ASCII from the start of a word on, four words at a time: most output is ASCII, and there is a lot of it.
 */
function asciiEnd({ view, first }: Words, at: number): number {
  let word = (at - first) >> 2
  while (word + 4 <= view.length) {
    const any =
      (view[word] as number) | (view[word + 1] as number) | (view[word + 2] as number) | (view[word + 3] as number)
    if ((any & HIGH_BITS) !== 0) break
    word += 4
  }
  return first + word * 4
}
