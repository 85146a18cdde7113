import { oneOf } from './one-of.js'
import type { Arg } from './programs/knowledge.js'
import { argValue, type Hole, unknown, type Value } from './value.js'

/** What is not known of an array, and how much of it there is. */
export const many = (value: Value): Hole => ({
  ...(typeof value === 'string' ? onlyMaybe(value) : value),
  isMany: true,
})

const onlyMaybe = (text: string): Hole => ({ ...unknown('condition', 'depends on a condition'), options: [text] })

/** Elements, of which one is given a value. Where it cannot be told which, it may be any of those from there on. */
export function withElement(items: ReadonlyMap<string, Value>, key: string, value: Value): Map<string, Value> {
  const among = amongMany(items, Number(key))
  if (among === undefined) return new Map(items).set(key, value)
  const before = [...items].slice(0, [...items.values()].findIndex(isMany))
  return new Map([...before, [String(before.length), many(oneOf([among, value]))]])
}

/** An argument as an element of an array: what is split where nobody can see may be many. */
export const elementOf = (arg: Arg): Value => (arg.several ? many(argValue(arg)) : argValue(arg))

export const isMany = (value: Value): boolean => typeof value === 'object' && value.isMany === true

/** One of the elements from those that may be many on: nobody can tell which is where. Undefined where all before the number are known. */
export function amongMany(items: ReadonlyMap<string, Value>, number: number): Value | undefined {
  let isOpen = false
  const rest: Value[] = []
  for (const [key, value] of items) {
    if (!isOpen && Number(key) > number) return undefined
    isOpen ||= isMany(value)
    if (isOpen) rest.push(single(value))
  }
  if (!isOpen) return undefined
  const value = oneOf(rest)
  // Where all that it may be is told, so is that it may be nothing.
  return typeof value === 'string' || value.source === 'condition'
    ? oneOf([...(typeof value === 'string' ? [value] : (value.options ?? [])), ''])
    : value
}

function single(value: Value): Value {
  if (typeof value === 'string') return value
  const { isMany: _, ...rest }: Hole = value
  return rest
}
