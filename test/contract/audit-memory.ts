import { CordonError } from '../../src/core/model/basics/errors.js'
import { AuditQuery, type AuditRecord, type Ended, type Intent } from '../../src/core/model/run/audit.js'
import type { Audit } from '../../src/engine/ports/ports.js'

interface Entry {
  readonly intent: Intent
  ended: Ended | null
}

/** The audit log without a disk, for tests of the engine. It keeps the same contract as the real one. */
export function createMemoryAudit(): Audit {
  const entries: Entry[] = []
  let closed = false
  const find = (id: string): Entry | undefined => entries.find(({ intent }) => intent.id === id)
  const mustBeOpen = (): void => {
    if (closed) throw new CordonError('AUDIT_UNAVAILABLE', 'The audit log was closed by this process.')
  }
  const misfit = (id: string): CordonError => new CordonError('INTERNAL', `The audit log cannot add the request ${id}.`)

  const began = (intent: Intent): void => {
    mustBeOpen()
    if (find(intent.id)) throw misfit(intent.id)
    entries.push({ intent: { ...intent, at: new Date(intent.at).toISOString() }, ended: null })
  }
  const ended = (end: Ended): void => {
    mustBeOpen()
    const entry = find(end.id)
    if (!entry || entry.ended) throw misfit(end.id)
    entry.ended = { ...end, at: new Date(end.at).toISOString() }
  }

  const found = (query: AuditQuery, inOrder: (oldest: AuditRecord[]) => AuditRecord[]): AuditRecord[] => {
    const parsed = AuditQuery.safeParse(query)
    if (!parsed.success) throw new CordonError('INVALID_ARGUMENTS', parsed.error.message)
    mustBeOpen()
    return inOrder(entries.map(toRecord)).filter((record) => fits(record, parsed.data))
  }

  return {
    began,
    ended,
    refused(intent, end) {
      began(intent)
      ended(end)
    },
    query: (query) => found(query, (oldest) => oldest.reverse()).slice(0, query.limit ?? 50),
    records: (query) => found(query, (oldest) => oldest).slice(0, query.limit),
    verify() {
      mustBeOpen()
      const rows = entries.reduce((rows, entry) => rows + (entry.ended ? 2 : 1), 0)
      return { ok: true, rows, head: rows === 0 ? null : String(rows) }
    },
    close() {
      closed = true
    },
  }
}

function toRecord({ intent, ended }: Entry): AuditRecord {
  if (ended === null) return { ...intent, outcome: 'running', endedAt: null }
  const { id: _, at, ...rest } = ended
  return { ...intent, ...rest, endedAt: at }
}

const fits = (record: AuditRecord, { agent, outcome, verdict, text, since, id }: AuditQuery): boolean =>
  (agent === undefined || record.agent === agent) &&
  (outcome === undefined || record.outcome === outcome) &&
  (verdict === undefined || record.verdict === verdict) &&
  (text === undefined || record.command.includes(text)) &&
  (since === undefined || Date.parse(record.at) >= Date.parse(since)) &&
  (id === undefined || record.id === id)
