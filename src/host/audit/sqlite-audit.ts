import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { checkValue } from '../../core/model/basics/check-value.js'
import { CordonError } from '../../core/model/basics/errors.js'
import { AuditQuery, type AuditRecord, type Ended, type Intent, VerifyOptions } from '../../core/model/run/audit.js'
import type { AnswerLog } from '../../engine/ports/answer-log.js'
import type { Audit } from '../../engine/ports/ports.js'
import { openStateKey, type StateKey } from '../state-key/state-key.js'
import { answersIn } from './answers.js'
import type { Body } from './chain.js'
import type { Database } from './driver.js'
import { append, type OpenLog, once, openLog } from './open-log.js'
import { type ProcessIdentity, thisProcess } from './process-identity.js'
import { eachRecord, findRecords } from './records.js'
import type { Sink } from './sink.js'
import { unavailable } from './unavailable.js'
import { verifyLog } from './verify-log.js'

export interface AuditOptions {
  readonly file: string
  /** Default: that of the directory of the file. */
  readonly key?: StateKey
  /** Returns the sink for every row; called before the first row. */
  readonly sink?: () => Sink
  /** The file that the sink appends to; null where it is none. */
  readonly sinkFile?: () => string | null
}

/**
 * Opens the audit log: one SQLite file that several processes may share. It opens and creates no file before the first
 * use. Every failure is AUDIT_UNAVAILABLE with the path and a fix.
 */
export function openAudit(given: AuditOptions): Audit & { readonly answers: AnswerLog } {
  const file = resolve(given.file)
  const key = given.key ?? openStateKey(dirname(file))
  let log: OpenLog | null = null
  let closed = false
  const self = once(thisProcess)

  const use = <T>(action: (log: OpenLog) => T): T => {
    try {
      if (closed) throw new CordonError('AUDIT_UNAVAILABLE', `The audit log ${file} was closed by this process.`)
      log ??= openLog(file, key, given.sink)
      return action(log)
    } catch (error) {
      throw unavailable(file, error)
    }
  }
  /** Asking a log that was never written does not create it. */
  const ask = <T>(empty: () => T, action: (db: Database) => T): T =>
    log === null && !closed && !existsSync(file) ? empty() : use(({ db }) => action(db))
  const record = (bodies: readonly Body[]): void => {
    if (use((open) => append(open, bodies))) return
    const { kind, id } = bodies[0] as Body
    throw new CordonError('INTERNAL', `The audit log cannot add '${kind}' to the request ${id}.`)
  }

  return {
    began: (intent) => record([beganBody(intent, self())]),
    ended: (ended) => record([endedBody(ended)]),
    refused: (intent, ended) => record([beganBody(intent, self()), endedBody(ended)]),
    query: (query) => {
      const asked = checkedQuery(query)
      return ask(
        () => [],
        (db) => findRecords(db, asked),
      )
    },
    records: (query) => {
      const asked = checkedQuery(query)
      return ask<Iterable<AuditRecord>>(
        () => [],
        (db) => failing(eachRecord(db, asked), file),
      )
    },
    verify: (options = {}) =>
      verifyLog({ file, key, sinkFile: given.sinkFile?.() ?? null }, checkedOptions(options), ask),
    answers: answersIn(use),
    close() {
      closed = true
      log?.db.close()
      log = null
    },
  }
}

function* failing<T>(records: Iterable<T>, file: string): Generator<T> {
  try {
    yield* records
  } catch (error) {
    throw unavailable(file, error)
  }
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

const checkedQuery = (query: unknown): AuditQuery => checkValue(AuditQuery, query, 'query')
const checkedOptions = (options: unknown): VerifyOptions => checkValue(VerifyOptions, options, 'options')
