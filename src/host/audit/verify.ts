import type { AuditVerification } from '../../core/model/run/audit.js'
import { digestOf, GENESIS } from './chain.js'
import type { Database } from './driver.js'
import type { Head } from './head-anchor.js'
import { hasOurTables } from './schema.js'

interface Row {
  readonly seq: number
  readonly body: string
  readonly digest: string
}

const PAGE = 1_000

/** Recorded heads that the log must contain. */
export interface Expected {
  /** The file that repeats the end of the log; null when it is missing, or Cordon did not write it. */
  readonly anchor: Head | null
  readonly anchorFile: string
  /** True if there are traces of an earlier log. */
  readonly wasBegun: boolean
  /** Digest that a person noted. */
  readonly head: string | undefined
}

/** Recomputes the whole chain. Detects rows that were edited, removed, added, moved or cut off, and a replaced log. */
export function verifyChain(db: Database, expected: Expected): AuditVerification {
  db.exec('BEGIN')
  try {
    return checkChain(db, expected)
  } finally {
    db.exec('COMMIT')
  }
}

function checkChain(db: Database, expected: Expected): AuditVerification {
  const next = db.prepare('SELECT seq, body, digest FROM events NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?')
  let rows = 0
  let digest = GENESIS
  const broken = (reason: string): AuditVerification => ({ ok: false, rows, brokenAt: rows + 1, reason })
  if (!hasOurTables(db)) return broken('the tables of the log were changed')
  for (
    let page = next.all(Number.MIN_SAFE_INTEGER, PAGE) as Row[];
    page.length > 0;
    page = next.all(rows, PAGE) as Row[]
  ) {
    for (const row of page) {
      if (row.seq !== rows + 1) return broken(`row ${rows + 1} is missing or replaced`)
      if (row.digest !== digestOf(digest, row.seq, row.body)) return broken(`row ${row.seq} was changed`)
      digest = row.digest
      rows = row.seq
    }
  }
  const ending = endingOf(db, { rows, digest }) ?? missingHead(db, rows, expected)
  return ending === null ? { ok: true, rows, head: rows === 0 ? null : digest } : broken(ending)
}

/** Returns the result for a missing database. */
export function verifyNothing(file: string, { anchor, head, wasBegun }: Expected): AuditVerification {
  if ((anchor?.rows === 0 || !wasBegun) && head === undefined) return { ok: true, rows: 0, head: null }
  const rows = anchor === null ? 'rows were' : `${anchor.rows} ${anchor.rows === 1 ? 'row was' : 'rows were'}`
  return { ok: false, rows: 0, brokenAt: 1, reason: `the log is gone: ${rows} recorded in ${file}. ${ACCEPT}` }
}

const ACCEPT = 'If you removed it yourself, run `cordon audit verify --accept`'

function missingHead(db: Database, rows: number, { anchor, anchorFile, head, wasBegun }: Expected): string | null {
  if (head !== undefined && db.prepare('SELECT seq FROM events WHERE digest = ?').get(head) === undefined)
    return 'no row has the expected head: the log was replaced or shortened since'
  if (anchor === null && rows === 0 && !wasBegun) return null
  if (anchor === null) return `the head file ${anchorFile} is missing, or Cordon did not write it. ${ACCEPT}`
  if (anchor.rows > rows) return `${anchor.rows - rows} rows that ${anchorFile} counts are missing. ${ACCEPT}`
  return digestAt(db, anchor.rows) === anchor.digest ? null : `the log does not match ${anchorFile}. ${ACCEPT}`
}

/** Digest of a row; that of the empty log for row 0. */
export function digestAt(db: Database, row: number): string | null {
  if (row === 0) return GENESIS
  const found = db.prepare('SELECT digest FROM events WHERE seq = ?').get(row) as { digest: string } | undefined
  return found?.digest ?? null
}

/** Returns the fault at the end of the log; null if there is none. */
function endingOf(db: Database, { rows, digest }: Head): string | null {
  const head = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as Head | undefined
  if (head === undefined) return 'the head of the log is missing'
  if (head.rows > rows) return `the last ${head.rows - rows} rows are missing`
  if (head.rows < rows || head.digest !== digest) return 'the end of the log does not match its head'
  const sound = Object.values(db.prepare('PRAGMA integrity_check(1)').get() as object)[0]
  return sound === 'ok' ? null : `the file is damaged: ${String(sound)}`
}
