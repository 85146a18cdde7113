import { randomUUID } from 'node:crypto'
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the start time of a process in clock ticks, which distinguishes reused pids. Null if there is none. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const OWN_NAME = `${process.pid}-${startOf(process.pid)}`
const [BUSY, IDLE] = ['1', '0']

/**
 * Marks a private home as used by a command of this engine: a file named by pid and start time that contains 1 during a
 * command. Its time is that of the last use.
 */
export class Uses {
  readonly #directory: string
  readonly #file: string
  #fd: number | null = null
  #count = 0

  /** `root`: the directory of this home in Cordon's state. */
  constructor(root: string) {
    this.#directory = join(root, 'uses')
    this.#file = join(this.#directory, `${OWN_NAME}-${randomUUID()}`)
  }

  begin(): void {
    this.#count += 1
    if (this.#count === 1) this.#write(BUSY)
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) this.#write(IDLE)
  }

  close(): void {
    if (this.#fd === null) return
    closeSync(this.#fd)
    this.#fd = null
    rmSync(this.#file, { force: true })
  }

  #write(state: string): void {
    // The home may have been reset.
    if (this.#fd !== null && lstatSync(this.#file, { throwIfNoEntry: false }) === undefined) this.close()
    if (this.#fd === null) {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      this.#fd = openSync(this.#file, 'w', 0o600)
    }
    writeSync(this.#fd, state, 0)
  }
}

const namesIn = (directory: string): readonly string[] =>
  lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(directory) : []

/** Returns the pids of engines with a command running in the home. Removes the files of engines that have died. */
export function usersOf(root: string): readonly number[] {
  const directory = join(root, 'uses')
  return namesIn(directory).flatMap((name) => {
    const [pid = '', started = ''] = name.split('-')
    if (startOf(Number(pid)) !== started) rmSync(join(directory, name), { force: true })
    else if (readFileSync(join(directory, name), 'utf8') === BUSY) return Number(pid)
    return []
  })
}

/** Returns when a command last used the home, in milliseconds since the epoch. */
export function lastUseOf(root: string): number {
  const directory = join(root, 'uses')
  const times = [directory, ...namesIn(directory).map((name) => join(directory, name))].map(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(...times)
}
