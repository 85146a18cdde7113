import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs'

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
  const needed = (mode & LOOK) !== LOOK && uid === process.geteuid?.()
  if (needed) chmodSync(place, (mode & 0o7777) | LOOK)
  return () => {
    if (needed) chmodSync(place, mode & 0o7777)
    closeSync(descriptor)
  }
}
