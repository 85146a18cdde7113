import type { AuditVerification } from '../../core/model/audit.js'
import { digestOf, GENESIS } from './chain.js'
import type { Database } from './driver.js'
import { hasOurTables } from './schema.js'

interface Row {
  readonly seq: number
  readonly body: string
  readonly digest: string
}

/** The end of the chain. */
interface End {
  readonly rows: number
  readonly digest: string
}

const PAGE = 1_000

/** Recomputes the whole chain. Finds every row that was edited, removed, added, moved or cut off. */
export function verifyChain(db: Database): AuditVerification {
  db.exec('BEGIN')
  try {
    return checkChain(db)
  } finally {
    db.exec('COMMIT')
  }
}

function checkChain(db: Database): AuditVerification {
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
      if (row.seq !== rows + 1) return broken(`row ${rows + 1} is missing, or another stands in its place`)
      if (row.digest !== digestOf(digest, row.seq, row.body)) return broken(`row ${row.seq} is not what was written`)
      digest = row.digest
      rows = row.seq
    }
  }
  const ending = endingOf(db, { rows, digest })
  return ending === null ? { ok: true, rows } : broken(ending)
}

/** What is wrong with the end of the log; null when nothing is. */
function endingOf(db: Database, { rows, digest }: End): string | null {
  const head = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as End | undefined
  if (head === undefined) return 'the record of the end of the log is missing'
  if (head.rows > rows) return `the last ${head.rows - rows} rows are missing`
  if (head.rows < rows || head.digest !== digest) return 'the end of the log is not what was recorded'
  const sound = Object.values(db.prepare('PRAGMA integrity_check(1)').get() as object)[0]
  return sound === 'ok' ? null : `the file is damaged: ${String(sound)}`
}
