import type { AuditQuery, AuditRecord, Ended, Intent } from '../../core/model/audit.js'
import type { Body } from './chain.js'
import type { Database } from './driver.js'
import { mayBeAlive, type ProcessIdentity, thisProcess } from './process-identity.js'

const DEFAULT_LIMIT = 50
/** Unfinished requests looked at in one go, when it must be found out which of them still run. */
const PAGE = 500

interface Row {
  readonly seq: number
  readonly began: string
  readonly ended: string | null
}

/** The newest first. `running` and `interrupted` are not stored but found out: does the process that began it still live? */
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
    ['e.outcome = ?', unfinished ? undefined : query.outcome],
    ['b.seq < ?', before ?? undefined],
  ]
  const asked = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = ["b.kind = 'began'", ...(unfinished ? ['e.seq IS NULL'] : []), ...asked.map(({ sql }) => sql)]
  const join = query.outcome === undefined || unfinished ? 'LEFT JOIN' : 'JOIN'
  return {
    sql: `SELECT b.seq AS seq, b.body AS began, e.body AS ended FROM events b
${join} events e ON e.id = b.id AND e.kind = 'ended'
WHERE ${where.join(' AND ')} ORDER BY b.seq DESC LIMIT ?`,
    values: asked.map(({ value }) => value),
  }
}

function toRecord({ began, ended }: Row, here: ProcessIdentity): AuditRecord {
  const { event: intent, process } = JSON.parse(began) as Extract<Body, { kind: 'began' }>
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
