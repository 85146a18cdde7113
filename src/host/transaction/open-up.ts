import { chmodSync } from 'node:fs'
import { isOpenToOwner } from './entry.js'
import type { Ground } from './ground.js'
import { parentOf, wayTo } from './raw-path.js'
import type { Step } from './step.js'

/**
 * Directories that their owner closed to himself, and that steps lead into or give other attributes all the same: he changed that for a
 * while, or has since. Their steps say what mode they have in the end.
 */
export function openUp(steps: readonly Step[], ground: Ground): void {
  const entered = new Set(steps.flatMap(({ root, path }) => waysInto(root, path)))
  for (const { root, path, attributes } of steps) {
    if (!attributes && !entered.has(`${root} ${path}`)) continue
    const tree = ground.tree(root)
    const current = tree.entry(path)
    if (current?.type !== 'directory' || isOpenToOwner(current)) continue
    chmodSync(tree.inside(path), current.mode | 0o700)
  }
}

const waysInto = (root: number, path: string): readonly string[] =>
  path === '' ? [] : wayTo(parentOf(path)).map((place) => `${root} ${place}`)
