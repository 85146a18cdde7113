import { constants } from 'node:os'
import type { Ending } from '../../core/model/ending.js'

/** Of several names of one signal the first is the usual one: SIGABRT, not SIGIOT. */
const BY_NUMBER = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/**
 * The ending a status stands for. A shell, and bubblewrap's status report, say 128 + n for death by signal n, which cannot be told
 * from an exit with that number; both launchers read it as the signal, so that they agree.
 */
export function endingOf(status: number): Ending {
  const signal = status > 128 ? BY_NUMBER.get(status - 128) : undefined
  return signal === undefined ? { how: 'exited', status } : { how: 'killed', signal, by: 'itself' }
}
