import { relaxations } from '../../core/decide/authoring/relaxations.js'
import type { CordonError } from '../../core/model/basics/errors.js'
import type { AgentSettings } from '../../core/model/policy/settings.js'
import type { Binding, Layer } from './layers.js'
import { settingsError } from './parse-settings.js'
import type { Resolver } from './resolve-profile.js'

/** Merged content of the lower layers. */
export interface Below {
  readonly defaultProfile: string
  readonly allowedProfiles: readonly string[] | null
  readonly agents: ReadonlyMap<string, AgentSettings>
}

/** A layer that can only tighten what the layers below it say. */
interface Bound {
  readonly layer: Layer
  readonly binding: Binding
  readonly below: Below
  readonly resolver: Resolver
}

function looser(path: readonly string[], what: string, { layer, binding }: Bound): CordonError {
  return settingsError(layer.file, layer.text, path, `${binding.rule}: ${what}. ${binding.fix}`)
}

/** Throws if a chosen profile is looser than the one it replaces. */
function checkChoice(path: readonly string[], chosen: string, instead: string, bound: Bound): void {
  const { layer, resolver } = bound
  const from = resolver.before(layer, instead)
  const to = resolver.upTo(layer, chosen)
  if (!to) {
    const names = resolver.names().join(', ')
    throw settingsError(layer.file, layer.text, path, `there is no profile "${chosen}". There are ${names}.`)
  }
  const first = from ? relaxations(from, to)[0] : undefined
  if (first)
    throw looser(
      path,
      `the profile "${chosen}" is looser than "${instead}" in \`${first.key.join('.')}\`: ${first.why}`,
      bound,
    )
}

function checkAgent(name: string, agent: AgentSettings, bound: Bound): void {
  const { below } = bound
  const path = ['agents', name]
  const before = below.agents.get(name)
  if (!before && below.agents.size > 0) {
    const served = [...below.agents.keys()].join(', ')
    throw looser(path, `it adds the agent "${name}", and the settings serve only ${served}`, bound)
  }
  if (agent.profile !== undefined)
    checkChoice([...path, 'profile'], agent.profile, before?.profile ?? below.defaultProfile, bound)
  const extra = before?.programs && agent.programs?.find((program) => !before.programs?.includes(program))
  if (extra !== undefined)
    throw looser([...path, 'programs'], `it adds the program "${extra}" to the agent "${name}"`, bound)
}

/** Refuses a bound layer that loosens anything. Nothing of it is ignored in silence. */
export function checkBound(bound: Bound): void {
  const { layer, below, resolver } = bound
  if (layer.audit !== null && layer.level === 'project')
    throw looser(['audit'], 'it sets the path of the audit log', bound)
  const allow = layer.permissions.allow?.[0]
  if (allow !== undefined) throw looser(['permissions', 'allow'], `it allows \`${allow}\``, bound)
  const extra = below.allowedProfiles && layer.allowedProfiles?.find((name) => !below.allowedProfiles?.includes(name))
  if (extra !== undefined && extra !== null)
    throw looser(['allowed_profiles'], `it adds "${extra}" to \`allowed_profiles\``, bound)
  for (const [name, { extends: base }] of layer.profiles) {
    resolver.resolve(name)
    if (base !== undefined && below.allowedProfiles?.includes(base) === false && !layer.profiles.has(base))
      throw looser(
        ['profiles', name, 'extends'],
        `it extends "${base}", which \`allowed_profiles\` does not list`,
        bound,
      )
  }
  if (layer.profile !== null) checkChoice(['profile'], layer.profile, below.defaultProfile, bound)
  for (const [name, agent] of layer.agents) checkAgent(name, agent, bound)
}
