import * as z from 'zod'
import { Verdict } from './decision.js'
import type { Network } from './plan.js'

/** Hosts that package managers and git download from, by the name a profile gives in `network.sets`. */
export const NETWORK_SETS = {
  npm: ['registry.npmjs.org:443', 'registry.yarnpkg.com:443', 'nodejs.org:443'],
  pypi: ['pypi.org:443', 'files.pythonhosted.org:443'],
  crates: ['crates.io:443', 'index.crates.io:443', 'static.crates.io:443', 'static.rust-lang.org:443'],
  go: ['proxy.golang.org:443', 'sum.golang.org:443'],
  debian: [
    ...['deb.debian.org', 'security.debian.org', 'archive.ubuntu.com', 'security.ubuntu.com', 'ports.ubuntu.com'],
  ].flatMap((host) => [`${host}:80`, `${host}:443`]),
  maven: [
    ...[
      'repo.maven.apache.org:443',
      'repo1.maven.org:443',
      'plugins.gradle.org:443',
      'plugins-artifacts.gradle.org:443',
    ],
    ...['services.gradle.org:443', 'downloads.gradle.org:443'],
  ],
  rubygems: ['rubygems.org:443', 'index.rubygems.org:443'],
  github: [
    ...['github.com:443', 'github.com:22', 'api.github.com:443', 'codeload.github.com:443', 'gist.github.com:443'],
    ...['*.githubusercontent.com:443', 'ssh.github.com:443'],
  ],
  gitlab: ['gitlab.com:443', 'gitlab.com:22', 'registry.gitlab.com:443'],
} as const satisfies Record<string, readonly string[]>

export type NetworkSet = keyof typeof NETWORK_SETS
const NAMES = Object.keys(NETWORK_SETS) as [NetworkSet, ...NetworkSet[]]
export const NetworkSet = z.enum(NAMES)

/** Network policy of a profile. `sets`: named lists of hosts. `unlisted`: the verdict on other hosts. */
export const ProfileNetwork = z.union([
  z.literal('none'),
  z.literal('full'),
  z.strictObject({
    hosts: z.array(z.string()).readonly(),
    sets: z.array(NetworkSet).readonly().optional(),
    unlisted: Verdict.exclude(['allow']).optional(),
  }),
])
export type ProfileNetwork = z.infer<typeof ProfileNetwork>

/** Returns every host entry of a profile's network, those of its sets included. Empty for "none" and "full". */
export const hostsOf = (network: ProfileNetwork): readonly string[] =>
  typeof network === 'string' ? [] : [...network.hosts, ...(network.sets ?? []).flatMap((set) => NETWORK_SETS[set])]

/** Returns the verdict on a host that the profile does not list. */
export const unlistedVerdict = (network: ProfileNetwork): 'ask' | 'deny' =>
  typeof network === 'string' ? 'deny' : (network.unlisted ?? 'deny')

/** Returns the network of a plan. `approved`: hosts that a person approves along with the plan. */
export function plannedNetwork(network: ProfileNetwork, approved: readonly string[] = []): Network {
  if (network === 'full') return 'full'
  const hosts = [...new Set([...hostsOf(network), ...approved])]
  return network === 'none' && hosts.length === 0 ? 'none' : { hosts }
}
