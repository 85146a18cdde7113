import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
/** A file that never has a name: an engine killed at this moment leaves none behind. */
const O_TMPFILE = 0o20000000 | O_DIRECTORY

/** Memory first: it is faster, and what is passed to a command has no business on a disk. */
const MEMORY = '/dev/shm'

function filled(writer: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(writer, bytes, written)
}

function namelessIn(directory: string, bytes: Uint8Array): number {
  const writer = openSync(directory, O_TMPFILE | O_WRONLY, 0o600)
  try {
    filled(writer, bytes)
    return openSync(`/proc/self/fd/${writer}`, O_RDONLY)
  } finally {
    closeSync(writer)
  }
}

/** For file systems that have no files without a name. */
function unlinkedIn(directory: string, bytes: Uint8Array): number {
  const path = join(directory, `cordon-${randomUUID()}`)
  const writer = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    const reader = openSync(path, O_RDONLY | O_NOFOLLOW)
    unlinkSync(path)
    filled(writer, bytes)
    return reader
  } finally {
    closeSync(writer)
  }
}

/** A descriptor that reads these bytes from their beginning. The file has no name; the caller closes the descriptor. */
export function anonymousFile(bytes: Uint8Array): number {
  try {
    return namelessIn(MEMORY, bytes)
  } catch {
    // Not there, not ours to write, or too small.
    return unlinkedIn(tmpdir(), bytes)
  }
}
