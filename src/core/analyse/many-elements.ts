import { oneOf } from './one-of.js'
import type { Arg } from './programs/knowledge.js'
import { argValue, type Hole, unknown, type Value } from './value.js'

/** Marks a value in a list (an array, the arguments) that stands for any number of elements, or none. */
export const many = (value: Value): Hole => ({
  ...(typeof value === 'string' ? { ...unknown('condition', 'depends on a condition'), options: [value, ''] } : value),
  isMany: true,
})

export const isMany = (value: Value): boolean => typeof value === 'object' && value.isMany === true

/** An argument as a member of a list: one that is split where nobody can see may be many. */
export const memberOf = (arg: Arg): Value => (arg.several ? many(argValue(arg)) : argValue(arg))

/** One of several members, or none of them. */
export function anyOf(values: readonly Value[]): Value {
  const value = oneOf([...values, ''])
  if (typeof value === 'string') return value
  const { isMany: _, ...single }: Hole = value
  return single
}

/** The element with this key, or any where one before it may be many. Undefined where there is none. */
export function elementAt(items: ReadonlyMap<string, Value>, key: string): Value | undefined {
  const entries = [...items]
  const firm = entries.findIndex(([, value]) => isMany(value))
  if (firm < 0) return items.get(key)
  const found = entries.slice(0, firm).find(([one]) => one === key)
  return found ? found[1] : anyOf(entries.slice(firm).map(([, value]) => value))
}

/** The elements, of which one is given a value. Where some may be many, it may be any of them afterwards. */
export function withElement(items: ReadonlyMap<string, Value>, key: string, value: Value): Map<string, Value> {
  const values = [...items.values()]
  return values.some(isMany) ? new Map([['0', many(anyOf([...values, value]))]]) : new Map(items).set(key, value)
}
