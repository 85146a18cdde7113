import { type Committed, commit, described, keptBytes } from './commit.js'
import { dropImages } from './copy-images.js'
import { openGround, openGroundToWrite } from './ground.js'
import type { StoredRecord } from './journal.js'
import { below, isAtOrBelow, type RawPath, raw } from './raw-path.js'
import { reverse } from './reverse.js'
import { select, wantedBy } from './select.js'
import type { Step } from './step.js'
import { type Store, sweep } from './store.js'
import { walk } from './tree.js'

type Settle = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => Promise<Committed>

const picked = (store: Store, record: StoredRecord, paths: readonly string[] | undefined) => {
  const steps = store.journal.steps(record.id)
  const wanted = wantedBy(paths, record.workspace, record.footings)
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
  store.chores.add(() => dropImages(kept, chosen))
  return { record: kept, conflicts: [] }
}

/** After a conflict nothing was kept, so what was not chosen goes on waiting too. */
function rememberAll({ journal }: Store, record: StoredRecord, all: readonly Step[]): void {
  const key = ({ root, path, act }: Step): string => `${act} ${root} ${path}`
  const now = new Map(journal.steps(record.id).map((step) => [key(step), step]))
  journal.write(
    record,
    all.map((step) => now.get(key(step)) ?? step),
    true,
  )
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

/** Paths that others changed while the command ran, or below a directory that would be removed. */
function changedSince({ at, footings, underneath = [] }: StoredRecord, steps: readonly Step[]): readonly RawPath[] {
  const ground = openGround(footings)
  const since = BigInt(Date.parse(at)) * 1_000_000n
  const full = ({ root }: Step, path: RawPath): RawPath => below(raw(footings[root]?.root ?? ''), path)
  const changes = steps.filter(({ act, before }) => act !== 'meta' || before?.type !== 'directory')
  const stated = new Set(changes.map((step) => full(step, step.path)))
  try {
    const removed = changes.filter(({ before, keep }) => before?.type === 'directory' && keep !== null)
    const changed = removed.flatMap((step) =>
      [...walk(ground.tree(step.root), step.path)]
        .filter(([inner, { ctime }]) => !stated.has(full(step, inner)) && BigInt(ctime) >= since)
        .map(([inner]) => full(step, inner)),
    )
    return [...new Set([...underneath.filter((path) => isAtOrBelowAny(path, stated)), ...changed])]
  } finally {
    ground.close()
  }
}

const isAtOrBelowAny = (path: RawPath, places: ReadonlySet<RawPath>): boolean =>
  [...places].some((place) => isAtOrBelow(path, place))

async function takeOut(store: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  const ground = openGroundToWrite(record.footings)
  try {
    await reverse(steps, ground, store)
  } finally {
    ground.close()
  }
}
