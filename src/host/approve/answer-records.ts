import type { Answer, AnswerOrigin, Approval } from '../../core/model/policy/approval.js'
import type { AuditRecord } from '../../core/model/run/audit.js'
import type { Caller } from '../../core/model/run/request.js'
import type { AnswerRecord } from '../../engine/ports/answer-log.js'

interface Stamp {
  readonly at: string
  readonly caller: Caller
}

/** The row of the audit log for a person's answer. */
export function answerRecord(
  held: Approval,
  { answer, note, from }: { readonly answer: Answer; readonly note: string | null; readonly from: AnswerOrigin },
  stamp: Stamp,
): AnswerRecord {
  const tool = answer === 'deny' ? 'deny' : 'approve'
  const approver = approverOf(from)
  return { ...rowOf(held.id, held, tool, stamp), outcome: 'success', approver, answer: { scope: answer, note, from } }
}

/** Returns the audit row for an answer that is not valid. */
export const forgedRecord = (id: string, held: Approval | null, why: string, stamp: Stamp): AuditRecord => ({
  ...rowOf(id, held, 'approve', stamp),
  verdict: 'deny',
  rule: 'approval/forged',
  reason: `Cordon rejected an answer that it did not write: ${why}.`,
  outcome: 'blocked',
})

/** The person as a line of text: anna (uid 1000) at /dev/pts/3. */
export function approverOf({ user, uid, sudoUser, terminal }: AnswerOrigin): string {
  const name = `${user ?? 'unknown user'}${uid === null ? '' : ` (uid ${uid})`}`
  return `${name}${sudoUser === null ? '' : `, sudo by ${sudoUser}`}${terminal === null ? ', no terminal' : ` at ${terminal}`}`
}

function rowOf(id: string, held: Approval | null, tool: 'approve' | 'deny', { at, caller }: Stamp): AuditRecord {
  return {
    id,
    at,
    agent: held?.agent ?? null,
    caller,
    tool,
    command: held === null ? `${tool} ${id}` : `${tool} ${id}: ${held.command}`,
    request: null,
    cwd: held?.cwd ?? null,
    profile: held?.profile ?? '',
    verdict: null,
    rule: null,
    reason: null,
    planDigest: held?.digest ?? null,
    policyDigest: null,
    approval: id,
    outcome: 'success',
    endedAt: at,
  }
}
