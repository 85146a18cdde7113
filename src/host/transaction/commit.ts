import { CordonError } from '../../core/model/errors.js'
import { apply, Conflict } from './apply.js'
import { changeSetOf } from './change-list.js'
import { sameVersion } from './entry.js'
import { type Ground, openGround, openGroundToWrite, type WritableGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import { thisProcess } from './owner.js'
import { below, type RawPath, raw } from './raw-path.js'
import { reverse } from './reverse.js'
import { DirectoryReplaced } from './root-identity.js'
import type { Step } from './step.js'
import { type Store, sweep } from './store.js'

export interface Committed {
  readonly record: StoredRecord
  readonly conflicts: readonly RawPath[]
}

/**
 * Intent to disk, apply, seal. Killed in between, `recover` finds the intent and takes the steps out again: the tree is exactly before or
 * exactly after. A conflict takes them out at once, and so does a host that will not do a step, which is then thrown; the versions of both
 * sides stay.
 */
export async function commit(
  store: Store,
  given: StoredRecord,
  steps: readonly Step[],
  /** False keeps what else the command made in the undo store. */
  sweeps = true,
): Promise<Committed> {
  const { fault } = store
  const roots = given.footings.map(({ root }) => root)
  return store.locks.during(roots, async () => {
    const ground = groundOrReplaced(store, given, steps)
    if ('conflicts' in ground) return ground
    try {
      const done = await applyOrReverse(store, given, steps, ground)
      if ('conflicts' in done) return done
      fault('sealed')
      if (sweeps) store.chores.add(() => tidy(store, done.record, done.sealed))
      return { record: done.record, conflicts: [] }
    } finally {
      ground.close()
    }
  })
}

/** Nothing is written where another directory took the place of a root: both stay as they are, and the commit can be tried again. */
function groundOrReplaced(
  { journal, stateGuard }: Store,
  given: StoredRecord,
  steps: readonly Step[],
): WritableGround | Committed {
  try {
    stateGuard.check()
    return openGroundToWrite(given.footings)
  } catch (error) {
    if (!(error instanceof DirectoryReplaced)) throw error
    const record: StoredRecord = {
      ...given,
      state: afterConflict(given),
      note: 'another directory stands in its place',
    }
    if (given.kind !== 'undo') journal.write(record, steps, true)
    return { record, conflicts: [raw(error.path)] }
  }
}

/** What was restored stays restored. */
const afterConflict = ({ fallback }: StoredRecord): StoredRecord['state'] =>
  fallback === 'rolled-back' ? 'rolled-back' : 'conflict'

interface Sealed {
  readonly record: StoredRecord
  readonly sealed: readonly Step[]
}

const replaces = ({ act, before }: Step): boolean => before !== null && act !== 'meta'

async function tidy({ journal, fault }: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  await sweep(record, true)
  fault('swept')
  if (!steps.some(hasOtherNames)) return
  const ground = openGround(record.footings)
  try {
    journal.write(
      record,
      steps.map((step) => retimed(step, ground)),
      false,
    )
  } finally {
    ground.close()
  }
}

const hasOtherNames = ({ after }: Step): boolean => after !== null && after.type !== 'directory' && after.links > 1

/** Sweeping away another name of a file has changed its ctime. If that is not all, it was somebody else. */
function retimed(step: Step, ground: Ground): Step {
  const now = hasOtherNames(step) ? ground.tree(step.root).entry(step.path) : null
  return now && step.after && sameVersion(step.after, now) ? { ...step, after: now } : step
}

async function applyOrReverse(
  { journal, fault, desk }: Store,
  given: StoredRecord,
  steps: readonly Step[],
  ground: WritableGround,
): Promise<Committed | Sealed> {
  const applying: StoredRecord = { ...given, state: 'applying', owner: thisProcess() }
  try {
    // What others had there is moved only once it is on the disk where to. New files alone are lost with the power as the command's own.
    journal.write(applying, steps, steps.some(replaces))
    fault('intent')
    await apply(steps, ground, { fault, desk, exactTimes: applying.kind === 'undo' })
    const record = sealedRecord(given, steps)
    const sealed = sealedSteps(steps, ground)
    // Should the power fail before this is on the disk, the steps are taken out again.
    journal.write(record, sealed, false)
    return { record, sealed }
  } catch (error) {
    await reverse(steps, ground, { fault, desk })
    const record: StoredRecord = { ...applying, state: afterConflict(applying), note: noteOf(error) }
    journal.write(record, current(steps, ground), true)
    if (!(error instanceof Conflict)) {
      if (applying.kind === 'undo') journal.remove(applying.id)
      throw new CordonError('SNAPSHOT_FAILED', `Nothing was changed: ${withoutPlace(said(error))}.`)
    }
    const top = raw(applying.footings[error.root]?.root ?? '')
    return { record, conflicts: [below(top, error.path)] }
  }
}

const noteOf = (error: unknown): string =>
  error instanceof Conflict ? 'changed underneath' : `could not be applied: ${said(error)}`

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Leaves out paths of descriptors, which say nothing to a person: `EACCES: permission denied, link '/proc/7/fd/9/a' -> …`. */
const withoutPlace = (message: string): string =>
  message.replaceAll(/'\/proc\/\d+\/fd\/\d+\/([^']*)'( -> '[^']*')?/g, "'$1'")

/** What the previous versions take up. */
export const keptBytes = (steps: readonly Step[]): number =>
  steps.reduce((sum, { before, keep }) => sum + (keep === null ? 0 : (before?.size ?? 0)), 0)

function sealedRecord(given: StoredRecord, steps: readonly Step[]): StoredRecord {
  return { ...given, state: 'committed', undo: 'possible', keptBytes: keptBytes(steps) }
}

/** What the tree looks like now that it is done: what an undo will compare with. */
const sealedSteps = (steps: readonly Step[], ground: Ground): readonly Step[] =>
  steps.map((step) => (step.after ? { ...step, after: ground.tree(step.root).entry(step.path) ?? step.after } : step))

/** Steps that were taken out again: moving things away and back has changed their ctime, and no more. */
export const current = (steps: readonly Step[], ground: Ground): readonly Step[] =>
  steps.map((step) => {
    const now = step.before && ground.tree(step.root).entry(step.path)
    return now && step.before && sameVersion(step.before, now) ? { ...step, before: now } : step
  })

/** A record with its changes counted. */
export const described = (record: StoredRecord, steps: readonly Step[]): StoredRecord => ({
  ...record,
  changes: changeSetOf(steps, record.footings),
})
