import { chmodSync, chownSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { Turns } from '../../untrusted-files/turns.js'
import { type AttributeClient, writeChange } from '../attributes/attributes.js'
import { restoreTimes } from '../paths/directory-times.js'
import { type Entry, isErrno, sameOwner } from '../paths/entry.js'
import { move, moveNew } from '../paths/move-entry.js'
import type { RawPath } from '../paths/raw-path.js'
import { placeOf } from '../paths/tree.js'
import type { OpenRoots, WritableRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import type { Applying } from './apply-steps.js'
import { openUp } from './open-directories.js'

/**
 * Reverses steps after any interruption. It reads their progress from the files, so it can be killed and started again.
 * Returns paths where another process has a newer version; our version and the previous one stay in the undo store.
 */
export async function reverse(
  steps: readonly Step[],
  openedRoots: WritableRoots,
  { fault, attributeClient }: Pick<Applying, 'fault' | 'attributeClient'>,
): Promise<readonly RawPath[]> {
  const left: RawPath[] = []
  await openUp(steps, openedRoots)
  const turns = new Turns()
  for (const [index, step] of [...steps.entries()].reverse()) {
    await turns.next()
    if (step.act === 'meta') reverseMeta(step, openedRoots)
    else if (step.act === 'rmdir') remake(step, openedRoots)
    else if (!reverseStep(step, openedRoots)) left.push(step.path)
    fault(`${index} reversed`)
  }
  // Includes directories that were moved away and back, because their content may have changed before.
  const directories = steps.filter(({ before }) => before?.type === 'directory')
  await restoreTimes(directories.flatMap((step) => timed(step, openedRoots)))
  for (const step of directories.toReversed()) {
    await restoreAttributes(step, openedRoots, attributeClient)
    restoreMode(step, openedRoots)
    fault('attributes')
  }
  fault('restored')
  return left
}

const timed = ({ root, path, before }: Step, openedRoots: OpenRoots) =>
  before && openedRoots.tree(root).entry(path)?.type === 'directory'
    ? [{ tree: openedRoots.tree(root), path, mtime: before.mtime }]
    : []

function remake({ root, path, before }: Step, openedRoots: OpenRoots): void {
  const tree = openedRoots.tree(root)
  if (!before || tree.entry(path)) return
  mkdirSync(tree.at(path), 0o700)
  if (process.geteuid?.() === 0) chownSync(tree.at(path), before.uid, before.gid)
}

async function restoreAttributes(
  { root, path, act, attributes }: Step,
  openedRoots: OpenRoots,
  attributeClient: AttributeClient,
): Promise<void> {
  const tree = openedRoots.tree(root)
  if (!attributes || (act !== 'meta' && act !== 'rmdir') || tree.entry(path)?.type !== 'directory') return
  const { before, after } = attributes
  await writeChange(attributeClient, placeOf(tree, path, true), { before: after, after: before }, false)
}

function restoreMode({ root, path, before }: Step, openedRoots: OpenRoots): void {
  const tree = openedRoots.tree(root)
  const current = tree.entry(path)
  if (!before || current?.type !== 'directory') return
  if (!sameOwner(current, before) && process.geteuid?.() === 0) chownSync(tree.inside(path), before.uid, before.gid)
  if (current.mode !== before.mode) chmodSync(tree.inside(path), before.mode)
}

function reverseMeta({ root, path, before, after }: Step, openedRoots: OpenRoots): void {
  if (!before || before.type === 'directory') return
  const tree = openedRoots.tree(root)
  const current = tree.entry(path)
  if (current?.ino === before.ino && current.mode === after?.mode) chmodSync(tree.at(path), before.mode)
}

/** Returns false if a version of another process is in the way. */
function reverseStep(step: Step, openedRoots: OpenRoots): boolean {
  const tree = openedRoots.tree(step.root)
  const { act, path, after } = step
  const current = tree.entry(path)
  if (act === 'put' && after && step.from !== null && isThat(current, after)) {
    const from = openedRoots.stored(step.root, step.from)
    // Both names at once: the process died between giving it the new one and taking the old one away.
    if (openedRoots.storedEntry(step.root, step.from)) unlinkSync(tree.at(path))
    else move(tree.at(path), from, after)
  }
  if (act === 'mkdir' && current?.type === 'directory' && !removed(tree.at(path))) return false
  tree.forget(path)
  const kept = step.keep === null ? null : openedRoots.storedEntry(step.root, step.keep)
  if (kept && step.keep !== null) {
    const there = tree.entry(path)
    if (there && there.ino !== kept.ino) return false
    if (there) unlinkSync(openedRoots.stored(step.root, step.keep))
    else moveNew(openedRoots.stored(step.root, step.keep), tree.at(path), kept)
    tree.forget(path)
  }
  restoreMovedMode(step, openedRoots)
  return true
}

/** Restores the mode of a directory that got a permission for its move. */
function restoreMovedMode({ root, path, before }: Step, openedRoots: OpenRoots): void {
  if (before?.type !== 'directory') return
  const current = openedRoots.tree(root).entry(path)
  if (current?.ino === before.ino && current.mode !== before.mode)
    chmodSync(openedRoots.tree(root).at(path), before.mode)
}

const isThat = (current: Entry | null, after: Entry): current is Entry =>
  current !== null && current.ino === after.ino && current.type === after.type

function removed(path: Buffer): boolean {
  try {
    rmdirSync(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}
