import type { Readable, Writable } from 'node:stream'

/** A stream a person may be watching. */
export type Screen = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** Everything the command line touches of its process, so that all of it can be run inside a test. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Screen
  readonly stderr: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** The caller's directory: the workspace. */
  readonly cwd: string
  readonly version: string
  /** Calls back on Ctrl-C and its kin until the returned function is called. */
  onInterrupt(listener: () => void): () => void
}

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The Io of this very process. */
export function processIo(version: string): Io {
  return {
    // Opened when it is asked for, which few commands do.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    version,
    onInterrupt(listener) {
      for (const signal of INTERRUPTS) process.on(signal, listener)
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener)
      }
    },
  }
}

/** A reader that went away (`| head`) is not an error of ours: later writes vanish, the exit status stands. */
export function forgiveClosedReaders({ stdout, stderr }: Io): void {
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
}

/** Resolves when the text has left for its reader, or when there is no reader any more. */
export function write(stream: Writable, text: string): Promise<void> {
  if (text === '' || stream.destroyed || stream.writableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    stream.write(text, () => resolve())
  })
}
