import { isErrno } from './entry.js'
import { raw } from './raw-path.js'
import { DirectoryReplaced, requireInPlace } from './root-identity.js'
import { Tree } from './tree.js'

/**
 * Works in a directory of Cordon's own through an open descriptor. Does nothing when the directory is gone, or when another one or a
 * symlink was put in its place.
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
