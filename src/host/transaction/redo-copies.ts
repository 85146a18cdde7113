import { chmodSync, chownSync, constants, copyFileSync, mkdirSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './entry.js'
import { type Ground, openGroundToWrite, type WritableGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import type { Step } from './step.js'

/**
 * Turns the steps of a copied transaction that were just taken out of the tree into steps that can be applied to it again. New
 * versions lie in the undo store by now; what they replace is moved to `before` there.
 */
export function redoOfCopies({ id, footings }: StoredRecord, steps: readonly Step[]): readonly Step[] {
  for (const [root, { vault }] of footings.entries()) {
    mkdirSync(join(vault, id, String(root), 'before'), { recursive: true, mode: 0o700 })
  }
  const ground = openGroundToWrite(footings)
  try {
    const made = steps.filter(
      ({ act, root, from }) => act !== 'put' || (from !== null && ground.vaultEntry(root, from)),
    )
    separate(made, ground)
    return made.map((step, index) => redo(step, `${id}/${step.root}/before/${index}`, ground))
  } finally {
    ground.close()
  }
}

function redo(step: Step, keep: string, ground: Ground): Step {
  const { root, path, act, from } = step
  const before = step.before && sameAgain(step.before, ground.tree(root).entry(path))
  const after = act === 'put' && from !== null ? ground.vaultEntry(root, from) : step.after
  if (act === 'rmdir') return { ...step, act: 'drop', before, keep }
  return { ...step, before, after, keep: step.keep === null ? null : keep }
}

/** A copy that was put back is another inode; anything else that differs was changed by others, and stays a conflict. */
function sameAgain(before: Entry, current: Entry | null): Entry {
  if (!current || current.type !== before.type) return before
  if (before.type === 'directory') return current
  const same = current.size === before.size && current.mtime === before.mtime && current.mode === before.mode
  return same ? current : before
}

/** A new version must not be a second name of a file in the tree: later writes to that file would change it. */
function separate(steps: readonly Step[], ground: WritableGround): void {
  const puts = steps.flatMap(({ act, root, from }) => {
    const entry = act === 'put' && from !== null ? ground.vaultEntry(root, from) : null
    return entry?.type === 'file' && from !== null ? [{ root, from, entry }] : []
  })
  const names = new Map<string, number>()
  for (const { entry } of puts) names.set(entry.ino, (names.get(entry.ino) ?? 0) + 1)
  for (const { root, from, entry } of puts) {
    if (entry.links > (names.get(entry.ino) ?? 0)) copyApart(ground, root, from, entry)
  }
}

function copyApart(ground: WritableGround, root: number, from: string, entry: Entry): void {
  const own = ground.vault(root, `${from}.own`)
  const seconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000_000
  copyFileSync(ground.vault(root, from), own, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  if (process.geteuid?.() === 0) chownSync(own, entry.uid, entry.gid)
  chmodSync(own, entry.mode)
  utimesSync(own, seconds(entry.mtime), seconds(entry.mtime))
  renameSync(own, ground.vault(root, from))
}
