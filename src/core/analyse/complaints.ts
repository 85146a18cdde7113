import type { Arg } from './programs/knowledge.js'
import type { State } from './state.js'
import { hole } from './value.js'

/** What makes a message that repeats an argument more than one command to a shell. */
const BREAKING = /[\n;&|$`(<>]/
/** Never complain of their arguments. */
const SILENT = new Set(['echo', 'printf', ':', 'true', 'false', 'eval', 'command', 'builtin', '[', 'test'])

/**
 * Messages of error go where the second descriptor goes. They repeat the words of the script, so a shell that runs them runs what the
 * script says.
 */
export function noteComplaints(state: State, args: readonly Arg[], isProgram: boolean): void {
  const sink = state.descriptors.get(2)?.sink
  if (!sink || SILENT.has(args[0]?.text ?? '')) return
  const isShared = sink === state.descriptors.get(1)?.sink
  const isBreaking = args.some((arg) => arg.text === null || BREAKING.test(arg.text))
  // What a program prints to both is not known anyway, unless it is a plain filter, which does not complain.
  if (isShared ? !isProgram && isBreaking : isProgram || isBreaking)
    sink.write(hole(`what ${args[0]?.text ?? 'a program'} complains of`, 'decoded'))
}
