import { isErrno } from './entry.js'
import { raw } from './raw-path.js'
import { DirectoryReplaced, requireInPlace } from './root-identity.js'
import { Tree } from './tree.js'

/**
 * Runs work in a Cordon directory through an open descriptor. No-op if the directory is missing or replaced by another
 * one or a symlink.
 */
export async function withinOwn(directory: string, work: (own: Tree) => Promise<void> | void): Promise<void> {
  let own: Tree | null = null
  try {
    own = new Tree(raw(directory))
    requireInPlace(own.descriptor, directory, undefined)
    await work(own)
  } catch (error) {
    if (!(error instanceof DirectoryReplaced) && !isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
  } finally {
    own?.close()
  }
}
