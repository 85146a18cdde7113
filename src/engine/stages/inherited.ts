import type { AnalysisInput } from '../../core/analyse/analyse.js'
import type { Profile } from '../../core/model/policy/profile.js'
import type { Request } from '../../core/model/run/request.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import { environmentFor } from '../../core/plan/environment.js'

/** The variables that the launcher adds for a network of listed hosts. */
const PROXIES = 'http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY NODE_USE_ENV_PROXY'

/**
 * Returns the variables of a command that its request does not set. Values set by Cordon or the profile are included.
 * Values passed on from the host may be secrets and are null.
 */
export function inheritedBy(
  request: Request,
  profile: Profile,
  surroundings: HostContext,
): NonNullable<AnalysisInput['inherited']> {
  const requested = new Set(request.env.map(([name]) => name))
  const known = new Set(['HOME', 'SHELL', 'TERM', ...profile.environment.set.map(([name]) => name)])
  if (profile.sandbox === 'required') known.add('TMPDIR')
  const variables = environmentFor(request, profile, surroundings)
    .filter(([name]) => name !== 'PWD' && !requested.has(name))
    .map(([name, value]) => [name, known.has(name) ? value : null] as const)
  const added = typeof profile.network === 'object' ? PROXIES.split(' ') : []
  return [...variables, ...added.map((name) => [name, null] as const)]
}
