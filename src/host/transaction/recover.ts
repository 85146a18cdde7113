import type { TransactionRecord } from '../../core/model/change.js'
import type { AttributeDesk } from './attributes.js'
import { current } from './commit.js'
import { openGroundToWrite } from './ground.js'
import type { StoredRecord } from './journal.js'
import { removeOrphans } from './orphans.js'
import { isAlive, thisProcess } from './owner.js'
import { reverse } from './reverse.js'
import { DirectoryReplaced } from './root-identity.js'
import type { Step } from './step.js'
import { publicRecord, type Store, sweep } from './store.js'

/** Steps for a command that was writing to the tree itself when its process died. */
export type Interrupted = (record: StoredRecord, desk: AttributeDesk) => Promise<readonly Step[]>

/** Ends what dead processes left half done. What a living process owns is left alone. */
export async function recover(store: Store, interrupted: Interrupted): Promise<readonly TransactionRecord[]> {
  const ended: TransactionRecord[] = []
  store.stateGuard.check()
  for (const seen of store.journal.records()) {
    if (!isOpen(seen) || isAlive(seen.owner)) continue
    const roots = seen.footings.map(({ root }) => root)
    const record = await store.locks.during(roots, () => settleDead(store, seen.id, interrupted))
    if (record) ended.push(publicRecord(record))
  }
  store.locks.clean()
  await removeOrphans(store)
  return ended
}

const isOpen = ({ state }: StoredRecord): boolean => state === 'running' || state === 'applying'

async function settleDead(store: Store, id: string, interrupted: Interrupted): Promise<StoredRecord | null> {
  const record = store.journal.record(id)
  // Another process was quicker.
  if (!isOpen(record) || isAlive(record.owner)) return null
  const applied = record.state === 'applying'
  const steps = applied ? store.journal.steps(id) : await interrupted(record, store.desk)
  const taken = await takenOut(store, record, steps).catch((error: unknown) => {
    if (error instanceof DirectoryReplaced) return error
    throw error
  })
  if (taken instanceof DirectoryReplaced) return replaced(store, record, steps, taken)
  const { left, now } = taken
  const state = applied ? record.fallback : 'interrupted'
  const note = left > 0 ? `${left} paths had been changed by others and were left as they are` : 'its process died'
  const ended: StoredRecord = { ...record, state, owner: thisProcess(), undo: 'none' }
  if (state === 'waiting' || state === 'rolled-back') {
    const waiting = { ...ended, note: null }
    store.journal.write(waiting, now, true)
    return waiting
  }
  const over: StoredRecord = { ...ended, note, ...(left > 0 ? {} : { spent: true }) }
  store.journal.write(over, [], true)
  // What the dead process started may be a moment from its end, and in the way: whoever comes next removes the rest.
  await sweep(over, left > 0).catch(() => undefined)
  return over
}

/** Nothing is taken out of another directory that stands there now. `cordon discard` ends the record. */
function replaced(
  store: Store,
  record: StoredRecord,
  steps: readonly Step[],
  { path }: DirectoryReplaced,
): StoredRecord {
  const note = `its process died, and ${path} is not the directory it was`
  const left: StoredRecord = { ...record, state: 'conflict', owner: thisProcess(), undo: 'none', note }
  store.journal.write(left, steps, true)
  return left
}

async function takenOut(store: Store, record: StoredRecord, steps: readonly Step[]) {
  const ground = openGroundToWrite(record.footings)
  try {
    const left = await reverse(steps, ground, store)
    return { left: left.length, now: current(steps, ground) }
  } finally {
    ground.close()
  }
}
