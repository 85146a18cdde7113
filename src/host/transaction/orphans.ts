import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { placesFor } from './place.js'
import { removeTree } from './remove.js'
import { isAbandoned } from './spare-name.js'
import type { Store } from './store.js'

/** Names of transactions. */
const ID = /^[a-z0-9]+$/
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

/** Nobody remembers it, or it was taken back: a process that died had no time to remove it. */
function isOrphan(known: ReadonlySet<string>, id: string): boolean {
  return ID.test(id) ? !known.has(id) : isAbandoned(id)
}

/** Removes what transactions of processes that died left lying about, once it is old enough to be nobody's. */
export async function removeOrphans(store: Store): Promise<void> {
  store.journal.removeUnwritten(ORPHAN_AGE_MS)
  const kept = store.journal.records().filter(({ state }) => state !== 'rolled-back')
  const known = new Set(kept.map(({ id }) => id))
  for (const place of placesFor(store.stateDirectory)) {
    for (const id of namesIn(place)) {
      const path = join(place, id)
      if (isOld(path) && isOrphan(known, id)) await removeTree(path)
    }
  }
}
