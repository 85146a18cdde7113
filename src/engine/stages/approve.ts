import { narrowRule } from '../../core/decide/authoring/narrowest-rule.js'
import { isInside } from '../../core/model/basics/path.js'
import type { Plan } from '../../core/model/policy/plan.js'
import type { Rule } from '../../core/model/policy/profile.js'
import type { DecidingPorts } from '../ports/ports.js'
import { scriptsRead } from './approval-basis.js'
import type { ApprovedRequest, DecidedRequest, PlannedRequest } from './nouns.js'

/**
 * Waits for permission to run the plan. Throws CONFIRMATION_REQUIRED for a held command, and APPROVAL_INVALID or
 * POLICY_DENIED.
 */
export async function approve(
  planned: PlannedRequest,
  { approver }: DecidingPorts,
  signal: AbortSignal,
): Promise<ApprovedRequest> {
  const { plan, decision, request, options, profile } = planned
  const grant = await approver.approve({
    plan,
    decision,
    text: request.text,
    approval: options.approval ?? null,
    rule: ruleToSave(planned, plan),
    scripts: scriptsRead(planned),
    approvals: profile.approvals,
    signal,
  })
  return { ...planned, grant }
}

/** Returns the rule that `always` would save: none where the yes rests on a file that a command can write. */
export function ruleToSave({ decision, facts, surroundings }: DecidedRequest, plan: Plan | null): Rule | null {
  if (decision.verdict !== 'ask') return null
  const writable = [...surroundings.roots, ...surroundings.writable]
  const rests = plan?.basis?.files.some(([path]) => writable.some((root) => isInside(path, root)))
  return rests ? null : narrowRule(facts, decision.because)
}
