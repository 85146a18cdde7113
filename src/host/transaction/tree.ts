import { closeSync, constants, type Dir, fstatSync, opendirSync, openSync, readdirSync } from 'node:fs'
import { type Entry, entryAt, entryOf, isErrno } from './entry.js'
import { lend } from './lend.js'
import { below, bytes, isAtOrBelow, nameOf, parentOf, type RawPath, wayTo } from './raw-path.js'

/** Linux: the descriptor names the directory and needs no permission to read it. Node has no constant for it. */
const O_PATH = 0o10000000
const DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
const KEPT_OPEN = 64

/**
 * A directory whose entries are reached without ever passing through a symbolic link: each directory on the way is opened by its
 * own name and no further. A link planted in the tree, even while this runs, leads nowhere. A directory that its owner, who is this user,
 * has closed to himself is opened for the moment of one look.
 */
export class Tree {
  readonly #open = new Map<RawPath, number>()

  constructor(root: RawPath) {
    this.#open.set('', openSync(bytes(root), DIRECTORY))
  }

  /** Of the directory itself. */
  get descriptor(): number {
    return this.#directory('')
  }

  /** For system calls: the entry at `path`, which is not the root. Throws ENOENT, ENOTDIR or ELOOP when the way there is not made of directories. */
  at(path: RawPath): Buffer {
    const parent = parentOf(path)
    return bytes(`${this.#looking(parent, () => this.#place(parent))}/${nameOf(path)}`)
  }

  /** For system calls and for other processes of this user: the directory at `path` itself, named without its name. To be followed. */
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

  /** To be called when what stands at `path` was moved or replaced. */
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
    const lent: (() => void)[] = []
    try {
      for (const place of wayTo(directory)) lent.push(lend(this.#place(place)))
      return look()
    } finally {
      for (const giveBack of lent.reverse()) giveBack()
    }
  }

  #directory(path: RawPath): number {
    const known = this.#open.get(path)
    if (known !== undefined) return known
    const descriptor = openSync(bytes(`/proc/self/fd/${this.#directory(parentOf(path))}/${nameOf(path)}`), DIRECTORY)
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

/** Every entry of a subtree, the top one first, parents before children. */
export function* walk(tree: Tree, path: RawPath): Generator<readonly [RawPath, Entry]> {
  const pending = [path]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entry = tree.entry(next)
    if (!entry) continue
    yield [next, entry]
    if (entry.type === 'directory') for (const name of tree.names(next)) pending.push(below(next, name))
  }
}
