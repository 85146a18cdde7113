import { randomBytes } from 'node:crypto'
import { buildCommand } from '../../core/model/display.js'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Plan, Securing } from '../../core/model/plan.js'
import type { TransactionReport } from '../../core/model/result.js'
import { type Committed, commit, described, keptBytes } from './commit.js'
import { dropImages } from './copy-images.js'
import { sameOwner } from './entry.js'
import { openGroundToWrite } from './ground.js'
import type { StoredRecord } from './journal.js'
import { thisProcess } from './owner.js'
import { redoOfCopies } from './redo-copies.js'
import { conflictWarning, failureWarning, isEmpty, noChanges, reportOf, theirsWarning } from './report.js'
import { reverse } from './reverse.js'
import { scopeOf } from './scope.js'
import { secure } from './secure.js'
import type { Changed, Secured } from './secured.js'
import { select } from './select.js'
import { takesBack } from './settle-rule.js'
import type { Step } from './step.js'
import { type Store, sweep, sweepWork } from './store.js'

export type Outcome = {
  readonly ending: Ending
  readonly report: TransactionReport | null
  readonly evidence?: readonly string[]
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

/** Secures, runs, and keeps, takes back or holds for review. */
export async function during(
  store: Store,
  plan: Plan,
  launch: Launch,
  request: { readonly id: string; readonly text: string },
): Promise<Outcome> {
  const securing = plan.securing ?? UNSTATED
  const begun = recordOf(plan, request)
  const secured = await secure(store, begun, plan, securing)
  if ('failure' in secured) {
    if (securing.required) {
      throw new CordonError(
        'SNAPSHOT_FAILED',
        `The files the command can touch could not be secured: ${secured.failure}. Nothing was run. Fix that, or set \`required = false\` in the profile's [transaction].`,
      )
    }
    const warning = `[warn] snapshot failed: ${secured.failure}; rollback unavailable`
    return { ending: await launch(plan), report: reportOf({ plan, outcome: 'unavailable', warning }) }
  }
  return run(store, plan, securing, launch, secured)
}

interface Running {
  readonly record: StoredRecord
  readonly by: Secured
}

async function run(store: Store, plan: Plan, securing: Securing, launch: Launch, running: Running): Promise<Outcome> {
  const { by, record } = running
  try {
    const ending = await launch(by.plan).catch(async (error) => {
      await settle(store, plan, securing, running, true)
      throw error
    })
    const report = await settle(store, plan, securing, running, takesBack(ending, securing))
    return { ending, report, evidence: by.notices ?? [] }
  } catch (error) {
    if (error instanceof CordonError) throw error
    throw new CordonError(
      'INTERNAL',
      `The changes of transaction ${record.id} could not be settled: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    by.release()
  }
}

async function settle(
  store: Store,
  plan: Plan,
  securing: Securing,
  running: Running,
  back: boolean,
): Promise<TransactionReport> {
  const { by, record } = running
  const changed = await listed(by)
  if ('failure' in changed) return drop(store, plan, record, changed.failure)
  const report = await settleChanges(store, plan, securing, running, back, changed)
  const { theirs = [] } = changed
  return theirs.length > 0 ? { ...report, warning: report.warning ?? theirsWarning(theirs) } : report
}

async function settleChanges(
  store: Store,
  plan: Plan,
  securing: Securing,
  { by, record }: Running,
  back: boolean,
  changed: Changed,
): Promise<TransactionReport> {
  const ended = described(record, changed.steps)
  if (isEmpty(ended.changes)) {
    // A file made and removed again leaves the time of its directory changed.
    if (back && by.inTree) await reverseAll(store, ended, changed.steps)
    forget(store, ended)
    return reportOf({ plan, outcome: 'none' })
  }
  if (back) return takeBack(store, plan, securing, ended, by, changed)
  if (plan.transaction === 'review') {
    store.journal.write({ ...ended, state: 'waiting', fallback: 'waiting' }, changed.steps, true)
    return reportOf({ plan, outcome: 'waiting-for-review', id: record.id, changes: ended.changes })
  }
  return keep(store, plan, ended, by, changed)
}

/** A command can make what no one can list or copy: names too deep for the host, more than the disk holds. Its result still counts. */
async function listed(by: Secured): Promise<Changed | { readonly failure: string }> {
  try {
    return await by.changes()
  } catch (error) {
    // Written to the tree itself, they are there, and saying that they were dropped would be wrong.
    if (by.inTree) throw error
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, SAID) }
  }
}

/** The real files were never touched. */
function drop(store: Store, plan: Plan, record: StoredRecord, failure: string): TransactionReport {
  const note = `its changes could not be taken over: ${failure}`
  store.journal.write({ ...record, state: 'rolled-back', undo: 'dropped', note, spent: true }, [], false)
  store.chores.add(() => sweep(record, false))
  const warning = `Not committed: the changes could not be applied (${failure}). The files are as they were before the command.`
  return reportOf({ plan, outcome: 'rolled-back', id: record.id, warning })
}

/** Nothing happened, so nothing is remembered. */
function forget(store: Store, record: StoredRecord): void {
  store.journal.remove(record.id)
  store.chores.add(() => sweep(record, false))
}

async function keep(
  store: Store,
  plan: Plan,
  ended: StoredRecord,
  by: Secured,
  { steps, conflicts }: Changed,
): Promise<TransactionReport> {
  const { id, changes } = ended
  if (by.inTree) {
    const record: StoredRecord = { ...ended, state: 'committed', undo: 'possible', keptBytes: keptBytes(steps) }
    store.journal.write(record, steps, true)
    store.chores.add(() => dropImages(record, steps))
    return reportOf({ plan, outcome: 'committed', id, changes })
  }
  if (conflicts.length > 0) {
    store.journal.write({ ...ended, state: 'conflict', note: 'changed underneath' }, steps, true)
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

/** Puts the files back. What the command made is kept in the undo store, where `diff` shows it and `keep` applies it. */
async function takeBack(
  store: Store,
  plan: Plan,
  securing: Securing,
  ended: StoredRecord,
  by: Secured,
  { steps, conflicts }: Changed,
): Promise<TransactionReport> {
  const inScope = scopeOf(securing.scope, ended.workspace, ended.footings)
  const outside = steps.filter((step) => !inScope(step.root, step.path) && !isTimeAlone(step))
  const restored = outside.length === 0 ? steps : select(steps, inScope)
  const record = outside.length === 0 ? ended : described(ended, restored)
  if (by.inTree) await reverseAll(store, ended, steps)
  else if (outside.length > 0)
    await commitOutside(
      store,
      ended,
      select(steps, (root, path) => !inScope(root, path)),
    )
  const kept: StoredRecord = {
    ...record,
    // Copies that were taken out again lie where those of an overlay do, and are applied in the same way.
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
    store.chores.add(() => sweepWork(kept))
  } catch (error) {
    const note = `its changes could not be kept: ${error instanceof Error ? error.message : error}`.slice(0, SAID)
    store.journal.write({ ...kept, undo: 'dropped', keptBytes: 0, note, spent: true }, [], false)
    store.chores.add(() => sweep(kept, false))
  }
}

/** Of a directory, because of what was in it: nothing by itself. */
const isTimeAlone = ({ act, before, after, attributes }: Step): boolean =>
  act === 'meta' &&
  before?.type === 'directory' &&
  after?.mode === before.mode &&
  sameOwner(before, after) &&
  attributes === undefined

/** What lies outside the scope is kept even though the command failed. */
async function commitOutside(store: Store, ended: StoredRecord, steps: readonly Step[]): Promise<void> {
  await commit(store, ended, steps, false)
}

async function reverseAll(store: Store, record: StoredRecord, steps: readonly Step[]): Promise<void> {
  store.journal.write({ ...record, state: 'applying' }, steps, true)
  const ground = openGroundToWrite(record.footings)
  try {
    await reverse(steps, ground, store)
  } finally {
    ground.close()
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
  footings: [],
  scope: plan.securing?.scope ?? [],
  owner: thisProcess(),
  fallback: 'interrupted',
  keptBytes: 0,
})

/** The text of a request that did not come with one. */
export function commandText({ argv }: Plan): string {
  const [program = '', ...args] = argv
  return program.endsWith('bash') && args[0] === '-c' ? (args[1] ?? '') : buildCommand(program, args)
}
