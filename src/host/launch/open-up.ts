import { chmodSync, closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs'

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
