import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../core/model/errors.js'
import { type Entry, isOpenToOwner, sameVersion, untouched } from './entry.js'
import { type Ground, openGroundToWrite } from './ground.js'
import type { StoredRecord } from './journal.js'
import { below, type RawPath, raw } from './raw-path.js'
import { select, wantedBy } from './select.js'
import type { Step } from './step.js'
import type { Store } from './store.js'

export interface Inverse {
  readonly steps: readonly Step[]
  /** Absolute paths that are no longer as the transaction left them. */
  readonly conflicts: readonly RawPath[]
}

/** The steps that take back a transaction, last change first, with their pre-images going to the new one's own place. */
export function inverse(store: Store, of: StoredRecord, paths: readonly string[] | undefined, id: string): Inverse {
  const all = store.journal.steps(of.id).filter(({ undone }) => !undone)
  const steps = select(all, wantedBy(paths, of.workspace, of.footings))
  if (steps.length === 0) throw nothingToUndo(of, paths)
  const ground = openGroundToWrite(of.footings)
  try {
    for (const index of of.footings.keys()) makeRoom(ground, index, id)
    const conflicts = steps.flatMap((step) => conflictOf(step, steps, ground, store, of))
    const inverted = steps
      .toReversed()
      .flatMap((step, index) => invert(step, `${id}/${step.root}/before/${index}`, ground))
    return { steps: inverted, conflicts }
  } finally {
    ground.close()
  }
}

/** For what an undo replaces. Without a vault nothing can be brought back, and that is a conflict of its own. */
function makeRoom(ground: Ground, root: number, id: string): void {
  const vault = ground.vaultTree(root)
  if (vault !== null) mkdirSync(join(vault.inside(''), id, String(root), 'before'), { recursive: true, mode: 0o700 })
}

function nothingToUndo({ id, state }: StoredRecord, paths: readonly string[] | undefined): CordonError {
  const why = paths ? `changed nothing at ${paths.join(', ')}` : `has nothing left to take back (it is ${state})`
  return new CordonError('NOT_FOUND', `Transaction ${id} ${why}; \`cordon diff ${id}\` shows what it changed.`)
}

function invert(step: Step, keep: string, ground: Ground): readonly Step[] {
  const { root, path, act } = step
  const current = ground.tree(root).entry(path)
  if (act === 'meta') return invertMeta(step, current)
  if (act === 'rmdir') {
    return [{ root, path, act: 'mkdir', before: null, after: step.before, from: null, keep: null, ...swapped(step) }]
  }
  const image = step.keep === null ? null : ground.vaultEntry(root, step.keep)
  const replaces = current !== null && act !== 'drop'
  const base = { root, path, before: replaces ? current : null, keep: replaces ? keep : null }
  if (image) return [{ ...base, act: 'put', after: asItWas(image, step.before), from: step.keep }]
  return replaces ? [{ ...base, act: 'drop', after: null, from: null }] : []
}

/** A directory may have been emptied before it was moved away; its time is the one it had before that. */
const asItWas = (image: Entry, before: Entry | null): Entry =>
  image.type === 'directory' && before ? { ...image, mode: before.mode, mtime: before.mtime } : image

const swapped = ({ attributes: of }: Step): Pick<Step, 'attributes'> =>
  of ? { attributes: { before: of.after, after: of.before } } : {}

/** The time of a directory is put back only where nothing else has changed it since. */
function invertMeta(step: Step, current: Entry | null): readonly Step[] {
  const { root, path, before, after } = step
  if (!before || !after || !current) return []
  const ours = current.mtime === after.mtime && current.mode === after.mode
  if (ours)
    return [{ root, path, act: 'meta', before: current, after: before, from: null, keep: null, ...swapped(step) }]
  // Nothing to put back, but other steps may lead through it.
  const closed = current.type === 'directory' && (step.attributes || !isOpenToOwner(current))
  return closed
    ? [{ root, path, act: 'meta', before: current, after: current, from: null, keep: null, ...swapped(step) }]
    : []
}

function conflictOf(
  step: Step,
  all: readonly Step[],
  ground: Ground,
  store: Store,
  of: StoredRecord,
): readonly RawPath[] {
  const { root, path, act, after } = step
  if (act === 'meta' && step.before?.type === 'directory') return []
  const tree = ground.tree(root)
  const current = tree.entry(path)
  const full = (inner: RawPath): RawPath => below(raw(of.footings[root]?.root ?? ''), inner)
  if (step.keep !== null && !ground.vaultEntry(root, step.keep)) return [full(path)]
  if (act === 'drop' || act === 'rmdir') return current && !isReplaced(step, all) ? [full(path)] : []
  if (!current || !after || current.type !== after.type) return [full(path)]
  if (act === 'mkdir') {
    const known = new Set(all.filter((other) => other.root === root).map((other) => other.path))
    return tree
      .names(path)
      .map((name) => below(path, name))
      .filter((inner) => !known.has(inner))
      .map(full)
  }
  if (untouched(after, current) || putBackByUs(step, current, store, of)) return []
  return [full(path)]
}

/** A directory that the same transaction removed and put something else in its place. */
const isReplaced = ({ root, path }: Step, all: readonly Step[]): boolean =>
  all.some((other) => other.root === root && other.path === path && (other.act === 'put' || other.act === 'mkdir'))

/** A later undo put this very version back, by a move or from a copy: not somebody else's change. */
function putBackByUs({ root, path, after }: Step, current: Entry, { journal }: Store, of: StoredRecord): boolean {
  if (!after) return false
  const here = ({ footings }: StoredRecord, step: Step): boolean =>
    step.path === path && footings[step.root]?.root === of.footings[root]?.root
  return journal.records().some((undo) => {
    if (undo.kind !== 'undo' || undo.of === null || undo.at < of.at) return false
    const isCurrent = (step: Step): boolean => here(undo, step) && step.after !== null && untouched(step.after, current)
    if (!journal.steps(undo.id).some(isCurrent) || !journal.ids().includes(undo.of)) return false
    const undone = journal.record(undo.of)
    return journal
      .steps(undo.of)
      .some((step) => here(undone, step) && step.before !== null && sameVersion(step.before, after))
  })
}
