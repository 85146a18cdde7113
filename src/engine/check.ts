import { CordonError, type ErrorInfo } from '../core/model/errors.js'
import type { Plan } from '../core/model/plan.js'
import { checkCommand, checkOptions } from '../core/model/run-input.js'
import type { CheckResult } from './api.js'
import { type Considered, consider } from './consider.js'
import type { Ports } from './ports.js'
import { planOf, requested, requireProgram, ruleFor } from './run.js'

/** Returns the facts, the decision and the plan of a command. Runs nothing, records nothing. */
export function check(input: unknown, rawOptions: unknown, ports: Ports): CheckResult {
  const options = checkOptions(rawOptions)
  const command = checkCommand(input)
  const profile = requested(ports.profiles.profileFor(options.agent ?? null, options.profile ?? null), options)
  const considered = consider(ports.newId(), command, options, profile, ports.observer)
  const { request, facts, decision } = considered
  const base = { verdict: decision.verdict, because: decision.because, decision, facts, text: request.text }
  const planned = decision.verdict === 'deny' ? { plan: null, unenforceable: null } : tryPlan(considered, ports)
  return { ...base, rule: ruleFor(considered, planned.plan), ...planned }
}

function tryPlan(considered: Considered, ports: Ports): { plan: Plan | null; unenforceable: ErrorInfo | null } {
  try {
    requireProgram(considered, ports)
    return { plan: planOf(considered, ports), unenforceable: null }
  } catch (error) {
    if (error instanceof CordonError) return { plan: null, unenforceable: error.info }
    throw error
  }
}
