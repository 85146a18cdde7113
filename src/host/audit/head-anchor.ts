import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import { isSigned, sign } from '../state-key/seal.js'
import type { StateKey } from '../state-key/state-key.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

/** The end of the chain: how many rows there are, and the digest of the last one. */
export interface Head {
  readonly rows: number
  readonly digest: string
}

/** The file that repeats the end of the log outside of the database, signed. */
export interface Anchor {
  readonly file: string
  readonly key: StateKey
}

const LINE = /^ *(\d+) ([0-9a-f]{64}) ([0-9a-f]{64})\n$/
const DIGITS = 16
const LENGTH = DIGITS + 2 * 65 + 1
const PURPOSE = 'audit head'

export const anchorFor = (log: string, key: StateKey): Anchor => ({ file: `${log.replace(/\.db$/, '')}.head`, key })

/** Returns the anchored end of the log; null when there is no such file, or Cordon did not write it. */
export function readAnchor({ file, key }: Anchor): Head | null {
  const line = readUntrustedFile(file, LENGTH)?.toString('latin1')
  const [, rows = '', digest = '', signature = ''] = (line && LINE.exec(line)) || []
  const secret = signature && key.forReading(PURPOSE)
  return secret && isSigned(secret, `${rows} ${digest}`, signature) ? { rows: Number(rows), digest } : null
}

/** Reports whether there ever was a log: the key is made for its first anchor. */
export const wasBegun = ({ file, key }: Anchor): boolean => existsSync(file) || key.forReading(PURPOSE) !== null

/** Records the end of the log with one short write, so that a process reads the old or the new line. */
export function writeAnchor({ file, key }: Anchor, { rows, digest }: Head): void {
  const signature = sign(key.forWriting(PURPOSE), `${rows} ${digest}`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(file, flags, 0o600)
  try {
    writeSync(descriptor, `${String(rows).padStart(DIGITS)} ${digest} ${signature}\n`, 0, 'latin1')
  } finally {
    closeSync(descriptor)
  }
}
