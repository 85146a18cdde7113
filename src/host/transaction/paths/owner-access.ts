import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { RawPath } from './raw-path.js'

/** See tree.ts. */
const O_PATH = 0o10000000
const LOOK = 0o500

/**
 * Adds owner r-x to a directory; call the returned function to restore the mode. No-op if the owner has r-x already or
 * is another user. Changes only ctime.
 */
export function grantOwnerAccess(directory: string): () => void {
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

/** Adds owner access to several directories, parents first, during an action. No-op for root. */
export async function withOwnerAccess<T>(
  tree: Places,
  directories: Iterable<RawPath>,
  ask: () => Promise<T>,
): Promise<T> {
  if (process.geteuid?.() === 0) return ask()
  const restores: (() => void)[] = []
  try {
    for (const path of directories) restores.push(grantOwnerAccess(tree.inside(path)))
    return await ask()
  } finally {
    for (const restore of restores.reverse()) restore()
  }
}
