import type { Grant } from '../../core/model/policy/plan.js'
import type { ApprovalRequest, Approver } from '../../engine/ports/ports.js'
import type { Pass, Passes } from './passes.js'

/** Grants a held command by the pass that the agent's hook left for it, once, and by the approver otherwise. */
export function redeemingPasses(approver: Approver, passes: Passes, session: string | null): Approver {
  return {
    ...approver,
    async approve(request) {
      const { plan, decision } = request
      const pass = decision.verdict === 'ask' ? passes.redeem(plan.digest, session) : null
      return pass === null ? approver.approve(request) : grantFor(pass, request, approver)
    },
  }
}

/** The held command that the dialog was about is settled with it, if nobody has answered it elsewhere. */
async function grantFor(pass: Pass, request: ApprovalRequest, approver: Approver): Promise<Grant> {
  const { digest, approval, agent, by } = pass
  if (by === 'dialog') {
    try {
      approver.answer(approval, 'approved', `In the dialog of ${agent}.`)
      return await approver.approve({ ...request, approval })
    } catch {
      // Answered already, for another call of the same command. The person said yes to this one too.
    }
  }
  return { digest, by: 'person', approval, approver: `the person at ${agent}` }
}
