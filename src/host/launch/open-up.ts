import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs'

const O_PATH = 0o10000000
const OWNERS = 0o700

/** Gives the owner of what is open everything to it, and so never to what a link in its place leads to. Says whether it is a directory. */
export function openUp(fd: number): boolean {
  const stats = fstatSync(fd)
  if (stats.isSymbolicLink() || (stats.mode & OWNERS) === OWNERS) return stats.isDirectory()
  try {
    chmodSync(`/proc/self/fd/${fd}`, (stats.mode & 0o777) | OWNERS)
  } catch {
    // Another's: then it is his mode that counts, or that of the group.
  }
  return stats.isDirectory()
}

/** The same for a whole tree: a command can close its own directories to the one who has to take them away. */
export function openUpAll(path: string | Buffer): void {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW)
  try {
    if (!openUp(fd)) return
    const directory = `/proc/self/fd/${fd}`
    for (const name of readdirSync(directory, { encoding: 'buffer' }))
      openUpAll(Buffer.concat([Buffer.from(`${directory}/`), name]))
  } finally {
    closeSync(fd)
  }
}

/** It cannot be told whether something is there: a directory on the way lets nobody in. */
function isClosedOff(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false })
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/** The same for the directories on the way to a place, where they keep us from looking at it; `root`: see `ForbiddenPlaces`. */
export function openUpWay(path: string, root: string): void {
  if (!isClosedOff(root + path)) return
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const directory = path.slice(0, end)
    try {
      const fd = openSync(root + directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      try {
        // A link on the way leads to what is not the command's to have opened.
        if (root !== '' || readlinkSync(`/proc/self/fd/${fd}`) === directory) openUpIfClosed(fd)
      } finally {
        closeSync(fd)
      }
    } catch {
      // Not there, or a link: then nothing is there behind it that was planned.
      return
    }
  }
}

/** Directories of others on the way, and ours that let us in, stay as they are. */
function openUpIfClosed(directory: number): void {
  if (isClosedOff(`/proc/self/fd/${directory}/.`)) openUp(directory)
}
