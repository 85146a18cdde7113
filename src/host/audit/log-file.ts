import { closeSync, constants, existsSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Identity of a file, independent of its name. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600
const OTHERS = 0o077

/** Creates or finds the file, readable only by its owner. Refuses a symlink, which could redirect the log. */
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

/**
 * Creates directories one by one. Node's recursive mkdir never returns if the file system answers ENOENT, as /proc
 * does.
 */
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

/** Reports whether the name still belongs to that file. Records written to a deleted file would be lost. */
export function isSameFile(file: string, { dev, ino }: FileIdentity): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && stat.dev === dev && stat.ino === ino
}
