import type { Ending } from '../../core/model/ending.js'
import type { Securing } from '../../core/model/plan.js'
import { signalNumber } from '../../core/model/signals.js'

/** Does this ending take the changes back? A timeout, a cancel, a limit and a command that never started always do. */
export function takesBack(ending: Ending, { rollbackCodes }: Pick<Securing, 'rollbackCodes'>): boolean {
  if (ending.how === 'refused') return true
  if (ending.how === 'killed' && ending.by !== 'itself') return true
  const status = ending.how === 'exited' ? ending.status : 128 + signalNumber(ending.signal)
  return rollbackCodes === null ? status >= 2 : rollbackCodes.includes(status)
}
