import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs'

/** See tree.ts. */
const O_PATH = 0o10000000
const OWNER = 0o700

/**
 * Gives a directory's owner every permission on it until the returned function is called. Nothing happens to one that is open to him,
 * or is somebody else's. No time but its ctime changes.
 */
export function lend(directory: string): () => void {
  const descriptor = openSync(directory, O_PATH | constants.O_DIRECTORY)
  const place = `/proc/self/fd/${descriptor}`
  const { mode, uid } = fstatSync(descriptor)
  const needed = (mode & OWNER) !== OWNER && uid === process.geteuid?.()
  if (needed) chmodSync(place, (mode & 0o7777) | OWNER)
  return () => {
    if (needed) chmodSync(place, mode & 0o7777)
    closeSync(descriptor)
  }
}
