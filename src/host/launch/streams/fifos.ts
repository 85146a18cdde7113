import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs'

const O_PATH = 0o10000000
const BATCH = 16
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/**
 * One direction of data between us and a command. `ours` does not block; `theirs` is an ordinary descriptor for the
 * child.
 */
export interface Channel {
  readonly ours: number
  readonly theirs: number
  /** Opens the writing end for a moment, for a process that opens the pipe again and waits for a writer. */
  touch(): void
  /** Returns the pipe for reuse. Call it once no process holds an end. */
  recycle(): void
  /** Drops the pipe. Call it if a process may still hold an end. */
  abandon(): void
}

/**
 * Provides real pipes. Node's own `'pipe'` is a socket pair, which cannot be opened through /dev/stderr or /dev/stdin:
 * `echo oops > /dev/stderr` would fail in every script. Node cannot create pipes but can open FIFOs. These are unlinked
 * at once, held by O_PATH descriptors that count neither as reader nor writer, and opened again for each use.
 */
export class Fifos {
  readonly #directory: string
  readonly #idle: number[] = []
  #closed = false

  /** `directory` holds their names for a moment. It does not exist before or after. */
  constructor(directory: string) {
    this.#directory = directory
  }

  /** Returns a pipe from the command to us. */
  output(): Channel {
    const pathFd = this.#take()
    const ours = reopen(pathFd, O_RDONLY | O_NONBLOCK)
    return this.#channel(pathFd, ours, reopen(pathFd, O_WRONLY))
  }

  /** Returns a pipe from us to the command. */
  input(): Channel {
    const pathFd = this.#take()
    // Opening either end alone would wait for the other.
    const first = reopen(pathFd, O_RDONLY | O_NONBLOCK)
    const ours = reopen(pathFd, O_WRONLY | O_NONBLOCK)
    const theirs = reopen(pathFd, O_RDONLY)
    closeSync(first)
    return this.#channel(pathFd, ours, theirs)
  }

  close(): void {
    this.#closed = true
    for (const pathFd of this.#idle.splice(0)) closeSync(pathFd)
  }

  #channel(pathFd: number, ours: number, theirs: number): Channel {
    return {
      ours,
      theirs,
      touch: () => touch(pathFd),
      recycle: () => this.#recycle(pathFd),
      abandon: () => closeSync(pathFd),
    }
  }

  #recycle(pathFd: number): void {
    if (this.#closed || !isMadeOurs(pathFd)) closeSync(pathFd)
    else this.#idle.push(pathFd)
  }

  #take(): number {
    if (this.#idle.length === 0) this.#idle.push(...make(BATCH, this.#directory))
    const pathFd = this.#idle.pop()
    if (pathFd === undefined) throw new Error('no pipe could be made')
    return pathFd
  }
}

function touch(pathFd: number): void {
  try {
    closeSync(reopen(pathFd, O_WRONLY | O_NONBLOCK))
  } catch {
    // No process has it open for reading.
  }
}

/** Restores the mode of a pipe. A command owns its pipes as much as we do, and may have removed all permissions. */
function isMadeOurs(pathFd: number): boolean {
  try {
    chmodSync(`/proc/self/fd/${pathFd}`, 0o600)
    return true
  } catch {
    return false
  }
}

const reopen = (pathFd: number, flags: number): number => openSync(`/proc/self/fd/${pathFd}`, flags)

function make(count: number, directory: string): number[] {
  mkdirSync(directory, { mode: 0o700 })
  try {
    const names = Array.from({ length: count }, (_, index) => `${directory}/${index}`)
    spawnSync('/usr/bin/mkfifo', ['-m', '600', ...names], { env: {}, stdio: 'ignore' })
    return names.map((name) => openSync(name, O_PATH))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
