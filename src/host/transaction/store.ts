import { join } from 'node:path'
import type { TransactionRecord } from '../../core/model/change.js'
import type { FaultPoint } from './apply.js'
import { type AttributeDesk, createAttributeDesk } from './attributes.js'
import { type Journal, openJournal, type StoredRecord } from './journal.js'
import { Locks } from './lock.js'
import { withinOwn } from './own-directory.js'
import { createPlacement, type Placement } from './placement.js'
import { removeIfUnused, removeTree } from './remove.js'
import { RootMemory } from './root-attributes.js'
import { DirectoryGuard } from './root-identity.js'
import { SpareLayers, type SpareOptions } from './spare-layers.js'

/** What all work on transactions shares. */
export interface Store {
  readonly stateDirectory: string
  readonly journal: Journal
  /** Notices when another directory takes the place of Cordon's own. */
  readonly stateGuard: DirectoryGuard
  readonly locks: Locks
  readonly placement: Placement
  readonly fault: FaultPoint
  readonly desk: AttributeDesk
  readonly roots: RootMemory
  readonly chores: Chores
  /** Overlays mounted ahead; null where none are wanted. */
  readonly spares: SpareLayers | null
}

/** Tidying up, one thing after the other, that no caller waits for: it begins when they have what they did wait for. What fails or is never reached is left for the next process that recovers. */
export interface Chores {
  add(work: () => Promise<void>): void
  /** Settles when all that was added by now is done. */
  done(): Promise<void>
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function createChores(): Chores {
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

export function openStore(stateDirectory: string, fault: FaultPoint, ahead?: SpareOptions): Store {
  const desk = createAttributeDesk()
  const roots = new RootMemory(desk)
  return {
    stateDirectory,
    journal: openJournal(join(stateDirectory, 'transactions')),
    stateGuard: new DirectoryGuard(stateDirectory),
    locks: new Locks(join(stateDirectory, 'locks')),
    placement: createPlacement(stateDirectory),
    fault,
    desk,
    roots,
    chores: createChores(),
    spares: ahead === undefined || ahead.size === 0 ? null : new SpareLayers(desk, roots, ahead),
  }
}

/** Removes what a transaction needed to run and to be applied; the pre-images stay where `undo` needs them. */
export async function sweep({ id, footings }: StoredRecord, keepImages: boolean): Promise<void> {
  for (const [index, { vault, scratch }] of footings.entries()) {
    if (scratch !== vault) await withinOwn(scratch, (own) => removeTree(join(own.inside(''), id)))
    await withinOwn(vault, async (own) => {
      const inside = own.inside('')
      if (!keepImages) return removeTree(join(inside, id))
      for (const name of ['upper', 'work', 'staged', 'list', 'clock'])
        await removeTree(join(inside, id, String(index), name))
    })
    for (const directory of new Set([scratch, vault])) await removeIfUnused(directory)
  }
}

/** Removes what only a running command needs; what it made stays. Where the upper layer lies elsewhere, that was copied to the vault. */
export async function sweepWork({ id, footings }: StoredRecord): Promise<void> {
  for (const [index, { vault, scratch }] of footings.entries()) {
    if (scratch !== vault) await removeTree(join(scratch, id))
    for (const name of ['work', 'list', 'clock', 'image', 'manifest'])
      await removeTree(join(vault, id, String(index), name))
    if (scratch !== vault) removeIfUnused(scratch)
  }
}

export const publicRecord = ({
  adapter,
  footings,
  owner,
  keptBytes,
  fallback,
  scope,
  spent,
  underneath,
  ...record
}: StoredRecord): TransactionRecord => record
