import type { Engine } from '../../../engine/api.js'
import type { SharedOptions } from './options.js'

/** The engine raises a shorter timeout to this. */
const SHORTEST_SECONDS = 1

/** Returns a line for stderr when the profile does not allow the timeout that was asked for; else an empty text. */
export function timeoutNote(
  { profiles }: Pick<Engine, 'profiles'>,
  { timeout, profile, agent }: SharedOptions,
): string {
  if (timeout === undefined) return ''
  const { name, timeouts } = profiles.get(profile ?? null, agent ?? null)
  const by = `by profile "${name}"`
  if (timeout === 'none')
    return timeouts.noneAllowed ? '' : `Timeout not switched off ${by}; set timeouts.none_allowed = true to allow it.\n`
  if (timeout < SHORTEST_SECONDS) return `Timeout raised to ${SHORTEST_SECONDS} s, the shortest there is.\n`
  const most = timeouts.maxMs / 1_000
  return timeout > most ? `Timeout limited to ${most} s ${by}; set timeouts.max_ms to allow more.\n` : ''
}
