import { isPassed } from '../model/policy/passed-variables.js'
import type { Profile } from '../model/policy/profile.js'
import type { Request } from '../model/run/request.js'
import type { HostContext } from '../model/run/surroundings.js'

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

type Variable = readonly [string, string]

/**
 * Makes package managers fail at once without a network; otherwise they retry unknown names. They check for no newer
 * version of themselves, which would count as an attempt. The profile and the request can override each variable.
 */
const NO_RETRIES: readonly Variable[] = [
  ...['npm_config_fetch_retries', 'PIP_RETRIES', 'CARGO_NET_RETRY', 'UV_HTTP_RETRIES', 'BUNDLE_RETRY'],
  ...['YARN_HTTP_RETRY', 'POETRY_REQUESTS_MAX_RETRIES'],
]
  .map((name): Variable => [name, '0'])
  .concat([
    ['npm_config_update_notifier', 'false'],
    ['PIP_DISABLE_PIP_VERSION_CHECK', '1'],
  ])

/**
 * Returns the environment of a command, in order of precedence: passed on, set by Cordon, set by the profile, set by
 * the request. No other variable is inherited. Sorted, so that equal environments have equal digests.
 */
export function environmentFor(request: Request, profile: Profile, surroundings: HostContext): readonly Variable[] {
  const home = profile.environment.home === 'workspace' ? surroundings.workspace : surroundings.home
  const variables = new Map<string, string>([['PATH', DEFAULT_PATH]])
  if (profile.sandbox === 'required' && profile.network === 'none')
    for (const [name, value] of NO_RETRIES) variables.set(name, value)
  for (const [name, value] of surroundings.env) if (isPassed(name, profile.environment)) variables.set(name, value)
  variables.set('HOME', home).set('SHELL', surroundings.bash).set('TERM', 'dumb')
  if (profile.sandbox === 'required' || !variables.has('TMPDIR')) variables.set('TMPDIR', '/tmp')
  for (const [name, value] of profile.environment.set) variables.set(name, value)
  for (const [name, value] of request.env) variables.set(name, value)
  // Bash believes an inherited PWD that names the directory it is in, so it is never left to the caller.
  variables.set('PWD', request.cwd)
  return [...variables].sort(([a], [b]) => (a < b ? -1 : 1))
}
