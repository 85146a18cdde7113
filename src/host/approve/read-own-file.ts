import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Returns the text of a regular file that this user or root owns. Null for a symlink, a pipe, another owner, a large or
 * a missing file.
 */
export function readOwnFile(path: string, maxBytes: number): string | null {
  let descriptor: number
  try {
    // Never follows a link, and never waits for the other end of a pipe.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const stats = fstatSync(descriptor)
    const isOurs = stats.uid === process.geteuid?.() || stats.uid === 0
    if (!stats.isFile() || !isOurs || stats.size > maxBytes) return null
    const content = Buffer.alloc(stats.size)
    return content.subarray(0, readSync(descriptor, content)).toString('utf8')
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
