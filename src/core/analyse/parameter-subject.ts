import type { Word } from '../shell/tree.js'
import { evaluateWord } from './evaluate.js'
import { expandValue } from './expand.js'
import { listed } from './keyed-order.js'
import { amongMany, isMany } from './many-elements.js'
import { oneOf } from './one-of.js'
import { looseAt } from './positional.js'
import type { Reading } from './reading.js'
import { elements, type State, type Variable } from './state.js'
import { unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** What a name stands for, before anything is done to it. */
export interface Subject {
  /** Null when the positional parameters are not known. */
  readonly values: readonly Value[] | null
  /** Those of them that are known then. */
  readonly loose?: readonly Value[]
  readonly isList: boolean
  readonly joined: boolean
  readonly isSet: boolean
  /** Set where it need not be set. */
  readonly mayBeUnset?: boolean
  /** Set where not even the number of its values is known. */
  readonly isOpen?: boolean
  /** Keys of an array, for `${!a[@]}`. */
  readonly keys: readonly string[]
}

/** `[@]` and `[*]`: all elements. */
export const isStar = (index: Word): boolean =>
  index.parts.length === 1 && index.parts[0]?.kind === 'text' && /^[@*]$/.test(index.parts[0].value)

/** One value, or none. */
const one = (value: Value | undefined): Subject => ({
  values: value === undefined ? [] : [value],
  isList: false,
  joined: false,
  isSet: value !== undefined,
  keys: [],
})

/** The subject of a name, arrays and special parameters included. */
export function subjectOf(reading: Reading, state: State, name: string, index: Word | null): Subject {
  if (/^([@*#?$!0-]|\d+)$/.test(name)) return special(reading, state, name)
  const variable = lookUp(reading, state, name)
  if (!variable.isSet && reading.mayInherit(name) && state.get(name) === undefined) reading.guess(name)
  else if (reading.isDoubtful(name)) reading.doubtful = name
  if (index === null) return ofVariable(variable)
  if (isStar(index)) {
    reading.work.add(2 * (variable.items?.size ?? 0))
    const joined = index.parts[0]?.kind === 'text' && index.parts[0].value === '*'
    const entries = variable.items ? listed(variable) : null
    const values = entries ? entries.map(([, value]) => value) : elements(variable)
    return {
      values,
      isList: true,
      isOpen: variable.mayBeUnset === true || values.some(isMany),
      joined,
      isSet: variable.isSet,
      keys: entries ? entries.map(([key]) => key) : variable.isSet ? ['0'] : [],
    }
  }
  if (name === 'BASH_CMDS' || name === 'BASH_ALIASES') return ofOwnTable(reading, state, name, variable, index)
  const element = ofElement(reading, state, variable, index)
  return variable.mayBeUnset ? { ...element, mayBeUnset: true } : element
}

/**
 * An element of `BASH_CMDS` is where bash finds a program, one of `BASH_ALIASES` what an alias stands for; what the script did not set of
 * the former is there if the program was run before.
 */
function ofOwnTable(reading: Reading, state: State, name: string, variable: Variable, index: Word): Subject {
  const key = expandValue(reading, state, index)
  if (typeof key !== 'string') return one(unknown('output', 'an element that is not known'))
  const found = variable.items?.get(key)
  if (name === 'BASH_ALIASES') return one(found ?? state.alias(key))
  const where: Value = { ...unknown('output', 'where a program is'), options: [`/usr/bin/${key}`] }
  return one(found ?? state.hashed(key) ?? where)
}

function ofVariable(variable: Variable): Subject {
  if (variable.items) return amongAll(variable, variable.items, 0)
  const value = variable.choices ? oneOf(variable.choices) : variable.value
  const subject = one(variable.isSet ? value : undefined)
  return variable.mayBeUnset ? { ...subject, mayBeUnset: true } : subject
}

function ofElement(reading: Reading, state: State, variable: Variable, index: Word): Subject {
  if (variable.attributes.includes('A')) {
    const key = expandValue(reading, state, index)
    return one(typeof key === 'string' ? variable.items?.get(key) : anyElement(reading, variable))
  }
  const number = evaluateWord(reading, state, index)
  if (number === null) return one(anyElement(reading, variable))
  const items = variable.items ?? new Map(variable.isSet ? [['0', variable.value]] : [])
  // What nothing is known of may be an array as well.
  if (variable.items === null && variable.isSet && typeof variable.value === 'object') return one(variable.value)
  reading.work.add(items.size)
  let highest = -1
  if (number < 0n) for (const key of items.keys()) highest = Math.max(highest, Number(key))
  const key = number < 0n ? BigInt(highest) + 1n + number : number
  // Those at the end of an array are known by their place from there.
  const last = number < 0n && key >= 0n ? items.get(String(key)) : undefined
  if (last !== undefined && !behindMany(items, Number(key))) return one(last)
  return amongAll(variable, items, Number(key))
}

/** The element of that number, which need not be there where some before it are many. */
function amongAll(variable: Variable, items: ReadonlyMap<string, Value>, number: number): Subject {
  const among = amongMany(items, number)
  const subject = one(among ?? items.get(String(number)))
  return among !== undefined || variable.mayBeUnset ? { ...subject, mayBeUnset: true } : subject
}

/** Does anything from this place on stand for many? */
function behindMany(items: ReadonlyMap<string, Value>, from: number): boolean {
  for (const [key, value] of items) if (Number(key) >= from && isMany(value)) return true
  return false
}

/** Elements that are told apart where it is not known which one is meant. */
const TOLD_APART = 64

/** Which element it is is not known: it is one of them, or none. */
function anyElement(reading: Reading, variable: Variable): Value {
  const all = elements(variable)
  reading.work.add(2 * all.length)
  const element = unknown('output', 'an element that is not known')
  if (all.length === 0 || all.length > TOLD_APART) return element
  // Where the count was lost, so is which of them it picks.
  return reading.hasLost
    ? { ...element, options: all.filter((value) => typeof value === 'string') }
    : oneOf([...all, ''])
}

function special(reading: Reading, state: State, name: string): Subject {
  const { positional } = state
  if (name === '@' || name === '*')
    return {
      values: positional,
      loose: state.loose?.values ?? [],
      isList: true,
      joined: name === '*',
      isSet: positional === null || positional.length > 0,
      keys: [],
    }
  if (name === '#') return one(positional === null ? unknown('number', '$#') : String(positional.length))
  if (name === '0') return one(state.zero)
  if (name === '?') return one(state.status === null ? unknown('number', '$?') : String(state.status))
  if (name === '!' && !reading.background) return one(undefined)
  if (name === '$' || name === '!') return one({ ...unknown('number', `$${name}`), place: `\u0001${name}` })
  if (name === '-') return one({ ...unknown('number', '$-'), options: ['hBc'] })
  if (/^\d+$/.test(name)) {
    if (positional === null) return one(looseAt(state, Number(name) - 1))
    return one(positional[Number(name) - 1])
  }
  return one(unknown('number', `$${name}`))
}
