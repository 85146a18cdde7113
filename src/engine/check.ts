import { CordonError, type ErrorInfo } from '../core/model/basics/errors.js'
import type { Plan } from '../core/model/policy/plan.js'
import type { CheckResult } from './api.js'
import { decideRequest } from './pipeline.js'
import type { Ports } from './ports/ports.js'
import { ruleToSave } from './stages/approve.js'
import { askedRequest } from './stages/asked-request.js'
import type { DecidedRequest, RawRequest } from './stages/nouns.js'
import { plan } from './stages/plan.js'

/** Returns the facts, the decision and the plan of a command. Runs nothing, records nothing. */
export function check(raw: RawRequest, ports: Ports): CheckResult {
  const asked = askedRequest(raw, { id: ports.newId(), at: ports.now() })
  const decided = decideRequest(raw, asked, ports, (noun) => noun)
  const { request, facts, decision } = decided
  const { verdict, because } = decision
  const planned = verdict === 'deny' ? { plan: null, unenforceable: null } : tryPlan(decided, ports)
  return { verdict, because, decision, facts, text: request.text, rule: ruleToSave(decided, planned.plan), ...planned }
}

function tryPlan(decided: DecidedRequest, ports: Ports): { plan: Plan | null; unenforceable: ErrorInfo | null } {
  try {
    return { plan: plan(decided, ports).plan, unenforceable: null }
  } catch (error) {
    if (error instanceof CordonError) return { plan: null, unenforceable: error.info }
    throw error
  }
}
