import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../../core/model/basics/errors.js'
import { type Entry, isOpenToOwner, sameVersion, untouched } from '../paths/entry.js'
import { below, type RawPath, raw } from '../paths/raw-path.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { type OpenRoots, openRootsToWrite } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import type { Store } from '../undo-store/store.js'
import { select, wantedBy } from './select-steps.js'

export interface Inverse {
  readonly steps: readonly Step[]
  /** Absolute paths that are no longer as the transaction left them. */
  readonly conflicts: readonly RawPath[]
}

/** Returns the steps that undo a transaction, last change first. Their pre-images go to the new transaction. */
export function inverse(store: Store, of: StoredRecord, paths: readonly string[] | undefined, id: string): Inverse {
  const all = store.journal.steps(of.id).filter(({ undone }) => !undone)
  const steps = select(all, wantedBy(paths, of.workspace, of.rootPaths))
  if (steps.length === 0) throw nothingToUndo(of, paths)
  const openedRoots = openRootsToWrite(of.rootPaths)
  try {
    for (const index of of.rootPaths.keys()) makeRoom(openedRoots, index, id)
    const conflicts = steps.flatMap((step) => conflictOf(step, steps, openedRoots, store, of))
    const inverted = steps
      .toReversed()
      .flatMap((step, index) => invert(step, `${id}/${step.root}/before/${index}`, openedRoots))
    return { steps: inverted, conflicts }
  } finally {
    openedRoots.close()
  }
}

/** Creates the directory for replaced entries. Without an undo store, that is a conflict. */
function makeRoom(openedRoots: OpenRoots, root: number, id: string): void {
  const store = openedRoots.storeTree(root)
  if (store !== null) mkdirSync(join(store.inside(''), id, String(root), 'before'), { recursive: true, mode: 0o700 })
}

function nothingToUndo({ id, state }: StoredRecord, paths: readonly string[] | undefined): CordonError {
  const why = paths ? `did not change ${paths.join(', ')}` : `has no changes to undo (it is ${state})`
  return new CordonError('NOT_FOUND', `Transaction ${id} ${why}. See its changes with \`cordon diff ${id}\`.`)
}

function invert(step: Step, keep: string, openedRoots: OpenRoots): readonly Step[] {
  const { root, path, act } = step
  const current = openedRoots.tree(root).entry(path)
  if (act === 'meta') return invertMeta(step, current)
  if (act === 'rmdir') {
    return [{ root, path, act: 'mkdir', before: null, after: step.before, from: null, keep: null, ...swapped(step) }]
  }
  const image = step.keep === null ? null : openedRoots.storedEntry(root, step.keep)
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
  // The directory needs no undo, but other steps may pass through it.
  const closed = current.type === 'directory' && (step.attributes || !isOpenToOwner(current))
  return closed
    ? [{ root, path, act: 'meta', before: current, after: current, from: null, keep: null, ...swapped(step) }]
    : []
}

function conflictOf(
  step: Step,
  all: readonly Step[],
  openedRoots: OpenRoots,
  store: Store,
  of: StoredRecord,
): readonly RawPath[] {
  const { root, path, act, after } = step
  if (act === 'meta' && step.before?.type === 'directory') return []
  const tree = openedRoots.tree(root)
  const current = tree.entry(path)
  const full = (inner: RawPath): RawPath => below(raw(of.rootPaths[root]?.root ?? ''), inner)
  if (step.keep !== null && !openedRoots.storedEntry(root, step.keep)) return [full(path)]
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

/** Reports whether the same transaction removed a directory and created another entry at its path. */
const isReplaced = ({ root, path }: Step, all: readonly Step[]): boolean =>
  all.some((other) => other.root === root && other.path === path && (other.act === 'put' || other.act === 'mkdir'))

/** Reports whether a later undo restored exactly this version, by a move or a copy. */
function putBackByUs({ root, path, after }: Step, current: Entry, { journal }: Store, of: StoredRecord): boolean {
  if (!after) return false
  const here = ({ rootPaths }: StoredRecord, step: Step): boolean =>
    step.path === path && rootPaths[step.root]?.root === of.rootPaths[root]?.root
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
