import { randomBytes } from 'node:crypto'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { Plan, Securing } from '../../../core/model/policy/plan.js'
import { shellLine } from '../../../core/model/run/display.js'
import type { Ending } from '../../../core/model/run/ending.js'
import type { Evidence } from '../../../core/model/run/evidence.js'
import type { TransactionReport } from '../../../core/model/run/result.js'
import {
  changedByOthersWarning,
  conflictWarning,
  failureWarning,
  isEmpty,
  noChanges,
  reportOf,
} from '../changes/report.js'
import { reverse } from '../changes/reverse-steps.js'
import { select } from '../changes/select-steps.js'
import { dropImages } from '../copy/drop-images.js'
import { scopeOf } from '../copy/scope.js'
import { redoOfCopies } from '../overlay/redo-copies.js'
import { sameOwner } from '../paths/entry.js'
import { thisProcess } from '../paths/process-identity.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { openRootsToWrite } from '../undo-store/open-roots.js'
import type { ActiveSnapshot, Changed } from '../undo-store/snapshot-port.js'
import type { Step } from '../undo-store/step.js'
import { deleteFiles, deleteWorkFiles, type Store } from '../undo-store/store.js'
import { type Committed, commit, described, keptBytes } from './commit.js'
import { rollsBack } from './settle-rule.js'
import { type StoreWithPreparedLayers, takeSnapshot } from './take-snapshot.js'

export type Outcome = {
  readonly ending: Ending
  readonly report: TransactionReport | null
  readonly evidence?: readonly Evidence[]
}
/** The host's own words name the path, which may be the very thing that is too long. */
const SAID = 300

type Launch = (plan: Plan) => Promise<Ending>

const UNSTATED: Securing = {
  onFailure: 'restore',
  rollbackCodes: null,
  scope: [],
  maxBytes: 256 * 1024 * 1024,
  required: false,
}

/** Sorts by time and is safe as a file name. */
export const newTransactionId = (): string => `${Date.now().toString(36)}${randomBytes(5).toString('hex')}`

/** Takes a snapshot, runs the command, and commits, rolls back or holds its changes. */
export async function runInTransaction(
  store: StoreWithPreparedLayers,
  plan: Plan,
  launch: Launch,
  request: { readonly id: string; readonly text: string },
): Promise<Outcome> {
  const securing = plan.securing ?? UNSTATED
  const begun = recordOf(plan, request)
  const secured = await takeSnapshot(store, begun, plan, securing)
  if ('failure' in secured) {
    if (securing.required) {
      throw new CordonError(
        'SNAPSHOT_FAILED',
        `Cannot snapshot the files that the command can change: ${secured.failure}. The command did not run. Fix the cause, or set \`required = false\` in the profile's [transaction].`,
      )
    }
    const warning = `[warn] snapshot failed: ${secured.failure}; rollback unavailable`
    return { ending: await launch(plan), report: reportOf({ plan, outcome: 'unavailable', warning }) }
  }
  return run(store, { plan, securing, ...secured }, launch)
}

interface Running {
  readonly plan: Plan
  readonly securing: Securing
  readonly record: StoredRecord
  readonly by: ActiveSnapshot
}

