import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { type Place, placeFor } from './place.js'

/** Where the things of roots go. */
export interface Placement {
  /** Throws a plain sentence for a root that has no place. */
  of(root: string, roots: readonly string[]): Place
  close(): void
}

interface Known {
  readonly mounts: Buffer
  readonly standing: string
  readonly place: Place
}

const KEPT = 64

/** Found once for each set of roots, and again when a mount has come or gone, or another directory stands at one of the places. */
export function createPlacement(stateDirectory: string): Placement {
  const known = new Map<string, Known>()
  const table = new MountTable()
  return {
    of(root, roots) {
      const mounts = table.read()
      const key = JSON.stringify([root, roots])
      const found = known.get(key)
      if (found?.mounts.equals(mounts) && found.standing === standing(root, found.place)) return found.place
      const place = placeFor(root, roots, stateDirectory)
      if (known.size >= KEPT) known.clear()
      known.set(key, { mounts: Buffer.from(mounts), place, standing: standing(root, place) })
      return place
    },
    close: () => table.close(),
  }
}

const standing = (root: string, { vault, scratch }: Place): string =>
  [...new Set([root, vault, scratch])].map(at).join()

function at(directory: string): string {
  const stats = lstatSync(directory, { throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino} ${stats.mode} ${stats.uid}` : ''
}

/** What is mounted where, as the kernel says it now. Kept open: finding the file takes longer than reading it. */
class MountTable {
  #descriptor: number | null = null
  #room = Buffer.alloc(16 * 1024)

  /** Good until the next call. */
  read(): Buffer {
    this.#descriptor ??= openSync('/proc/self/mountinfo', 'r')
    let length = 0
    for (;;) {
      if (length === this.#room.length) this.#room = Buffer.concat([this.#room, Buffer.alloc(length)])
      const got = readSync(this.#descriptor, this.#room, length, this.#room.length - length, length)
      if (got === 0) return this.#room.subarray(0, length)
      length += got
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }
}
