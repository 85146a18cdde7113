import type { Facts, Invocation } from '../model/facts.js'
import { isLoopbackHost } from '../model/loopback.js'
import { UNROUTED } from '../model/network-sets.js'
import type { Profile } from '../model/profile.js'

/** Hosts without which a package manager downloads nothing. */
const REGISTRIES: readonly (readonly [programs: RegExp, hosts: readonly string[]])[] = [
  [/^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)$/, ['registry.npmjs.org']],
  [/^(?:pip[\d.]*|pipx|uv|uvx|poetry|pipenv|pdm)$/, ['pypi.org', 'files.pythonhosted.org']],
  [/^cargo$/, ['index.crates.io', 'static.crates.io']],
  [/^go$/, ['proxy.golang.org', 'sum.golang.org']],
  [/^(?:apt|apt-get|aptitude)$/, ['deb.debian.org']],
  [/^(?:mvn|mvnw|gradle|gradlew)$/, ['repo.maven.apache.org']],
  [/^(?:gem|bundle|bundler)$/, ['rubygems.org', 'index.rubygems.org']],
]
const PLAIN_HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const REFUSED = /^network: (\S+) refused$/

function registriesOf({ program, argv }: Invocation): readonly string[] {
  const isModule = /^python[\d.]*$/.test(program ?? '') && argv[1] === '-m'
  const name = isModule && typeof argv[2] === 'string' ? argv[2] : (program ?? '')
  return REGISTRIES.find(([programs]) => programs.test(name))?.[1] ?? []
}

/** Returns the hosts that a command names or whose registry its package manager uses. */
function hostsWanted({ hosts, invocations }: Facts): readonly string[] {
  const named = hosts
    .map(({ host }) => host.toLowerCase())
    .filter((host) => !isLoopbackHost(host) && PLAIN_HOST.test(host))
  return [...new Set([...named, ...invocations.flatMap(registriesOf)])]
}

/** Completes an evidence line about the network with the command that would allow the host. Returns other lines unchanged. */
function withRemedy(line: string, facts: Facts, profile: string): string {
  const allow = (hosts: string): string => `cordon allow host ${hosts} --profile ${profile}`
  const refused = REFUSED.exec(line)?.[1]
  if (refused !== undefined) return /[^\w.:[\]-]/.test(refused) ? line : `${line}; to allow: ${allow(refused)}`
  if (line !== UNROUTED) return line
  const hosts = hostsWanted(facts)
  const which = hosts.length === 0 ? 'use the network' : `reach ${hosts.join(' and ')}`
  const remedy = hosts.length === 0 ? `to allow a host: ${allow('NAME')}` : `to allow: ${allow(hosts.join(' '))}`
  return `network: the profile "${profile}" has none, and the command tried to ${which}; ${remedy}`
}

/**
 * Completes evidence lines about the network with the command that would allow the host. A command that succeeded and names no host is not
 * told of attempts that came to nothing: some programs only look for updates.
 */
export function withRemedies(
  evidence: readonly string[],
  { facts, profile }: { readonly facts: Facts; readonly profile: Profile },
  succeeded: boolean,
): readonly string[] {
  const isIdle = succeeded && hostsWanted(facts).length === 0
  const told = evidence.filter((line) => !(isIdle && line === UNROUTED))
  return told.map((line) => withRemedy(line, facts, profile.name))
}
