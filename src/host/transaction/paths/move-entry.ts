import { chmodSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { type Entry, isErrno } from './entry.js'

/** Moves an entry. A directory needs owner write permission to change its parent, so it gets one during the move. */
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

/** Moves an entry to a free path; fails with EEXIST instead of replacing an entry. */
export function moveNew(from: Buffer, to: Buffer, entry: Entry): void {
  if (entry.type === 'directory') {
    move(from, to, entry)
  } else {
    linkSync(from, to)
    unlinkSync(from)
  }
}
