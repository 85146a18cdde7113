import { reverse } from '../changes/reverse-steps.js'
import { select, wantedBy } from '../changes/select-steps.js'
import { dropImages } from '../copy/drop-images.js'
import { below, isAtOrBelow, type RawPath, raw } from '../paths/raw-path.js'
import { walk } from '../paths/tree.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { openRoots, openRootsToWrite } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import { deleteFiles, type Store } from '../undo-store/store.js'
import { type Committed, commit, described, keptBytes } from './commit.js'

type Settle = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => Promise<Committed>

const picked = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => {
  const steps = store.journal.steps(record.id)
  const wanted = wantedBy(paths, record.workspace, record.rootPaths)
  return { chosen: select(steps, wanted), rest: select(steps, (root, path) => !wanted(root, path)) }
}

/** Keeps what was held or restored, or only what is at or below the paths: then the rest is discarded. */
export const keepWaiting: Settle = async (store, record, paths) => {
  const { chosen, rest } = picked(store, record, paths)
  const conflicts = record.state === 'rolled-back' ? changedSince(record, chosen) : []
  if (conflicts.length > 0) return { record, conflicts }
  if (record.adapter !== 'copy') {
    const all = store.journal.steps(record.id)
    const done = await commit(store, described(record, chosen), chosen)
    if (done.conflicts.length > 0 && paths) rememberAll(store, { ...done.record, changes: record.changes }, all)
    return done
  }
  if (paths) await takeOut(store, record, rest)
  const kept: StoredRecord = {
    ...described(record, chosen),
    state: 'committed',
    undo: 'possible',
    keptBytes: keptBytes(chosen),
  }
  store.journal.write(kept, chosen, true)
  store.cleanup.add(() => dropImages(kept, chosen))
  return { record: kept, conflicts: [] }
}

/** After a conflict, unselected changes stay held too. */
function rememberAll({ journal }: Store, record: StoredRecord, all: readonly Step[]): void {
  const key = ({ root, path, act }: Step): string => `${act} ${root} ${path}`
  const now = new Map(journal.steps(record.id).map((step) => [key(step), step]))
  journal.write(
    record,
    all.map((step) => now.get(key(step)) ?? step),
    true,
  )
}

/** Discards the held changes, or only those at or below the paths; the rest stays held. */
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
  await deleteFiles(gone, false)
  return { record: gone, conflicts: [] }
}

/** Returns paths that another process changed while the command ran, or that are below a directory to remove. */
function changedSince({ at, rootPaths, underneath = [] }: StoredRecord, steps: readonly Step[]): readonly RawPath[] {
  const openedRoots = openRoots(rootPaths)
  const since = BigInt(Date.parse(at)) * 1_000_000n
  const full = ({ root }: Step, path: RawPath): RawPath => below(raw(rootPaths[root]?.root ?? ''), path)
  const changes = steps.filter(({ act, before }) => act !== 'meta' || before?.type !== 'directory')
  const stated = new Set(changes.map((step) => full(step, step.path)))
  try {
    const removed = changes.filter(({ before, keep }) => before?.type === 'directory' && keep !== null)
    const changed = removed.flatMap((step) =>
      [...walk(openedRoots.tree(step.root), step.path)]
        .filter(([inner, { ctime }]) => !stated.has(full(step, inner)) && BigInt(ctime) >= since)
        .map(([inner]) => full(step, inner)),
    )
    return [...new Set([...underneath.filter((path) => isAtOrBelowAny(path, stated)), ...changed])]
  } finally {
    openedRoots.close()
  }
}

const isAtOrBelowAny = (path: RawPath, places: ReadonlySet<RawPath>): boolean =>
  [...places].some((place) => isAtOrBelow(path, place))

async function takeOut(store: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  const openedRoots = openRootsToWrite(record.rootPaths)
  try {
    await reverse(steps, openedRoots, store)
  } finally {
    openedRoots.close()
  }
}
