import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Database } from './driver.js'

const ROW = /^\{"seq":(\d{1,15}),"digest":"([0-9a-f]{64})",/
const CHUNK_BYTES = 1 << 20

/**
 * Compares the log with the sink file. Returns the first row of the file that the log lacks or holds differently; null
 * if there is none. `db`: null without a log.
 */
export function rowMissingFrom(db: Database | null, sink: string): number | null {
  const find = db?.prepare('SELECT digest FROM events WHERE seq = ?')
  for (const line of linesOf(sink)) {
    const [, seq, digest] = ROW.exec(line) ?? []
    if (seq === undefined) continue
    const row = find?.get(Number(seq)) as { digest: string } | undefined
    if (row?.digest !== digest) return Number(seq)
  }
  return null
}

/** None where it cannot be read: it may be one that only its writer may append to. */
function* linesOf(file: string): Generator<string> {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return
  }
  try {
    if (!fstatSync(descriptor).isFile()) return
    const chunk = Buffer.alloc(CHUNK_BYTES)
    let rest = ''
    for (let count = readSync(descriptor, chunk); count > 0; count = readSync(descriptor, chunk)) {
      const lines = (rest + chunk.toString('latin1', 0, count)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    closeSync(descriptor)
  }
}
