import { GENESIS } from './chain.js'
import type { Database } from './driver.js'

/** Marks the file as ours, in SQLite's own header: 'CRDN'. */
const APPLICATION_ID = 0x4352_444e
/** The `user_version` of a log with these tables. */
const SCHEMA_VERSION = 1

/**
 * Only `body` is stored of an event. The columns that queries use are computed from it, so none can disagree with what the digest
 * covers. `head` repeats the end of the chain: without it, cutting rows off the end would leave a shorter chain that is whole.
 */
const TABLES: readonly string[] = [
  `CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  kind TEXT GENERATED ALWAYS AS (json_extract(body, '$.kind')) VIRTUAL,
  id TEXT GENERATED ALWAYS AS (json_extract(body, '$.id')) VIRTUAL,
  at TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.at')) VIRTUAL,
  agent TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.agent')) VIRTUAL,
  verdict TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.verdict')) VIRTUAL,
  outcome TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.outcome')) VIRTUAL,
  command TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.command')) VIRTUAL
) STRICT`,
  'CREATE UNIQUE INDEX events_id ON events (id, kind)',
  'CREATE INDEX events_agent ON events (agent) WHERE agent IS NOT NULL',
  'CREATE INDEX events_outcome ON events (outcome) WHERE outcome IS NOT NULL',
  'CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT',
]

/** Sets up the connection and creates the tables of a new file. Several processes may do this at once. */
export function prepareSchema(db: Database): void {
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF')
  if (!isOurs(db)) create(db)
  if (numberPragma(db, 'user_version') !== SCHEMA_VERSION) throw new Error('another schema version')
  useWriteAheadLog(db)
}

/** The SQL of all tables, indexes, triggers and views. */
const tables = (db: Database): readonly string[] =>
  db
    .prepare("SELECT coalesce(sql, name) AS text FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    .all()
    .map((row) => (row as { text: string }).text)

/** Whether the file has exactly our tables, and nothing besides. */
export function hasOurTables(db: Database): boolean {
  const found = tables(db)
  return found.length === TABLES.length && found.every((sql) => TABLES.includes(sql))
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
      for (const sql of TABLES) db.exec(sql)
      db.exec(`INSERT INTO head VALUES (1, 0, '${GENESIS}')`)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`)
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

const first = (row: unknown): unknown => (typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined)

const numberPragma = (db: Database, name: string): number => Number(first(db.prepare(`PRAGMA ${name}`).get()))
const textPragma = (db: Database, name: string): string => String(first(db.prepare(`PRAGMA ${name}`).get()))
