import { signalNumber } from '../../../core/model/basics/signals.js'
import type { Securing } from '../../../core/model/policy/plan.js'
import type { Ending } from '../../../core/model/run/ending.js'

/**
 * Reports whether an ending rolls changes back: never if the profile keeps changes; otherwise after a timeout, a
 * cancel, a limit or an exit code that counts as a failure.
 */
export function rollsBack(
  ending: Ending,
  { onFailure, rollbackCodes }: Pick<Securing, 'onFailure' | 'rollbackCodes'>,
): boolean {
  if (ending.how === 'refused') return true
  if (onFailure === 'keep') return false
  if (ending.how === 'killed' && ending.by !== 'itself') return true
  const status = ending.how === 'exited' ? ending.status : 128 + signalNumber(ending.signal)
  return rollbackCodes === null ? status >= 2 : rollbackCodes.includes(status)
}
