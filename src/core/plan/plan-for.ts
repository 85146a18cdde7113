import { CordonError } from '../model/basics/errors.js'
import type { Lifted } from '../model/policy/decision.js'
import { plannedNetwork } from '../model/policy/network-sets.js'
import type { ApprovalBasis, Capabilities, Plan, Sandbox } from '../model/policy/plan.js'
import type { Profile } from '../model/policy/profile.js'
import type { Command, Request } from '../model/run/request.js'
import type { HostContext } from '../model/run/surroundings.js'
import { canonicalJson } from './canonical.js'
import { environmentFor } from './environment.js'
import { liftHidden } from './lift-hidden.js'
import { limitWrites, type OpenedWrites } from './lift-writes.js'
import { mountsFor, readOnlyMounts } from './mounts.js'

export interface PlanInput {
  readonly request: Request
  readonly profile: Profile
  readonly surroundings: HostContext
  readonly capabilities: Capabilities
  /** True if the analyser found that the command may write. Unknown counts as true. */
  readonly writesAnything: boolean
  /** Restrictions that an approval lifts. The plan assumes the approval. Default: none. */
  readonly lifted?: Lifted
  /** Directories that are roots in `surroundings` only because an approval opens paths in them. Default: none. */
  readonly opened?: OpenedWrites
  /** The scripts and programs an approval rests on; null or absent if no person is asked. */
  readonly basis?: ApprovalBasis | null
  /**
   * Returns the SHA-256 of a text, in hexadecimal. The host provides it, because its version is a hundred times faster
   * than plain JavaScript.
   */
  readonly sha256: (text: string) => string
}

const argvOf = (command: Command, bash: string): readonly string[] =>
  command.mode === 'shell' ? [bash, '-c', command.script] : [command.program, ...command.args]

/** True if no transaction is needed because the analyser found no writes. */
const isWithoutWrites = ({ profile, writesAnything }: PlanInput): boolean =>
  profile.transaction.mode === 'auto' && !writesAnything

function sandboxFor(input: PlanInput): Sandbox {
  const { profile, surroundings, capabilities, lifted, opened = new Map() } = input
  if (profile.sandbox === 'off') return { kind: 'none' }
  if (capabilities.sandbox === 'none') {
    throw new CordonError(
      'SANDBOX_UNAVAILABLE',
      `The profile '${profile.name}' requires a sandbox, and this host cannot build one: ${capabilities.cause}. ${capabilities.fix}`,
    )
  }
  const readable = [...(surroundings.readable ?? []), ...(lifted?.reads ?? [])]
  const around = { ...surroundings, readable }
  const seen = isWithoutWrites(input) ? readOnlyMounts(profile, around) : mountsFor(profile, around)
  const mounts = limitWrites(liftHidden(seen, [...(surroundings.shown ?? []), ...(lifted?.paths ?? [])]), opened)
  return { kind: 'bubblewrap', mounts, network: plannedNetwork(profile.network, lifted?.hosts) }
}

/** Caches one digest per profile, which never changes. */
const POLICIES = new WeakMap<Profile, string>()

function policyText(profile: Profile): string {
  const text = POLICIES.get(profile) ?? canonicalJson(profile)
  POLICIES.set(profile, text)
  return text
}

/** Returns a digest of the whole profile; it changes with every policy change. */
export const policyDigestOf = (profile: Profile, sha256: PlanInput['sha256']): string => sha256(policyText(profile))

/**
 * Returns the exact command, environment and sandbox, with a digest over all of it. Throws SANDBOX_UNAVAILABLE, with
 * the cause and the fix, if the profile requires a sandbox and the host has none.
 */
export function planFor(input: PlanInput): Plan {
  const { request, profile, surroundings, lifted, sha256 } = input
  const planned: Omit<Plan, 'digest'> = {
    argv: argvOf(request.command, surroundings.bash),
    cwd: request.cwd,
    env: environmentFor(request, profile, surroundings),
    stdinDigest: request.hasLiveStdin ? 'live' : request.stdin === null ? null : sha256(request.stdin),
    sandbox: sandboxFor(input),
    limits: profile.limits,
    timeoutMs: request.timeoutMs,
    graceMs: profile.timeouts.graceMs,
    transaction: isWithoutWrites(input) ? 'off' : profile.transaction.mode,
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
