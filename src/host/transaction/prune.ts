import { LIMITS } from '../../core/model/limits.js'
import type { StoredRecord } from './journal.js'
import { type Store, sweep } from './store.js'

const HELD = new Set(['running', 'applying', 'waiting', 'conflict'])

/** A restored one holds what its command made, until that is dropped. */
const isRestored = ({ state, undo, spent }: StoredRecord): boolean =>
  state === 'rolled-back' && undo !== 'dropped' && spent !== true

/** Drops the oldest pre-images past the limits on their age and bytes, and the oldest records past their number. Says so in the record. */
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
      await sweep(record, false)
      journal.remove(record.id)
    } else if (why !== null && (record.undo === 'possible' || isRestored(record))) {
      await sweep(record, false)
      journal.write({ ...record, undo: 'dropped', keptBytes: 0, note: why }, journal.steps(record.id), false)
    }
  }
}
