import { join } from 'node:path'
import type { TransactionRecord } from '../../../core/model/run/change.js'
import { type AttributeClient, createAttributeClient } from '../attributes/attributes.js'
import { RootMemory } from '../attributes/root-attributes.js'
import { withinOwn } from '../paths/own-directory.js'
import { removeIfUnused, removeTree } from '../paths/remove-tree.js'
import { DirectoryGuard } from '../paths/root-identity.js'
import { type Journal, openJournal, type StoredRecord } from './journal.js'
import { createLocationCache, type LocationCache } from './location-cache.js'
import { Locks } from './root-locks.js'
import type { FaultPoint } from './step.js'

/** Shared state of all work on transactions. */
export interface Store {
  readonly stateDirectory: string
  readonly journal: Journal
  /** Detects a replacement of Cordon's own directories. */
  readonly stateGuard: DirectoryGuard
  readonly locks: Locks
  readonly locationCache: LocationCache
  readonly fault: FaultPoint
  readonly attributeClient: AttributeClient
  readonly roots: RootMemory
  readonly cleanup: Cleanup
}

/**
 * Background cleanup, one task after the other, that no caller waits for. It starts after the callers have their
 * results. Failed and unfinished tasks are left to the next recovery.
 */
export interface Cleanup {
  add(work: () => Promise<void>): void
  /** Settles when all that was added by now is done. */
  done(): Promise<void>
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function createCleanup(): Cleanup {
  let last: Promise<void> = Promise.resolve()
  return {
    add(work) {
      last = last
        .then(nextTurn)
        .then(work)
        .catch(() => undefined)
    },
    done: () => last,
  }
}

export function openStore(stateDirectory: string, fault: FaultPoint): Store {
  const attributeClient = createAttributeClient()
  const roots = new RootMemory(attributeClient)
  return {
    stateDirectory,
    journal: openJournal(join(stateDirectory, 'transactions')),
    stateGuard: new DirectoryGuard(stateDirectory),
    locks: new Locks(join(stateDirectory, 'locks')),
    locationCache: createLocationCache(stateDirectory),
    fault,
    attributeClient,
    roots,
    cleanup: createCleanup(),
  }
}

/** Removes what a transaction needed to run and to be applied; the pre-images stay where `undo` needs them. */
export async function deleteFiles({ id, rootPaths }: StoredRecord, keepImages: boolean): Promise<void> {
  for (const [index, { storePath, scratch }] of rootPaths.entries()) {
    if (scratch !== storePath) await withinOwn(scratch, (own) => removeTree(join(own.inside(''), id)))
    await withinOwn(storePath, async (own) => {
      const inside = own.inside('')
      if (!keepImages) return removeTree(join(inside, id))
      for (const name of ['upper', 'work', 'staged', 'list', 'clock'])
        await removeTree(join(inside, id, String(index), name))
    })
    for (const directory of new Set([scratch, storePath])) await removeIfUnused(directory)
  }
}

/**
 * Deletes the files that only a running command needs; its changes stay. If the upper layer is on another filesystem,
 * they were copied to the undo store.
 */
export async function deleteWorkFiles({ id, rootPaths }: StoredRecord): Promise<void> {
  for (const [index, { storePath, scratch }] of rootPaths.entries()) {
    if (scratch !== storePath) await removeTree(join(scratch, id))
    for (const name of ['work', 'list', 'clock', 'image', 'manifest'])
      await removeTree(join(storePath, id, String(index), name))
    if (scratch !== storePath) removeIfUnused(scratch)
  }
}

export const publicRecord = ({
  adapter,
  rootPaths,
  owner,
  keptBytes,
  fallback,
  scope,
  spent,
  underneath,
  ...record
}: StoredRecord): TransactionRecord => record