async function run(store: Store, running: Running, launch: Launch): Promise<Outcome> {
  const { by, record, securing } = running
  try {
    const ending = await launch(by.plan).catch(async (error) => {
      await settle(store, running, true)
      throw error
    })
    const report = await settle(store, running, rollsBack(ending, securing))
    return { ending, report, evidence: by.notices ?? [] }
  } catch (error) {
    if (error instanceof CordonError) throw error
    throw new CordonError(
      'INTERNAL',
      `Cannot settle the changes of transaction ${record.id}: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    by.release()
  }
}

async function settle(store: Store, running: Running, back: boolean): Promise<TransactionReport> {
  const { by, plan, record } = running
  const changed = await listed(by)
  if ('failure' in changed) return drop(store, plan, record, changed.failure)
  const report = await settleChanges(store, running, back, changed)
  const { theirs = [] } = changed
  return theirs.length > 0 ? { ...report, warning: report.warning ?? changedByOthersWarning(theirs) } : report
}

async function settleChanges(
  store: Store,
  running: Running,
  back: boolean,
  changed: Changed,
): Promise<TransactionReport> {
  const { by, plan, record } = running
  await new Promise(setImmediate)
  const ended = described(record, changed.steps)
  await new Promise(setImmediate)
  if (isEmpty(ended.changes)) {
    // A file made and removed again leaves the time of its directory changed.
    if (back && by.inTree) await reverseAll(store, ended, changed.steps)
    forget(store, ended)
    return reportOf({ plan, outcome: 'none' })
  }
  if (back) return rollBack(store, running, ended, changed)
  if (plan.transaction === 'review') {
    await store.journal.writeMany({ ...ended, state: 'waiting', fallback: 'waiting' }, changed.steps, true)
    return reportOf({ plan, outcome: 'waiting-for-review', id: record.id, changes: ended.changes })
  }
  return keep(store, running, ended, changed)
}

/**
 * Lists the changes. A command can create files that cannot be listed or copied: names too deep, or more than the disk
 * holds. Its result still counts.
 */
async function listed(by: ActiveSnapshot): Promise<Changed | { readonly failure: string }> {
  try {
    return await by.changes()
  } catch (error) {
    // The changes are in the tree already, so a "dropped" report would be wrong.
    if (by.inTree) throw error
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, SAID) }
  }
}

/** The real files were never touched. */
function drop(store: Store, plan: Plan, record: StoredRecord, failure: string): TransactionReport {
  const note = `its changes could not be committed: ${failure}`
  store.journal.write({ ...record, state: 'rolled-back', undo: 'dropped', note, spent: true }, [], false)
  store.cleanup.add(() => deleteFiles(record, false))
  const warning = `Not committed: cannot apply the changes (${failure}). The files have their content from before the command.`
  return reportOf({ plan, outcome: 'rolled-back', id: record.id, warning })
}

/** Removes the record of a transaction without changes. */
function forget(store: Store, record: StoredRecord): void {
  store.journal.remove(record.id)
  store.cleanup.add(() => deleteFiles(record, false))
}

async function keep(
  store: Store,
  { by, plan }: Running,
  ended: StoredRecord,
  { steps, conflicts }: Changed,
): Promise<TransactionReport> {
  const { id, changes } = ended
  if (by.inTree) {
    const record: StoredRecord = { ...ended, state: 'committed', undo: 'possible', keptBytes: keptBytes(steps) }
    store.journal.write(record, steps, true)
    store.cleanup.add(() => dropImages(record, steps))
    return reportOf({ plan, outcome: 'committed', id, changes })
  }
  if (conflicts.length > 0) {
    store.journal.write({ ...ended, state: 'conflict', note: 'changed by another process' }, steps, true)
    return reportOf({ plan, outcome: 'conflict', id, changes, conflicts, warning: conflictWarning(conflicts, id) })
  }
  const done = await committed(store, ended, steps)
  if ('failure' in done) {
    return reportOf({ plan, outcome: 'conflict', id, changes, warning: failureWarning(done.failure, id) })
  }
  if (done.conflicts.length === 0) return reportOf({ plan, outcome: 'committed', id, changes })
  const warning = conflictWarning(done.conflicts, id)
  return reportOf({ plan, outcome: 'conflict', id, changes, conflicts: done.conflicts, warning })
}

/** The host would not: what the command made waits, and its result still counts. */
async function committed(
  store: Store,
  ended: StoredRecord,
  steps: readonly Step[],
): Promise<Committed | { readonly failure: string }> {
  try {
    return await commit(store, ended, steps)
  } catch (error) {
    if (error instanceof CordonError && error.code === 'SNAPSHOT_FAILED') return { failure: error.message }
    throw error
  }
}

/** Rolls the changes back. The undo store keeps them: `diff` shows them and `keep` applies them. */
async function rollBack(
  store: Store,
  { by, plan, securing }: Running,
  ended: StoredRecord,
  { steps, conflicts }: Changed,
): Promise<TransactionReport> {
  const inScope = scopeOf(securing.scope, ended.workspace, ended.rootPaths)
  const outside = steps.filter((step) => !inScope(step.root, step.path) && !isTimeAlone(step))
  const restored = outside.length === 0 ? steps : select(steps, inScope)
  const record = outside.length === 0 ? ended : described(ended, restored)
  if (by.inTree) await reverseAll(store, ended, steps)
  else if (outside.length > 0)
    // Changes outside the scope are committed although the command failed.
    await commit(
      store,
      ended,
      select(steps, (root, path) => !inScope(root, path)),
      false,
    )
  const kept: StoredRecord = {
    ...record,
    // Reversed copies have the layout of an overlay and are applied the same way.
    adapter: 'overlay',
    state: 'rolled-back',
    fallback: 'rolled-back',
    undo: 'none',
    keptBytes: record.changes.counts.bytes,
    ...(conflicts.length > 0 ? { underneath: conflicts } : {}),
  }
  rememberRestored(store, kept, () => (by.inTree ? redoOfCopies(kept, restored) : restored))
  return reportOf({ plan, outcome: 'rolled-back', id: record.id, changes: record.changes })
}

/** The files are restored already: a host that cannot keep the other versions (no space) loses them alone. */
function rememberRestored(store: Store, kept: StoredRecord, steps: () => readonly Step[]): void {
  try {
    store.journal.write(kept, steps(), false)
    store.cleanup.add(() => deleteWorkFiles(kept))
  } catch (error) {
    const note = `its changes could not be saved: ${error instanceof Error ? error.message : error}`.slice(0, SAID)
    store.journal.write({ ...kept, undo: 'dropped', keptBytes: 0, note, spent: true }, [], false)
    store.cleanup.add(() => deleteFiles(kept, false))
  }
}

/** Reports whether a step only changes the time of a directory, as a result of changes inside it. */
const isTimeAlone = ({ act, before, after, attributes }: Step): boolean =>
  act === 'meta' &&
  before?.type === 'directory' &&
  after?.mode === before.mode &&
  sameOwner(before, after) &&
  attributes === undefined

async function reverseAll(store: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  store.journal.write({ ...record, state: 'applying' }, steps, true)
  const openedRoots = openRootsToWrite(record.rootPaths)
  try {
    await reverse(steps, openedRoots, store)
  } finally {
    openedRoots.close()
  }
}

const recordOf = (plan: Plan, request: { readonly id: string; readonly text: string }): StoredRecord => ({
  id: request.id,
  at: new Date().toISOString(),
  command: request.text,
  agent: plan.agent,
  workspace: plan.workspace,
  kind: 'command',
  of: null,
  state: 'running',
  changes: noChanges(),
  undo: 'none',
  note: null,
  adapter: 'overlay',
  rootPaths: [],
  scope: plan.securing?.scope ?? [],
  owner: thisProcess(),
  fallback: 'interrupted',
  keptBytes: 0,
})

/** The text of a request that did not come with one. */
export function commandText({ argv }: Plan): string {
  const [program = '', ...args] = argv
  return program.endsWith('bash') && args[0] === '-c' ? (args[1] ?? '') : shellLine(program, args)
}
