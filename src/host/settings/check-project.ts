import { loosenings } from '../../core/decide/loosenings.js'
import type { CordonError } from '../../core/model/errors.js'
import type { AgentSettings } from '../../core/model/settings.js'
import type { Layer } from './layers.js'
import { settingsError } from './parse-settings.js'
import type { Resolver } from './resolve-profile.js'

/** What the layers below the project's say. */
export interface Below {
  readonly defaultProfile: string
  readonly allowedProfiles: readonly string[] | null
  readonly agents: ReadonlyMap<string, AgentSettings>
}

const FIX = 'Remove it, or set it in your own settings.'

function looser(path: readonly string[], what: string, { file, text }: Layer): CordonError {
  return settingsError(file, text, path, `a project can only tighten: ${what}. ${FIX}`)
}

/** Naming a profile that lets more through than the one it takes the place of. */
function checkChoice(
  path: readonly string[],
  chosen: string,
  instead: string,
  project: Layer,
  resolver: Resolver,
): void {
  const from = resolver.beforeProject(instead)
  const to = resolver.resolve(chosen)
  if (!to) {
    const names = resolver.names().join(', ')
    throw settingsError(project.file, project.text, path, `there is no profile "${chosen}". There are ${names}.`)
  }
  const first = from ? loosenings(from, to)[0] : undefined
  if (first) {
    throw looser(
      path,
      `the profile "${chosen}" is looser than "${instead}" in \`${first.key.join('.')}\`: ${first.why}`,
      project,
    )
  }
}

function checkAgent(name: string, agent: AgentSettings, project: Layer, below: Below, resolver: Resolver): void {
  const path = ['agents', name]
  const before = below.agents.get(name)
  if (!before && below.agents.size > 0) {
    throw looser(
      path,
      `it adds the agent "${name}", and your settings serve only ${[...below.agents.keys()].join(', ')}`,
      project,
    )
  }
  if (agent.profile !== undefined) {
    checkChoice([...path, 'profile'], agent.profile, before?.profile ?? below.defaultProfile, project, resolver)
  }
  const extra = before?.programs && agent.programs?.find((program) => !before.programs?.includes(program))
  if (extra !== undefined)
    throw looser([...path, 'programs'], `it adds the program "${extra}" to the agent "${name}"`, project)
}

/** Refuses a project's file that loosens anything. Nothing of it is ignored in silence. */
export function checkProject(project: Layer, below: Below, resolver: Resolver): void {
  const allow = project.permissions.allow?.[0]
  if (allow !== undefined) throw looser(['permissions', 'allow'], `it allows \`${allow}\``, project)
  const extra = below.allowedProfiles && project.allowedProfiles?.find((name) => !below.allowedProfiles?.includes(name))
  if (extra !== undefined && extra !== null)
    throw looser(['allowed_profiles'], `it adds "${extra}" to the profiles that may be named`, project)
  for (const name of project.profiles.keys()) resolver.resolve(name)
  if (project.profile !== null) checkChoice(['profile'], project.profile, below.defaultProfile, project, resolver)
  for (const [name, agent] of project.agents) checkAgent(name, agent, project, below, resolver)
}
