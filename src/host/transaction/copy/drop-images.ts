import { rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../paths/entry.js'
import { withinOwn } from '../paths/own-directory.js'
import { below, type RawPath } from '../paths/raw-path.js'
import { removeTree } from '../paths/remove-tree.js'
import type { Tree } from '../paths/tree.js'
import type { StoredRecord } from '../undo-store/journal.js'
import type { Step } from '../undo-store/step.js'

/** Copies of what the command did not change are of no use once it is over: only what an undo needs stays. */
export async function dropImages({ id, rootPaths }: StoredRecord, steps: readonly Step[]): Promise<void> {
  for (const [root, { storePath }] of rootPaths.entries()) {
    const home = `${id}/${root}`
    const needed = new Set(steps.flatMap((step) => (step.root === root && step.keep !== null ? [step.keep] : [])))
    await withinOwn(storePath, async (own) => {
      dropBelow(own, `${home}/image`, needed)
      for (const name of ['manifest', 'list']) await removeTree(join(own.inside(''), home, name))
    })
  }
}

/** True when nothing is left of it. Directories that copies needed closed are open: they are ours. */
function dropBelow(tree: Tree, path: RawPath, needed: ReadonlySet<RawPath>): boolean {
  if (tree.entry(path)?.type !== 'directory') {
    if (needed.has(path)) return false
    unlinkSync(tree.at(path))
    return true
  }
  const left = tree.names(path).filter((name) => !dropBelow(tree, below(path, name), needed))
  if (left.length > 0) return false
  tree.forget(path)
  try {
    rmdirSync(tree.at(path))
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'ENOENT')) return false
    throw error
  }
}
