import { allowBeside, allowHosts } from '../model/allow-command.js'
import type { Facts, Invocation } from '../model/facts.js'
import { isLoopbackHost } from '../model/loopback.js'
import { UNROUTED } from '../model/network-sets.js'
import { isInside } from '../model/path.js'
import type { Profile } from '../model/profile.js'
import type { Surroundings } from '../model/surroundings.js'

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
const READ_ONLY = /^write: (.+) read-only$/
const HIDDEN = /^read: .+ hidden$/
const MASKED = /^exec: .+ masked$/

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

type Around = Pick<Surroundings, 'roots' | 'reviewed'>

/** The setting that makes a place read-only, or the command that makes it writable. */
function writable(path: string, { name, paths, transaction }: Profile, { roots, reviewed = [] }: Around): string {
  if (!paths.write) return `; set by paths.write of the profile "${name}"`
  if (reviewed.includes(path)) {
    return transaction.mode === 'off'
      ? `; a transaction makes it writable, and transaction.mode of the profile "${name}" is "off"`
      : '; an overlay transaction makes it writable, and this command ran without one'
  }
  if (roots.some((root) => root !== '/' && isInside(path, root)))
    return `; in paths.protected, or by a link outside paths.writable, of the profile "${name}"`
  const command = allowBeside(path, name)
  return command === null ? `; outside paths.writable of the profile "${name}"` : `; to allow: ${command}`
}

function networkRemedy(line: string, facts: Facts, profile: string): string {
  const allow = (hosts: string): string => allowHosts(hosts, profile)
  const refused = REFUSED.exec(line)?.[1]
  if (refused !== undefined) return /[^\w.:[\]-]/.test(refused) ? line : `${line}; to allow: ${allow(refused)}`
  if (line !== UNROUTED) return line
  const hosts = hostsWanted(facts)
  const which = hosts.length === 0 ? 'use the network' : `reach ${hosts.join(' and ')}`
  const remedy = hosts.length === 0 ? `to allow a host: ${allow('NAME')}` : `to allow: ${allow(hosts.join(' '))}`
  return `network: the profile "${profile}" has none, and the command tried to ${which}; ${remedy}`
}

interface Context {
  readonly facts: Facts
  readonly profile: Profile
  readonly surroundings: Around
}

function withRemedy(line: string, { facts, profile, surroundings }: Context): string {
  const closed = READ_ONLY.exec(line)?.[1]
  if (closed !== undefined) return `${line}${writable(closed, profile, surroundings)}`
  if (HIDDEN.test(line)) return `${line}; set by paths.hidden of the profile "${profile.name}"`
  if (MASKED.test(line)) return `${line}; denied by a rule of the profile "${profile.name}"`
  return networkRemedy(line, facts, profile.name)
}

/**
 * Completes evidence lines with the command or the setting that would allow what was stopped. A command that succeeded and names no host is
 * not told of attempts to use a network that came to nothing: some programs only look for updates.
 */
export function withRemedies(evidence: readonly string[], context: Context, succeeded: boolean): readonly string[] {
  const isIdle = succeeded && hostsWanted(context.facts).length === 0
  return evidence.filter((line) => !(isIdle && line === UNROUTED)).map((line) => withRemedy(line, context))
}
