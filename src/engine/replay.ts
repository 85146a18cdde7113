import type { Decision, Verdict } from '../core/model/policy/decision.js'
import type { AuditQuery, AuditRecord } from '../core/model/run/audit.js'
import { decideRequest } from './pipeline.js'
import type { Ports } from './ports/ports.js'
import { askedRequest } from './stages/asked-request.js'

/** A recorded command whose verdict would change under another policy. */
export interface VerdictChange {
  readonly command: string
  readonly cwd: string | null
  readonly agent: string | null
  readonly from: Verdict
  readonly to: Verdict
  /** The rule behind each verdict. */
  readonly fromRule: string | null
  readonly toRule: string | null
  /** The number of requests. */
  readonly times: number
}

export interface Replay {
  /** Distinct commands that were decided again. */
  readonly commands: number
  readonly changes: readonly VerdictChange[]
  /** Records that could not be decided again: their directory is gone, or they never were commands. */
  readonly skipped: number
  /** The number of newest records compared, if older ones were left out; null if all were compared. */
  readonly newest: number | null
}

const MOST_RECORDS = 10_000

type Change = Omit<VerdictChange, 'times'>

/** Decides every recorded request again under two profiles and lists those whose verdict differs. Runs nothing. */
export function replay(before: string, after: string, query: AuditQuery, ports: Ports): Replay {
  for (const name of [before, after]) ports.profiles.profileFor(null, name)
  const limit = query.limit ?? MOST_RECORDS
  const records = ports.audit.query({ ...query, limit })
  const distinct = new Map<string, { readonly record: AuditRecord; times: number }>()
  for (const record of records) {
    const key = JSON.stringify([record.request, record.cwd, record.agent])
    const seen = distinct.get(key)
    if (seen) seen.times++
    else distinct.set(key, { record, times: 1 })
  }
  const changes: VerdictChange[] = []
  let skipped = 0
  for (const { record, times } of distinct.values()) {
    const change = changeOf(record, [before, after], ports)
    if (change === undefined) skipped++
    else if (change.from !== change.to) changes.push({ ...change, times })
  }
  return { commands: distinct.size - skipped, changes, skipped, newest: records.length < limit ? null : limit }
}

/** Returns undefined for a record that cannot be decided again. */
function changeOf(record: AuditRecord, [before, after]: readonly [string, string], ports: Ports): Change | undefined {
  const [from, to] = [decided(record, before, ports), decided(record, after, ports)]
  if (from === null || to === null) return undefined
  const { command, cwd, agent } = record
  return {
    command,
    cwd,
    agent,
    from: from.verdict,
    to: to.verdict,
    fromRule: from.because[0]?.rule ?? null,
    toRule: to.because[0]?.rule ?? null,
  }
}

function decided({ id, request, cwd }: AuditRecord, profile: string, ports: Ports): Decision | null {
  if (request === null) return null
  const input = request.mode === 'shell' ? request.script : { program: request.program, args: request.args }
  const raw = { input, options: cwd === null ? { profile } : { profile, cwd } }
  try {
    return decideRequest(raw, askedRequest(raw, { id, at: ports.now() }), ports, (noun) => noun).decision
  } catch {
    return null
  }
}
