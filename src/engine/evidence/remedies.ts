import { liftsDenial } from '../../core/decide/denials/masked-programs.js'
import { isLoopbackHost } from '../../core/model/basics/loopback.js'
import { isInside } from '../../core/model/basics/path.js'
import {
  allowBeside,
  allowHosts,
  allowRead,
  BY_HAND,
  configuredIn,
  inSettings,
  OWN_RECORDS,
} from '../../core/model/policy/allow-command.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { allowsChanges } from '../../core/model/policy/tool-settings.js'
import { type Evidence, evidenceLine } from '../../core/model/run/evidence.js'
import type { Facts, Invocation } from '../../core/model/run/facts.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import { maskSecrets } from '../../core/present/mask.js'

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
/** npm's global directories for all users. */
const GLOBAL_PACKAGES = /^\/(?:usr|opt)\/(?:.*\/)?lib\/node_modules(?:\/|$)/
const PLAIN_HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

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

interface Context {
  readonly facts: Facts
  readonly profile: Profile
  readonly surroundings: Pick<HostContext, 'roots' | 'reviewed' | 'reviewedSettings' | 'registries' | 'state'>
}

type Kind = Evidence['kind']
type Of<K extends Kind> = Extract<Evidence, { kind: K }>

const orByHand = (command: string | null): string => (command === null ? BY_HAND : `to allow: ${command}`)

const isOwnRecord = (path: string, { state }: Context['surroundings']): boolean =>
  state !== undefined && isInside(path, state)

/** Says what makes a path writable. */
function writable({ path, real = path }: Of<'read-only'>, { profile, surroundings }: Context): string {
  const { name, paths, transaction } = profile
  if (surroundings.reviewed?.includes(path)) {
    return transaction.mode === 'off'
      ? `a transaction makes it writable, and transaction.mode of the profile "${name}" is "off"`
      : 'an overlay transaction makes it writable, and this command ran without one'
  }
  const isInRoot = surroundings.roots.some((root) => root !== '/' && isInside(real, root))
  if (!paths.write && isInRoot) return `the profile "${name}" only reads; to write: run it with --profile workspace`
  if (isInRoot) return inSettings('leave the path out of `paths.protected`', name)
  if (GLOBAL_PACKAGES.test(real)) return 'to install for commands only: `npm install -g --prefix ~/.npm-global NAME`'
  return orByHand(allowBeside(real, name))
}

function network({ facts, profile: { name } }: Context): string {
  const hosts = hostsWanted(facts)
  return hosts.length === 0
    ? `to allow a host: ${allowHosts('NAME', name)}`
    : `to allow: ${allowHosts(hosts.join(' '), name)}`
}

/** The remedy for each kind of evidence, or the reason there is none. */
const REMEDIES: { readonly [K in Kind]: (evidence: Of<K>, context: Context) => string } = {
  host: (evidence, { profile, surroundings: { registries } }) => {
    if (evidence.outcome === 'failed') return 'the profile allows it, and it did not answer'
    const name = evidenceLine(evidence).slice('network: '.length, -' refused'.length)
    const own = configuredIn(evidence.host, evidence.port, registries).trim()
    if (/[^\w.:[\]-]/.test(name)) return `such a name cannot be listed. ${BY_HAND}`
    const command = `to allow: ${allowHosts(name, profile.name)}`
    return own === '' ? command : `${own.replace(/^Y/, 'y').slice(0, -1)}; ${command}`
  },
  'no-network': (_, context) => network(context),
  'read-only': writable,
  'no-transaction': (_, { profile }) =>
    `to run it in a transaction instead: set \`transaction.mode = "always"\` in the profile "${profile.name}"`,
  hidden: ({ path, file = path }, { profile, surroundings }) =>
    isOwnRecord(file, surroundings) ? OWN_RECORDS : orByHand(allowRead(file, profile.name)),
  unshared: ({ path }, { profile, surroundings }) =>
    isOwnRecord(path, surroundings) ? OWN_RECORDS : orByHand(allowRead(path, profile.name)),
  masked: ({ program }, { profile }) => liftsDenial(program, profile).replace(/^cordon /, 'to allow: cordon '),
  protected: ({ path }, { profile, surroundings: { reviewedSettings, roots } }) => {
    const place = reviewedSettings?.find((one) => isInside(path, one) || isInside(one, path))
    const root = roots.find((one) => place !== undefined && isInside(place, one))
    const pattern = place === undefined || root === undefined ? undefined : place.slice(root.length + 1)
    return inSettings(
      pattern === undefined ? 'leave the path out of `paths.protected`' : allowsChanges(pattern),
      profile.name,
    )
  },
  'host-service': () => BY_HAND,
  'system-packages': () => BY_HAND,
  'host-socket': () => 'it was there for a moment only; close it on the host if no command may connect to it',
  git: () => BY_HAND,
  unapproved: ({ paths: [path = ''] }, { profile }) => orByHand(allowBeside(path, profile.name)),
  'left-running': () => 'a process ends with the command that started it; use it in the same command',
  'home-size': () => 'delete files there, or run `cordon home reset`',
}

function inWords(evidence: Evidence, context: Context): string {
  const remedy = (REMEDIES[evidence.kind] as (evidence: Evidence, context: Context) => string)(evidence, context)
  // The arguments of a process may hold a password.
  if (evidence.kind === 'left-running') return `${maskSecrets(evidenceLine(evidence))}; ${remedy}`
  if (evidence.kind !== 'no-network') return `${evidenceLine(evidence)}${/^[A-Z]/.test(remedy) ? '. ' : '; '}${remedy}`
  const hosts = hostsWanted(context.facts)
  const which = hosts.length === 0 ? 'use the network' : `reach ${hosts.join(' and ')}`
  return `network: the profile "${context.profile.name}" has none, and the command tried to ${which}; ${remedy}`
}

/** Matches short timers and services that tools restart by themselves: ending them needs no report. */
const UNMISSED =
  /^(?:sleep [\d.]{1,2}$|(?:\/\S*\/)?(?:gpg-agent|dirmngr|keyboxd|scdaemon|dbus-daemon|dbus-launch|sccache|watchman)\b|.*\bmultiprocessing\.(?:resource_tracker|forkserver) import|.*\bGradleDaemon\b|git (?:gc --auto|maintenance run|fsmonitor--daemon)|\S*esbuild --service)/

const isUnmissed = (one: Evidence): boolean =>
  one.kind === 'left-running' && one.more === 0 && one.processes.every(({ command }) => UNMISSED.test(command))

/**
 * Returns a line for each piece of evidence, with its remedy. Failed network attempts of a command that succeeded and
 * names no host are left out: some programs only look for updates.
 */
export function evidenceLines(evidence: readonly Evidence[], context: Context, succeeded: boolean): readonly string[] {
  const isIdle = succeeded && hostsWanted(context.facts).length === 0
  const needsSystem = evidence.some(({ kind }) => kind === 'system-packages')
  const reported = evidence.filter((one) => !((isIdle || needsSystem) && one.kind === 'no-network') && !isUnmissed(one))
  return [...new Set(reported.map((one) => inWords(one, context)))]
}
