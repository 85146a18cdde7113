import { CordonError } from '../../../core/model/basics/errors.js'
import { Turns } from '../../untrusted-files/turns.js'
import { apply, Conflict } from '../changes/apply-steps.js'
import { changeSetOf } from '../changes/change-list.js'
import { reverse } from '../changes/reverse-steps.js'
import { sameVersion } from '../paths/entry.js'
import { thisProcess } from '../paths/process-identity.js'
import { below, type RawPath, raw } from '../paths/raw-path.js'
import { DirectoryReplaced } from '../paths/root-identity.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { type OpenRoots, openRoots, openRootsToWrite, type WritableRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import { deleteFiles, type Store } from '../undo-store/store.js'

export interface Committed {
  readonly record: StoredRecord
  readonly conflicts: readonly RawPath[]
}

/**
 * Writes the intent to disk, applies the steps and seals the record. After a crash, `recover` finds the intent and
 * reverses the steps, so the tree is exactly before or after. A conflict reverses them at once, and so does an error of
 * the host, which is then thrown. The versions of both sides stay.
 */
export async function commit(
  store: Store,
  given: StoredRecord,
  steps: readonly Step[],
  /** False keeps what else the command made in the undo store. */
  sweeps = true,
): Promise<Committed> {
  const { fault } = store
  const roots = given.rootPaths.map(({ root }) => root)
  return store.locks.during(roots, async () => {
    const openedRoots = groundOrReplaced(store, given, steps)
    if ('conflicts' in openedRoots) return openedRoots
    try {
      const done = await applyOrReverse(store, given, steps, openedRoots)
      if ('conflicts' in done) return done
      fault('sealed')
      if (sweeps) store.cleanup.add(() => tidy(store, done.record, done.sealed))
      return { record: done.record, conflicts: [] }
    } finally {
      openedRoots.close()
    }
  })
}

/** Opens the roots. If another directory replaced a root, it writes nothing; the commit can be repeated. */
function groundOrReplaced(
  { journal, stateGuard }: Store,
  given: StoredRecord,
  steps: readonly Step[],
): WritableRoots | Committed {
  try {
    stateGuard.check()
    return openRootsToWrite(given.rootPaths)
  } catch (error) {
    if (!(error instanceof DirectoryReplaced)) throw error
    const record: StoredRecord = {
      ...given,
      state: afterConflict(given),
      note: 'another directory replaced it',
    }
    if (given.kind !== 'undo') journal.write(record, steps, true)
    return { record, conflicts: [raw(error.path)] }
  }
}

/** A rolled back transaction stays rolled back after a conflict. */
const afterConflict = ({ fallback }: StoredRecord): StoredRecord['state'] =>
  fallback === 'rolled-back' ? 'rolled-back' : 'conflict'

interface Sealed {
  readonly record: StoredRecord
  readonly sealed: readonly Step[]
}

const othersServed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const replaces = ({ act, before }: Step): boolean => before !== null && act !== 'meta'

async function tidy({ journal, fault }: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  await deleteFiles(record, true)
  fault('swept')
  if (!steps.some(hasOtherNames)) return
  const openedRoots = openRoots(record.rootPaths)
  try {
    journal.write(
      record,
      steps.map((step) => retimed(step, openedRoots)),
      false,
    )
  } finally {
    openedRoots.close()
  }
}

const hasOtherNames = ({ after }: Step): boolean => after !== null && after.type !== 'directory' && after.links > 1

/** Updates the expected ctime of a file after the deletion of one of its names. Any other difference is a conflict. */
function retimed(step: Step, openedRoots: OpenRoots): Step {
  const now = hasOtherNames(step) ? openedRoots.tree(step.root).entry(step.path) : null
  return now && step.after && sameVersion(step.after, now) ? { ...step, after: now } : step
}

async function applyOrReverse(
  { journal, fault, attributeClient }: Store,
  given: StoredRecord,
  steps: readonly Step[],
  openedRoots: WritableRoots,
): Promise<Committed | Sealed> {
  const applying: StoredRecord = { ...given, state: 'applying', owner: thisProcess() }
  try {
    // Flushes before it moves files of others. New files alone may be lost in a power failure, like those of the
    // command.
    await journal.writeMany(applying, steps, steps.some(replaces))
    fault('intent')
    await othersServed()
    await apply(steps, openedRoots, { fault, attributeClient, exactTimes: applying.kind === 'undo' })
    const record = sealedRecord(given, steps)
    const sealed = await sealedSteps(steps, openedRoots)
    // Should the power fail before this is on the disk, the steps are taken out again.
    await journal.writeMany(record, sealed, false)
    return { record, sealed }
  } catch (error) {
    await reverse(steps, openedRoots, { fault, attributeClient })
    const record: StoredRecord = { ...applying, state: afterConflict(applying), note: noteOf(error) }
    journal.write(record, current(steps, openedRoots), true)
    if (!(error instanceof Conflict)) {
      if (applying.kind === 'undo') journal.remove(applying.id)
      throw new CordonError('SNAPSHOT_FAILED', `No file was changed: ${withoutDescriptorPath(messageOf(error))}.`)
    }
    const top = raw(applying.rootPaths[error.root]?.root ?? '')
    return { record, conflicts: [below(top, error.path)] }
  }
}

const noteOf = (error: unknown): string =>
  error instanceof Conflict ? 'changed by another process' : `cannot be applied: ${messageOf(error)}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Removes descriptor paths from a message: `EACCES: permission denied, link '/proc/7/fd/9/a' -> …`. */
const withoutDescriptorPath = (message: string): string =>
  message.replaceAll(/'\/proc\/\d+\/fd\/\d+\/([^']*)'( -> '[^']*')?/g, "'$1'")

/** Returns the size of the previous versions. */
export const keptBytes = (steps: readonly Step[]): number =>
  steps.reduce((sum, { before, keep }) => sum + (keep === null ? 0 : (before?.size ?? 0)), 0)

function sealedRecord(given: StoredRecord, steps: readonly Step[]): StoredRecord {
  return { ...given, state: 'committed', undo: 'possible', keptBytes: keptBytes(steps) }
}

/** Returns the steps with the state of the tree after the commit; an undo compares with it. */
async function sealedSteps(steps: readonly Step[], openedRoots: OpenRoots): Promise<readonly Step[]> {
  const sealed: Step[] = []
  const turns = new Turns()
  for (const step of steps) {
    await turns.next()
    sealed.push(step.after ? { ...step, after: openedRoots.tree(step.root).entry(step.path) ?? step.after } : step)
  }
  return sealed
}

/** Steps that were taken out again: moving things away and back has changed their ctime, and no more. */
export const current = (steps: readonly Step[], openedRoots: OpenRoots): readonly Step[] =>
  steps.map((step) => {
    const now = step.before && openedRoots.tree(step.root).entry(step.path)
    return now && step.before && sameVersion(step.before, now) ? { ...step, before: now } : step
  })

/** A record with its changes counted. */
export const described = (record: StoredRecord, steps: readonly Step[]): StoredRecord => ({
  ...record,
  changes: changeSetOf(steps, record.rootPaths),
})
