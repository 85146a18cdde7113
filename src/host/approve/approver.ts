import { randomBytes } from 'node:crypto'
import { Answer, type Approval, hostsAskedFor } from '../../core/model/approval.js'
import { CordonError } from '../../core/model/errors.js'
import { uniquePrefix } from '../../core/model/id.js'
import type { Grant, Plan } from '../../core/model/plan.js'
import type { Rule } from '../../core/model/profile.js'
import type { ApprovalRequest, Approver } from '../../engine/ports.js'
import type { ApprovalStore } from './approval-store.js'

export interface ApproverOptions {
  readonly store: ApprovalStore
  /** Asks a person who is there: a terminal prompt, a library callback. Absent: held commands wait in the store. */
  readonly ask?: ((approval: Approval, signal: AbortSignal) => Promise<Answer>) | undefined
  /** Nobody will ever answer: what would be asked is denied. */
  readonly unattended?: boolean | undefined
  /** Saves the hosts, or the rule, of an `always`. */
  readonly saveHosts?: ((hosts: readonly string[], profile: string) => void) | undefined
  readonly saveRule?: ((rule: Rule, profile: string) => void) | undefined
  readonly now: () => number
}

const POLL_MS = 150

/** Grants what the policy allows; holds the rest for a person, for exactly the plan that was shown. */
export function createApprover(options: ApproverOptions): Approver {
  const { store, now } = options
  const session = new Set<string>()
  /** Questions that stand open here: another request of the same plan gets a question of its own. */
  const asking = new Set<string>()

  return {
    async approve(request) {
      const { plan, decision } = request
      if (decision.verdict === 'allow') return { digest: plan.digest, by: 'policy', approval: null }
      if (request.approval !== null) return redeem(store, request, request.approval)
      const hosts = hostsAskedFor(decision.because)
      const isRemembered = hosts.length > 0 && hosts.every((host) => session.has(hostKey(host, plan)))
      if (session.has(plan.digest) || isRemembered) return { digest: plan.digest, by: 'person', approval: null }
      const earlier = store.list().filter(({ digest }) => digest === plan.digest)
      const grant = granted(store, earlier)
      if (grant) return grant
      // A person who is here can be asked again.
      const last = options.ask ? undefined : earlier.find(({ answeredAt }) => answeredAt !== null)
      if (last && isToBeTold(store, last, now())) throw refusal(request, denialBy(last))
      if (options.unattended) throw refusal(request, 'Nobody is there to approve it (unattended).')
      const { ask } = options
      if (!ask) throw waiting(request, store.add(held(request, now())), earlier, store.ids())
      return answeredHere(request, ask)
    },
    list: () => store.list(),
    answer: (id, verdict, note) => store.answer(id, verdict, note),
  }

  async function answeredHere(request: ApprovalRequest, ask: Ask): Promise<Grant> {
    const fresh = held(request, now())
    const standing = store.add(fresh)
    const approval = asking.has(standing.id) ? store.add(fresh, false) : standing
    asking.add(approval.id)
    try {
      return answered(request, approval, await firstAnswer(store, approval, ask, request.signal))
    } finally {
      asking.delete(approval.id)
    }
  }

  function answered(request: ApprovalRequest, approval: Approval, answer: Answer): Grant {
    if (answer === 'deny') {
      const now = store.get(approval.id)
      throw refusal(request, now.state === 'expired' ? 'Nobody answered in time.' : denialBy(now))
    }
    const hosts = hostsAskedFor(request.decision.because)
    if (answer === 'session')
      for (const key of [request.plan.digest, ...hosts.map((host) => hostKey(host, request.plan))]) session.add(key)
    if (answer === 'always' && hosts.length > 0) options.saveHosts?.(hosts, request.plan.profile)
    if (answer === 'always' && approval.rule) options.saveRule?.(approval.rule, request.plan.profile)
    if (!store.consume(approval.id))
      throw new CordonError('APPROVAL_INVALID', `Approval ${approval.id} was used already by the same command.`)
    return grantOf(store.get(approval.id))
  }
}

