import type { Stream } from '../model/basics/relay.js'
import { borderFrom, finishedEnd, firstBorder } from '../model/basics/utf8.js'
import type { Captured, CapturedStream } from '../model/run/captured.js'
import { type CharCounter, createCharCounter } from './char-counter.js'
import { createOrder } from './order.js'
import { createTail, type Tail } from './tail.js'

export interface Capture {
  /** Copies what it keeps; the caller may use the bytes again. */
  push(stream: Stream, bytes: Uint8Array): void
  /**
   * Text from a byte offset on, as far as it is still held. `next` is where to go on reading; `skippedBytes` counts
   * what lay between the offset and the text but is held no longer. A character that has not fully arrived waits for
   * the next read.
   */
  read(stream: Stream, offset: number): { readonly text: string; readonly next: number; readonly skippedBytes: number }
  /** Everything kept. May be called more than once; reading goes on working after it. */
  finish(): Captured
}

interface Kept {
  readonly tail: Tail
  readonly counter: CharCounter
}

/** Keeps the last `limitBytes` of each stream and exact counts of all of it. */
export function createCapture(limitBytes: number): Capture {
  const kept: Record<Stream, Kept> = {
    stdout: { tail: createTail(limitBytes), counter: createCharCounter() },
    stderr: { tail: createTail(limitBytes), counter: createCharCounter() },
  }
  const order = createOrder()
  let finished = false

  return {
    push(stream, bytes) {
      const { tail, counter } = kept[stream]
      counter.push(bytes)
      order.push(stream, bytes.length)
      tail.push(bytes)
    },
    read: (stream, offset) => readFrom(kept[stream].tail, offset, finished),
    finish() {
      finished = true
      const stdout = streamOf(kept.stdout)
      const stderr = streamOf(kept.stderr)
      const starts = { stdout: startOf(stdout), stderr: startOf(stderr) }
      return { stdout, stderr, interleaved: order.arrivals(starts) }
    },
  }
}

const startOf = (stream: CapturedStream): number => stream.totalBytes - stream.bytes.length

function streamOf({ tail, counter }: Kept): CapturedStream {
  const held = tail.from(tail.start())
  const bytes = tail.start() > 0 ? held.subarray(firstBorder(held)) : held
  return { bytes, totalBytes: tail.total(), totalChars: counter.total(), truncated: bytes.length < tail.total() }
}

/** Enough bytes before an offset to find the character it may lie in. */
const LOOK_BACK = 3

function readFrom(tail: Tail, offset: number, finished: boolean): ReturnType<Capture['read']> {
  const wanted = Math.min(Math.max(0, Math.trunc(offset) || 0), tail.total())
  const base = Math.max(tail.start(), wanted - LOOK_BACK)
  const bytes = tail.from(base)
  const known = wanted < tail.start() ? firstBorder(bytes) : borderFrom(bytes, wanted - base)
  const end = finished ? bytes.length : Math.max(known, finishedEnd(bytes))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(known, end))
  return { text, next: base + end, skippedBytes: base + known - wanted }
}
