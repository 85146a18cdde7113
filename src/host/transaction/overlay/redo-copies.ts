import { chmodSync, chownSync, constants, copyFileSync, mkdirSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../paths/entry.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { type OpenRoots, openRootsToWrite, type WritableRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

/**
 * Converts the reversed steps of a copied transaction so that they can be applied again. Their new versions are in the
 * undo store; replaced entries go to `before` there.
 */
export function redoOfCopies({ id, rootPaths }: StoredRecord, steps: readonly Step[]): readonly Step[] {
  for (const [root, { storePath }] of rootPaths.entries()) {
    mkdirSync(join(storePath, id, String(root), 'before'), { recursive: true, mode: 0o700 })
  }
  const openedRoots = openRootsToWrite(rootPaths)
  try {
    const made = steps.filter(
      ({ act, root, from }) => act !== 'put' || (from !== null && openedRoots.storedEntry(root, from)),
    )
    separate(made, openedRoots)
    return made.map((step, index) => redo(step, `${id}/${step.root}/before/${index}`, openedRoots))
  } finally {
    openedRoots.close()
  }
}

function redo(step: Step, keep: string, openedRoots: OpenRoots): Step {
  const { root, path, act, from } = step
  const before = step.before && sameAgain(step.before, openedRoots.tree(root).entry(path))
  const after = act === 'put' && from !== null ? openedRoots.storedEntry(root, from) : step.after
  if (act === 'rmdir') return { ...step, act: 'drop', before, keep }
  return { ...step, before, after, keep: step.keep === null ? null : keep }
}

/** A restored copy has a new inode. Any other difference is a change by another process, so it stays a conflict. */
function sameAgain(before: Entry, current: Entry | null): Entry {
  if (!current || current.type !== before.type) return before
  if (before.type === 'directory') return current
  const same = current.size === before.size && current.mtime === before.mtime && current.mode === before.mode
  return same ? current : before
}

/** A new version must not be a second name of a file in the tree: later writes to that file would change it. */
function separate(steps: readonly Step[], openedRoots: WritableRoots): void {
  const puts = steps.flatMap(({ act, root, from }) => {
    const entry = act === 'put' && from !== null ? openedRoots.storedEntry(root, from) : null
    return entry?.type === 'file' && from !== null ? [{ root, from, entry }] : []
  })
  const names = new Map<string, number>()
  for (const { entry } of puts) names.set(entry.ino, (names.get(entry.ino) ?? 0) + 1)
  for (const { root, from, entry } of puts) {
    if (entry.links > (names.get(entry.ino) ?? 0)) copyApart(openedRoots, root, from, entry)
  }
}

function copyApart(openedRoots: WritableRoots, root: number, from: string, entry: Entry): void {
  const own = openedRoots.stored(root, `${from}.own`)
  const seconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000_000
  copyFileSync(openedRoots.stored(root, from), own, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  if (process.geteuid?.() === 0) chownSync(own, entry.uid, entry.gid)
  chmodSync(own, entry.mode)
  utimesSync(own, seconds(entry.mtime), seconds(entry.mtime))
  renameSync(own, openedRoots.stored(root, from))
}
