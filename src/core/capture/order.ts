import type { Stream } from '../model/basics/relay.js'
import type { Arrival } from '../model/run/captured.js'

/** Changes of stream remembered; older ones are shown as one block per stream. */
const REMEMBERED = 65_536

export interface Order {
  push(stream: Stream, bytes: number): void
  /** Pieces of the two tails in order; a tail starts at the given offset of its stream. */
  arrivals(starts: Readonly<Record<Stream, number>>): readonly Arrival[]
}

/** The order in which two streams arrived, in bounded memory. */
export function createOrder(): Order {
  // Lengths in order of arrival; a stretch of stderr is negative. Neighbours of one stream are one entry.
  let lengths: number[] = []
  const folded = { stdout: 0, stderr: 0 }

  const fold = (): void => {
    for (const length of lengths.slice(0, -REMEMBERED)) folded[length > 0 ? 'stdout' : 'stderr'] += Math.abs(length)
    lengths = lengths.slice(-REMEMBERED)
  }

  return {
    push(stream, bytes) {
      if (bytes === 0) return
      const signed = stream === 'stdout' ? bytes : -bytes
      const last = lengths.at(-1)
      if (last !== undefined && last > 0 === signed > 0) lengths[lengths.length - 1] = last + signed
      else lengths.push(signed)
      if (lengths.length > 2 * REMEMBERED) fold()
    },
    arrivals(starts) {
      const at = { stdout: 0, stderr: 0 }
      const found: Arrival[] = []
      for (const length of [folded.stdout, -folded.stderr, ...lengths]) {
        const stream = length > 0 ? 'stdout' : 'stderr'
        const from = Math.max(at[stream] - starts[stream], 0)
        at[stream] += Math.abs(length)
        const to = at[stream] - starts[stream]
        if (to > from) found.push({ stream, from, to })
      }
      return found
    },
  }
}
