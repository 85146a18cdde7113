import { CordonError } from './core/model/basics/errors.js'
import { allowHosts } from './core/model/policy/allow-command.js'
import { hostsOf, type ProfileNetwork } from './core/model/policy/network-sets.js'
import type { Profile } from './core/model/policy/profile.js'
import { policyDigestOf } from './core/plan/plan-for.js'
import type { Ports } from './engine/ports/ports.js'
import { diagnose } from './host/launch/diagnose.js'
import { type OwnRegistry, ownRegistries } from './host/registries/own-registries.js'

/** One thing that was looked at, and what to do about it where it is not well. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string | null
}

function attempt(name: string, look: () => string): Finding {
  try {
    return { name, ok: true, detail: look(), fix: null }
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message : String(thrown)
    return {
      name,
      ok: false,
      detail,
      fix: thrown instanceof CordonError ? null : 'This is a defect in Cordon; please report it.',
    }
  }
}

/** Checks the sandbox by a real command, the settings and the audit log. */
export async function examine({ profiles, audit, sha256 }: Ports, home: string): Promise<readonly Finding[]> {
  return [
    ...(await diagnose()),
    attempt('settings', () => {
      const profile = profiles.profileFor(null, null)
      return `the default profile is "${profile.name}"${changedSince(profile, audit, sha256)}`
    }),
    attempt('registries', () => registriesIn(home, profiles.profileFor(null, null))),
    attempt('audit log', () => {
      const verified = audit.verify()
      if (!verified.ok)
        throw new CordonError(
          'AUDIT_UNAVAILABLE',
          `the chain is broken at row ${verified.brokenAt}: ${verified.reason}`,
        )
      return `${verified.rows} rows, chain intact`
    }),
  ]
}

/**
 * Returns the registries that no entry of the network lists, with their ports. Never allowed by themselves: a person
 * decides.
 */
export function hostsToAllow(registries: readonly OwnRegistry[], network: ProfileNetwork): readonly string[] {
  if (network === 'full') return []
  const entries = hostsOf(network)
  const isListed = (host: string): boolean => {
    const name = host.replace(/:\d+$/, '')
    return entries.some((entry) => {
      const wide = entry.startsWith('*.') && (name.endsWith(entry.slice(1)) || host.endsWith(entry.slice(1)))
      return wide || entry === host || entry === name || entry === '*'
    })
  }
  return [...new Set(registries.map(({ host }) => host).filter((host) => !isListed(host)))]
}

/** Says which registries of the person's own settings the default profile does not list, and how to allow them. */
function registriesIn(home: string, { name, network }: Profile): string {
  const hosts = hostsToAllow(ownRegistries(home), network)
  if (hosts.length === 0) return 'your npm, pip and cargo settings name no registry that is not listed'
  return `your settings name ${hosts.join(' and ')}; to allow: ${allowHosts(hosts.join(' '), name)}`
}

const LOOKED_AT = 200

/** Says when the newest request was that another version of the profile decided. */
function changedSince(profile: Profile, audit: Ports['audit'], sha256: Ports['sha256']): string {
  const now = policyDigestOf(profile, sha256)
  const last = audit
    .query({ limit: LOOKED_AT })
    .find((row) => row.profile === profile.name && row.policyDigest !== null)
  return last && last.policyDigest !== now ? `; it was changed after the last request, of ${last.at}` : ''
}
