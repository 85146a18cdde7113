import { join } from 'node:path'
import type { Profile } from './core/model/policy/profile.js'
import { type CordonOptions, decidingPorts, type Places, placesOf } from './deciding.js'
import type { DecidingPorts, Profiles } from './engine/ports/ports.js'
import { openPasses, type Passes } from './host/agents/passes.js'
import { projectOf } from './host/agents/project.js'
import { PrivateHomes } from './host/private-home/private-homes.js'
import { openStateKey } from './host/state-key/state-key.js'

/** The parts of the host for commands of an agent: of its hook and of its shell, which must plan alike. */
export interface AgentPorts extends Omit<DecidingPorts, 'launchers'> {
  readonly places: Places
  readonly homes: PrivateHomes
  readonly passes: Passes
  /** The agent's session, or null if the agent does not name it. */
  readonly session: string | null
}

export function agentPorts(cwd: string, options: CordonOptions = {}): AgentPorts {
  const env = options.env ?? process.env
  const { home } = placesOf({ ...options, workspace: cwd })
  const places = placesOf({ ...options, workspace: projectOf(cwd, { home, env }) })
  const homes = new PrivateHomes({ state: places.state, env, now: Date.now })
  const ports = decidingPorts({ ...options, caller: 'hook' }, places, homes)
  return {
    ...ports,
    profiles: withoutTimeouts(ports.profiles),
    places,
    homes,
    passes: openPasses(join(places.state, 'passes'), openStateKey(places.state), Date.now),
    session: env.CLAUDE_CODE_SESSION_ID ?? null,
  }
}

/** The built-in profiles' timeout of a command that names none. */
const DEFAULT_TIMEOUT_MS = 120_000

/**
 * Agents end their commands, or put them into the background, themselves. A profile that says something else is
 * obeyed.
 */
const withoutTimeouts = (profiles: Profiles): Profiles => ({
  list: () => profiles.list(),
  profileFor: (agent, name) => withoutTimeout(profiles.profileFor(agent, name)),
})

function withoutTimeout(profile: Profile): Profile {
  const { timeouts } = profile
  if (timeouts.shellMs !== DEFAULT_TIMEOUT_MS) return profile
  return { ...profile, timeouts: { ...timeouts, noneAllowed: true } }
}
