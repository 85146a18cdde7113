import type { AuditRecord } from '../../core/model/run/audit.js'
import type { AnswerLog, AnswerRecord, RecordedAnswer } from '../../engine/ports/answer-log.js'
import { isSigned, sign } from '../state-key/seal.js'
import { type Body, canonical, digestOf, GENESIS } from './chain.js'
import { type Head, readAnchor } from './head-anchor.js'
import { append, type OpenLog } from './open-log.js'
import { hasOurTables } from './schema.js'
import { digestAt } from './verify.js'

type Answered = Extract<Body, { kind: 'answered' }>

interface Row {
  readonly seq: number
  readonly body: string
  readonly digest: string
}

const PURPOSE = 'answers'

/** Answers to held commands, each signed and checked against the chain whenever it is asked for. */
export function answersIn(use: <T>(action: (log: OpenLog) => T) => T): AnswerLog {
  return {
    answered: (record) => use((log) => append(log, [signed(log, record)])),
    find: (approval) => use((log) => find(log, approval)),
    use: (approval, at) => use((log) => append(log, [{ kind: 'used', id: approval, event: { at } }])),
    forged: (record: AuditRecord) => {
      use((log) => append(log, [{ kind: 'forged', id: record.id, event: record }]))
    },
  }
}

function signed({ anchor }: OpenLog, event: AnswerRecord): Answered {
  const unsigned = { kind: 'answered', id: event.id, event } as const
  return { ...unsigned, signature: sign(anchor.key.forWriting(PURPOSE), canonical(unsigned)) }
}

function find(log: OpenLog, approval: string): RecordedAnswer {
  const { db } = log
  if (!hasOurTables(db)) return { state: 'forged', why: 'the tables of the audit log were changed' }
  const rows = db
    .prepare("SELECT seq, body FROM events NOT INDEXED WHERE id = ? AND kind IN ('answered', 'used') ORDER BY seq")
    .all(approval) as Pick<Row, 'seq' | 'body'>[]
  const [row] = rows
  if (row === undefined) return { state: 'none' }
  const body = parsed(row.body)
  const key = log.anchor.key.forReading(PURPOSE)
  if (body === null || key === null || !isSigned(key, canonical(withoutSignature(body)), body.signature))
    return { state: 'forged', why: 'Cordon did not write its answer in the audit log' }
  const fault = faultAfter(log, row.seq)
  if (fault !== null) return { state: 'forged', why: fault }
  return { state: 'answered', record: body.event, used: rows.length > 1 }
}

function parsed(text: string): Answered | null {
  try {
    const body = JSON.parse(text) as Answered
    return body.kind === 'answered' && typeof body.signature === 'string' ? body : null
  } catch {
    return null
  }
}

const withoutSignature = ({ kind, id, event }: Answered) => ({ kind, id, event })

/**
 * Returns the fault of the log after a row; null if there is none. A user with write access could delete the row of a
 * used answer, or restore an older log. `audit verify` checks earlier rows.
 */
function faultAfter({ db, anchor, head }: OpenLog, from: number): string | null {
  const anchored = readAnchor(anchor)
  if (anchored === null) return `${anchor.file} is missing, or Cordon did not write it`
  let seq = from - 1
  let digest = seq === 0 ? GENESIS : digestAt(db, seq)
  const rows = db.prepare('SELECT seq, body, digest FROM events NOT INDEXED WHERE seq >= ? ORDER BY seq').all(from)
  for (const row of rows as Row[]) {
    if (digest === null || row.seq !== seq + 1 || row.digest !== digestOf(digest, row.seq, row.body))
      return 'the audit log was changed after the answer'
    seq = row.seq
    digest = row.digest
  }
  const end = head().get() as Head | undefined
  const isWhole = end?.rows === seq && end.digest === digest
  return isWhole && anchored.rows <= seq && digestAt(db, anchored.rows) === anchored.digest
    ? null
    : `the audit log does not match ${anchor.file}`
}
