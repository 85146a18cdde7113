import type { AuditQuery, AuditRecord, Ended, Intent } from '../../core/model/run/audit.js'
import type { Body } from './chain.js'
import type { Database } from './driver.js'
import { mayBeAlive, type ProcessIdentity, thisProcess } from './process-identity.js'

const DEFAULT_LIMIT = 50
/** Unfinished requests checked at once, to find the running ones. */
const PAGE = 500

interface Row {
  readonly seq: number
  readonly began: string
  readonly ended: string | null
}

/**
 * Returns the newest records first. `running` and `interrupted` are not stored; they depend on whether the process
 * still lives.
 */
export function findRecords(db: Database, query: AuditQuery): AuditRecord[] {
  const { outcome, limit = DEFAULT_LIMIT } = query
  if (outcome !== 'running' && outcome !== 'interrupted')
    return page(db, query, null, limit).map(([, record]) => record)
  const found: AuditRecord[] = []
  for (let before: number | null = null; ; ) {
    const rows = page(db, query, before, PAGE)
    found.push(...rows.map(([, record]) => record).filter((record) => record.outcome === outcome))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE || found.length >= limit) return found.slice(0, limit)
    before = last[0]
  }
}

function page(
  db: Database,
  query: AuditQuery,
  before: number | null,
  limit: number,
): (readonly [number, AuditRecord])[] {
  const { sql, values } = select(query, before)
  const here = thisProcess()
  const rows = db.prepare(sql).all(...values, limit) as Row[]
  return rows.map((row) => [row.seq, toRecord(row, here)] as const)
}

function select(
  query: AuditQuery,
  before: number | null,
): { readonly sql: string; readonly values: (string | number)[] } {
  const unfinished = query.outcome === 'running' || query.outcome === 'interrupted'
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['instr(b.id, ?) = 1', query.id],
    ['b.agent = ?', query.agent],
    ['b.verdict = ?', query.verdict],
    ['b.at >= ?', query.since === undefined ? undefined : new Date(query.since).toISOString()],
    ['instr(b.command, ?) > 0', query.text],
    ['coalesce(e.outcome, b.outcome) = ?', unfinished ? undefined : query.outcome],
    ['b.seq < ?', before ?? undefined],
  ]
  const asked = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const kinds = unfinished ? "b.kind = 'began' AND e.seq IS NULL" : "b.kind IN ('began', 'answered', 'forged')"
  const where = [kinds, ...asked.map(({ sql }) => sql)]
  return {
    sql: `SELECT b.seq AS seq, b.body AS began, e.body AS ended FROM events b
LEFT JOIN events e ON e.id = b.id AND e.kind = 'ended'
WHERE ${where.join(' AND ')} ORDER BY b.seq DESC LIMIT ?`,
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
