import { randomBytes } from 'node:crypto'
import { contained } from '../../core/model/basics/contained.js'
import { CordonError } from '../../core/model/basics/errors.js'
import { uniquePrefix } from '../../core/model/basics/id.js'
import { Answer, type Approval, hostsAskedFor } from '../../core/model/policy/approval.js'
import { reasonsOf } from '../../core/model/policy/decision.js'
import type { Grant, Plan } from '../../core/model/policy/plan.js'
import type { Rule } from '../../core/model/policy/profile.js'
import { maskSecrets } from '../../core/present/mask.js'
import type { ApprovalRequest, Approver } from '../../engine/ports/ports.js'
import type { ApprovalStore } from './approval-store.js'

export interface ApproverOptions {
  readonly store: ApprovalStore
  /** Asks a person who is there: a terminal prompt, a library callback. Absent: held commands wait in the store. */
  readonly ask?: ((approval: Approval, signal: AbortSignal) => Promise<Answer>) | undefined
  /** Denies every question, because no person can answer. */
  readonly unattended?: boolean | undefined
  /** Saves the hosts, or the rule, of an `always`. */
  readonly saveHosts?: ((hosts: readonly string[], profile: string) => void) | undefined
  readonly saveRule?: ((rule: Rule, profile: string) => void) | undefined
  readonly now: () => number
}

const POLL_MS = 150

/**
 * Creates the approver. It grants what the policy allows, and holds the rest for a person, for exactly the plan shown.
 */
export function createApprover(options: ApproverOptions): Approver {
  const { store, now } = options
  /** Plans and hosts that a person allowed for as long as this engine lives, with that answer. */
  const session = new Map<string, Grant>()
  /** Ids of open questions. Another request of the same plan gets its own question. */
  const asking = new Set<string>()

  return {
    async approve(request) {
      const { plan, decision } = request
      if (decision.verdict === 'allow') return { digest: plan.digest, by: 'policy', approval: null }
      if (request.approval !== null) return redeem(store, request, request.approval)
      const hosts = hostsAskedFor(decision.because)
      const [first = '', ...others] = hosts.map((host) => hostKey(host, plan))
      const areRemembered = others.every((host) => session.has(host))
      const remembered = session.get(plan.digest) ?? (areRemembered ? session.get(first) : undefined)
      if (remembered) return { ...remembered, digest: plan.digest, approval: null }
      const earlier = store.list().filter(({ digest }) => digest === plan.digest)
      const grant = granted(store, earlier)
      if (grant) return grant
      // A person at this terminal can be asked again.
      const last = options.ask ? undefined : earlier.find(({ answeredAt }) => answeredAt !== null)
      if (last && isToBeTold(store, last, now())) throw refusal(request, denialBy(last))
      if (options.unattended) throw refusal(request, 'No person can approve it, because the request is unattended.')
      const { ask } = options
      if (!ask) throw waiting(request, store, earlier, now())
      return answeredHere(request, ask)
    },
    list: () => store.list(),
    answer(id, verdict, note) {
      if (verdict !== 'session') return store.answer(id, verdict === 'approved' ? 'once' : 'deny', note)
      const approval = store.answer(id, 'session', note)
      // Consumed at once, so that no other engine uses the same answer.
      if (store.consume(approval.id)) session.set(approval.digest, grantOf(approval))
      return approval
    },
  }

  async function answeredHere(request: ApprovalRequest, ask: Ask): Promise<Grant> {
    const fresh = held(request, now())
    const standing = store.add(fresh)
    const approval = asking.has(standing.id) ? store.add(fresh, false) : standing
    asking.add(approval.id)
    try {
      return answered(request, approval, await firstAnswer(store, approval, ask, request.signal))
    } catch (thrown) {
      if (!(thrown instanceof NoAnswer)) throw thrown
      claim(store, approval.id, 'deny')
      throw refusal(request, `Nobody could be asked, because onApproval failed: ${thrown.message}.`)
    } finally {
      asking.delete(approval.id)
    }
  }

  function answered(request: ApprovalRequest, approval: Approval, answer: Answer): Grant {
    if (answer === 'deny') {
      const now = store.get(approval.id)
      throw refusal(request, now.state === 'expired' ? 'No person answered in time.' : denialBy(now))
    }
    const hosts = hostsAskedFor(request.decision.because)
    const grant = grantOf(store.get(approval.id))
    if (answer === 'session')
      for (const key of [request.plan.digest, ...hosts.map((host) => hostKey(host, request.plan))])
        session.set(key, grant)
    if (answer === 'always' && hosts.length > 0) options.saveHosts?.(hosts, request.plan.profile)
    if (answer === 'always' && approval.rule) options.saveRule?.(approval.rule, request.plan.profile)
    if (!store.consume(approval.id))
      throw new CordonError('APPROVAL_INVALID', `The same command has used approval ${approval.id} already.`)
    return grant
  }
}

/** A host is remembered for one agent and profile. */
const hostKey = (host: string, { agent, profile }: Plan): string => JSON.stringify([host, agent, profile])

type Ask = NonNullable<ApproverOptions['ask']>

const grantOf = ({ digest, id, note, approver }: Approval): Grant => ({
  digest,
  by: 'person',
  approval: id,
  approver: approver ?? 'unknown',
  ...(note === null ? {} : { note }),
})

/** The grant a person gave to this plan before, which is used by that. */
function granted(store: ApprovalStore, earlier: readonly Approval[]): Grant | null {
  const usable = earlier.find(({ id, state }) => state === 'approved' && store.consume(id))
  return usable ? grantOf(usable) : null
}

