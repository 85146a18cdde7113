import type { Span } from '../../model/basics/span.js'
import type { State } from '../state/state.js'
import type { Value } from '../values/value.js'

/** The action of a `trap` and the shell that sets it. */
export interface Trap {
  readonly text: Value
  readonly span: Span
  readonly state: State
}

/** The traps of the script. They run again when the script ends. */
export class Traps {
  readonly list: Trap[] = []
  /** True once a trap is set that changes the shell when it receives a signal. */
  hasSignalTrap = false
}
