import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../paths/process-identity.js'
import { removeTree } from '../paths/remove-tree.js'
import type { StoredRecord } from './journal.js'
import { allLocationsFor } from './locations.js'
import { isAbandoned } from './spare-name.js'
import { deleteFiles, type Store } from './store.js'

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

/** Reports whether a file has no record, because its process died first. */
function isOrphan(known: ReadonlySet<string>, id: string): boolean {
  return ID.test(id) ? !known.has(id) : isAbandoned(id)
}

/** Reports whether a record has no files left to restore. Only their deletion remained. */
const isSpent = ({ state, spent }: StoredRecord): boolean => state === 'discarded' || spent === true

const isThere = ({ id, rootPaths }: StoredRecord): boolean =>
  rootPaths.some(({ storePath, scratch }) => existsSync(join(storePath, id)) || existsSync(join(scratch, id)))

/** Deletes files of transactions whose process died; files without a record once they are old enough. */
export async function removeOrphans(store: Store): Promise<void> {
  store.journal.removeUnwritten(ORPHAN_AGE_MS)
  const records = store.journal.records()
  for (const record of records) {
    if (isSpent(record) && isThere(record) && !isAlive(record.owner)) await leniently(deleteFiles(record, false))
  }
  const known = new Set(records.map(({ id }) => id))
  for (const place of allLocationsFor(store.stateDirectory)) {
    for (const id of namesIn(place)) {
      const path = join(place, id)
      if (isOld(path) && isOrphan(known, id)) await leniently(removeTree(path))
    }
  }
}

/** Ignores a failed removal, so that it delays neither the others nor the waiting command. */
const leniently = (removal: Promise<void>): Promise<void> => removal.catch(() => undefined)
