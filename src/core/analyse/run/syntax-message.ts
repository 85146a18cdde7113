import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { isSensitive } from '../values/repeating-text.js'
import { unknown } from '../values/value.js'

/** Marks collected error messages as unknown, because they repeat words of the command: `$(ls /x 2>&1)`. */
export function noteSyntaxError(state: State, args: readonly Arg[]): void {
  const sink = state.descriptors.get(2)?.sink
  if (sink && args.some(({ text, prefix }) => isSensitive(text ?? prefix)))
    sink.write(unknown('made', 'an error message'))
}
