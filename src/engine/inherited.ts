import type { AnalysisContext } from '../core/analyse/analyse.js'
import type { Profile } from '../core/model/profile.js'
import type { Request } from '../core/model/request.js'
import type { Surroundings } from '../core/model/surroundings.js'
import { environmentFor } from '../core/plan/environment.js'

/** What the launcher itself adds where the network is a list of hosts. */
const PROXIES = 'http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY NODE_USE_ENV_PROXY'

/**
 * The environment of a command beside what its request brings. What Cordon and the profile set is told; what is passed on from the
 * host may be a secret, and is not.
 */
export function inheritedBy(
  request: Request,
  profile: Profile,
  surroundings: Surroundings,
): NonNullable<AnalysisContext['inherited']> {
  const brought = new Set(request.env.map(([name]) => name))
  const told = new Set(['HOME', 'SHELL', 'TERM', ...profile.environment.set.map(([name]) => name)])
  if (profile.sandbox === 'required') told.add('TMPDIR')
  const variables = environmentFor(request, profile, surroundings)
    .filter(([name]) => name !== 'PWD' && !brought.has(name))
    .map(([name, value]) => [name, told.has(name) ? value : null] as const)
  const added = typeof profile.network === 'object' ? PROXIES.split(' ') : []
  return [...variables, ...added.map((name) => [name, null] as const)]
}
