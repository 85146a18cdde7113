import * as z from 'zod'

export const Stream = z.enum(['stdout', 'stderr'])
export type Stream = z.infer<typeof Stream>

/** Takes the bytes that a command will read as its standard input. */
export interface InputSink {
  /** Returns a promise to wait for before the next write. False: the command no longer reads. */
  write(bytes: Uint8Array): boolean | Promise<boolean>
  /** Ends the command's standard input. */
  end(): void
}

/** Connects a command to the caller's own streams: every byte, as it comes, with back-pressure in both directions. */
export interface Relay {
  /** Starts sending standard input; returns a function that stops it. Absent: stdin of the command is closed. */
  readonly stdin?: ((sink: InputSink) => () => void) | undefined
  /**
   * Starts sending interrupts (Ctrl-C) to the command; returns a function that stops it. `send` returns whether it
   * succeeded.
   */
  readonly interrupts?: ((send: () => boolean) => () => void) | undefined
  /** Sends stdout and stderr through one pipe, which keeps their order. Both arrive as stdout. */
  readonly merged?: boolean | undefined
  /**
   * Writes a chunk of output. The command waits for the promise. Returns false if the output is closed; the command
   * then gets SIGPIPE.
   */
  write(stream: Stream, bytes: Uint8Array): boolean | Promise<boolean>
}
