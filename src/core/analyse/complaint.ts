import type { Arg } from './programs/knowledge.js'
import { isTelling } from './repeating.js'
import type { State } from './state.js'
import { unknown } from './value.js'

/** Notes that an error message repeats words of the command, where something collects such messages: `$(ls /x 2>&1)`. */
export function noteComplaint(state: State, args: readonly Arg[]): void {
  const sink = state.descriptors.get(2)?.sink
  if (sink && args.some(({ text, head }) => isTelling(text ?? head))) sink.write(unknown('made', 'an error message'))
}
