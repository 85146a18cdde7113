import { CordonError } from '../../core/model/errors.js'
import type { Approver } from '../../engine/ports.js'

/** Grants what the policy allows and holds the rest: nobody is there to ask. */
export const policyApprover: Approver = {
  async approve(plan, decision) {
    if (decision.verdict === 'allow') return { digest: plan.digest, by: 'policy', approval: null }
    const match = decision.because[0]
    throw new CordonError(
      'CONFIRMATION_REQUIRED',
      [match?.reason ?? 'This needs approval.', match?.instead, 'A person has to approve it first.']
        .filter(Boolean)
        .join(' '),
      { decision, plan },
    )
  },
}
