import type { Ending } from '../../core/model/ending.js'
import type { Securing } from '../../core/model/plan.js'
import { signalNumber } from '../../core/model/signals.js'

/**
 * Tells whether the files are restored after this ending: never where the profile keeps changes. Else after a timeout, a cancel, a
 * limit, and an exit code that counts as a failure.
 */
export function takesBack(
  ending: Ending,
  { onFailure, rollbackCodes }: Pick<Securing, 'onFailure' | 'rollbackCodes'>,
): boolean {
  if (ending.how === 'refused') return true
  if (onFailure === 'keep') return false
  if (ending.how === 'killed' && ending.by !== 'itself') return true
  const status = ending.how === 'exited' ? ending.status : 128 + signalNumber(ending.signal)
  return rollbackCodes === null ? status >= 2 : rollbackCodes.includes(status)
}
