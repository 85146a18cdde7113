import { anyOf, isMany, many, memberOf } from './many-elements.js'
import type { Arg } from './programs/knowledge.js'
import type { State } from './state.js'
import { unknown, type Value } from './value.js'

/** Arguments of which nothing is known, not even their number. */
export const ANY_ARGUMENTS: readonly Value[] = [many(unknown('input', 'arguments that are not known'))]

/** Makes these the positional parameters. */
export function givePositional(state: State, args: readonly Arg[]): void {
  state.positional = args.map(memberOf)
}

/** Takes the first ones away; null: nobody knows how many. */
export function dropPositional(state: State, count: number | null): void {
  const { positional } = state
  const isKnown = count !== null && !positional.slice(0, count).some(isMany)
  state.positional = isKnown ? positional.slice(count) : positional.map((value) => many(anyOf([value])))
}
