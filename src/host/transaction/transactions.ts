import { CordonError } from '../../core/model/basics/errors.js'
import { resolveId, shortId } from '../../core/model/basics/id.js'
import type { PastTransactions, Settlement, Transactions } from '../../engine/ports/ports.js'
import { diffOf } from './changes/diff.js'
import { type Inverse, inverse } from './changes/inverse-steps.js'
import { interruptedCopy } from './copy/snapshot-by-copy.js'
import { commit, described } from './lifecycle/commit.js'
import { recover } from './lifecycle/recover.js'
import { commandText, newTransactionId, runInTransaction } from './lifecycle/run-in-transaction.js'
import { discard, keepWaiting } from './lifecycle/settle-review.js'
import { PreparedLayers, type PreparedLayersOptions } from './overlay/prepared-layers.js'
import { workspaceAt } from './paths/here.js'
import { thisProcess } from './paths/process-identity.js'
import { type RawPath, raw, shown } from './paths/raw-path.js'
import { DirectoryReplaced } from './paths/root-identity.js'
import { checkedId, missing, type StoredRecord } from './undo-store/journal.js'
import { prune } from './undo-store/prune.js'
import type { FaultPoint } from './undo-store/step.js'
import { openStore, publicRecord, type Store } from './undo-store/store.js'

export interface TransactionOptions {
  /** Directory of the records, and of the changes if it is on the filesystem of the workspace. */
  readonly stateDirectory: string
  /** The directory whose history is meant where none is named. Default: that of every workspace. */
  readonly workspace?: string
  /** Called at every point of a commit, an undo and a recovery at which the process could die. For tests. */
  readonly fault?: FaultPoint
  /** Keeps overlays mounted before they are needed, for an engine that lives long enough to use them. Default: none. */
  readonly ahead?: PreparedLayersOptions
}

const HISTORY = 50
const PRUNE_EVERY = 32

/** Creates the service that records, keeps and undoes the changes of commands. */
export function createTransactions({
  stateDirectory,
  workspace,
  fault = () => {},
  ahead,
}: TransactionOptions): Transactions & PastTransactions & { close(): Promise<void> } {
  const opened = openStore(stateDirectory, fault)
  const spares =
    ahead === undefined || ahead.size === 0 ? null : new PreparedLayers(opened.attributeClient, opened.roots, ahead)
  const store = { ...opened, spares }
  const recovered = onceMore(() => recover(store, interruptedCopy))
  const here = (): string =>
    workspaceAt(workspace ?? process.cwd(), new Set(store.journal.records().map((record) => record.workspace)))
  const idOf = (given: string): string => resolveId(checkedId(given), store.journal.ids(), missing)
  return {
    async during(plan, _grant, launch, request) {
      if (plan.transaction === 'off') return { ending: await launch(plan), report: null }
      await recovered()
      const outcome = await runInTransaction(
        store,
        plan,
        launch,
        request ?? { id: newTransactionId(), text: commandText(plan) },
      )
      store.cleanup.add(async () => {
        if (store.spares) store.journal.prepare()
        await pruneSometimes(store)
      })
      return outcome
    },
    here,
    history({ workspace: asked = workspace === undefined ? null : here(), limit = HISTORY } = {}) {
      const records = newestFirst(store).filter((record) => asked === null || record.workspace === asked)
      return records.slice(0, limit).map(publicRecord)
    },
    get: (given) => publicRecord(store.journal.record(idOf(given))),
    diff: (given, paths) => diffOf(store, idOf(given), paths),
    async undo(given, paths) {
      await recovered()
      await store.cleanup.done()
      return undo(store, idOf(given), paths)
    },
    async settle(given, verdict, paths) {
      await recovered()
      await store.cleanup.done()
      store.stateGuard.check()
      const record = store.journal.record(idOf(given))
      if (!canBeSettled(record)) throw cannotSettle(record)
      const { record: settled, conflicts } = await (verdict === 'keep' ? keepWaiting : discard)(store, record, paths)
      return settlement(settled, conflicts)
    },
    recover: () => recover(store, interruptedCopy),
    async close() {
      await store.spares?.close()
      await store.cleanup.done()
      store.attributeClient.close()
      store.journal.close()
      store.locationCache.close()
    },
  }
}

