import type { Stream } from './event.js'

/** Takes the bytes that a command will read as its standard input. */
export interface InputSink {
  /** Returns a promise to wait for before the next write. False: the command no longer reads. */
  write(bytes: Uint8Array): boolean | Promise<boolean>
  /** Ends the command's standard input. */
  end(): void
}

/** Connects a command to the caller's own streams: every byte, as it comes, with back-pressure in both directions. */
export interface Relay {
  /** Starts sending standard input; returns a function that stops it. Absent: the command's standard input is closed. */
  readonly stdin?: ((sink: InputSink) => () => void) | undefined
  /** Sends stdout and stderr through one pipe, which keeps their order. Both arrive as stdout. */
  readonly merged?: boolean | undefined
  /** Takes a chunk of output. The command waits for the promise. False: the reader is gone, and the command gets SIGPIPE. */
  write(stream: Stream, bytes: Uint8Array): boolean | Promise<boolean>
}
