import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'

/** The end of the chain: how many rows there are, and the digest of the last one. */
export interface Head {
  readonly rows: number
  readonly digest: string
}

const LINE = /^ *(\d+) ([0-9a-f]{64})\n$/
const DIGITS = 16
const LENGTH = DIGITS + 1 + 64 + 1

/** Names the file that repeats the end of the log outside of the database. */
export const anchorOf = (file: string): string => `${file.replace(/\.db$/, '')}.head`

/** Returns the anchored end of the log; null when there is no such file, or it is not one of ours. */
export function readAnchor(path: string): Head | null {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const line = Buffer.alloc(LENGTH + 1)
      const found = LINE.exec(line.toString('latin1', 0, readSync(descriptor, line, 0, line.length, 0)))
      return found ? { rows: Number(found[1]), digest: found[2] ?? '' } : null
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

/** Records the end of the log. One short write: a reader sees the old line or the new one. */
export function writeAnchor(path: string, { rows, digest }: Head): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(path, flags, 0o600)
  try {
    writeSync(descriptor, `${String(rows).padStart(DIGITS)} ${digest}\n`, 0, 'latin1')
  } finally {
    closeSync(descriptor)
  }
}
