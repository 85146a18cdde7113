import type { TransactionRecord } from '../../../core/model/run/change.js'
import type { AttributeClient } from '../attributes/attributes.js'
import { reverse } from '../changes/reverse-steps.js'
import { isAlive, thisProcess } from '../paths/process-identity.js'
import { DirectoryReplaced } from '../paths/root-identity.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { openRootsToWrite } from '../undo-store/open-roots.js'
import { removeOrphans } from '../undo-store/remove-orphans.js'
import type { Step } from '../undo-store/step.js'
import { deleteFiles, publicRecord, type Store } from '../undo-store/store.js'
import { current } from './commit.js'

/** Steps for a command that was writing to the tree itself when its process died. */
export type Interrupted = (record: StoredRecord, attributeClient: AttributeClient) => Promise<readonly Step[]>

/** Ends what dead processes left half done. What a living process owns is left alone. */
export async function recover(store: Store, interrupted: Interrupted): Promise<readonly TransactionRecord[]> {
  const ended: TransactionRecord[] = []
  store.stateGuard.check()
  for (const seen of store.journal.records()) {
    if (!isOpen(seen) || isAlive(seen.owner)) continue
    const roots = seen.rootPaths.map(({ root }) => root)
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
  const steps = applied ? store.journal.steps(id) : await interrupted(record, store.attributeClient)
  const taken = await takenOut(store, record, steps).catch((error: unknown) => {
    if (error instanceof DirectoryReplaced) return error
    throw error
  })
  if (taken instanceof DirectoryReplaced) return replaced(store, record, steps, taken)
  const { left, now } = taken
  const state = applied ? record.fallback : 'interrupted'
  const note = left > 0 ? `other processes had changed ${left} paths; their versions stay` : 'its engine died'
  const ended: StoredRecord = { ...record, state, owner: thisProcess(), undo: 'none' }
  if (state === 'waiting' || state === 'rolled-back') {
    const waiting = { ...ended, note: null }
    store.journal.write(waiting, now, true)
    return waiting
  }
  const over: StoredRecord = { ...ended, note, ...(left > 0 ? {} : { spent: true }) }
  store.journal.write(over, [], true)
  // Processes of the dead engine may end a moment later. The next recovery deletes the remaining files.
  await deleteFiles(over, left > 0).catch(() => undefined)
  return over
}

/** Leaves another directory at the path unchanged. `cordon discard` ends the record. */
function replaced(
  store: Store,
  record: StoredRecord,
  steps: readonly Step[],
  { path }: DirectoryReplaced,
): StoredRecord {
  const note = `its engine died, and ${path} is another directory now`
  const left: StoredRecord = { ...record, state: 'conflict', owner: thisProcess(), undo: 'none', note }
  store.journal.write(left, steps, true)
  return left
}

async function takenOut(store: Store, record: StoredRecord, steps: readonly Step[]) {
  const openedRoots = openRootsToWrite(record.rootPaths)
  try {
    const left = await reverse(steps, openedRoots, store)
    return { left: left.length, now: current(steps, openedRoots) }
  } finally {
    openedRoots.close()
  }
}
