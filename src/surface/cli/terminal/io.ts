import { fstatSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { CordonError } from '../../../core/model/basics/errors.js'
import { fileScreen, isPlainFile } from './file-screen.js'

/** A stream a person may be watching. */
export type Screen = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** Everything the command line touches of its process, so that all of it can be run inside a test. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Screen
  readonly stderr: Screen
  /** stdout and stderr are the same file, pipe or terminal. */
  readonly hasOneOutput: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The caller's directory: the workspace. */
  readonly cwd: string
  readonly version: string
  /** Reports whether a read from the terminal would not stop this process. */
  isForeground(): boolean
  /** Calls back on SIGINT (Ctrl-C), SIGTERM and SIGHUP until the returned function is called. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void
}

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The Io of this very process. */
export function processIo(version: string): Io {
  return {
    // Opened when it is asked for, which few commands do.
    get stdin() {
      return process.stdin
    },
    stdout: screenOf(1, process.stdout),
    stderr: screenOf(2, process.stderr),
    hasOneOutput: areOneFile(1, 2),
    env: process.env,
    get cwd() {
      return currentDirectory()
    },
    version,
    isForeground,
    onInterrupt(listener) {
      for (const signal of INTERRUPTS) process.on(signal, listener)
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener)
      }
    },
  }
}

/**
 * Throws DIRECTORY_NOT_FOUND where the directory was removed: when a command asks, so that the failure is reported as
 * others are.
 */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    throw new CordonError('DIRECTORY_NOT_FOUND', 'The current directory is gone. Change to another with cd.')
  }
}

const screenOf = (fd: number, stream: Screen): Screen =>
  isPlainFile(fd, stream.isTTY === true) ? fileScreen(fd) : stream

function areOneFile(one: number, other: number): boolean {
  const [a, b] = [fstatSync(one), fstatSync(other)]
  return a.dev === b.dev && a.ino === b.ino
}

/**
 * Compares the process group with that of the terminal's foreground, by the fields of proc(5) after the program's
 * name.
 */
function isForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === foreground
  } catch {
    return true
  }
}

/** Ignores EPIPE (`| head`): later writes are dropped, and the exit status stays. */
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
