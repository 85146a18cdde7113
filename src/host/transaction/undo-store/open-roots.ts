import { type Entry, isErrno } from '../paths/entry.js'
import { type RawPath, raw } from '../paths/raw-path.js'
import { DirectoryReplaced, requireInPlace } from '../paths/root-identity.js'
import { Tree } from '../paths/tree.js'

/** Paths of one root and its stores. Recorded for recovery. */
export interface RootPaths {
  readonly root: string
  readonly storePath: string
  readonly scratch: string
  /** Identity of the root when the transaction began. */
  readonly identity?: string | undefined
}

/** Trees and storeTrees, open for reading. Neither is reached through a symlink below its own directory. */
export interface OpenRoots {
  tree(root: number): Tree
  /** Returns a path in the undo store of a root, for system calls. */
  stored(root: number, place: RawPath): Buffer
  storedEntry(root: number, place: RawPath): Entry | null
  /** Null when there is none. */
  storeTree(root: number): Tree | null
  close(): void
}

/** Trees and storeTrees, open for writing: each was found to be the directory that the transaction recorded. */
export interface WritableRoots extends OpenRoots {
  readonly isInPlace: true
}

export function openRoots(rootPaths: readonly RootPaths[]): OpenRoots {
  const trees = new Map<number, Tree>()
  const storeTrees = new Map<number, Tree>()
  const paths = (root: number): RootPaths => {
    const found = rootPaths[root]
    if (!found) throw new RangeError(`no root ${root}`)
    return found
  }
  const opened = (among: Map<number, Tree>, root: number, path: string): Tree => {
    const known = among.get(root) ?? new Tree(raw(path))
    among.set(root, known)
    return known
  }
  const storeTreeOf = (root: number): Tree => opened(storeTrees, root, paths(root).storePath)
  const storedTree = (root: number): Tree | null => {
    try {
      return storeTreeOf(root)
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null
      throw error
    }
  }
  return {
    tree: (root) => opened(trees, root, paths(root).root),
    stored(root, place) {
      // Call it before the entry at this path is moved or replaced.
      storeTreeOf(root).forget(place)
      return storeTreeOf(root).at(place)
    },
    storedEntry: (root, place) => storedTree(root)?.entry(place) ?? null,
    storeTree: storedTree,
    close() {
      for (const tree of [...trees.values(), ...storeTrees.values()]) tree.close()
      trees.clear()
      storeTrees.clear()
    },
  }
}

/**
 * Opens trees and undo stores for writing; apply, reverse, keep, discard and undo have no other access. Throws
 * DirectoryReplaced if another directory or a symlink is at one of the paths, because a command can rename a directory
 * above a nested workspace. Open directories stay the checked ones after a rename.
 */
export function openRootsToWrite(rootPaths: readonly RootPaths[]): WritableRoots {
  const openedRoots = openRoots(rootPaths)
  try {
    for (const [root, { root: path, identity }] of rootPaths.entries())
      requireInPlace(openedTree(openedRoots, root, path).descriptor, path, identity)
    requireStoresInPlace(openedRoots, rootPaths)
  } catch (error) {
    openedRoots.close()
    throw error
  }
  return { ...openedRoots, isInPlace: true }
}

/** Throws DirectoryReplaced if the root itself is a symlink or a file now, or is gone. */
function openedTree(openedRoots: OpenRoots, root: number, path: string): Tree {
  try {
    return openedRoots.tree(root)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw new DirectoryReplaced(path)
    throw error
  }
}

/** Throws DirectoryReplaced if a symlink leads to an undo store. A missing one is accepted as empty. */
export function requireStoresInPlace(openedRoots: OpenRoots, rootPaths: readonly RootPaths[]): void {
  for (const [root, { storePath }] of rootPaths.entries()) {
    const tree = openedRoots.storeTree(root)
    if (tree !== null) requireInPlace(tree.descriptor, storePath, undefined)
  }
}
