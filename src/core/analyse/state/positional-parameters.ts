import type { Arg } from '../programs/grammar/roles.js'
import { anyOf, isUncounted, memberOf, uncounted } from '../values/uncounted-elements.js'
import { unknown, type Value } from '../values/value.js'
import type { State } from './state.js'

/** Positional parameters of unknown number and value. */
export const ANY_ARGUMENTS: readonly Value[] = [uncounted(unknown('input', 'unknown arguments'))]

export function setPositional(state: State, args: readonly Arg[], scriptName = state.arguments.scriptName): void {
  state.arguments = { positional: args.map(memberOf), scriptName }
}

/** Removes the first positional parameters. Null stands for an unknown number. */
export function dropPositional(state: State, count: number | null): void {
  const { positional } = state.arguments
  const isKnown = count !== null && !positional.slice(0, count).some(isUncounted)
  const rest = isKnown ? positional.slice(count) : positional.map((value) => uncounted(anyOf([value])))
  state.arguments = { ...state.arguments, positional: rest }
}
