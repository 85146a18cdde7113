import { describe, expect, it } from 'vitest'
import { createCharCounter } from '../../../src/core/capture/char-counter.js'
import { fc } from '../../property.js'

const decoded = (bytes: Uint8Array): number => [...new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)].length

/** Bytes that are likely to form, break and cut characters. */
const nasty = fc.array(
  fc.oneof(
    fc.constantFrom(
      0x00,
      0x41,
      0x7f,
      0x80,
      0x9f,
      0xa0,
      0xbf,
      0xc0,
      0xc1,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
    ),
    fc.constantFrom(0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xef, 0xbb, 0xbf),
  ),
  { maxLength: 300 },
)

function countInPieces(bytes: Uint8Array, cuts: readonly number[]): number {
  const counter = createCharCounter()
  let at = 0
  for (const cut of [...cuts.map((c) => c % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    counter.push(bytes.subarray(at, cut))
    at = cut
  }
  return counter.total()
}

describe('the character counter', () => {
  it('counts what the decoder would emit, for any bytes and any chunk borders', () => {
    fc.assert(
      fc.property(nasty, fc.array(fc.nat(400), { maxLength: 6 }), (list, cuts) => {
        const bytes = Uint8Array.from(list)
        expect(countInPieces(bytes, cuts)).toBe(decoded(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it('counts long ASCII stretches with strays at any alignment', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(500), fc.nat(500), fc.constantFrom('é', '€', '😀', ''), (offset, a, b, middle) => {
        const text = 'x'.repeat(a) + middle + 'y'.repeat(b)
        const encoded = new TextEncoder().encode(text)
        const shifted = new Uint8Array(encoded.length + offset)
        shifted.set(encoded, offset)
        expect(countInPieces(shifted.subarray(offset), [])).toBe([...text].length)
      }),
    )
  })

  it('counts an unfinished character at the end once, and not at all when the rest arrives', () => {
    const counter = createCharCounter()
    counter.push(Uint8Array.of(0xf0, 0x9f, 0x98))
    expect(counter.total()).toBe(1)
    counter.push(Uint8Array.of(0x80, 0x41))
    expect(counter.total()).toBe(2)
  })
})
