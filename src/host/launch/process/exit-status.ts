import { constants } from 'node:os'
import type { Ending } from '../../../core/model/run/ending.js'

/** Signal names by number. Of several names the first is the usual one: SIGABRT, not SIGIOT. */
const BY_NUMBER = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/**
 * Converts an exit status to an ending. A shell and bubblewrap report 128 + n for death by signal n, which looks like
 * an exit with that number. Both launchers treat it as the signal.
 */
export function endingOf(status: number): Ending {
  const signal = status > 128 ? BY_NUMBER.get(status - 128) : undefined
  return signal === undefined ? { how: 'exited', status } : { how: 'killed', signal, by: 'itself' }
}
