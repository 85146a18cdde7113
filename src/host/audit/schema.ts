import { GENESIS } from './chain.js'
import type { Database } from './driver.js'

/** Marks the file as ours, in SQLite's own header: 'CRDN'. */
const APPLICATION_ID = 0x4352_444e
/** The `user_version` of a log with these tables. */
const SCHEMA_VERSION = 1

/**
 * Only `body` of an event is stored. Query columns are computed from it, so they always agree with the digest. `head`
 * repeats the end of the chain; without it, a log cut at the end would still be valid.
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

/** Reports whether the file has exactly the tables of the audit log. */
export function hasOurTables(db: Database): boolean {
  const found = tables(db)
  return found.length === TABLES.length && found.every((sql) => TABLES.includes(sql))
}

/** Reports whether the file is an audit log or empty. Other files are not changed. */
function isOurs(db: Database): boolean {
  // In this order: what another process made before the first look has its mark by the second.
  const isEmpty = tables(db).length === 0
  const id = numberPragma(db, 'application_id')
  if (id === APPLICATION_ID) return true
  if (id !== 0 || !isEmpty) throw new Error('not an audit log')
  return false
}

function create(db: Database): void {
  // Set before the tables are created, because they then cost one write instead of a dozen synced ones.
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
 * Enables write-ahead logging, so that readers and a writer work at once. The mode belongs to the file. If another
 * process has it locked, that process or a later one sets the mode.
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
