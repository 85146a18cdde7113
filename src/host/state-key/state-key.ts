import { hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'

/** Derives a key for one purpose. `null` if the state directory has no secret and none may be created. */
export interface StateKey {
  forWriting(purpose: string): Buffer
  forReading(purpose: string): Buffer | null
}

const LENGTH = 32
const OTHERS = 0o077

/**
 * Opens the secret of a state directory, `secret.key`: created on first use, readable only by its owner. Sandboxes hide
 * the directory and the analyser denies access to it, so commands cannot sign data of Cordon. Read once per process.
 */
export function openStateKey(stateDirectory: string): StateKey {
  const file = join(stateDirectory, 'secret.key')
  let secret: Buffer | null = null
  const derive = (purpose: string): Buffer | null =>
    secret && Buffer.from(hkdfSync('sha256', secret, '', `cordon ${purpose}`, LENGTH))
  return {
    forReading(purpose) {
      secret ??= readSecret(file)
      return derive(purpose)
    },
    forWriting(purpose) {
      secret ??= readSecret(file) ?? makeSecret(stateDirectory, file)
      return derive(purpose) as Buffer
    },
  }
}

function readSecret(file: string): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw unusable(file, 'it cannot be opened')
  }
  try {
    const stats = fstatSync(descriptor)
    const secret = Buffer.alloc(LENGTH)
    if (!stats.isFile() || stats.size !== LENGTH || readSync(descriptor, secret) !== LENGTH)
      throw unusable(file, 'it is not a Cordon key')
    if (stats.uid !== process.geteuid?.() && stats.uid !== 0) throw unusable(file, 'it belongs to another user')
    if ((stats.mode & OTHERS) !== 0) throw unusable(file, 'other users may read or write it')
    return secret
  } finally {
    closeSync(descriptor)
  }
}

/** Links a complete file to the name, so that two processes that create it at once use the same secret. */
function makeSecret(directory: string, file: string): Buffer {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(descriptor, randomBytes(LENGTH))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const made = readSecret(file)
  if (made === null) throw unusable(file, 'another process removed it')
  return made
}

const unusable = (file: string, why: string): CordonError =>
  new CordonError(
    'AUDIT_UNAVAILABLE',
    `The key ${file} cannot be used: ${why}. Remove it. Cordon then makes a new key, and held commands need a new approval.`,
    { file },
  )
