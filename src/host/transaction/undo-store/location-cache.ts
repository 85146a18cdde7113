import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { locationsFor, type StoreLocations } from './locations.js'

export interface LocationCache {
  /** Throws a sentence for a root without a location. */
  of(root: string, roots: readonly string[]): StoreLocations
  close(): void
}

interface Known {
  readonly mounts: Buffer
  readonly standing: string
  readonly place: StoreLocations
}

const KEPT = 64

/** Looks locations up once per set of roots, and again after a mount or one of the directories changes. */
export function createLocationCache(stateDirectory: string): LocationCache {
  const known = new Map<string, Known>()
  const table = new MountTable()
  return {
    of(root, roots) {
      const mounts = table.read()
      const key = JSON.stringify([root, roots])
      const found = known.get(key)
      if (found?.mounts.equals(mounts) && found.standing === standing(root, found.place)) return found.place
      const place = locationsFor(root, roots, stateDirectory)
      if (known.size >= KEPT) known.clear()
      known.set(key, { mounts: Buffer.from(mounts), place, standing: standing(root, place) })
      return place
    },
    close: () => table.close(),
  }
}

const standing = (root: string, { storePath, scratch }: StoreLocations): string =>
  [...new Set([root, storePath, scratch])].map(at).join()

function at(directory: string): string {
  const stats = lstatSync(directory, { throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino} ${stats.mode} ${stats.uid}` : ''
}

/** The current mount table of the kernel. Stays open, because opening takes longer than reading. */
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
