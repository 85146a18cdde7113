import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../core/model/errors.js'
import { isErrno } from './entry.js'
import { isAlive, Owner, thisProcess } from './owner.js'
import { keyOf } from './place.js'

const RETRY_MS = 5
const PATIENCE_MS = 60_000

/** Runs one thing at a time per root, over all processes of this user. The lock of a process that died is taken over. */
export async function locked<T>(directory: string, roots: readonly string[], work: () => Promise<T>): Promise<T> {
  const held: string[] = []
  try {
    // In one order, so that two that want the same roots cannot wait for each other.
    for (const key of roots.map(keyOf).sort()) held.push(await acquire(directory, key))
    return await work()
  } finally {
    for (const file of held.reverse()) unlinkSync(file)
  }
}

async function acquire(directory: string, key: string): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, `${key}.lock`)
  const mine = JSON.stringify(thisProcess())
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
    if (made(file, mine)) return file
    const owner = ownerOf(file)
    if (owner && !isAlive(owner)) breakLock(file, owner)
    else if (Date.now() > until) throw busy(owner)
  }
}

const busy = (owner: Owner | null): CordonError =>
  new CordonError(
    'TOO_BUSY',
    `Another process (${owner?.pid ?? 'unknown'}) is committing to this workspace; try again.`,
  )

/** A link to nowhere, whose target is the text: made with its content in one act, or not at all. */
function made(file: string, text: string): boolean {
  try {
    symlinkSync(text, file)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

function ownerOf(file: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(readlinkSync(file)))
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
  if (owner && (owner.pid !== dead.pid || owner.started !== dead.started)) made(file, JSON.stringify(owner))
  rmSync(moved, { force: true })
}
