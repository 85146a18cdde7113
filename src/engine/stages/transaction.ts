import { CordonError } from '../../core/model/basics/errors.js'
import type { Plan } from '../../core/model/policy/plan.js'
import type { Ending } from '../../core/model/run/ending.js'
import { maskSecrets } from '../../core/present/mask.js'
import type { Ports } from '../ports/ports.js'
import type { Queue } from '../tasks/queue.js'
import type { EndedRequest, Launched, RecordedRequest } from './nouns.js'

const CANCELLED: Ending = { how: 'killed', signal: 'SIGKILL', by: 'caller' }

/** Waits for a slot, and launches the plan inside a transaction that keeps or rolls back what the command changes. */
export async function transaction(
  recorded: RecordedRequest,
  { ports, queue }: { readonly ports: Ports; readonly queue: Queue },
  launch: (plan: Plan) => Promise<Launched>,
  signal: AbortSignal,
): Promise<EndedRequest> {
  const { id, agent, plan, grant, request, profile } = recorded
  let launched: Launched = { ending: CANCELLED, plan, startedAt: ports.now() }
  const leave = await queue.enter(agent, profile.concurrency.perAgent, signal).catch(cancelledInQueue)
  if (leave === null)
    return { ...recorded, launched, report: null, refused: [], durationMs: ports.now() - launched.startedAt }
  try {
    const launchActual = async (actual: Plan): Promise<Ending> => {
      launched = await launch(actual)
      return launched.ending
    }
    const named = { id, text: maskSecrets(request.text) }
    const { ending, report, evidence = [] } = await ports.transactions.during(plan, grant, launchActual, named)
    const durationMs = ports.now() - launched.startedAt
    return { ...recorded, launched: { ...launched, ending }, report, refused: evidence, durationMs }
  } finally {
    leave()
  }
}

function cancelledInQueue(thrown: unknown): null {
  if (thrown instanceof CordonError && thrown.code === 'CANCELLED') return null
  throw thrown
}
