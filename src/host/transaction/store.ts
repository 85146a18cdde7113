import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionRecord } from '../../core/model/change.js'
import type { FaultPoint } from './apply.js'
import { type AttributeDesk, createAttributeDesk } from './attributes.js'
import { isErrno } from './entry.js'
import { type Journal, openJournal, type StoredRecord } from './journal.js'
import { removeTree } from './remove.js'

/** What all work on transactions shares. */
export interface Store {
  readonly stateDirectory: string
  readonly journal: Journal
  readonly locks: string
  readonly fault: FaultPoint
  readonly desk: AttributeDesk
  readonly chores: Chores
}

/** Tidying up, one thing after the other, that no caller waits for. What fails or is never reached is left for `prune`. */
export interface Chores {
  add(work: () => Promise<void>): void
  /** Settles when all that was added by now is done. */
  done(): Promise<void>
}

function createChores(): Chores {
  let last: Promise<void> = Promise.resolve()
  return {
    add(work) {
      last = last.then(work).catch(() => undefined)
    },
    done: () => last,
  }
}

export const openStore = (stateDirectory: string, fault: FaultPoint): Store => ({
  stateDirectory,
  journal: openJournal(join(stateDirectory, 'transactions')),
  locks: join(stateDirectory, 'locks'),
  fault,
  desk: createAttributeDesk(),
  chores: createChores(),
})

/** Removes what a transaction needed to run and to be applied; the pre-images stay where `undo` needs them. */
export async function sweep({ id, footings }: StoredRecord, keepImages: boolean): Promise<void> {
  for (const [index, { vault, scratch }] of footings.entries()) {
    if (scratch !== vault) await removeTree(join(scratch, id))
    if (keepImages) {
      for (const name of ['upper', 'work', 'staged', 'list', 'clock'])
        await removeTree(join(vault, id, String(index), name))
    } else await removeTree(join(vault, id))
    removeIfUnused(scratch)
    removeIfUnused(vault)
  }
}

/** A vault nobody needs any more is not left lying about; one that lies in a workspace holds its `.gitignore` and nothing else. */
function removeIfUnused(vault: string): void {
  try {
    const names = readdirSync(vault)
    if (names.every((name) => name === '.gitignore')) {
      for (const name of names) rmSync(join(vault, name))
      rmdirSync(vault)
    }
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY')) throw error
  }
}

export const publicRecord = ({
  adapter,
  footings,
  owner,
  keptBytes,
  fallback,
  scope,
  ...record
}: StoredRecord): TransactionRecord => record
