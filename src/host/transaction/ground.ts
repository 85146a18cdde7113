import { type Entry, isErrno } from './entry.js'
import { type RawPath, raw } from './raw-path.js'
import { requireInPlace } from './root-identity.js'
import { Tree } from './tree.js'

/** One root of a transaction and where its things are. Recorded, so that whoever comes later finds them. */
export interface Footing {
  readonly root: string
  readonly vault: string
  readonly scratch: string
  /** Identity of the root when the transaction began. */
  readonly identity?: string | undefined
}

/** Trees and vaults, open for reading. Neither is reached through a symlink below its own directory. */
export interface Ground {
  tree(root: number): Tree
  /** For system calls: a place in the vault of a root. */
  vault(root: number, place: RawPath): Buffer
  vaultEntry(root: number, place: RawPath): Entry | null
  /** Null when there is none. */
  vaultTree(root: number): Tree | null
  close(): void
}

/** Trees and vaults, open for writing: each was found to be the directory that the transaction recorded. */
export interface WritableGround extends Ground {
  readonly isInPlace: true
}

export function openGround(footings: readonly Footing[]): Ground {
  const trees = new Map<number, Tree>()
  const vaults = new Map<number, Tree>()
  const footing = (root: number): Footing => {
    const found = footings[root]
    if (!found) throw new RangeError(`no root ${root}`)
    return found
  }
  const opened = (among: Map<number, Tree>, root: number, path: string): Tree => {
    const known = among.get(root) ?? new Tree(raw(path))
    among.set(root, known)
    return known
  }
  const vaultOf = (root: number): Tree => opened(vaults, root, footing(root).vault)
  const vaultTree = (root: number): Tree | null => {
    try {
      return vaultOf(root)
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null
      throw error
    }
  }
  return {
    tree: (root) => opened(trees, root, footing(root).root),
    vault(root, place) {
      // The thing at this place is about to be moved away or replaced.
      vaultOf(root).forget(place)
      return vaultOf(root).at(place)
    },
    vaultEntry: (root, place) => vaultTree(root)?.entry(place) ?? null,
    vaultTree,
    close() {
      for (const tree of [...trees.values(), ...vaults.values()]) tree.close()
      trees.clear()
      vaults.clear()
    },
  }
}

/**
 * Opens trees and vaults for writing: the only way to apply, reverse, keep, discard or undo. Throws DirectoryReplaced when another
 * directory stands at one of the paths, or a symlink leads there: a command can rename a directory above a nested workspace.
 * What is open stays the directory that was checked, whatever is renamed later.
 */
export function openGroundToWrite(footings: readonly Footing[]): WritableGround {
  const ground = openGround(footings)
  try {
    for (const [root, { root: path, identity }] of footings.entries())
      requireInPlace(ground.tree(root).descriptor, path, identity)
    requireVaultsInPlace(ground, footings)
  } catch (error) {
    ground.close()
    throw error
  }
  return { ...ground, isInPlace: true }
}

/** Throws DirectoryReplaced when a symlink leads to a vault by now. One that is gone passes: nothing is found in it. */
export function requireVaultsInPlace(ground: Ground, footings: readonly Footing[]): void {
  for (const [root, { vault }] of footings.entries()) {
    const tree = ground.vaultTree(root)
    if (tree !== null) requireInPlace(tree.descriptor, vault, undefined)
  }
}
