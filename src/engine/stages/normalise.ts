import { deniedPrograms } from '../../core/decide/denials/masked-programs.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { displayCommand } from '../../core/model/run/display.js'
import type { Request } from '../../core/model/run/request.js'
import { checkCommand, checkOptions } from '../../core/model/run/run-input.js'
import type { DecidingPorts } from '../ports/ports.js'
import type { AskedRequest, NormalisedRequest, ProfiledRequest, RawRequest, Reach } from './nouns.js'
import { tightenProfile } from './tighten-profile.js'

/**
 * Checks options and command, chooses the profile, and resolves the directory. Throws the typed error of the first
 * that is wrong; `reach` has been called with what was known until then.
 */
export function normalise(raw: RawRequest, asked: AskedRequest, ports: DecidingPorts, reach: Reach): NormalisedRequest {
  const options = checkOptions(raw.options)
  const checked = reach({ ...asked, command: checkCommand(raw.input), options })
  const chosen = ports.profiles.profileFor(asked.agent, options.profile ?? null)
  const profiled = reach({ ...checked, profile: tightenProfile(chosen, options, ports.mayLoosen === true) })
  const request = requestOf(profiled, ports.observer.directory(options.cwd ?? null, chosen))
  const { profile } = profiled
  const surroundings = ports.observer.surroundings(profile, deniedPrograms(profile), request.agent)
  return { ...profiled, request, surroundings }
}

function requestOf({ id, command, options, profile }: ProfiledRequest, cwd: string): Request {
  return {
    id,
    command,
    text: displayCommand(command),
    agent: options.agent ?? null,
    caller: options.caller ?? 'library',
    cwd,
    timeoutMs: timeoutFor(options.timeoutMs, command.mode, profile),
    stdin: options.stdin ?? null,
    hasLiveStdin: options.relay?.stdin !== undefined,
    env: Object.entries(options.env ?? {}),
  }
}

function timeoutFor(
  asked: number | 'none' | undefined,
  mode: Request['command']['mode'],
  { timeouts }: Profile,
): number | null {
  if (asked === 'none' && timeouts.noneAllowed) return null
  const wanted =
    asked === undefined || asked === 'none' ? (mode === 'shell' ? timeouts.shellMs : timeouts.structuredMs) : asked
  return Math.round(Math.min(Math.max(wanted, 1_000), timeouts.maxMs))
}
