import { type Entry, entryAt } from './entry.js'
import { bytes, type RawPath, raw } from './raw-path.js'
import { Tree } from './tree.js'

/** One root of a transaction and where its things are. Recorded, so that whoever comes later finds them. */
export interface Footing {
  readonly root: string
  readonly vault: string
  readonly scratch: string
}

/** Trees and vaults, open for work. */
export interface Ground {
  tree(root: number): Tree
  /** For system calls: a place in the vault of a root. */
  vault(root: number, place: string): Buffer
  vaultEntry(root: number, place: string): Entry | null
  close(): void
}

export function openGround(footings: readonly Footing[]): Ground {
  const trees = new Map<number, Tree>()
  const footing = (root: number): Footing => {
    const found = footings[root]
    if (!found) throw new RangeError(`no root ${root}`)
    return found
  }
  const vault = (root: number, place: RawPath): Buffer => bytes(`${raw(footing(root).vault)}/${place}`)
  return {
    tree(root) {
      const known = trees.get(root) ?? new Tree(raw(footing(root).root))
      trees.set(root, known)
      return known
    },
    vault,
    vaultEntry: (root, place) => entryAt(vault(root, place)),
    close() {
      for (const tree of trees.values()) tree.close()
      trees.clear()
    },
  }
}
