import type { AuditQuery } from '../core/model/audit.js'
import type { Verdict } from '../core/model/decision.js'
import { CordonError } from '../core/model/errors.js'
import { consider } from './consider.js'
import type { Ports } from './ports.js'

/** One command of the record whose verdict a change of policy would change. */
export interface VerdictChange {
  readonly command: string
  readonly cwd: string | null
  readonly agent: string | null
  readonly from: Verdict
  readonly to: Verdict
  /** The rule behind each verdict. */
  readonly fromRule: string | null
  readonly toRule: string | null
  /** How often it was asked for. */
  readonly times: number
}

export interface Replay {
  /** Distinct commands that were decided again. */
  readonly commands: number
  readonly changes: readonly VerdictChange[]
  /** Records that could not be decided again: their directory is gone, or they never were commands. */
  readonly skipped: number
  /** So many records at most were looked at, the newest, and there may be older ones; null: all there are. */
  readonly newest: number | null
}

const MOST_RECORDS = 10_000

/** Decides every recorded request again under two profiles and lists those whose verdict differs. Runs nothing. */
export function replay(before: string, after: string, query: AuditQuery, ports: Ports): Replay {
  const [old, next] = [before, after].map((name) => ports.profiles.profileFor(null, name))
  if (!old || !next) throw new CordonError('INVALID_ARGUMENTS', 'Name two profiles to compare.')
  const times = new Map<string, { readonly record: ReturnType<Ports['audit']['query']>[number]; count: number }>()
  const limit = query.limit ?? MOST_RECORDS
  const records = ports.audit.query({ ...query, limit })
  for (const record of records) {
    const key = JSON.stringify([record.request, record.cwd, record.agent])
    const seen = times.get(key)
    if (seen) seen.count++
    else times.set(key, { record, count: 1 })
  }
  const changes: VerdictChange[] = []
  let skipped = 0
  for (const { record, count } of times.values()) {
    const [from, to] = [old, next].map((profile) => {
      try {
        return (
          record.request &&
          consider(record.id, record.request, record.cwd === null ? {} : { cwd: record.cwd }, profile, ports.observer)
            .decision
        )
      } catch {
        return null
      }
    })
    if (!from || !to) skipped++
    else if (from.verdict !== to.verdict) {
      const fromRule = from.because[0]?.rule ?? null
      const toRule = to.because[0]?.rule ?? null
      changes.push({
        command: record.command,
        cwd: record.cwd,
        agent: record.agent,
        from: from.verdict,
        to: to.verdict,
        fromRule,
        toRule,
        times: count,
      })
    }
  }
  return { commands: times.size - skipped, changes, skipped, newest: records.length < limit ? null : limit }
}
