import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** Memory first: it is faster, and what is passed to a command has no business on a disk. */
const places = (): readonly string[] => ['/dev/shm', tmpdir()]

function fileIn(directory: string, bytes: Uint8Array): number {
  const path = join(directory, `cordon-${randomUUID()}`)
  const writer = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    const reader = openSync(path, O_RDONLY | O_NOFOLLOW)
    unlinkSync(path)
    for (let written = 0; written < bytes.length; ) written += writeSync(writer, bytes, written)
    return reader
  } finally {
    closeSync(writer)
  }
}

/** A descriptor that reads these bytes from their beginning. The file has no name any more; the caller closes the descriptor. */
export function anonymousFile(bytes: Uint8Array): number {
  const [memory = '', disk = ''] = places()
  try {
    return fileIn(memory, bytes)
  } catch {
    // Not there, not ours to write, or too small.
    return fileIn(disk, bytes)
  }
}
