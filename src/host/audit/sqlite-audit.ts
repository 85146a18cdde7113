import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { AuditQuery, type AuditVerification, type Ended, type Intent, VerifyOptions } from '../../core/model/audit.js'
import { CordonError } from '../../core/model/errors.js'
import type { Audit } from '../../engine/ports.js'
import { type Body, canonical, digestOf } from './chain.js'
import { type Database, openDatabase, type Statement } from './driver.js'
import { anchorOf, type Head, readAnchor, writeAnchor } from './head-anchor.js'
import { claimFile, type FileIdentity, isStill } from './place.js'
import { type ProcessIdentity, thisProcess } from './process-identity.js'
import { findRecords } from './records.js'
import { prepareSchema } from './schema.js'
import { unavailable } from './unavailable.js'
import { digestAt, verifyChain, verifyNothing } from './verify.js'

/**
 * The record, in one SQLite file that several processes may share. Nothing is opened or created before the first use, so that
 * a command which needs no record pays nothing. Every failure is AUDIT_UNAVAILABLE with the path and what to do.
 */
export function openAudit({ file: name }: { readonly file: string }): Audit {
  const file = resolve(name)
  let log: OpenLog | null = null
  let closed = false
  const self = once(thisProcess)

  const use = <T>(action: (log: OpenLog) => T): T => {
    try {
      if (closed) throw new CordonError('AUDIT_UNAVAILABLE', `The audit log ${file} was closed by this process.`)
      log ??= openLog(file)
      return action(log)
    } catch (error) {
      throw unavailable(file, error)
    }
  }
  /** Asking a log that was never written does not create it. */
  const ask = <T>(empty: () => T, action: (db: Database) => T): T =>
    log === null && !closed && !existsSync(file) ? empty() : use(({ db }) => action(db))

  return {
    began: (intent) => use((open) => append(file, open, [beganBody(intent, self())])),
    ended: (ended) => use((open) => append(file, open, [endedBody(ended)])),
    refused: (intent, ended) => use((open) => append(file, open, [beganBody(intent, self()), endedBody(ended)])),
    query: (query) => {
      const asked = checkedQuery(query)
      return ask(
        () => [],
        (db) => findRecords(db, asked),
      )
    },
    verify: (options = {}) => verify(file, checkedOptions(options), ask),
    close() {
      closed = true
      log?.db.close()
      log = null
    },
  }
}

interface OpenLog {
  readonly db: Database
  readonly identity: FileIdentity
  readonly head: () => Statement
  readonly insert: () => Statement
  readonly update: () => Statement
  readonly begun: () => Statement
}

function openLog(file: string): OpenLog {
  const identity = claimFile(file)
  const db = openDatabase(file)
  try {
    prepareSchema(db)
    beginAnchor(anchorOf(file), db)
  } catch (error) {
    db.close()
    throw error
  }
  return {
    db,
    identity,
    head: once(() => db.prepare('SELECT rows, digest FROM head WHERE one = 1')),
    insert: once(() => db.prepare('INSERT INTO events (seq, body, digest) VALUES (?, ?, ?)')),
    update: once(() => db.prepare('UPDATE head SET rows = ?, digest = ? WHERE one = 1')),
    begun: once(() => db.prepare('SELECT kind FROM events WHERE id = ? ORDER BY kind')),
  }
}

/** All or nothing, and in the same order for every process: the write lock is taken before the end of the chain is read. */
function append(file: string, { db, identity, ...statements }: OpenLog, bodies: readonly Body[]): void {
  if (!isStill(file, identity)) {
    throw new CordonError('AUDIT_UNAVAILABLE', `The audit log ${file} was moved or deleted while in use. Start again.`)
  }
  db.exec('BEGIN IMMEDIATE')
  let before: Head | undefined
  let head: Head | undefined
  try {
    before = statements.head().get() as Head | undefined
    head = before
    if (head === undefined) throw new Error('malformed: the end of the chain is not recorded')
    for (const body of bodies) {
      mustFit(body, statements.begun())
      const text = canonical(body)
      const seq: number = head.rows + 1
      head = { rows: seq, digest: digestOf(head.digest, seq, text) }
      statements.insert().run(seq, text, head.digest)
    }
    statements.update().run(head.rows, head.digest)
    db.exec('COMMIT')
  } catch (error) {
    rollback(db)
    throw error
  }
  if (before && head) advanceAnchor(anchorOf(file), db, before, head)
}

/** For a log that has no row yet. */
function beginAnchor(path: string, db: Database): void {
  const head = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as Head | undefined
  if (head?.rows === 0 && readAnchor(path) === null) writeAnchor(path, head)
}

/** Follows the end of the log, but only the log it has followed so far: one that was replaced or shortened stays found out. */
function advanceAnchor(path: string, db: Database, before: Head, now: Head): void {
  const anchor = readAnchor(path)
  const follows =
    anchor?.rows === before.rows
      ? anchor.digest === before.digest
      : anchor !== null && anchor.rows < before.rows && digestAt(db, anchor.rows) === anchor.digest
  if (follows) writeAnchor(path, now)
}

function verify(
  file: string,
  { expect, accept }: VerifyOptions,
  ask: (empty: () => AuditVerification, action: (db: Database) => AuditVerification) => AuditVerification,
): AuditVerification {
  const anchorFile = anchorOf(file)
  const expected = { anchor: readAnchor(anchorFile), anchorFile, head: expect }
  if (!accept)
    return ask(
      () => verifyNothing(file, expected),
      (db) => verifyChain(db, expected),
    )
  return ask(
    () => acceptNothing(anchorFile),
    (db) => {
      const end = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as Head | undefined
      const found = verifyChain(db, { ...expected, anchor: end ?? null })
      if (found.ok && end) writeAnchor(anchorFile, end)
      return found
    },
  )
}

function acceptNothing(anchorFile: string): AuditVerification {
  rmSync(anchorFile, { force: true })
  return { ok: true, rows: 0, head: null }
}

/** A request begins once, and ends once after it began. Anything else is a defect of the caller. */
function mustFit({ kind, id }: Body, begun: Statement): void {
  const kinds = (begun.all(id) as { kind: string }[]).map((row) => row.kind)
  const fits = kind === 'began' ? kinds.length === 0 : kinds.length === 1 && kinds[0] === 'began'
  if (!fits) throw new CordonError('INTERNAL', `The audit log has no place for '${kind}' of the request ${id}.`)
}

/** On a full disk SQLite may have rolled back already; the first error is the one to tell. */
function rollback(db: Database): void {
  try {
    db.exec('ROLLBACK')
  } catch {}
}

const beganBody = (intent: Intent, process: ProcessIdentity): Body => ({
  kind: 'began',
  id: intent.id,
  event: { ...intent, at: normalTime(intent.at) },
  process,
})
const endedBody = (ended: Ended): Body => ({
  kind: 'ended',
  id: ended.id,
  event: { ...ended, at: normalTime(ended.at) },
})

/** Times are compared as text, so all have the same form. */
const normalTime = (at: string): string => new Date(at).toISOString()

function checkedQuery(query: unknown): AuditQuery {
  const parsed = AuditQuery.safeParse(query)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'not valid' }
  throw new CordonError('INVALID_ARGUMENTS', `The query of the audit log is not valid: ${path.join('.')}: ${message}`)
}

function checkedOptions(options: unknown): VerifyOptions {
  const parsed = VerifyOptions.safeParse(options)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'not valid' }
  throw new CordonError('INVALID_ARGUMENTS', `The audit log cannot be verified so: ${path.join('.')} ${message}.`)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
