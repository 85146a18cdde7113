import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'

const { O_DIRECTORY, O_RDONLY, O_WRONLY } = constants
/** A file that never has a name: an engine killed at this moment leaves none behind. */
const O_TMPFILE = 0o20000000 | O_DIRECTORY

/** Memory first: it is faster, and what is passed to a command has no business on a disk. */
const MEMORY = '/dev/shm'

function namelessIn(directory: string, bytes: Uint8Array): number {
  const writer = openSync(directory, O_TMPFILE | O_WRONLY, 0o600)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(writer, bytes, written)
    return openSync(`/proc/self/fd/${writer}`, O_RDONLY)
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
    return namelessIn(tmpdir(), bytes)
  }
}
