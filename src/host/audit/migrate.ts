import { GENESIS } from './chain.js'
import type { Database } from './driver.js'
import { ADDED, NEWEST, numberPragma } from './forms.js'
import { checkChain } from './verify.js'

/**
 * Brings a log of an older form up to date, in one transaction: afterwards it is whole and new, or exactly as it was. Its chain is
 * verified first, in the form it has, and where it ended is noted down: what was tampered with before is not laundered by this. Another
 * process may be doing the same; whoever has the lock second finds nothing left to do.
 */
export function bringUpToDate(db: Database): void {
  if (numberPragma(db, 'user_version') >= NEWEST) return
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = numberPragma(db, 'user_version')
    if (version < NEWEST) migrate(db, version)
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

function migrate(db: Database, version: number): void {
  const { verification, digest } = checkChain(db, version)
  if (!verification.ok) throw new Error(`older form, not whole: ${verification.reason}`)
  for (const sql of ADDED.slice(version).flat()) db.exec(sql)
  if (version < 2) anchor(db, 1, 0, GENESIS)
  anchor(db, NEWEST, verification.rows, digest)
  db.exec(`PRAGMA user_version = ${NEWEST}`)
}

/** From this row on the tables have this form. */
export function anchor(db: Database, version: number, rows: number, digest: string): void {
  db.prepare('INSERT INTO forms (version, rows, digest, at) VALUES (?, ?, ?, ?)').run(
    version,
    rows,
    digest,
    new Date().toISOString(),
  )
}
