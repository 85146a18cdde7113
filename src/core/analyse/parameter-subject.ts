import type { Word } from '../shell/tree.js'
import { numberedKey } from './assigning.js'
import { evaluateWord } from './evaluate.js'
import { expandValue } from './expand.js'
import { anyOf, elementAt, isMany } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { elements, type State, type Variable } from './state.js'
import { A_NUMBER, unknown, type Value } from './value.js'
import { listOf, lookUp } from './variables.js'

/** What a name stands for, before anything is done to it. */
export interface Subject {
  readonly values: readonly Value[]
  readonly isList: boolean
  readonly joined: boolean
  readonly isSet: boolean
  /** Set where it need not be set. */
  readonly mayBeUnset?: boolean
  /** Set where not even the number of its values is known. */
  readonly isOpen?: boolean
  /** Keys of an array, for `${!a[@]}`. */
  readonly keys: readonly Value[]
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
  if (index !== null && isStar(index)) return allElements(reading, variable, index)
  if (index !== null && (name === 'BASH_CMDS' || name === 'BASH_ALIASES'))
    return ofOwnTable(reading, state, name, variable, index)
  const subject = index === null ? ofVariable(variable) : one(elementNamed(reading, state, variable, index))
  const mayBeUnset = variable.mayBeUnset || (variable.items && [...variable.items.values()].some(isMany))
  return mayBeUnset ? { ...subject, mayBeUnset } : subject
}

/** In which order bash lists an array whose keys are names is not followed: each member may be any of them. */
function allElements(reading: Reading, variable: Variable, index: Word): Subject {
  reading.work.add(2 * (variable.items?.size ?? 0))
  const values = elements(variable)
  const keys = variable.items ? [...variable.items.keys()] : variable.isSet ? ['0'] : []
  const isOrdered = values.length < 2 || !variable.attributes.includes('A')
  const inAnyOrder = (list: readonly Value[]): readonly Value[] => (isOrdered ? list : list.map(() => oneOf(list)))
  return {
    values: inAnyOrder(values),
    isList: true,
    isOpen:
      variable.mayBeUnset === true || values.some(isMany) || (!variable.items && typeof variable.value === 'object'),
    joined: index.parts[0]?.kind === 'text' && index.parts[0].value === '*',
    isSet: variable.isSet,
    keys: inAnyOrder(keys),
  }
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
  return one(found ?? where)
}

function ofVariable(variable: Variable): Subject {
  if (variable.items) return one(elementAt(variable.items, '0'))
  return one(variable.isSet ? (variable.choices ? oneOf(variable.choices) : variable.value) : undefined)
}

function elementNamed(reading: Reading, state: State, variable: Variable, index: Word): Value | undefined {
  const isNamed = variable.attributes.includes('A')
  const key = isNamed ? expandValue(reading, state, index) : evaluateWord(reading, state, index)
  reading.work.add(2 * (variable.items?.size ?? 0))
  const values = elements(variable)
  if (key === null || typeof key === 'object') return anyElement(values)
  // A variable of which nothing is known may be an array as well.
  if (variable.items === null && variable.isSet && typeof variable.value === 'object') return variable.value
  if (typeof key === 'number' && key < 0 && values.some(isMany)) return anyElement(values)
  const place = isNamed ? String(key) : numberedKey(variable, String(key))
  return place === null ? undefined : elementAt(variable.items ?? listOf(values), place)
}

/** Elements that are told apart where it is not known which one is meant. */
const TOLD_APART = 64

/** Which element it is is not known: it is one of them, or none. */
const anyElement = (values: readonly Value[]): Value =>
  values.length === 0 || values.length > TOLD_APART ? unknown('output', 'an element that is not known') : anyOf(values)

function special(reading: Reading, state: State, name: string): Subject {
  const { positional } = state
  const isOpen = positional.some(isMany)
  if (name === '@' || name === '*')
    return { values: positional, isOpen, isList: true, joined: name === '*', isSet: positional.length > 0, keys: [] }
  if (name === '#') return one(isOpen ? A_NUMBER : String(positional.length))
  if (name === '0') return one(state.zero)
  if (name === '?') return one(state.status === null ? unknown('number', '$?') : String(state.status))
  if (name === '!' && !reading.background) return one(undefined)
  if (name === '$' || name === '!') return one({ ...unknown('number', `$${name}`), place: `\u0001${name}` })
  if (name === '-') return one({ ...unknown('number', '$-'), options: ['hBc'] })
  const value = elementAt(listOf(positional), String(Number(name) - 1))
  return isOpen ? { ...one(value), mayBeUnset: true } : one(value)
}
