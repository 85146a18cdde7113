import { LIMITS } from '../../../core/model/basics/limits.js'
import type { StoredRecord } from './journal.js'
import { deleteFiles, type Store } from './store.js'

const HELD = new Set(['running', 'applying', 'waiting', 'conflict'])

/** Reports whether a transaction is rolled back with its changes still stored. */
const isRestored = ({ state, undo, spent }: StoredRecord): boolean =>
  state === 'rolled-back' && undo !== 'dropped' && spent !== true

/**
 * Deletes the oldest pre-images above the limits of age and size, and the oldest records above the limit of their
 * number. Notes it in the record.
 */
export async function prune({ journal }: Store): Promise<void> {
  const newest = journal
    .records()
    .filter(({ state }) => !HELD.has(state))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  let bytes = 0
  for (const [index, record] of newest.entries()) {
    bytes += record.keptBytes
    const age = Date.now() - Date.parse(record.at)
    const why = age > LIMITS.undoAgeMs ? 'past the age limit' : bytes > LIMITS.undoBytes ? 'past the size limit' : null
    if (index >= LIMITS.undoRecords) {
      await deleteFiles(record, false)
      journal.remove(record.id)
    } else if (why !== null && (record.undo === 'possible' || isRestored(record))) {
      await deleteFiles(record, false)
      journal.write({ ...record, undo: 'dropped', keptBytes: 0, note: why }, journal.steps(record.id), false)
    }
  }
}
