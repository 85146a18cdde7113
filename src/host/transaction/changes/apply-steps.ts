import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { Turns } from '../../untrusted-files/turns.js'
import { type AttributeClient, writeChange } from '../attributes/attributes.js'
import { restoreTimes, setTime } from '../paths/directory-times.js'
import { type Entry, isErrno, untouched } from '../paths/entry.js'
import { move, moveNew } from '../paths/move-entry.js'
import type { RawPath } from '../paths/raw-path.js'
import { placeOf, type Tree } from '../paths/tree.js'
import type { OpenRoots, WritableRoots } from '../undo-store/open-roots.js'
import type { FaultPoint, Step } from '../undo-store/step.js'
import { openUp } from './open-directories.js'

/** Thrown if another process changed the path. Its version is not overwritten. */
export class Conflict extends Error {
  constructor(
    readonly root: number,
    readonly path: RawPath,
  ) {
    super('changed by another process')
  }
}

export interface Applying {
  readonly fault: FaultPoint
  readonly attributeClient: AttributeClient
  /** Times of directories to the nanosecond: for an undo, whose result must be what was there before. */
  readonly exactTimes: boolean
}

/**
 * Applies the steps in order. On a Conflict or an error of the host it stops part of the way; the caller then reverses.
 * It first moves each replaced or removed entry to its `keep`.
 */
export async function apply(
  steps: readonly Step[],
  openedRoots: WritableRoots,
  { fault, attributeClient, exactTimes }: Applying,
): Promise<void> {
  await openUp(steps, openedRoots)
  const ours = new OwnEffects()
  const turns = new Turns()
  for (const [index, step] of steps.entries()) {
    await turns.next()
    if (step.act !== 'meta' || step.before?.type !== 'directory') {
      applyStep(step, openedRoots, ours, (where) => fault(`${index} ${where}`))
    }
  }
  const directories: LeftDirectory[] = []
  for (const step of steps.toReversed()) {
    await turns.next()
    directories.push(...directoryLeftBy(step, openedRoots))
  }
  for (const { tree, path, mtime, now } of directories) {
    await turns.next()
    if (now.mtime !== mtime) setTime({ tree, path, mtime })
  }
  if (exactTimes) await restoreTimes(directories)
  for (const { tree, path, step, now } of directories) {
    await turns.next()
    if (step.attributes)
      await writeChange(attributeClient, placeOf(tree, path, true), step.attributes, step.act === 'mkdir')
    fault('attributes')
    finish(tree.inside(path), step, now)
  }
  fault('finished')
}

function applyStep(step: Step, openedRoots: OpenRoots, ours: OwnEffects, fault: FaultPoint): void {
  const tree = openedRoots.tree(step.root)
  const { act, root, path, before, after } = step
  check(tree.entry(path), step, ours)
  fault('checked')
  if (act === 'meta') {
    if (after) chmodSync(tree.at(path), after.mode)
    if (before && after) ours.note(root, before, after.mode)
    fault('changed')
    return
  }
  if (before && step.keep !== null) {
    const keep = openedRoots.stored(step.root, step.keep)
    move(tree.at(path), keep, before)
    tree.forget(path)
    ours.note(root, before)
    fault('kept')
    check(openedRoots.storedEntry(step.root, step.keep), step, ours)
  }
  try {
    if (act === 'put' && after && step.from !== null)
      moveNew(openedRoots.stored(step.root, step.from), tree.at(path), after)
    if (act === 'mkdir') mkdirSync(tree.at(path), 0o700)
  } catch (error) {
    // ENOENT on the way there: the parent directory is gone.
    if (isErrno(error, 'EEXIST', 'ENOTEMPTY', 'ENOENT', 'ENOTDIR', 'ELOOP')) throw new Conflict(root, path)
    throw error
  }
  tree.forget(path)
  if (act === 'put' && after) ours.note(root, after)
  fault('placed')
}

/**
 * Tracks the effects of our own steps. Moving one name of a file changes the ctime of its other names, and they share
 * one mode.
 */
class OwnEffects {
  readonly #modes = new Map<string, number | null>()

  note(root: number, { ino }: Entry, mode: number | null = null): void {
    this.#modes.set(`${root} ${ino}`, mode ?? this.#modes.get(`${root} ${ino}`) ?? null)
  }

  /** Returns the entry expected at a path after our earlier steps. */
  expected(root: number, before: Entry, current: Entry): Entry {
    const mode = this.#modes.get(`${root} ${before.ino}`)
    return mode === undefined ? before : { ...before, ctime: current.ctime, mode: mode ?? before.mode }
  }
}

function check(current: Entry | null, { root, path, before }: Step, ours: OwnEffects): void {
  if (current === null && before === null) return
  if (current === null || before === null) throw new Conflict(root, path)
  if (!untouched(ours.expected(root, before, current), current)) throw new Conflict(root, path)
}

interface LeftDirectory {
  readonly tree: Tree
  readonly path: RawPath
  readonly mtime: string
  readonly step: Step
  readonly now: Entry
}

/** Sets modes and times of directories last, because creating entries changes the times and may need other modes. */
function directoryLeftBy(step: Step, openedRoots: OpenRoots): readonly LeftDirectory[] {
  const { root, path, after } = step
  if (after?.type !== 'directory') return []
  const tree = openedRoots.tree(root)
  const now = tree.entry(path)
  return now?.type === 'directory' ? [{ tree, path, mtime: after.mtime, step, now }] : []
}

function finish(directory: string, { act, before, after, attributes }: Step, now: Entry): void {
  if (!after) return
  const meant = act === 'mkdir' || before?.uid !== after.uid || before?.gid !== after.gid
  if (meant && process.geteuid?.() === 0) chownSync(directory, after.uid, after.gid)
  // A change of owner or of an access list may have changed the mode as well.
  if (meant || attributes || now.mode !== after.mode) chmodSync(directory, after.mode)
}
