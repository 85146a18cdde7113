import type { AuditVerification } from '../../core/model/audit.js'
import { digestOf, GENESIS } from './chain.js'
import type { Database } from './driver.js'
import { hasForm, NEWEST } from './forms.js'

interface Row {
  readonly seq: number
  readonly body: string
  readonly digest: string
}

/** The end of the chain at some moment. */
interface End {
  readonly rows: number
  readonly digest: string
}

interface Checked {
  readonly verification: AuditVerification
  /** Of the last row that fits. */
  readonly digest: string
}

const PAGE = 1_000

/** Recomputes the whole chain. Finds every row that was edited, removed, added, moved or cut off. */
export function verifyChain(db: Database): AuditVerification {
  db.exec('BEGIN')
  try {
    return checkChain(db, NEWEST).verification
  } finally {
    db.exec('COMMIT')
  }
}

/** The same for a log whose tables have an older form, within a transaction of the caller's. */
export function checkChain(db: Database, version: number): Checked {
  const next = db.prepare('SELECT seq, body, digest FROM events NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?')
  let rows = 0
  let digest = GENESIS
  const broken = (reason: string): Checked => ({
    verification: { ok: false, rows, brokenAt: rows + 1, reason },
    digest,
  })
  if (!hasForm(db, version)) return broken('the tables of the log were changed')
  const anchors = new Map((version < 2 ? [] : anchorsOf(db)).map((end) => [end.rows, end.digest]))
  if (version >= 2 && anchors.size === 0) return broken('the record of the forms of the log is missing')
  const isAnchored = (): boolean => (anchors.get(rows) ?? digest) === digest
  if (!isAnchored()) return broken('the record of the forms of the log is not what was recorded')
  for (
    let page = next.all(Number.MIN_SAFE_INTEGER, PAGE) as Row[];
    page.length > 0;
    page = next.all(rows, PAGE) as Row[]
  ) {
    for (const row of page) {
      if (row.seq !== rows + 1) return broken(`row ${rows + 1} is missing, or another stands in its place`)
      if (row.digest !== digestOf(digest, row.seq, row.body)) return broken(`row ${row.seq} is not what was written`)
      digest = row.digest
      rows = row.seq
      if (!isAnchored()) return broken(`row ${row.seq} is not what it was when the form of the log was changed`)
    }
  }
  const ending = endingOf(db, { rows, digest }, Math.max(0, ...anchors.keys()))
  return ending === null ? { verification: { ok: true, rows }, digest } : broken(ending)
}

const anchorsOf = (db: Database): End[] => db.prepare('SELECT rows, digest FROM forms').all() as End[]

/** What is wrong with the end of the log; null when nothing is. */
function endingOf(db: Database, { rows, digest }: End, anchored: number): string | null {
  const head = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as End | undefined
  if (head === undefined) return 'the record of the end of the log is missing'
  const last = Math.max(head.rows, anchored)
  if (last > rows) return `the last ${last - rows} rows are missing`
  if (head.rows < rows || head.digest !== digest) return 'the end of the log is not what was recorded'
  const sound = Object.values(db.prepare('PRAGMA integrity_check(1)').get() as object)[0]
  return sound === 'ok' ? null : `the file is damaged: ${String(sound)}`
}
