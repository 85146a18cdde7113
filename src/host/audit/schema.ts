import { GENESIS } from './chain.js'
import type { Database } from './driver.js'
import { ADDED, NEWEST, numberPragma, tables, textPragma } from './forms.js'
import { anchor, bringUpToDate } from './migrate.js'

/** Marks the file as ours, in SQLite's own header: 'CRDN'. */
const APPLICATION_ID = 0x4352_444e

/** Settings of the connection, then the tables where the file is new or of an older form. Several processes may do this at once. */
export function prepareSchema(db: Database): void {
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF')
  if (!isOurs(db)) create(db)
  if (numberPragma(db, 'user_version') > NEWEST) throw new Error('newer version')
  bringUpToDate(db)
  useWriteAheadLog(db)
}

/** Ours already, or empty. Anything else is left exactly as it is. */
function isOurs(db: Database): boolean {
  // In this order: what another process made before the first look has its mark by the second.
  const isEmpty = tables(db).length === 0
  const id = numberPragma(db, 'application_id')
  if (id === APPLICATION_ID) return true
  if (id !== 0 || !isEmpty) throw new Error('not an audit log')
  return false
}

function create(db: Database): void {
  // Before the tables: with the log in place they cost one write instead of a dozen that each wait for the disk.
  useWriteAheadLog(db)
  db.exec('BEGIN IMMEDIATE')
  try {
    if (!isOurs(db)) {
      for (const sql of ADDED.flat()) db.exec(sql)
      db.exec(`INSERT INTO head VALUES (1, 0, '${GENESIS}')`)
      anchor(db, NEWEST, 0, GENESIS)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${NEWEST}`)
    }
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Write-ahead logging lets readers and a writer work at once. The mode is a property of the file: while another process has it
 * locked the mode cannot be changed, but then that process is about to, or the next one will.
 */
function useWriteAheadLog(db: Database): void {
  if (textPragma(db, 'journal_mode') === 'wal') return
  try {
    db.prepare('PRAGMA journal_mode = WAL').get()
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('locked'))) throw error
  }
}