/** A host is remembered for one agent and profile. */
const hostKey = (host: string, { agent, profile }: Plan): string => JSON.stringify([host, agent, profile])

type Ask = NonNullable<ApproverOptions['ask']>

const grantOf = ({ digest, id, note }: Approval): Grant => ({
  digest,
  by: 'person',
  approval: id,
  ...(note === null ? {} : { note }),
})

/** The grant a person gave to this plan before, which is used by that. */
function granted(store: ApprovalStore, earlier: readonly Approval[]): Grant | null {
  const usable = earlier.find(({ id, state }) => state === 'approved' && store.consume(id))
  return usable ? grantOf(usable) : null
}

/** A no holds as long as a yes would; past that it is told once, for the model may not have asked since. */
function isToBeTold(store: ApprovalStore, { id, state, answeredAt, runMs }: Approval, nowMs: number): boolean {
  if (state !== 'denied' || answeredAt === null) return false
  return store.consume(id) || Date.parse(answeredAt) + runMs > nowMs
}

const denialBy = ({ note }: Approval): string =>
  note === null ? 'A person said no. Do not repeat it; reach the goal another way.' : `A person said no: ${note}`

function held({ plan, decision, text, rule, scripts, approvals }: ApprovalRequest, nowMs: number): Approval {
  return {
    id: randomBytes(6).toString('hex'),
    digest: plan.digest,
    command: text,
    cwd: plan.cwd,
    workspace: plan.workspace,
    agent: plan.agent,
    profile: plan.profile,
    because: decision.because,
    scripts,
    rule,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + approvals.waitMs).toISOString(),
    runMs: approvals.runMs,
    answeredAt: null,
    note: null,
    state: 'pending',
  }
}

/** The person here and the person at another terminal are both asked; whoever answers first is heard. */
async function firstAnswer(store: ApprovalStore, approval: Approval, ask: Ask, signal: AbortSignal): Promise<Answer> {
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
function redeem(store: ApprovalStore, request: ApprovalRequest, given: string): Grant {
  const { plan } = request
  const approval = store.get(given)
  const { id, state, note, expiresAt } = approval
  const fault =
    approval.digest !== plan.digest
      ? `is for ${JSON.stringify(approval.command)} in ${approval.cwd} under "${approval.profile}"; ${changedSince(approval, request)} since`
      : state !== 'approved'
        ? {
            pending: 'still waits for an answer',
            denied: note === null ? 'was denied' : `was denied: ${note}`,
            used: 'was used already',
            expired: `has expired at ${expiresAt}`,
          }[state]
        : store.consume(id)
          ? null
          : 'was used already'
  if (fault === null) return grantOf(approval)
  throw new CordonError('APPROVAL_INVALID', `Approval ${id} ${fault}. Run the command without it to ask anew.`)
}

const reasonsOf = ({ decision }: ApprovalRequest): string[] =>
  decision.because.flatMap(({ reason, instead }) => [reason, ...(instead ? [instead] : [])]).slice(0, 4)

const refusal = (request: ApprovalRequest, why: string): CordonError =>
  new CordonError('POLICY_DENIED', [...reasonsOf(request), why].join(' '), { decision: request.decision, answer: why })

function waiting(
  request: ApprovalRequest,
  { id, expiresAt }: Approval,
  earlier: readonly Approval[],
  ids: readonly string[],
): CordonError {
  const short = uniquePrefix(id, ids)
  const late = earlier.find(({ state, answeredAt }) => state === 'expired' && answeredAt !== null)
  return new CordonError(
    'CONFIRMATION_REQUIRED',
    [
      ...reasonsOf(request),
      ...(late ? [`Approval ${uniquePrefix(late.id, ids)} expired before it was used.`] : []),
      `Held for approval ${short}: ask the person to run \`cordon approve ${short}\`, then repeat the same command.`,
    ].join(' '),
    { decision: request.decision, approval: id, expiresAt },
  )
}
