import type { Stream } from '../basics/relay.js'

/** The kept end of one stream, with exact counts of all its output. */
export interface CapturedStream {
  /** The tail. Never starts in the middle of a UTF-8 character. */
  readonly bytes: Uint8Array
  readonly totalBytes: number
  /** Characters (code points) a lossy UTF-8 decoder makes of the whole stream, cut or not. */
  readonly totalChars: number
  readonly truncated: boolean
}

/** A piece of a tail: bytes `[from, to)` of `CapturedStream.bytes`. */
export interface Arrival {
  readonly stream: Stream
  readonly from: number
  readonly to: number
}

/** The kept output of a command. */
export interface Captured {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  /** Both tails in the order their pieces arrived. Each byte of both tails occurs once. */
  readonly interleaved: readonly Arrival[]
}
