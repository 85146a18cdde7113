import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredRecord } from './journal.js'
import { isAlive } from './owner.js'
import { placesFor } from './place.js'
import { removeTree } from './remove.js'
import { isAbandoned } from './spare-name.js'
import { type Store, sweep } from './store.js'

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

/** Nobody remembers it: a process that died had no time to remove it. */
function isOrphan(known: ReadonlySet<string>, id: string): boolean {
  return ID.test(id) ? !known.has(id) : isAbandoned(id)
}

/** Of a record from which nothing can be got back any more. Removing what it left was the last thing to do. */
const isSpent = ({ state, spent }: StoredRecord): boolean => state === 'discarded' || spent === true

const isThere = ({ id, footings }: StoredRecord): boolean =>
  footings.some(({ vault, scratch }) => existsSync(join(vault, id)) || existsSync(join(scratch, id)))

/** Removes what transactions of processes that died left lying about; that of which there is no record, once it is old enough to be nobody's. */
export async function removeOrphans(store: Store): Promise<void> {
  store.journal.removeUnwritten(ORPHAN_AGE_MS)
  const records = store.journal.records()
  for (const record of records) {
    if (isSpent(record) && isThere(record) && !isAlive(record.owner)) await leniently(sweep(record, false))
  }
  const known = new Set(records.map(({ id }) => id))
  for (const place of placesFor(store.stateDirectory)) {
    for (const id of namesIn(place)) {
      const path = join(place, id)
      if (isOld(path) && isOrphan(known, id)) await leniently(removeTree(path))
    }
  }
}

/** One thing that cannot be removed now holds up neither the others nor the command that waits for this. */
const leniently = (removal: Promise<void>): Promise<void> => removal.catch(() => undefined)
