import { closeSync, constants, existsSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Which file it is, whatever its name comes to point at later. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600
const OTHERS = 0o077

/** Makes the file, or finds it, readable by its owner alone. Refuses a link: it could lead the log anywhere. */
export function claimFile(file: string): FileIdentity {
  makeDirectory(dirname(file))
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(file, flags, PRIVATE_FILE)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error('not a file')
    if ((stat.mode & OTHERS) !== 0 && stat.uid === process.getuid?.()) fchmodSync(descriptor, PRIVATE_FILE)
    return { dev: stat.dev, ino: stat.ino }
  } finally {
    closeSync(descriptor)
  }
}

/** Level by level: Node's own recursive mkdir never returns where the file system refuses with ENOENT, as /proc does. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: PRIVATE_DIRECTORY })
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(directory)) throw error
  }
}

/** Is the name still that file? A record written to a file that was deleted would be lost without a sign. */
export function isStill(file: string, { dev, ino }: FileIdentity): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && stat.dev === dev && stat.ino === ino
}
