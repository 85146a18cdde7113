import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs'

const O_PATH = 0o10000000
const BATCH = 16
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** One direction of data between us and a command. `ours` does not block; `theirs` is an ordinary descriptor for the child. */
export interface Channel {
  readonly ours: number
  readonly theirs: number
  /** Opens the writing end for a moment. A process that opens the pipe again after its writer has gone waits for that. */
  touch(): void
  /** To be called when no process holds an end any more. */
  recycle(): void
  /** To be called when that cannot be known. */
  abandon(): void
}

/**
 * Real pipes. Node's own `'pipe'` is a socket pair, and a socket cannot be opened through /dev/stderr or /dev/stdin:
 * `echo oops > /dev/stderr` would fail in every script. Node cannot make a pipe but can open a FIFO; these are unlinked as soon
 * as they are made, held by O_PATH descriptors that count neither as reader nor writer, and opened afresh for each use.
 */
export class Fifos {
  readonly #directory: string
  readonly #idle: number[] = []
  #closed = false

  /** `directory`: where they have their names for a moment. It does not exist before or after. */
  constructor(directory: string) {
    this.#directory = directory
  }

  /** A pipe the command writes and we read. */
  output(): Channel {
    const keeper = this.#take()
    const ours = reopen(keeper, O_RDONLY | O_NONBLOCK)
    return this.#channel(keeper, ours, reopen(keeper, O_WRONLY))
  }

  /** A pipe we write and the command reads. */
  input(): Channel {
    const keeper = this.#take()
    // Opening either end alone would wait for the other.
    const first = reopen(keeper, O_RDONLY | O_NONBLOCK)
    const ours = reopen(keeper, O_WRONLY | O_NONBLOCK)
    const theirs = reopen(keeper, O_RDONLY)
    closeSync(first)
    return this.#channel(keeper, ours, theirs)
  }

  close(): void {
    this.#closed = true
    for (const keeper of this.#idle.splice(0)) closeSync(keeper)
  }

  #channel(keeper: number, ours: number, theirs: number): Channel {
    return {
      ours,
      theirs,
      touch: () => touch(keeper),
      recycle: () => this.#recycle(keeper),
      abandon: () => closeSync(keeper),
    }
  }

  #recycle(keeper: number): void {
    if (this.#closed || !isMadeOurs(keeper)) closeSync(keeper)
    else this.#idle.push(keeper)
  }

  #take(): number {
    if (this.#idle.length === 0) this.#idle.push(...make(BATCH, this.#directory))
    const keeper = this.#idle.pop()
    if (keeper === undefined) throw new Error('no pipe could be made')
    return keeper
  }
}

function touch(keeper: number): void {
  try {
    closeSync(reopen(keeper, O_WRONLY | O_NONBLOCK))
  } catch {
    // No process has it open for reading.
  }
}

/** A command owns the pipes it was given as much as we do, and may have closed them to everybody. */
function isMadeOurs(keeper: number): boolean {
  try {
    chmodSync(`/proc/self/fd/${keeper}`, 0o600)
    return true
  } catch {
    return false
  }
}

const reopen = (keeper: number, flags: number): number => openSync(`/proc/self/fd/${keeper}`, flags)

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
