import { chmodSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { type Entry, isErrno } from './entry.js'

/** Moves an entry. A directory without write permission for its owner cannot change its parent, so it is lent one meanwhile. */
export function move(from: Buffer, to: Buffer, entry: Entry): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (entry.type !== 'directory' || !isErrno(error, 'EACCES', 'EPERM')) throw error
    chmodSync(from, entry.mode | 0o700)
    renameSync(from, to)
    chmodSync(to, entry.mode)
  }
}

/** Moves an entry to where nothing is; EEXIST when there is something after all, which a plain rename would have replaced. */
export function moveNew(from: Buffer, to: Buffer, entry: Entry): void {
  if (entry.type === 'directory') {
    move(from, to, entry)
  } else {
    linkSync(from, to)
    unlinkSync(from)
  }
}
