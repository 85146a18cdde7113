import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'

const { O_DIRECTORY, O_RDONLY, O_WRONLY } = constants
/** Flag for a file that never has a name, so a killed engine leaves none behind. */
const O_TMPFILE = 0o20000000 | O_DIRECTORY

/** Preferred directory: memory is faster, and these files need no disk. */
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

/** Returns a descriptor that yields these bytes from the start of an anonymous file. The caller closes it. */
export function anonymousFile(bytes: Uint8Array): number {
  try {
    return namelessIn(MEMORY, bytes)
  } catch {
    // It is missing, not writable or too small.
    return namelessIn(tmpdir(), bytes)
  }
}
