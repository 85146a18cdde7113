import type { Arg } from '../programs/grammar/roles.js'
import { oneOf } from './one-of.js'
import { argValue, type UnknownValue, unknown, type Value } from './value.js'

/** Marks a value in a list (an array, the arguments) that stands for any number of elements. */
export const uncounted = (value: Value): UnknownValue => ({
  ...(typeof value === 'string'
    ? { ...unknown('condition', 'a value that depends on a condition'), alternatives: [value, ''] }
    : value),
  isUncounted: true,
})

export const isUncounted = (value: Value): boolean => typeof value === 'object' && value.isUncounted === true

/** Converts an argument to a list member. One that may split is uncounted. */
export const memberOf = (arg: Arg): Value => (arg.maySplit ? uncounted(argValue(arg)) : argValue(arg))

/** Returns one of several members, or none. */
export function anyOf(values: readonly Value[]): Value {
  const value = oneOf([...values, ''])
  if (typeof value === 'string') return value
  const { isUncounted: _, ...single }: UnknownValue = value
  return single
}

/** Returns the element with this key. After an uncounted element it can be any. Undefined if there is none. */
export function elementAt(items: ReadonlyMap<string, Value>, key: string): Value | undefined {
  const entries = [...items]
  const knownCount = entries.findIndex(([, value]) => isUncounted(value))
  if (knownCount < 0) return items.get(key)
  const found = entries.slice(0, knownCount).find(([one]) => one === key)
  return found ? found[1] : anyOf(entries.slice(knownCount).map(([, value]) => value))
}

/** Returns the elements with one replaced. If some are uncounted, the value can be at any position. */
export function withElement(items: ReadonlyMap<string, Value>, key: string, value: Value): Map<string, Value> {
  const values = [...items.values()]
  return values.some(isUncounted)
    ? new Map([['0', uncounted(anyOf([...values, value]))]])
    : new Map(items).set(key, value)
}
