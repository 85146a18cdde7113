import { chmodSync } from 'node:fs'
import { isOpenToOwner } from '../paths/entry.js'
import { parentOf, wayTo } from '../paths/raw-path.js'
import type { OpenRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

/** Grants owner access to directories without it that steps pass through or change. Their steps set the final mode. */
export function openUp(steps: readonly Step[], openedRoots: OpenRoots): void {
  const entered = new Set(steps.flatMap(({ root, path }) => waysInto(root, path)))
  for (const { root, path, attributes } of steps) {
    if (!attributes && !entered.has(`${root} ${path}`)) continue
    const tree = openedRoots.tree(root)
    const current = tree.entry(path)
    if (current?.type !== 'directory' || isOpenToOwner(current)) continue
    chmodSync(tree.inside(path), current.mode | 0o700)
  }
}

const waysInto = (root: number, path: string): readonly string[] =>
  path === '' ? [] : wayTo(parentOf(path)).map((place) => `${root} ${place}`)
