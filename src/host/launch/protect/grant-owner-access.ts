import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'

const O_PATH = 0o10000000
const OWNERS = 0o700

/**
 * Grants the owner all permissions on an open file, and so never on a symlink's target. Returns true for a directory.
 */
export function grantOwnerAccess(fd: number): boolean {
  const stats = fstatSync(fd)
  if (stats.isSymbolicLink() || (stats.mode & OWNERS) === OWNERS) return stats.isDirectory()
  try {
    chmodSync(`/proc/self/fd/${fd}`, (stats.mode & 0o777) | OWNERS)
  } catch {
    // Another user owns it, so that user's or the group's mode applies.
  }
  return stats.isDirectory()
}

/** Tells if a directory on the way denies the lookup. */
function isLocked(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false })
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/**
 * Grants the owner all permissions on the directories above a path if they deny its lookup. `root`: see
 * `ForbiddenPaths`.
 */
export function grantOwnerAccessAbove(path: string, root: string): void {
  if (!isLocked(root + path)) return
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const directory = path.slice(0, end)
    try {
      const fd = openSync(root + directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      try {
        // A symlink on the way may lead to directories outside the command's permission.
        if (root !== '' || readlinkSync(`/proc/self/fd/${fd}`) === directory) grantOwnerAccessIfLocked(fd)
      } finally {
        closeSync(fd)
      }
    } catch {
      // Missing or a symlink, so no planned path lies behind it.
      return
    }
  }
}

/** Skips directories of other users, and our own that allow the lookup. */
function grantOwnerAccessIfLocked(directory: number): void {
  if (isLocked(`/proc/self/fd/${directory}/.`)) grantOwnerAccess(directory)
}
