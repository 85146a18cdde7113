import { oneOf } from './one-of.js'
import type { Arg } from './programs/knowledge.js'
import { argValue, type Hole, type Value } from './value.js'

/** What is not known of an array, and how much of it there is. */
export const many = (value: Value): Value => (typeof value === 'string' ? value : { ...value, isMany: true })

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
  return isOpen ? oneOf(rest) : undefined
}

function single(value: Value): Value {
  if (typeof value === 'string') return value
  const { isMany: _, ...rest }: Hole = value
  return rest
}