/** Reports whether a transaction is held, or rolled back with its changes still stored. */
const canBeSettled = ({ state, undo }: StoredRecord): boolean =>
  state === 'waiting' || state === 'conflict' || (state === 'rolled-back' && undo !== 'dropped')

function cannotSettle({ id, state, note }: StoredRecord): CordonError {
  const why =
    state === 'rolled-back'
      ? `its changes are deleted (${note ?? 'too old'})`
      : `it is ${state}; only a held or rolled back transaction can be kept or discarded`
  return new CordonError('INVALID_ARGUMENTS', `Transaction ${id} cannot be settled: ${why}.`)
}

const settlement = (record: StoredRecord, conflicts: readonly RawPath[]): Settlement => ({
  record: publicRecord(record),
  conflicts: conflicts.map(shown),
})

function newestFirst({ journal }: Store): readonly StoredRecord[] {
  return [...journal.records()].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1))
}

/** Reading every record takes longer than most transactions. */
async function pruneSometimes(store: Store): Promise<void> {
  if (store.journal.ids().length % PRUNE_EVERY === 0) await prune(store)
}

/** Runs a thing once; a failure is tried again the next time. */
function onceMore<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    done ??= work().catch((error) => {
      done = null
      throw error
    })
    return done
  }
}

async function undo(store: Store, id: string, paths: readonly string[] | undefined): Promise<Settlement> {
  const of = store.journal.record(id)
  if (of.state !== 'committed' || of.undo !== 'possible') throw cannotUndo(of)
  const fresh = newTransactionId()
  const { steps, conflicts } = inverseOrReplaced(store, of, paths, fresh)
  const record: StoredRecord = {
    ...of,
    id: fresh,
    at: new Date().toISOString(),
    command: `undo ${shortId(id)}`,
    kind: 'undo',
    of: id,
    adapter: 'undo',
    owner: thisProcess(),
    undo: 'none',
    note: null,
    keptBytes: 0,
    fallback: 'interrupted',
  }
  if (conflicts.length > 0) return settlement(of, conflicts)
  const done = await commit(store, described(record, steps), steps)
  if (done.conflicts.length > 0) {
    store.journal.remove(fresh)
    return settlement(of, done.conflicts)
  }
  markUndone(
    store,
    of,
    steps.map(({ root, path }) => `${root} ${path}`),
  )
  return settlement(done.record, [])
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never

function inverseOrReplaced(store: Store, ...of: Tail<Parameters<typeof inverse>>): Inverse {
  try {
    store.stateGuard.check()
    return inverse(store, ...of)
  } catch (error) {
    if (error instanceof DirectoryReplaced) return { steps: [], conflicts: [raw(error.path)] }
    throw error
  }
}

function markUndone({ journal }: Store, of: StoredRecord, taken: readonly string[]): void {
  const known = new Set(taken)
  const steps = journal
    .steps(of.id)
    .map((step) => (known.has(`${step.root} ${step.path}`) ? { ...step, undone: true } : step))
  const all = steps.every(({ act, undone, before }) => undone || (act === 'meta' && before?.type === 'directory'))
  journal.write({ ...of, state: all ? 'undone' : 'committed', undo: all ? 'none' : of.undo }, steps, true)
}

function cannotUndo({ id, state, undo, note }: StoredRecord): CordonError {
  const why =
    undo === 'dropped'
      ? `its earlier file versions are deleted (${note ?? 'too old'})`
      : state === 'undone'
        ? 'it was undone already; undo the undo to restore its changes'
        : state === 'rolled-back'
          ? `its changes were rolled back already; \`cordon keep ${id}\` applies them`
          : `it is ${state}`
  return new CordonError('INVALID_ARGUMENTS', `Transaction ${id} cannot be undone: ${why}.`)
}
