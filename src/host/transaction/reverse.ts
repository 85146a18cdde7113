import { chmodSync, chownSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import type { Applying } from './apply.js'
import { type AttributeDesk, writeChange } from './attributes.js'
import { placeOf } from './compare-attributes.js'
import { type Entry, isErrno, sameOwner } from './entry.js'
import type { Ground, WritableGround } from './ground.js'
import { move, moveNew } from './move.js'
import { openUp } from './open-up.js'
import type { RawPath } from './raw-path.js'
import type { Step } from './step.js'
import { restoreTimes } from './times.js'

/**
 * Takes steps out again, however far they got: what was done is read off the files, so it can be killed and begun again. Returns
 * paths where somebody else's version stands now; ours and the one before stay in the vault.
 */
export async function reverse(
  steps: readonly Step[],
  ground: WritableGround,
  { fault, desk }: Pick<Applying, 'fault' | 'desk'>,
): Promise<readonly RawPath[]> {
  const left: RawPath[] = []
  openUp(steps, ground)
  for (const [index, step] of [...steps.entries()].reverse()) {
    if (step.act === 'meta') reverseMeta(step, ground)
    else if (step.act === 'rmdir') remake(step, ground)
    else if (!reverseStep(step, ground)) left.push(step.path)
    fault(`${index} reversed`)
  }
  // Those that were moved away and back too: something may have been taken out of them before.
  const directories = steps.filter(({ before }) => before?.type === 'directory')
  await restoreTimes(directories.flatMap((step) => timed(step, ground)))
  for (const step of directories.toReversed()) {
    await restoreAttributes(step, ground, desk)
    restoreMode(step, ground)
    fault('attributes')
  }
  fault('restored')
  return left
}

const timed = ({ root, path, before }: Step, ground: Ground) =>
  before && ground.tree(root).entry(path)?.type === 'directory'
    ? [{ tree: ground.tree(root), path, mtime: before.mtime }]
    : []

function remake({ root, path, before }: Step, ground: Ground): void {
  const tree = ground.tree(root)
  if (!before || tree.entry(path)) return
  mkdirSync(tree.at(path), 0o700)
  if (process.geteuid?.() === 0) chownSync(tree.at(path), before.uid, before.gid)
}

async function restoreAttributes(
  { root, path, act, attributes }: Step,
  ground: Ground,
  desk: AttributeDesk,
): Promise<void> {
  const tree = ground.tree(root)
  if (!attributes || (act !== 'meta' && act !== 'rmdir') || tree.entry(path)?.type !== 'directory') return
  const { before, after } = attributes
  await writeChange(desk, placeOf(tree, path, true), { before: after, after: before }, false)
}

function restoreMode({ root, path, before }: Step, ground: Ground): void {
  const tree = ground.tree(root)
  const current = tree.entry(path)
  if (!before || current?.type !== 'directory') return
  if (!sameOwner(current, before) && process.geteuid?.() === 0) chownSync(tree.inside(path), before.uid, before.gid)
  if (current.mode !== before.mode) chmodSync(tree.inside(path), before.mode)
}

function reverseMeta({ root, path, before, after }: Step, ground: Ground): void {
  if (!before || before.type === 'directory') return
  const tree = ground.tree(root)
  const current = tree.entry(path)
  if (current?.ino === before.ino && current.mode === after?.mode) chmodSync(tree.at(path), before.mode)
}

/** False when something of somebody else's is in the way. */
function reverseStep(step: Step, ground: Ground): boolean {
  const tree = ground.tree(step.root)
  const { act, path, after } = step
  const current = tree.entry(path)
  if (act === 'put' && after && step.from !== null && isThat(current, after)) {
    const from = ground.vault(step.root, step.from)
    // Both names at once: the process died between giving it the new one and taking the old one away.
    if (ground.vaultEntry(step.root, step.from)) unlinkSync(tree.at(path))
    else move(tree.at(path), from, after)
  }
  if (act === 'mkdir' && current?.type === 'directory' && !removed(tree.at(path))) return false
  tree.forget(path)
  const kept = step.keep === null ? null : ground.vaultEntry(step.root, step.keep)
  if (kept && step.keep !== null) {
    const there = tree.entry(path)
    if (there && there.ino !== kept.ino) return false
    if (there) unlinkSync(ground.vault(step.root, step.keep))
    else moveNew(ground.vault(step.root, step.keep), tree.at(path), kept)
    tree.forget(path)
  }
  lendBack(step, ground)
  return true
}

/** A directory that was lent a permission to be moved. */
function lendBack({ root, path, before }: Step, ground: Ground): void {
  if (before?.type !== 'directory') return
  const current = ground.tree(root).entry(path)
  if (current?.ino === before.ino && current.mode !== before.mode) chmodSync(ground.tree(root).at(path), before.mode)
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
