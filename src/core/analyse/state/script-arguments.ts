import { oneOf } from '../values/one-of.js'
import { anyOf, isUncounted, uncounted } from '../values/uncounted-elements.js'
import type { Value } from '../values/value.js'

/** The arguments of a shell. Immutable: `set` and `shift` return others. */
export interface ScriptArguments {
  readonly positional: readonly Value[]
  /** `$0`. */
  readonly scriptName: Value
}

/** Joins the arguments after one of several branches, of which `main` is one. */
export function joinArguments(main: ScriptArguments, forks: readonly ScriptArguments[]): ScriptArguments {
  const isSame = forks.every(({ positional }) => positional === main.positional)
  return {
    positional: isSame ? main.positional : joinPositional(forks.map(({ positional }) => positional)),
    scriptName: forks.every(({ scriptName }) => scriptName === main.scriptName)
      ? main.scriptName
      : oneOf(forks.map(({ scriptName }) => scriptName)),
  }
}

/** Merges several argument lists. An argument that one list lacks may be absent. */
function joinPositional(lists: readonly (readonly Value[])[]): readonly Value[] {
  if (lists.some((list) => list.some(isUncounted)))
    return [...new Set(lists.flat())].map((value) => uncounted(anyOf([value])))
  const longest = lists.reduce((a, b) => (b.length > a.length ? b : a))
  return longest.map((_, i) => {
    const values = lists.map((list) => list[i])
    const value = oneOf(values.map((one) => one ?? ''))
    return values.includes(undefined) ? uncounted(value) : value
  })
}
