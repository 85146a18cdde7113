import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { RawPath } from './raw-path.js'

/** See tree.ts. */
const O_PATH = 0o10000000
const LOOK = 0o500

/**
 * Lets a directory's owner look into it until the returned function is called. Nothing happens to one that he can look into anyway, or
 * that is somebody else's. No time but its ctime changes.
 */
export function lend(directory: string): () => void {
  const descriptor = openSync(directory, O_PATH | constants.O_DIRECTORY)
  const place = `/proc/self/fd/${descriptor}`
  const { mode, uid } = fstatSync(descriptor)
  if ((mode & LOOK) === LOOK || uid !== process.geteuid?.()) {
    closeSync(descriptor)
    return () => {}
  }
  chmodSync(place, (mode & 0o7777) | LOOK)
  return () => {
    chmodSync(place, mode & 0o7777)
    closeSync(descriptor)
  }
}

/** Directories of a tree, which knows where they are. */
interface Places {
  inside(path: RawPath): string
}

/** The same for several, parents first, while something asks about what is in them. Root needs none of it. */
export async function lending<T>(tree: Places, directories: Iterable<RawPath>, ask: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() === 0) return ask()
  const lent: (() => void)[] = []
  try {
    for (const path of directories) lent.push(lend(tree.inside(path)))
    return await ask()
  } finally {
    for (const giveBack of lent.reverse()) giveBack()
  }
}
