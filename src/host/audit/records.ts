import type { AuditQuery, AuditRecord, Ended, Intent } from '../../core/model/run/audit.js'
import type { Body } from './chain.js'
import type { Database } from './driver.js'
import { mayBeAlive, type ProcessIdentity, thisProcess } from './process-identity.js'

const DEFAULT_LIMIT = 50
/** Records read at once. Each may have a megabyte of command. */
const PAGE = 100

interface Row {
  readonly seq: number
  readonly began: string
  readonly ended: string | null
}

/**
 * Returns the newest records first. `running` and `interrupted` are not stored; they depend on whether the process
 * still lives.
 */
export const findRecords = (db: Database, query: AuditQuery): AuditRecord[] => [
  ...pagesOf(db, { limit: DEFAULT_LIMIT, ...query }, 'newest'),
]

/** Reads the oldest records first, a page at a time, as they are asked for. */
export const eachRecord = (db: Database, query: AuditQuery): Iterable<AuditRecord> => pagesOf(db, query, 'oldest')

function* pagesOf(db: Database, query: AuditQuery, first: 'newest' | 'oldest'): Generator<AuditRecord> {
  const { outcome, limit = Number.POSITIVE_INFINITY } = query
  const here = thisProcess()
  let left = limit
  for (let last: number | null = null; left > 0; ) {
    const { sql, values } = select(query, first, last)
    const size = Math.min(PAGE, left)
    const rows = db.prepare(sql).all(...values, size) as Row[]
    for (const row of rows) {
      const record = toRecord(row, here)
      if (outcome !== undefined && record.outcome !== outcome) continue
      yield record
      left -= 1
    }
    last = rows.at(-1)?.seq ?? null
    if (rows.length < size) return
  }
}

function select(
  query: AuditQuery,
  first: 'newest' | 'oldest',
  last: number | null,
): { readonly sql: string; readonly values: (string | number)[] } {
  const unfinished = query.outcome === 'running' || query.outcome === 'interrupted'
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['instr(b.id, ?) = 1', query.id],
    ['b.agent = ?', query.agent],
    ['b.verdict = ?', query.verdict],
    ['b.at >= ?', query.since === undefined ? undefined : new Date(query.since).toISOString()],
    ['b.at < ?', query.until === undefined ? undefined : new Date(query.until).toISOString()],
    ["? IN (json_extract(b.body, '$.event.tool'), json_extract(b.body, '$.event.toolName'))", query.tool],
    ['instr(b.command, ?) > 0', query.text],
    ['coalesce(e.outcome, b.outcome) = ?', unfinished ? undefined : query.outcome],
    [first === 'newest' ? 'b.seq < ?' : 'b.seq > ?', last ?? undefined],
  ]
  const asked = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const kinds = unfinished ? "b.kind = 'began' AND e.seq IS NULL" : "b.kind IN ('began', 'answered', 'forged')"
  const where = [kinds, ...asked.map(({ sql }) => sql)]
  return {
    sql: `SELECT b.seq AS seq, b.body AS began, e.body AS ended FROM events b
LEFT JOIN events e ON e.id = b.id AND e.kind = 'ended'
WHERE ${where.join(' AND ')} ORDER BY b.seq ${first === 'newest' ? 'DESC' : 'ASC'} LIMIT ?`,
    values: asked.map(({ value }) => value),
  }
}

function toRecord({ began, ended }: Row, here: ProcessIdentity): AuditRecord {
  const body = JSON.parse(began) as Exclude<Body, { kind: 'ended' | 'used' }>
  if (body.kind !== 'began') return body.event
  const { event: intent, process } = body
  if (ended === null) return unfinished(intent, mayBeAlive(process, here))
  return finished(intent, (JSON.parse(ended) as Extract<Body, { kind: 'ended' }>).event)
}

const unfinished = (intent: Intent, alive: boolean): AuditRecord => ({
  ...intent,
  outcome: alive ? 'running' : 'interrupted',
  endedAt: null,
})

function finished(intent: Intent, { id: _, at, ...ended }: Ended): AuditRecord {
  return { ...intent, ...ended, endedAt: at }
}
