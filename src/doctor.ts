import { CordonError } from './core/model/errors.js'
import type { Profile } from './core/model/profile.js'
import { policyDigestOf } from './core/plan/plan-for.js'
import type { Ports } from './engine/ports.js'
import { diagnose } from './host/launch/diagnose.js'

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

/** Everything a request needs from this machine: the wall, really tried; the settings; the record. */
export async function examine({ profiles, audit, sha256 }: Ports): Promise<readonly Finding[]> {
  return [
    ...(await diagnose()),
    attempt('settings', () => {
      const profile = profiles.profileFor(null, null)
      return `the default profile is "${profile.name}"${changedSince(profile, audit, sha256)}`
    }),
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

const LOOKED_AT = 200

/** Says when the newest request was that another version of the profile decided. */
function changedSince(profile: Profile, audit: Ports['audit'], sha256: Ports['sha256']): string {
  const now = policyDigestOf(profile, sha256)
  const last = audit
    .query({ limit: LOOKED_AT })
    .find((row) => row.profile === profile.name && row.policyDigest !== null)
  return last && last.policyDigest !== now ? `; it was changed after the last request, of ${last.at}` : ''
}
