import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Stream } from '../../core/model/basics/relay.js'

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600
/** An id becomes part of a file name; what could leave the directory or hide in it is no id. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

export const isSafeId = (id: string): boolean => SAFE_ID.test(id)
export const fileOf = (directory: string, id: string, stream: Stream): string => join(directory, `${id}.${stream}`)
/** Present where bytes were cut: how many of each stream. */
export const cutsOf = (directory: string, id: string): string => join(directory, `${id}.cut`)
/** The id in the name of one of our files, or null for a file that is not ours. */
export const idOf = (name: string): string | null =>
  /^([A-Za-z0-9][A-Za-z0-9_-]*)\.(?:stdout|stderr|cut)$/.exec(name)?.[1] ?? null

/** The ids of the runs whose output is there. */
export function idsIn(directory: string): readonly string[] {
  try {
    return [...new Set(readdirSync(directory).flatMap((name) => idOf(name) ?? []))]
  } catch {
    return []
  }
}

/** Creates a new file; fails if the name exists, as a file or a symlink of another process. */
export function createPrivateFile(directory: string, path: string): number {
  try {
    makeDirectory(directory)
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CordonError(
      'START_FAILED',
      `Cannot keep the output in ${path}: ${cause}. Make the directory writable, or run without --keep-output.`,
    )
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

export function writeWhole(path: string, directory: string, text: string): void {
  const descriptor = createPrivateFile(directory, path)
  try {
    writeSync(descriptor, text)
  } finally {
    closeSync(descriptor)
  }
}
