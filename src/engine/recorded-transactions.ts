import type { CordonError } from '../core/model/basics/errors.js'
import type { Ended, Intent } from '../core/model/run/audit.js'
import { asCordonError } from './errors/as-cordon-error.js'
import type { PastTransactions, Ports, Settlement } from './ports/ports.js'
import { ended } from './stages/audit-entries.js'

type Tool = Extract<Intent['tool'], 'undo' | 'keep' | 'discard'>

/**
 * Past transactions whose files are never changed without a row in the audit log: the intent before, the ending after.
 */
export function recordedTransactions(ports: Ports): PastTransactions {
  const { transactions } = ports
  return {
    here: () => transactions.here(),
    history: (query) => transactions.history(query),
    get: (id) => transactions.get(id),
    diff: (id, paths) => transactions.diff(id, paths),
    undo: (id, paths) => recorded(ports, 'undo', id, paths, (whole) => transactions.undo(whole, paths)),
    settle: (id, verdict, paths) =>
      recorded(ports, verdict, id, paths, (whole) => transactions.settle(whole, verdict, paths)),
    recover: () => transactions.recover(),
  }
}

async function recorded(
  ports: Ports,
  tool: Tool,
  given: string,
  paths: readonly string[] | undefined,
  change: (id: string) => Promise<Settlement>,
): Promise<Settlement> {
  const { audit, now, newId } = ports
  const of = ports.transactions.get(given).id
  const begun = { id: newId(), at: now() }
  audit.began(intentOf(begun, [tool, of, ...(paths ?? [])].join(' '), tool))
  try {
    const settlement = await change(of)
    audit.ended(endedWith(begun, now(), settlement))
    return settlement
  } catch (thrown) {
    const error = asCordonError(thrown)
    audit.ended(endedWith(begun, now(), error))
    throw error
  }
}

interface Begun {
  readonly id: string
  readonly at: number
}

const iso = (ms: number): string => new Date(ms).toISOString()

const intentOf = ({ id, at }: Begun, command: string, tool: Tool): Intent => ({
  id,
  at: iso(at),
  agent: null,
  caller: 'library',
  tool,
  command,
  request: null,
  cwd: null,
  profile: '',
  verdict: null,
  rule: null,
  reason: null,
  planDigest: null,
  policyDigest: null,
})

function endedWith(begun: Begun, end: number, came: Settlement | CordonError): Ended {
  const error = 'record' in came ? null : came.info
  const conflicts = 'record' in came ? came.conflicts : []
  const message = conflicts.length > 0 ? `nothing was done: ${conflicts.join(', ')} changed` : (error?.message ?? null)
  return {
    ...ended(begun, end, error || conflicts.length > 0 ? 'error' : 'success', error),
    message,
    ...('record' in came ? { transaction: { id: came.record.id, outcome: came.record.state } } : {}),
  }
}
