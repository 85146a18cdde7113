import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { type AttributeDesk, writeChange } from './attributes.js'
import { placeOf } from './compare-attributes.js'
import { type Entry, isErrno, untouched } from './entry.js'
import type { Ground, WritableGround } from './ground.js'
import { move, moveNew } from './move.js'
import { openUp } from './open-up.js'
import type { RawPath } from './raw-path.js'
import type { Step } from './step.js'
import { restoreTimes, setTime } from './times.js'

/** Called at every point at which a process can die; tests do just that. */
export type FaultPoint = (where: string) => void

/** Somebody else changed the path: nothing of theirs is overwritten. */
export class Conflict extends Error {
  constructor(
    readonly root: number,
    readonly path: RawPath,
  ) {
    super('changed underneath')
  }
}

export interface Applying {
  readonly fault: FaultPoint
  readonly desk: AttributeDesk
  /** Times of directories to the nanosecond: for an undo, whose result must be what was there before. */
  readonly exactTimes: boolean
}

const YIELD_EVERY = 256

/**
 * Does the steps in order. Throws Conflict, or the host's error, part of the way through: the caller then reverses. Whatever a step
 * replaces or removes is moved to its `keep` first.
 */
export async function apply(
  steps: readonly Step[],
  ground: WritableGround,
  { fault, desk, exactTimes }: Applying,
): Promise<void> {
  openUp(steps, ground)
  const ours = new OurDoing()
  for (const [index, step] of steps.entries()) {
    if (step.act !== 'meta' || step.before?.type !== 'directory') {
      applyStep(step, ground, ours, (where) => fault(`${index} ${where}`))
    }
    if (index % YIELD_EVERY === YIELD_EVERY - 1) await new Promise(setImmediate)
  }
  const directories = steps.flatMap((step) => directoryLeftBy(step, ground)).reverse()
  for (const { tree, path, mtime, now } of directories) if (now.mtime !== mtime) setTime({ tree, path, mtime })
  if (exactTimes) await restoreTimes(directories)
  for (const { tree, path, step, now } of directories) {
    if (step.attributes) await writeChange(desk, placeOf(tree, path, true), step.attributes, step.act === 'mkdir')
    fault('attributes')
    finish(tree.inside(path), step, now)
  }
  fault('finished')
}

function applyStep(step: Step, ground: Ground, ours: OurDoing, fault: FaultPoint): void {
  const tree = ground.tree(step.root)
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
    const keep = ground.vault(step.root, step.keep)
    move(tree.at(path), keep, before)
    tree.forget(path)
    ours.note(root, before)
    fault('kept')
    check(ground.vaultEntry(step.root, step.keep), step, ours)
  }
  try {
    if (act === 'put' && after && step.from !== null) moveNew(ground.vault(step.root, step.from), tree.at(path), after)
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

/** Moving one name of a file changes the time of its other names, and a mode is that of all of them. */
class OurDoing {
  readonly #modes = new Map<string, number | null>()

  note(root: number, { ino }: Entry, mode: number | null = null): void {
    this.#modes.set(`${root} ${ino}`, mode ?? this.#modes.get(`${root} ${ino}`) ?? null)
  }

  /** What must stand there now, where that stood. */
  expected(root: number, before: Entry, current: Entry): Entry {
    const mode = this.#modes.get(`${root} ${before.ino}`)
    return mode === undefined ? before : { ...before, ctime: current.ctime, mode: mode ?? before.mode }
  }
}

function check(current: Entry | null, { root, path, before }: Step, ours: OurDoing): void {
  if (current === null && before === null) return
  if (current === null || before === null) throw new Conflict(root, path)
  if (!untouched(ours.expected(root, before, current), current)) throw new Conflict(root, path)
}

/** Modes and times of directories come last: making entries in them has changed their times, and may have needed other modes. */
function directoryLeftBy(step: Step, ground: Ground) {
  const { root, path, after } = step
  if (after?.type !== 'directory') return []
  const tree = ground.tree(root)
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
