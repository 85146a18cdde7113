import { analyse } from '../../core/analyse/analyse.js'
import type { ReadExample } from '../../core/decide/authoring/check-examples.js'
import { relaxations } from '../../core/decide/authoring/relaxations.js'
import { CordonError } from '../../core/model/basics/errors.js'
import { nearest } from '../../core/model/basics/nearest.js'
import type { Profile } from '../../core/model/policy/profile.js'
import type { ProfileSettings } from '../../core/model/policy/profile-settings.js'
import type { AgentSettings } from '../../core/model/policy/settings.js'
import { noAnswers } from '../../core/model/run/facts.js'
import type { Profiles } from '../../engine/ports/ports.js'
import { type Below, checkBound } from './check-bound.js'
import { bindingOf, INLINE, type Layer, loadLayers, type SettingsPlaces } from './layers.js'
import { settingsError } from './parse-settings.js'
import { createResolver, type Resolver } from './resolve-profile.js'

export interface LoadProfilesOptions extends SettingsPlaces {
  /** Directory of the built-in profiles. */
  readonly builtinDir: string
  /** Profile of requests that name none; overrides the settings. */
  readonly defaultProfile?: string | undefined
}

const EXAMPLE_CONTEXT = { cwd: '/workspace', home: '/home/user', env: [] }
const readExample: ReadExample = (command) => analyse(command, EXAMPLE_CONTEXT, noAnswers()).facts

/** The settings as a whole, once they were read and found consistent. */
interface Loaded extends Below {
  readonly resolver: Resolver
}

function agentsOf(layers: readonly Layer[]): ReadonlyMap<string, AgentSettings> {
  const agents = new Map<string, AgentSettings>()
  for (const layer of layers)
    for (const [name, agent] of layer.agents) agents.set(name, { ...agents.get(name), ...agent })
  return agents
}

function allowedBy(layers: readonly Layer[]): readonly string[] | null {
  const lists = layers.flatMap(({ allowedProfiles }) => (allowedProfiles ? [allowedProfiles] : []))
  const [first, ...rest] = lists
  return first ? first.filter((name) => rest.every((list) => list.includes(name))) : null
}

const summed = (layers: readonly Layer[]): Below => ({
  defaultProfile: layers.findLast(({ profile }) => profile !== null)?.profile ?? 'workspace',
  allowedProfiles: allowedBy(layers),
  agents: agentsOf(layers),
})

/** Resolves every defined or named profile at once, so that the author of a mistake sees it. */
function checkNames(layers: readonly Layer[], resolver: Resolver): void {
  for (const { file, text, profile, profiles, agents } of layers) {
    for (const name of profiles.keys()) resolver.resolve(name)
    const named = [
      [['profile'], profile],
      ...[...agents].map(([agent, { profile: one }]) => [['agents', agent, 'profile'], one] as const),
    ] as const
    for (const [path, name] of named) {
      if (name && !resolver.resolve(name)) {
        throw settingsError(
          file,
          text,
          path,
          `there is no profile "${name}". There are ${resolver.names().join(', ')}.`,
        )
      }
    }
  }
}

function load(options: LoadProfilesOptions): Loaded {
  const layers = loadLayers(options)
  const resolver = createResolver(layers, options.builtinDir, readExample)
  checkNames(layers, resolver)
  for (const [index, layer] of layers.entries()) {
    const binding = bindingOf(layer, layers)
    if (binding !== null) checkBound({ layer, binding, below: summed(layers.slice(0, index)), resolver })
  }
  return { ...withInline(summed(layers), options.code?.profile), resolver }
}

/** Lets a profile that is given in code be used where the one it extends may be. */
function withInline(below: Below, profile: ProfileSettings | undefined): Below {
  const { allowedProfiles } = below
  if (profile === undefined || !allowedProfiles?.includes(profile.extends ?? 'workspace')) return below
  return { ...below, allowedProfiles: [...allowedProfiles, INLINE] }
}

function named(name: string, { resolver, allowedProfiles }: Loaded): Profile {
  const profile = resolver.resolve(name)
  if (!profile) {
    const meant = nearest(name, resolver.names())
    const hint = meant ? `Did you mean "${meant}"? ` : ''
    throw new CordonError(
      'NOT_FOUND',
      `There is no profile "${name}". ${hint}There are ${resolver.names().join(', ')}.`,
    )
  }
  if (allowedProfiles && !allowedProfiles.includes(name)) {
    const which = allowedProfiles.length > 0 ? `only ${allowedProfiles.join(', ')}` : 'none'
    throw new CordonError(
      'POLICY_DENIED',
      `The profile "${name}" may not be used: the settings allow ${which} (\`allowed_profiles\`).`,
    )
  }
  return profile
}

function settingsOf(agent: string, { agents }: Loaded): AgentSettings {
  const found = agents.get(agent)
  if (found || agents.size === 0) return found ?? {}
  throw new CordonError(
    'NOT_FOUND',
    `There is no agent "${agent}" in the settings. There are ${[...agents.keys()].join(', ')}.`,
  )
}

/** Returns the profile of an agent. Another profile is accepted only if it is at least as strict. */
function forAgent(agent: string, name: string | null, fallback: string, loaded: Loaded): Profile {
  const settings = settingsOf(agent, loaded)
  const own = named(settings.profile ?? fallback, loaded)
  const asked = name === null || name === own.name ? own : named(name, loaded)
  const looser = settings.profile === undefined || asked.name === own.name ? undefined : relaxations(own, asked)[0]
  if (looser) {
    throw new CordonError(
      'POLICY_DENIED',
      `The agent "${agent}" has the profile "${own.name}", and "${asked.name}" is looser in \`${looser.key.join('.')}\`: ${looser.why}. Name a stricter one, or change [agents.${agent}] in the settings.`,
    )
  }
  return settings.programs ? { ...asked, agentPrograms: settings.programs } : asked
}

/**
 * Loads the profiles: built-in files, then `cordon.toml` of the system, the user and the project. Reads no file before
 * the first call. Equal calls return the same object.
 */
export function loadProfiles(options: LoadProfilesOptions): Profiles {
  const once: { loaded?: Loaded } = {}
  const loaded = (): Loaded => {
    once.loaded ??= load(options)
    return once.loaded
  }
  const given = new Map<string, Profile>()
  const find = (agent: string | null, name: string | null): Profile => {
    const fallback = options.defaultProfile ?? loaded().defaultProfile
    return agent === null ? named(name ?? fallback, loaded()) : forAgent(agent, name, fallback, loaded())
  }
  return {
    profileFor(agent, name) {
      const key = JSON.stringify([agent, name])
      const profile = given.get(key) ?? find(agent, name)
      given.set(key, profile)
      return profile
    },
    list() {
      const { resolver } = loaded()
      return resolver.names().map((name) => ({
        name,
        summary: resolver.resolve(name)?.summary ?? '',
        source: resolver.sourceOf(name),
      }))
    },
  }
}
