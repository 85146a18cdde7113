import { CordonError } from '../core/model/basics/errors.js'
import type { Authorization, AuthorizeOptions } from './api.js'
import { decideRequest } from './pipeline.js'
import type { DecidingPorts } from './ports/ports.js'
import { approve } from './stages/approve.js'
import { askedRequest } from './stages/asked-request.js'
import { auditRefusal, recordAuthorized } from './stages/audit.js'
import type { KnownRequest, RawRequest, Reach } from './stages/nouns.js'
import { plan } from './stages/plan.js'
import { emitter, toolOf } from './tasks/caller-events.js'

/**
 * Decides a command that the caller runs itself, asks where it has to, and records the decision. Starts nothing.
 * Rejects as `run` does for a command that is denied or held.
 */
export async function authorize(
  input: unknown,
  options: AuthorizeOptions,
  shared: DecidingPorts,
): Promise<Authorization> {
  const { outsideSandbox = false, ...rest } = options
  const raw: RawRequest = { input, options: rest }
  const ports = outsideSandbox ? withoutSandbox(shared) : shared
  // Agents start some commands with an open standard input, and do not tell which.
  const asked = askedRequest(raw, { id: ports.newId(), at: ports.now(), isOpen: outsideSandbox })
  let known: KnownRequest = asked
  const reach: Reach = (noun) => {
    known = noun
    return noun
  }
  try {
    const decided = decideRequest(raw, asked, ports, reach)
    const planned = reach(plan(decided, ports))
    const approved = reach(await approve(planned, ports, signalOf(rest.signal)))
    recordAuthorized(approved, ports)
    const { grant, decision, id } = approved
    return { id, decision, digest: grant.digest, by: grant.by, approval: grant.approval }
  } catch (thrown) {
    const error = auditRefusal(thrown, known, ports, emitter(rest, { agent: asked.agent, tool: toolOf(raw, asked) }))
    if (error.code !== 'CONFIRMATION_REQUIRED') throw error
    // The caller may have another way to ask a person, who answers for this plan.
    throw new CordonError(error.code, error.message, { ...error.details, digest: known.plan?.digest })
  }
}

const signalOf = (signal: AbortSignal | undefined): AbortSignal => signal ?? new AbortController().signal

/** Decides as for a profile without a sandbox: rules that only a sandbox makes superfluous hold. */
function withoutSandbox(ports: DecidingPorts): DecidingPorts {
  const { profiles, observer } = ports
  return {
    ...ports,
    // No sandbox masks programs, and looking for them on PATH takes a third of the time.
    observer: { ...observer, surroundings: (profile, _, agent) => observer.surroundings(profile, [], agent) },
    profiles: {
      list: () => profiles.list(),
      profileFor: (agent, name) => ({ ...profiles.profileFor(agent, name), sandbox: 'off' }),
    },
  }
}
