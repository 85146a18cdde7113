import { chmodSync } from 'node:fs'
import { Turns } from '../../untrusted-files/turns.js'
import { isOpenToOwner } from '../paths/entry.js'
import { directoriesAbove, type RawPath } from '../paths/raw-path.js'
import type { OpenRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

/** Grants owner access to directories without it that steps pass through or change. Their steps set the final mode. */
export async function openUp(steps: readonly Step[], openedRoots: OpenRoots): Promise<void> {
  const turns = new Turns()
  const entered = new Map<number, ReadonlySet<RawPath>>()
  for (const root of new Set(steps.map((step) => step.root)))
    entered.set(root, directoriesAbove(steps.flatMap((step) => (step.root === root ? step.path : []))))
  for (const { root, path, attributes } of steps) {
    await turns.next()
    if (!attributes && !entered.get(root)?.has(path)) continue
    const tree = openedRoots.tree(root)
    const current = tree.entry(path)
    if (current?.type !== 'directory' || isOpenToOwner(current)) continue
    chmodSync(tree.inside(path), current.mode | 0o700)
  }
}
