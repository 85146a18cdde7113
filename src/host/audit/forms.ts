import type { Database } from './driver.js'

/**
 * The tables of the log, in every form they have had; the number of a form is `user_version` of the file. Only `body` is stored of an
 * event; what queries look at is computed from it, so that no column can disagree with what the digest covers. `head` repeats the end
 * of the chain: without it, cutting rows off the end would leave a shorter chain that is whole.
 */
const FIRST: readonly string[] = [
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

/** From which row on the tables have had which form, and the end of the chain at that moment: an anchor that verifying looks at. */
const ANCHORS =
  'CREATE TABLE forms (version INTEGER PRIMARY KEY, rows INTEGER NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL) STRICT'

/** What each form adds to the one before, from the first on. */
export const ADDED: readonly (readonly string[])[] = [FIRST, [ANCHORS]]

/** The newest form, which this version of Cordon writes. */
export const NEWEST = ADDED.length

const wanted = (version: number): readonly string[] => ADDED.slice(0, version).flat()

/** What tables, indexes, triggers and views there are, as SQL. */
export const tables = (db: Database): readonly string[] =>
  db
    .prepare("SELECT coalesce(sql, name) AS text FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    .all()
    .map((row) => (row as { text: string }).text)

/** Has the file exactly this form, and nothing besides? */
export function hasForm(db: Database, version: number): boolean {
  const [found, expected] = [tables(db), wanted(version)]
  return found.length === expected.length && found.every((sql) => expected.includes(sql))
}

const first = (row: unknown): unknown => (typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined)

export const numberPragma = (db: Database, name: string): number => Number(first(db.prepare(`PRAGMA ${name}`).get()))
export const textPragma = (db: Database, name: string): string => String(first(db.prepare(`PRAGMA ${name}`).get()))
