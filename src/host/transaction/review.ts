import { type Committed, commit, described, keptBytes } from './commit.js'
import { dropImages } from './copy-images.js'
import { openGroundToWrite } from './ground.js'
import type { StoredRecord } from './journal.js'
import { reverse } from './reverse.js'
import { select, wantedBy } from './select.js'
import type { Step } from './step.js'
import { type Store, sweep } from './store.js'

type Settle = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => Promise<Committed>

const picked = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => {
  const steps = store.journal.steps(record.id)
  const wanted = wantedBy(paths, record.workspace, record.footings)
  return { chosen: select(steps, wanted), rest: select(steps, (root, path) => !wanted(root, path)) }
}

/** Keeps what was held, or only what is at or below the paths: then the rest is discarded. */
export const keepWaiting: Settle = async (store, record, paths) => {
  const { chosen, rest } = picked(store, record, paths)
  if (record.adapter !== 'copy') return commit(store, described(record, chosen), chosen)
  if (paths) await takeOut(store, record, rest)
  const kept: StoredRecord = {
    ...described(record, chosen),
    state: 'committed',
    undo: 'possible',
    keptBytes: keptBytes(chosen),
  }
  store.journal.write(kept, chosen, true)
  store.chores.add(() => dropImages(kept, chosen))
  return { record: kept, conflicts: [] }
}

/** Discards what was held, or only what is at or below the paths: then the rest goes on waiting. */
export const discard: Settle = async (store, record, paths) => {
  const { chosen, rest } = picked(store, record, paths)
  if (record.adapter === 'copy') await takeOut(store, record, paths ? chosen : store.journal.steps(record.id))
  if (paths && rest.some(({ act }) => act !== 'meta')) {
    const waiting = described(record, rest)
    store.journal.write(waiting, rest, true)
    return { record: waiting, conflicts: [] }
  }
  const gone: StoredRecord = { ...record, state: 'discarded', undo: 'none' }
  store.journal.write(gone, [], true)
  await sweep(gone, false)
  return { record: gone, conflicts: [] }
}

async function takeOut(store: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  const ground = openGroundToWrite(record.footings)
  try {
    await reverse(steps, ground, store)
  } finally {
    ground.close()
  }
}
