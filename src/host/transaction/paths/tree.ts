import { closeSync, constants, type Dir, fstatSync, opendirSync, openSync, readdirSync } from 'node:fs'
import { type Entry, entryAt, entryOf, isErrno } from './entry.js'
import { grantOwnerAccess } from './owner-access.js'
import { below, bytes, isAtOrBelow, nameOf, parentOf, type RawPath, wayTo } from './raw-path.js'

/** Linux: the descriptor names the directory and needs no permission to read it. Node has no constant for it. */
const O_PATH = 0o10000000
const DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
const KEPT_OPEN = 64
/** Levels above a path among which an open directory is looked for. */
const NEAR = 8

/**
 * A directory whose entries are reached without following symlinks: each directory on the way is opened by its own
 * name. So a symlink in the tree has no effect, even if a process creates it meanwhile. A directory without owner
 * access gets it for the moment of one access.
 */
export class Tree {
  readonly #open = new Map<RawPath, number>()

  constructor(root: RawPath) {
    this.#open.set('', openSync(bytes(root), DIRECTORY))
  }

  /** Descriptor of the directory itself. */
  get descriptor(): number {
    return this.#directory('')
  }

  /**
   * Returns a path for system calls to an entry, not to the root. Throws ENOENT, ENOTDIR or ELOOP if a parent is not a
   * directory.
   */
  at(path: RawPath): Buffer {
    const parent = parentOf(path)
    return bytes(`${this.#looking(parent, () => this.#place(parent))}/${nameOf(path)}`)
  }

  /** Returns a path to a directory itself for system calls and other processes of this user. It may be followed. */
  inside(path: RawPath): string {
    return this.#looking(path, () => this.#place(path))
  }

  entry(path: RawPath): Entry | null {
    try {
      if (path === '') return entryOf(fstatSync(this.#directory(''), { bigint: true }))
      return this.#looking(parentOf(path), () => entryAt(this.at(path)))
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null
      throw error
    }
  }

  /** Names below a directory; none when it is not there. */
  names(path: RawPath): readonly RawPath[] {
    try {
      return this.#looking(path, () => readdirSync(this.#place(path), { encoding: 'latin1' }))
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return []
      throw error
    }
  }

  /** For directories too large to be listed for the sake of a few names; to be closed by the caller. */
  list(path: RawPath): Dir {
    return this.#looking(path, () => opendirSync(this.#place(path), { encoding: 'latin1' }))
  }

  /** Call it after the entry at `path` was moved or replaced. */
  forget(path: RawPath): void {
    for (const [known, descriptor] of this.#open) {
      if (known === '' || !isAtOrBelow(known, path)) continue
      closeSync(descriptor)
      this.#open.delete(known)
    }
  }

  close(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor)
    this.#open.clear()
  }

  #place(directory: RawPath): string {
    return `/proc/${process.pid}/fd/${this.#directory(directory)}`
  }

  #looking<T>(directory: RawPath, look: () => T): T {
    try {
      return look()
    } catch (error) {
      if (!isErrno(error, 'EACCES')) throw error
    }
    const restores: (() => void)[] = []
    try {
      for (const place of wayTo(directory)) restores.push(grantOwnerAccess(this.#place(place)))
      return look()
    } finally {
      for (const restore of restores.reverse()) restore()
    }
  }

  #directory(path: RawPath): number {
    const known = this.#open.get(path)
    if (known !== undefined) return known
    const [above, names] = this.#nearestOpen(path)
    let [at, descriptor] = above
    for (const name of names) {
      at = below(at, name)
      descriptor = this.#open.get(at) ?? this.#openIn(descriptor, at)
    }
    return descriptor
  }

  /**
   * Returns an open directory above a path, and the names from there to the path. Looks no further up than a few names:
   * below a directory that is missing, each lookup would look at all names, and a command may nest hundreds.
   */
  #nearestOpen(path: RawPath): readonly [readonly [RawPath, number], readonly RawPath[]] {
    let above = path
    for (let level = 0; level < NEAR && above !== ''; level += 1) {
      above = parentOf(above)
      const descriptor = this.#open.get(above)
      if (descriptor !== undefined)
        return [[above, descriptor], path.slice(above === '' ? 0 : above.length + 1).split('/')]
    }
    return [['', this.#directory('')], path.split('/')]
  }

  #openIn(parent: number, path: RawPath): number {
    const descriptor = openSync(bytes(`/proc/self/fd/${parent}/${nameOf(path)}`), DIRECTORY)
    if (this.#open.size >= KEPT_OPEN) this.#closeOldest()
    this.#open.set(path, descriptor)
    return descriptor
  }

  #closeOldest(): void {
    for (const [path, descriptor] of this.#open) {
      if (path === '') continue
      closeSync(descriptor)
      this.#open.delete(path)
      return
    }
  }
}

/** Yields every entry of a subtree, the top first, parents before children. */
export function* walk(tree: Tree, path: RawPath): Generator<readonly [RawPath, Entry]> {
  const pending = [path]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entry = tree.entry(next)
    if (!entry) continue
    yield [next, entry]
    if (entry.type === 'directory') for (const name of tree.names(next)) pending.push(below(next, name))
  }
}

/** Named so that no link is followed, not even the one that a descriptor is. */
export const placeOf = (tree: Tree, path: RawPath, isDirectory: boolean): Buffer =>
  isDirectory ? Buffer.from(`${tree.inside(path)}/.`) : tree.at(path)
