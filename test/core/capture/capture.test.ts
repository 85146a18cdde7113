import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createCapture } from '../../../src/core/capture/capture.js'
import type { Stream } from '../../../src/core/model/basics/relay.js'
import type { Captured } from '../../../src/core/model/run/captured.js'
import { fc } from '../../property.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const interleaved = (captured: Captured): string =>
  captured.interleaved.map(({ stream, from, to }) => textOf(captured[stream].bytes.subarray(from, to))).join('')

const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map(bytesOf),
  fc.integer({ min: 16_000, max: 70_000 }).map((n) => new Uint8Array(n).fill(97)),
)
const run = fc.array(fc.tuple(fc.constantFrom<Stream>('stdout', 'stderr'), chunk), { maxLength: 30 })

describe('capture', () => {
  it('keeps exactly the tail and the true totals, for any chunks and any limit', () => {
    fc.assert(
      fc.property(run, fc.integer({ min: 1, max: 100_000 }), (chunks, limit) => {
        const capture = createCapture(limit)
        for (const [stream, bytes] of chunks) capture.push(stream, bytes)
        const captured = capture.finish()
        for (const stream of ['stdout', 'stderr'] as const) {
          const all = joined(chunks.filter(([s]) => s === stream).map(([, bytes]) => bytes))
          const { bytes, totalBytes, totalChars, truncated } = captured[stream]
          expect(totalBytes).toBe(all.length)
          expect(totalChars).toBe([...textOf(all)].length)
          expect(truncated).toBe(bytes.length < all.length)
          // At most three bytes of a cut character are given up beyond the limit.
          expect(bytes.length).toBeLessThanOrEqual(limit)
          expect(bytes.length).toBeGreaterThanOrEqual(Math.min(all.length, limit) - 3)
          expect(Buffer.compare(bytes, all.subarray(all.length - bytes.length))).toBe(0)
        }
        const pieces = (stream: Stream) => captured.interleaved.filter((p) => p.stream === stream)
        for (const stream of ['stdout', 'stderr'] as const) {
          const covered = pieces(stream).map(({ from, to }) => captured[stream].bytes.subarray(from, to))
          expect(Buffer.compare(joined(covered), captured[stream].bytes)).toBe(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never starts in the middle of a character', () => {
    for (let limit = 1; limit < 12; limit += 1) {
      const capture = createCapture(limit)
      capture.push('stdout', bytesOf('€😀é'.repeat(5)))
      expect(textOf(capture.finish().stdout.bytes)).not.toContain('\ufffd')
    }
  })

  it('shows both streams in the order they arrived', () => {
    const capture = createCapture(1000)
    for (const [stream, text] of [
      ['stdout', 'a'],
      ['stdout', 'b'],
      ['stderr', 'X'],
      ['stdout', 'c'],
    ] as const) {
      capture.push(stream, bytesOf(text))
    }
    expect(interleaved(capture.finish())).toBe('abXc')
  })

  it('keeps the order of the newest pieces when two streams alternate a million times', () => {
    const capture = createCapture(2_000_000)
    const [out, err] = [bytesOf('o'), bytesOf('e')]
    for (let i = 0; i < 500_000; i += 1) {
      capture.push('stdout', out)
      capture.push('stderr', err)
    }
    const captured = capture.finish()
    expect(captured.interleaved.length).toBeLessThan(140_000)
    const text = interleaved(captured)
    expect(text.length).toBe(1_000_000)
    expect(text.endsWith('oeoeoeoe')).toBe(true)
  })

  it('holds no more than the limit for chunks of any size', async () => {
    const held = (): number => {
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    /** Freed buffers are given back in the background, so what is really held is the least that is seen. */
    const leastHeld = async (): Promise<number> => {
      const seen: number[] = []
      for (let i = 0; i < 20; i += 1) {
        collectGarbage()
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(held())
      }
      return Math.min(...seen)
    }
    const measure = async (size: number): Promise<number> => {
      const capture = createCapture(1024 * 1024)
      const before = await leastHeld()
      // Slices of one large buffer must not pin it, and one-byte chunks must not become one object each.
      for (let sent = 0; sent < 64 * 1024 * 1024; sent += size * 16) {
        const pool = new Uint8Array(size * 16)
        for (let i = 0; i < 16; i += 1) capture.push('stdout', pool.subarray(i * size, (i + 1) * size))
      }
      const grown = (await leastHeld()) - before
      expect(capture.finish().stdout.totalBytes).toBeGreaterThanOrEqual(64 * 1024 * 1024)
      return grown
    }
    expect(await measure(16)).toBeLessThan(4 * 1024 * 1024)
    expect(await measure(32 * 1024)).toBeLessThan(4 * 1024 * 1024)
  })
})

describe('reading while it runs', () => {
  it('gives every character once and whole across chunk borders', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        (text, cuts) => {
          const bytes = bytesOf(text)
          const capture = createCapture(10_000)
          let at = 0
          let next = 0
          let read = ''
          const poll = (): void => {
            const got = capture.read('stdout', next)
            expect(got.skippedBytes).toBe(0)
            read += got.text
            next = got.next
          }
          for (const cut of [...cuts.map((c) => c % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
            capture.push('stdout', bytes.subarray(at, cut))
            at = cut
            poll()
          }
          expect(read).toBe(text)
          expect(next).toBe(bytes.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('counts what is held no longer, and starts at a whole character', () => {
    const capture = createCapture(5)
    capture.push('stdout', bytesOf('€€€'))
    expect(capture.read('stdout', 0)).toEqual({ text: '€', next: 9, skippedBytes: 6 })
    expect(capture.read('stdout', 7)).toEqual({ text: '', next: 9, skippedBytes: 2 })
    expect(capture.read('stdout', 99)).toEqual({ text: '', next: 9, skippedBytes: 0 })
    expect(capture.read('stdout', -1).text).toBe('€')
  })

  it('holds an unfinished character back until it is finished or the command has ended', () => {
    const capture = createCapture(100)
    capture.push('stderr', Uint8Array.of(0x61, 0xe2, 0x82))
    expect(capture.read('stderr', 0)).toEqual({ text: 'a', next: 1, skippedBytes: 0 })
    capture.finish()
    expect(capture.read('stderr', 1)).toEqual({ text: '\ufffd', next: 3, skippedBytes: 0 })
  })
})
