import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../core/model/errors.js'
import { isErrno } from './entry.js'
import { isAlive, type Owner, ownerIn, textOf, thisProcess } from './owner.js'
import { keyOf } from './place.js'

const RETRY_MS = 5
const PATIENCE_MS = 60_000
const ENDING = '.lock'

/**
 * One thing at a time per root, over all processes of this user. A lock is a directory with one entry, whose name is the pid and start
 * time of its owner. It is made elsewhere and renamed to its place, which fails while the directory there has an entry. The lock of a
 * process that died is freed by removing the entry with its name, so a lock that another process has taken since stays.
 */
export class Locks {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async during<T>(roots: readonly string[], work: () => Promise<T>): Promise<T> {
    const held: string[] = []
    try {
      // In one order, so that two that want the same roots cannot wait for each other.
      for (const key of roots.map(keyOf).sort()) held.push(await this.#acquire(join(this.#directory, key + ENDING)))
      return await work()
    } finally {
      for (const lock of held.reverse()) free(lock, thisProcess())
    }
  }

  /** Removes locks that their processes, which died, were making. */
  clean(): void {
    for (const name of entriesOf(this.#directory)) {
      const unfinished = join(this.#directory, name)
      const owner = name.endsWith(ENDING) ? null : ownerOf(unfinished)
      if (owner !== null && !isAlive(owner)) rmSync(unfinished, { recursive: true, force: true })
    }
  }

  async #acquire(lock: string): Promise<string> {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      const owner = ownerOf(lock)
      const isDead = owner !== null && !isAlive(owner)
      if (isDead) free(lock, owner)
      if ((owner === null || isDead) && this.#take(lock)) return lock
      if (Date.now() > until) throw busy(owner)
    }
  }

  /** Returns false if another process holds it. */
  #take(lock: string): boolean {
    const unfinished = join(this.#directory, randomUUID())
    mkdirSync(join(unfinished, textOf(thisProcess())), { recursive: true, mode: 0o700 })
    try {
      renameSync(unfinished, lock)
      return true
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) return false
      throw error
    }
  }
}

const busy = (owner: Owner | null): CordonError =>
  new CordonError(
    'TOO_BUSY',
    `Another process (${owner?.pid ?? 'unknown'}) is committing to this workspace; try again.`,
  )

function ownerOf(lock: string): Owner | null {
  const [name] = entriesOf(lock)
  return name === undefined ? null : ownerIn(name)
}

/** Frees a lock if this process holds it. Another may free or take it at the same time. */
function free(lock: string, owner: Owner): void {
  for (const directory of [join(lock, textOf(owner)), lock]) {
    try {
      rmdirSync(directory)
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTEMPTY')) throw error
    }
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
