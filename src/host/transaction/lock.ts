import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../core/model/errors.js'
import { isErrno } from './entry.js'
import { isAlive, type Owner, ownerIn, textOf, thisProcess } from './owner.js'
import { keyOf } from './place.js'

const RETRY_MS = 5
const PATIENCE_MS = 60_000
const CARD = /^card-\d+-[a-z0-9]+$/

/**
 * One thing at a time per root, over all processes of this user. Each process has a card that says who it is; a lock is another name
 * of it, given in one act and without making a file, or not at all. The lock of a process that died is taken over.
 */
export class Locks {
  readonly #directory: string
  readonly #card: string

  constructor(directory: string) {
    this.#directory = directory
    this.#card = join(directory, `card-${process.pid}-${Math.random().toString(36).slice(2)}`)
  }

  /** Makes what is needed, so that it is there when it is. */
  prepare(): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    writeFileSync(this.#card, textOf(thisProcess()), { mode: 0o600 })
  }

  async during<T>(roots: readonly string[], work: () => Promise<T>): Promise<T> {
    const held: string[] = []
    try {
      // In one order, so that two that want the same roots cannot wait for each other.
      for (const key of roots.map(keyOf).sort()) held.push(await this.#acquire(join(this.#directory, `${key}.lock`)))
      return await work()
    } finally {
      for (const file of held.reverse()) unlinkSync(file)
    }
  }

  /** Cards of processes that died. */
  clean(): void {
    for (const name of names(this.#directory)) {
      const card = join(this.#directory, name)
      const owner = CARD.test(name) ? ownerOf(card) : null
      if (owner && !isAlive(owner)) rmSync(card, { force: true })
    }
  }

  close(): void {
    rmSync(this.#card, { force: true })
  }

  async #acquire(file: string): Promise<string> {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      if (this.#taken(file)) return file
      const owner = ownerOf(file)
      if (owner && !isAlive(owner)) breakLock(file, owner)
      else if (Date.now() > until) throw busy(owner)
    }
  }

  #taken(file: string): boolean {
    try {
      linkSync(this.#card, file)
      return true
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return false
      if (!isErrno(error, 'ENOENT')) return marked(file)
      this.prepare()
      return this.#taken(file)
    }
  }
}

const busy = (owner: Owner | null): CordonError =>
  new CordonError(
    'TOO_BUSY',
    `Another process (${owner?.pid ?? 'unknown'}) is committing to this workspace; try again.`,
  )

/** Where files have one name only: a link to nowhere, whose target is the text. */
function marked(file: string): boolean {
  try {
    symlinkSync(textOf(thisProcess()), file)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

function ownerOf(file: string): Owner | null {
  try {
    return ownerIn(readFileSync(file, 'latin1'))
  } catch {
    return ownerNamedBy(file)
  }
}

function ownerNamedBy(link: string): Owner | null {
  try {
    return ownerIn(readlinkSync(link))
  } catch {
    return null
  }
}

/** Moves a dead process's lock away. What was moved is looked at again: another may have been quicker and hold it rightly. */
function breakLock(file: string, dead: Owner): void {
  const moved = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.broken`
  try {
    renameSync(file, moved)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  const owner = ownerOf(moved)
  if (owner && (owner.pid !== dead.pid || owner.started !== dead.started)) giveBack(moved, file)
  else rmSync(moved, { force: true })
}

function giveBack(moved: string, file: string): void {
  try {
    linkSync(moved, file)
    rmSync(moved, { force: true })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) renameSync(moved, file)
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
