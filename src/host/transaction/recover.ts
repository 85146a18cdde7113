import type { TransactionRecord } from '../../core/model/change.js'
import type { AttributeDesk } from './attributes.js'
import { current } from './commit.js'
import { openGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import { removeOrphans } from './orphans.js'
import { isAlive, thisProcess } from './owner.js'
import { reverse } from './reverse.js'
import type { Step } from './step.js'
import { publicRecord, type Store, sweep } from './store.js'

/** Steps for a command that was writing to the tree itself when its process died. */
export type Interrupted = (record: StoredRecord, desk: AttributeDesk) => Promise<readonly Step[]>

/** Ends what dead processes left half done. What a living process owns is left alone. */
export async function recover(store: Store, interrupted: Interrupted): Promise<readonly TransactionRecord[]> {
  const ended: TransactionRecord[] = []
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
  const { left, now } = await takenOut(store, record, steps)
  const state = applied ? record.fallback : 'interrupted'
  const note = left > 0 ? `${left} paths had been changed by others and were left as they are` : 'its process died'
  const ended: StoredRecord = { ...record, state, owner: thisProcess(), undo: 'none' }
  if (state === 'waiting') {
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

async function takenOut(store: Store, record: StoredRecord, steps: readonly Step[]) {
  const ground = openGround(record.footings)
  try {
    const left = await reverse(steps, ground, store)
    return { left: left.length, now: current(steps, ground) }
  } finally {
    ground.close()
  }
}
