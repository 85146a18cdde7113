import type { Lifted } from '../model/decision.js'
import { CordonError } from '../model/errors.js'
import { plannedNetwork } from '../model/network-sets.js'
import type { ApprovalBasis, Capabilities, Plan, Sandbox } from '../model/plan.js'
import type { Profile } from '../model/profile.js'
import type { Command, Request } from '../model/request.js'
import type { Surroundings } from '../model/surroundings.js'
import { canonicalJson } from './canonical.js'
import { environmentFor } from './environment.js'
import { liftHidden } from './lift-hidden.js'
import { limitWrites, type OpenedWrites } from './lift-writes.js'
import { mountsFor } from './mounts.js'

export interface PlanInput {
  readonly request: Request
  readonly profile: Profile
  readonly surroundings: Surroundings
  readonly capabilities: Capabilities
  /** Whether the reader found the command able to write. Unknown counts as yes. */
  readonly writesAnything: boolean
  /** Restrictions that an approval of the decision lifts. The plan is made as if it were approved. Default: none. */
  readonly lifted?: Lifted
  /** Directories that are roots in `surroundings` only because an approval opens paths in them. Default: none. */
  readonly opened?: OpenedWrites
  /** What an approval rests on; null or absent where nobody is asked. */
  readonly basis?: ApprovalBasis | null
  /** SHA-256 of a text, in hexadecimal. Given by the host, whose own is a hundred times faster than one in plain JavaScript. */
  readonly sha256: (text: string) => string
}

const argvOf = (command: Command, bash: string): readonly string[] =>
  command.mode === 'shell' ? [bash, '-c', command.script] : [command.program, ...command.args]

function sandboxFor({ profile, surroundings, capabilities, lifted, opened = new Map() }: PlanInput): Sandbox {
  if (profile.sandbox === 'off') return { kind: 'none' }
  if (capabilities.sandbox === 'none') {
    throw new CordonError(
      'SANDBOX_UNAVAILABLE',
      `The profile '${profile.name}' requires a sandbox, and this host cannot build one: ${capabilities.cause}. ${capabilities.fix}`,
    )
  }
  const mounts = limitWrites(liftHidden(mountsFor(profile, surroundings), lifted?.paths ?? []), opened)
  return { kind: 'bubblewrap', mounts, network: plannedNetwork(profile.network, lifted?.hosts) }
}

/** A profile is as it is, and the same for many plans. */
const POLICIES = new WeakMap<Profile, string>()

function policyText(profile: Profile): string {
  const text = POLICIES.get(profile) ?? canonicalJson(profile)
  POLICIES.set(profile, text)
  return text
}

/** Names a profile by all that it says: it changes whenever the policy does. */
export const policyDigestOf = (profile: Profile, sha256: PlanInput['sha256']): string => sha256(policyText(profile))

/**
 * Exactly what will be run, where and inside what, with a digest over all of it. Throws SANDBOX_UNAVAILABLE, with the cause and
 * the fix, when the profile requires a sandbox and the host has none.
 */
export function planFor(input: PlanInput): Plan {
  const { request, profile, surroundings, writesAnything, lifted, sha256 } = input
  const planned: Omit<Plan, 'digest'> = {
    argv: argvOf(request.command, surroundings.bash),
    cwd: request.cwd,
    env: environmentFor(request, profile, surroundings),
    stdinDigest: request.hasLiveStdin ? 'live' : request.stdin === null ? null : sha256(request.stdin),
    sandbox: sandboxFor(input),
    limits: profile.limits,
    timeoutMs: request.timeoutMs,
    graceMs: profile.timeouts.graceMs,
    transaction: profile.transaction.mode === 'auto' && !writesAnything ? 'off' : profile.transaction.mode,
    securing: {
      onFailure: profile.transaction.onFailure,
      rollbackCodes: profile.transaction.rollbackCodes,
      scope: profile.transaction.scope,
      maxBytes: profile.transaction.maxBytes,
      required: profile.transaction.required,
    },
    ...(lifted && lifted.settings.length > 0 ? { gitSettings: lifted.settings } : {}),
    workspace: surroundings.workspace,
    agent: request.agent,
    profile: profile.name,
    policyDigest: policyDigestOf(profile, sha256),
    ...(input.basis ? { basis: input.basis } : {}),
  }
  return Object.freeze({ ...planned, digest: sha256(canonicalJson(planned)) })
}
