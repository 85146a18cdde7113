import { dirname } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import type { StateKey } from '../state-key/state-key.js'
import { type Body, canonical, digestOf } from './chain.js'
import { hasTransactions } from './command-traces.js'
import { type Database, openDatabase, type Statement } from './driver.js'
import { type Anchor, anchorFor, type Head, readAnchor, wasBegun, writeAnchor } from './head-anchor.js'
import { claimFile, type FileIdentity, isSameFile } from './log-file.js'
import { prepareSchema } from './schema.js'
import type { Sink, SunkRow } from './sink.js'
import { digestAt } from './verify.js'

/** The log, open for reading and writing. */
export interface OpenLog {
  readonly file: string
  readonly db: Database
  readonly identity: FileIdentity
  readonly anchor: Anchor
  /** Found out with the first row that is written. */
  readonly sink: () => Sink
  readonly head: () => Statement
  readonly insert: () => Statement
  readonly update: () => Statement
  readonly kinds: () => Statement
}

export function openLog(file: string, key: StateKey, sinkFor: () => Sink = () => () => undefined): OpenLog {
  const identity = claimFile(file)
  const db = openDatabase(file)
  const anchor = anchorFor(file, key)
  try {
    prepareSchema(db)
    beginAnchor(anchor, db)
  } catch (error) {
    db.close()
    throw error
  }
  return {
    file,
    db,
    identity,
    anchor,
    sink: once(sinkFor),
    head: once(() => db.prepare('SELECT rows, digest FROM head WHERE one = 1')),
    insert: once(() => db.prepare('INSERT INTO events (seq, body, digest) VALUES (?, ?, ?)')),
    update: once(() => db.prepare('UPDATE head SET rows = ?, digest = ? WHERE one = 1')),
    kinds: once(() => db.prepare('SELECT kind FROM events WHERE id = ? ORDER BY kind')),
  }
}

/**
 * Adds all rows or none, in the same order for every process: it takes the write lock before it reads the end of the
 * chain. Returns false and writes nothing if a row of this kind exists already, or the row it belongs to is missing.
 */
export function append(log: OpenLog, bodies: readonly Body[]): boolean {
  const { file, db, identity, anchor, sink, ...statements } = log
  if (!isSameFile(file, identity)) {
    throw new CordonError(
      'AUDIT_UNAVAILABLE',
      `The audit log ${file} was moved or deleted while in use. Restart Cordon.`,
    )
  }
  db.exec('BEGIN IMMEDIATE')
  let before: Head | undefined
  let head: Head | undefined
  const rows: SunkRow[] = []
  try {
    before = statements.head().get() as Head | undefined
    head = before
    if (head === undefined) throw new Error('malformed: the head of the chain is missing')
    for (const body of bodies) {
      if (!fits(body, statements.kinds())) {
        rollback(db)
        return false
      }
      const text = canonical(body)
      const seq: number = head.rows + 1
      head = { rows: seq, digest: digestOf(head.digest, seq, text) }
      statements.insert().run(seq, text, head.digest)
      rows.push({ seq, digest: head.digest, body: text })
    }
    statements.update().run(head.rows, head.digest)
    db.exec('COMMIT')
  } catch (error) {
    rollback(db)
    throw error
  }
  if (before && head) advanceAnchor(anchor, db, before, head)
  sink()(rows)
  return true
}

/** The row that has to be there before one of this kind. */
const AFTER: Readonly<Partial<Record<Body['kind'], Body['kind']>>> = { ended: 'began', used: 'answered' }

function fits({ kind, id }: Body, statement: Statement): boolean {
  const kinds = (statement.all(id) as { kind: string }[]).map((row) => row.kind)
  const after = AFTER[kind]
  return !kinds.includes(kind) && (after === undefined || kinds.includes(after))
}

/**
 * Creates the anchor for the first log of a state directory. A replacement log gets none, so `audit verify` reports it.
 */
function beginAnchor(anchor: Anchor, db: Database): void {
  if (wasBegun(anchor) || hasTransactions(dirname(anchor.file))) return
  const head = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as Head | undefined
  if (head?.rows === 0) writeAnchor(anchor, head)
}

/** Advances the anchor only for the log it belongs to, so that a replaced or shortened log stays detected. */
function advanceAnchor(anchor: Anchor, db: Database, before: Head, now: Head): void {
  const known = readAnchor(anchor)
  const follows =
    known?.rows === before.rows
      ? known.digest === before.digest
      : known !== null && known.rows < before.rows && digestAt(db, known.rows) === known.digest
  if (follows) writeAnchor(anchor, now)
}

/** On a full disk SQLite may have rolled back already. Reports the first error. */
function rollback(db: Database): void {
  try {
    db.exec('ROLLBACK')
  } catch {}
}

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
