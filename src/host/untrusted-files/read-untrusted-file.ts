import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Reads a file that a command may have written. Null for anything but a regular file of at most `maxBytes`: for a symlink, a pipe, a
 * device, a file of /proc, and for one that cannot be read. Never blocks.
 */
export function readUntrustedFile(path: string | Buffer, maxBytes: number): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY)
  } catch {
    return null
  }
  try {
    const stats = fstatSync(descriptor)
    // Files of /proc say that they are empty, whatever comes out of them.
    return stats.isFile() && stats.size <= maxBytes ? readAll(descriptor, stats.size) : null
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, null)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
