import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { placesFor } from './place.js'
import { removeTree } from './remove.js'
import type { Store } from './store.js'

/** Names of transactions, and of what a process keeps ready for one that has not begun. */
const ID = /^[a-z0-9]+$/
const SPARE = /^spare-(\d+)-/
/** Younger ones may belong to a process that is about to write its record. */
const ORPHAN_AGE_MS = 10 * 60_000

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function isOld(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && Date.now() - stats.mtimeMs > ORPHAN_AGE_MS
}

/** Its process is gone. */
function isAbandoned(name: string): boolean {
  const pid = SPARE.exec(name)?.[1]
  return pid !== undefined && !existsSync(`/proc/${pid}`)
}

/** Nobody remembers it, or it was taken back: a process that died had no time to remove it. */
function isOrphan({ journal }: Store, known: ReadonlySet<string>, id: string): boolean {
  if (!ID.test(id)) return isAbandoned(id)
  try {
    return !known.has(id) || journal.record(id).state === 'rolled-back'
  } catch {
    // Another process removes it at this moment.
    return false
  }
}

/** Removes what transactions of processes that died left lying about, once it is old enough to be nobody's. */
export async function removeOrphans(store: Store): Promise<void> {
  const known = new Set(store.journal.ids())
  for (const place of placesFor(store.stateDirectory)) {
    for (const id of namesIn(place)) {
      const path = join(place, id)
      if (isOld(path) && isOrphan(store, known, id)) await removeTree(path)
    }
  }
}
