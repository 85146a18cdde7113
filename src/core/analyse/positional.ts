import { isMany, many } from './many-elements.js'
import type { Arg } from './programs/knowledge.js'
import type { State } from './state.js'
import { argValue, type Hole, unknown, type Value } from './value.js'

/** What is known of arguments whose number is not: their values, one for each word, and how many come before the first that may be several. */
export interface Loose {
  readonly values: readonly Value[]
  readonly firm: number
}

/** Makes these the positional parameters. */
export function givePositional(state: State, args: readonly Arg[]): void {
  const firm = args.findIndex((arg) => arg.several)
  const values = args.map(argValue)
  state.positional = firm < 0 ? values : null
  state.loose = firm < 0 ? null : { values, firm }
}

/** Takes the first ones away. */
export function dropPositional(state: State, count: number): void {
  if (state.positional !== null) state.positional = state.positional.slice(count)
  else if (state.loose !== null)
    state.loose =
      count <= state.loose.firm
        ? { values: state.loose.values.slice(count), firm: state.loose.firm - count }
        : { values: mayLack(state.loose.values.slice(state.loose.firm), count - state.loose.firm), firm: 0 }
}

/** Values of which so many may be gone: those that may be several may have been none. */
function mayLack(values: readonly Value[], count: number): readonly Value[] {
  let left = count
  return values.map((value) => (isMany(value) || typeof value === 'object' || left-- <= 0 ? value : many(value)))
}

/** So many of them are taken away that is not known. */
export function forgetPositional(state: State): void {
  const values = state.positional ?? state.loose?.values ?? []
  state.positional = null
  state.loose = { values, firm: 0 }
}

const NOT_KNOWN = unknown('input', 'an argument that is not known')

/** One of them by its number, where their number is not known. */
export function looseAt({ loose }: State, index: number): Value {
  if (loose === null) return NOT_KNOWN
  return (index < loose.firm ? loose.values[index] : undefined) ?? anyOf(loose.values.slice(loose.firm))
}

/** The last one, where their number is not known. */
export function lastLoose({ loose }: State): Value {
  const last = loose?.values.at(-1)
  return typeof last === 'string' ? last : anyOf(loose?.values ?? [])
}

/** It may be any of those that are known. */
function anyOf(values: readonly Value[]): Hole {
  const options = values.flatMap((value) => (typeof value === 'string' ? [value] : (value.options ?? [])))
  return options.length === 0 ? NOT_KNOWN : { ...NOT_KNOWN, options }
}
