import { randomBytes } from 'node:crypto'
import { Answer, type Approval } from '../../core/model/approval.js'
import { CordonError } from '../../core/model/errors.js'
import type { Grant } from '../../core/model/plan.js'
import type { Rule } from '../../core/model/profile.js'
import type { ApprovalRequest, Approver } from '../../engine/ports.js'
import type { ApprovalStore } from './approval-store.js'

export interface ApproverOptions {
  readonly store: ApprovalStore
  /** Asks a person who is there: a terminal prompt, a library callback. Absent: held commands wait in the store. */
  readonly ask?: ((approval: Approval, signal: AbortSignal) => Promise<Answer>) | undefined
  /** Nobody will ever answer: what would be asked is denied. */
  readonly unattended?: boolean | undefined
  /** Saves the rule of an `always`. */
  readonly saveRule?: ((rule: Rule, profile: string) => void) | undefined
  readonly expiresAfterMs?: number | undefined
  readonly now: () => number
}

const TEN_MINUTES_MS = 600_000
const POLL_MS = 150

/** Grants what the policy allows; holds the rest for a person, for exactly the plan that was shown. */
export function createApprover(options: ApproverOptions): Approver {
  const { store, now } = options
  const session = new Set<string>()

  return {
    async approve(request) {
      const { plan, decision } = request
      if (decision.verdict === 'allow') return { digest: plan.digest, by: 'policy', approval: null }
      if (request.approval !== null) return redeem(store, request, request.approval)
      if (session.has(plan.digest)) return { digest: plan.digest, by: 'person', approval: null }
      if (options.unattended) throw refusal(request, 'POLICY_DENIED', 'Nobody is there to approve it (unattended).')
      const approval = held(request, now(), options.expiresAfterMs ?? TEN_MINUTES_MS)
      store.add(approval)
      if (!options.ask) throw waiting(request, approval)
      return answered(request, approval, await firstAnswer(store, approval, options.ask, request.signal))
    },
    list: () => store.list(),
    answer: (id, verdict) => store.answer(id, verdict),
  }

  function answered(request: ApprovalRequest, approval: Approval, answer: Answer): Grant {
    if (answer === 'deny')
      throw refusal(
        request,
        'POLICY_DENIED',
        store.get(approval.id).state === 'expired' ? 'Nobody answered in time.' : 'A person said no.',
      )
    if (answer === 'session') session.add(request.plan.digest)
    if (answer === 'always' && approval.rule) options.saveRule?.(approval.rule, request.plan.profile)
    if (!store.consume(approval.id))
      throw new CordonError('APPROVAL_INVALID', `Approval ${approval.id} was used already.`)
    return { digest: request.plan.digest, by: 'person', approval: approval.id }
  }
}

function held({ plan, decision, text, rule }: ApprovalRequest, nowMs: number, expiresAfterMs: number): Approval {
  return {
    id: randomBytes(6).toString('hex'),
    digest: plan.digest,
    command: text,
    cwd: plan.cwd,
    agent: plan.agent,
    profile: plan.profile,
    because: decision.because,
    rule,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + expiresAfterMs).toISOString(),
    state: 'pending',
  }
}

/** The person here and the person at another terminal are both asked; whoever answers first is heard. */
async function firstAnswer(
  store: ApprovalStore,
  approval: Approval,
  ask: NonNullable<ApproverOptions['ask']>,
  signal: AbortSignal,
): Promise<Answer> {
  const done = new AbortController()
  const stop = (): void => done.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const here = ask(approval, done.signal).then((answer) => claim(store, approval.id, understood(answer)))
    return await Promise.race([here, elsewhere(store, approval.id, done.signal)])
  } finally {
    signal.removeEventListener('abort', stop)
    done.abort()
  }
}

/** Whatever else a callback gives, `false` or nothing at all, is no yes. */
const understood = (answer: unknown): Answer => Answer.safeParse(answer).data ?? 'deny'

/** The answer given here counts only if none was stored before it. */
function claim(store: ApprovalStore, id: string, answer: Answer): Answer {
  try {
    store.answer(id, answer === 'deny' ? 'denied' : 'approved')
    return answer
  } catch {
    return store.get(id).state === 'approved' ? 'once' : 'deny'
  }
}

function elsewhere(store: ApprovalStore, id: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const { state } = store.get(id)
      if (state === 'approved') finish(() => resolve('once'))
      else if (state !== 'pending') finish(() => resolve('deny'))
    }, POLL_MS)
    const finish = (act: () => void): void => {
      clearInterval(timer)
      act()
    }
    signal.addEventListener('abort', () =>
      finish(() => reject(new CordonError('CANCELLED', 'Cancelled while waiting for approval.'))),
    )
  })
}

/** What is not as it was when a person looked at it. */
function changedSince(approval: Approval, { plan, text }: ApprovalRequest): string {
  const changed = [
    ...(approval.command === text ? [] : ['command']),
    ...(approval.cwd === plan.cwd ? [] : ['directory']),
    ...(approval.agent === plan.agent ? [] : ['agent']),
    ...(approval.profile === plan.profile ? [] : ['profile']),
  ]
  if (changed.length === 0) return 'its variables, its input, its limits or the settings have changed'
  return `the ${changed.join(', the ')} ${changed.length === 1 ? 'has' : 'have'} changed`
}

/** An approval given earlier, for this plan and no other, once. */
function redeem(store: ApprovalStore, request: ApprovalRequest, id: string): Grant {
  const { plan } = request
  const approval = store.get(id)
  const fault =
    approval.digest !== plan.digest
      ? `is for ${JSON.stringify(approval.command)} in ${approval.cwd} under "${approval.profile}"; ${changedSince(approval, request)} since`
      : approval.state !== 'approved'
        ? {
            pending: 'still waits for an answer',
            denied: 'was denied',
            used: 'was used already',
            expired: 'has expired',
          }[approval.state]
        : store.consume(id)
          ? null
          : 'was used already'
  if (fault === null) return { digest: plan.digest, by: 'person', approval: id }
  throw new CordonError('APPROVAL_INVALID', `Approval ${id} ${fault}. Run the command without it to ask anew.`)
}

const reasonsOf = ({ decision }: ApprovalRequest): string[] =>
  decision.because.flatMap(({ reason, instead }) => [reason, ...(instead ? [instead] : [])]).slice(0, 4)

const refusal = (request: ApprovalRequest, code: 'POLICY_DENIED', why: string): CordonError =>
  new CordonError(code, [...reasonsOf(request), why].join(' '), { decision: request.decision })

const waiting = (request: ApprovalRequest, { id }: Approval): CordonError =>
  new CordonError(
    'CONFIRMATION_REQUIRED',
    [
      ...reasonsOf(request),
      `A person can approve it with \`cordon approve ${id}\`; then run it again with approval ${id}.`,
    ].join(' '),
    { decision: request.decision, approval: id },
  )