/**
 * Reports whether a denial still applies: as long as an approval would, and once after that, because the model may not
 * know it.
 */
function isToBeTold(store: ApprovalStore, { id, state, answeredAt, runMs }: Approval, nowMs: number): boolean {
  if (state !== 'denied' || answeredAt === null) return false
  return store.consume(id) || Date.parse(answeredAt) + runMs > nowMs
}

const denialBy = ({ note }: Approval): string =>
  note === null ? 'A person denied it. Do not repeat it; use another way.' : `A person denied it: ${note}`

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
    approver: null,
    state: 'pending',
  }
}

/** Asks the person here and a person at another terminal. The first answer counts. */
async function firstAnswer(store: ApprovalStore, approval: Approval, ask: Ask, signal: AbortSignal): Promise<Answer> {
  const done = new AbortController()
  const stop = (): void => done.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const here = asked(ask, approval, done.signal).then((answer) => claim(store, approval.id, understood(answer)))
    return await Promise.race([here, elsewhere(store, approval.id, done.signal)])
  } finally {
    signal.removeEventListener('abort', stop)
    done.abort()
  }
}

/** Thrown where the program's own callback failed instead of giving an answer. */
class NoAnswer extends Error {}

async function asked(ask: Ask, approval: Approval, signal: AbortSignal): Promise<unknown> {
  try {
    return await ask(approval, signal)
  } catch (thrown) {
    throw new NoAnswer(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
  }
}

/** Converts any other callback result, such as `false`, to a denial. */
const understood = (answer: unknown): Answer => Answer.safeParse(answer).data ?? 'deny'

/** Stores the answer unless another one was stored before. */
function claim(store: ApprovalStore, id: string, answer: Answer): Answer {
  try {
    store.answer(id, answer)
    return answer
  } catch {
    return store.get(id).state === 'approved' ? 'once' : 'deny'
  }
}

function elsewhere(store: ApprovalStore, id: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const look = contained(
      () => {
        const { state } = store.get(id)
        if (state === 'approved') finish(() => resolve('once'))
        else if (state !== 'pending') finish(() => resolve('deny'))
      },
      (error) => finish(() => reject(error)),
    )
    const timer = setInterval(look, POLL_MS)
    const finish = (act: () => void): void => {
      clearInterval(timer)
      act()
    }
    signal.addEventListener('abort', () =>
      finish(() => reject(new CordonError('CANCELLED', 'Cancelled while waiting for approval.'))),
    )
  })
}

/** Returns the parts of the plan that differ from the approved one. */
function changedSince(approval: Approval, { plan, text }: ApprovalRequest): string {
  const changed = [
    ...(maskSecrets(approval.command) === maskSecrets(text) ? [] : ['command']),
    ...(approval.cwd === plan.cwd ? [] : ['directory']),
    ...(approval.agent === plan.agent ? [] : ['agent']),
    ...(approval.profile === plan.profile ? [] : ['profile']),
  ]
  if (changed.length === 0) return 'its variables, input, limits or the settings changed'
  return `the ${changed.join(', the ')} changed`
}

/** An approval given earlier, for this plan and no other, once. */
function redeem(store: ApprovalStore, request: ApprovalRequest, given: string): Grant {
  const { plan } = request
  const approval = store.get(given)
  const { id, state, note, expiresAt } = approval
  const fault =
    approval.digest !== plan.digest
      ? `is for ${JSON.stringify(maskSecrets(approval.command))} in ${approval.cwd} under "${approval.profile}"; ${changedSince(approval, request)} since`
      : state !== 'approved'
        ? {
            pending:
              store.forgery(id) === null
                ? 'still waits for an answer'
                : `still waits for an answer. Cordon rejected one: ${store.forgery(id)}. The audit log records it`,
            denied: note === null ? 'was denied' : `was denied: ${note}`,
            used: 'was used already',
            expired: `expired at ${expiresAt}`,
            forged: `has an answer that is not valid: ${store.forgery(id)}. The audit log records it`,
          }[state]
        : store.consume(id)
          ? null
          : 'was used already'
  if (fault === null) return grantOf(approval)
  throw new CordonError('APPROVAL_INVALID', `Approval ${id} ${fault}. Run the command without it to ask again.`)
}

const refusal = (request: ApprovalRequest, why: string): CordonError =>
  new CordonError('POLICY_DENIED', [...reasonsOf(request.decision.because), why].join(' '), {
    decision: request.decision,
    answer: why,
  })

const forgeryOf = (store: ApprovalStore, id: string, shown = id): string =>
  `Cordon rejected an answer to approval ${shown}: ${store.forgery(id)}. The audit log records it.`

function waiting(
  request: ApprovalRequest,
  store: ApprovalStore,
  earlier: readonly Approval[],
  nowMs: number,
): CordonError {
  const { id, expiresAt } = store.add(held(request, nowMs))
  const ids = store.ids()
  const short = uniquePrefix(id, ids)
  const forged = earlier.find(({ id: one }) => store.forgery(one) !== null)
  const late = earlier.find(({ state, answeredAt }) => state === 'expired' && answeredAt !== null)
  return new CordonError(
    'CONFIRMATION_REQUIRED',
    [
      ...reasonsOf(request.decision.because),
      ...(forged ? [forgeryOf(store, forged.id, uniquePrefix(forged.id, ids))] : []),
      ...(late ? [`Approval ${uniquePrefix(late.id, ids)} expired before it was used.`] : []),
      `Held for approval ${short}: ask the person to run \`cordon approve ${short}\`, then repeat the same command.`,
    ].join(' '),
    { decision: request.decision, approval: { id, expires: expiresAt } },
  )
}
