import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../../core/model/basics/errors.js'
import { isErrno, namesIn } from '../paths/entry.js'
import { isAlive, type ProcessIdentity, processIdentityIn, textOf, thisProcess } from '../paths/process-identity.js'
import { keyOf } from './locations.js'

const RETRY_MS = 5
const PATIENCE_MS = 60_000
const ENDING = '.lock'

/**
 * Locks roots, one owner at a time over all processes of this user. A lock is a directory with one entry, named by the
 * pid and start time of its owner. It is created under another name and renamed, which fails if the target has an
 * entry. To free the lock of a dead process, its entry is removed by name, so a newer lock stays.
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
    for (const name of namesIn(this.#directory)) {
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

  /** Returns false if another process holds the lock. */
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

const busy = (owner: ProcessIdentity | null): CordonError =>
  new CordonError(
    'TOO_BUSY',
    `Another process (pid ${owner?.pid ?? 'unknown'}) is committing to this workspace. Try again.`,
  )

function ownerOf(lock: string): ProcessIdentity | null {
  const [name] = namesIn(lock)
  return name === undefined ? null : processIdentityIn(name)
}

/** Frees a lock of this process. Other processes may free or take it at the same time. */
function free(lock: string, owner: ProcessIdentity): void {
  for (const directory of [join(lock, textOf(owner)), lock]) {
    try {
      rmdirSync(directory)
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTEMPTY')) throw error
    }
  }
}
