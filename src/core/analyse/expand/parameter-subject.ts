import type { Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { mayInherit } from '../analysis/analysis-input.js'
import type { State } from '../state/state.js'
import { elements, type Variable } from '../state/variable.js'
import { oneOf } from '../values/one-of.js'
import { anyOf, elementAt, isUncounted } from '../values/uncounted-elements.js'
import { A_NUMBER, unknown, type Value } from '../values/value.js'
import { evaluateWord } from './arithmetic.js'
import { numberedKey } from './assign.js'
import { listOf, lookUp } from './variables.js'
import { expandValue } from './words.js'

/** The values of a name before an operation. */
export interface Subject {
  readonly values: readonly Value[]
  readonly isList: boolean
  readonly joined: boolean
  readonly isSet: boolean
  /** Set if the variable may be unset. */
  readonly mayBeUnset?: boolean
  /** Set if the number of values is unknown. */
  readonly isOpen?: boolean
  /** The keys of an array, for `${!a[@]}`. */
  readonly keys: readonly Value[]
}

/** Tells whether the index selects all elements (`[@]`, `[*]`). */
export const selectsAll = (index: Word): boolean =>
  index.parts.length === 1 && index.parts[0]?.kind === 'text' && /^[@*]$/.test(index.parts[0].value)

/** Returns a subject with one value or none. */
const single = (value: Value | undefined): Subject => ({
  values: value === undefined ? [] : [value],
  isList: false,
  joined: false,
  isSet: value !== undefined,
  keys: [],
})

/** Returns the subject of a name, including arrays and special parameters. */
export function subjectOf(analysis: Analysis, state: State, name: string, index: Word | null): Subject {
  if (/^([@*#?$!0-]|\d+)$/.test(name)) return special(state, name)
  const variable = lookUp(analysis, state, name)
  if (!variable.isSet && mayInherit(analysis.input, name) && state.variables.get(name) === undefined)
    analysis.unset.note(name)
  else analysis.unset.noteSet(name)
  if (index !== null && selectsAll(index)) return allElements(analysis, variable, index)
  if (index !== null && (name === 'BASH_CMDS' || name === 'BASH_ALIASES'))
    return tableElement(analysis, state, name, variable, index)
  const subject = index === null ? ofVariable(variable) : single(elementNamed(analysis, state, variable, index))
  const mayBeUnset = variable.mayBeUnset || (variable.items && [...variable.items.values()].some(isUncounted))
  return mayBeUnset ? { ...subject, mayBeUnset } : subject
}

/** Returns all elements. The order of an associative array is not followed, so each can be any of them. */
function allElements(analysis: Analysis, variable: Variable, index: Word): Subject {
  analysis.budget.add(2 * (variable.items?.size ?? 0))
  const values = elements(variable)
  const keys = variable.items ? [...variable.items.keys()] : variable.isSet ? ['0'] : []
  const isOrdered = values.length < 2 || !variable.attributes.includes('A')
  const inAnyOrder = (list: readonly Value[]): readonly Value[] => (isOrdered ? list : list.map(() => oneOf(list)))
  return {
    values: inAnyOrder(values),
    isList: true,
    isOpen:
      variable.mayBeUnset === true ||
      values.some(isUncounted) ||
      (!variable.items && typeof variable.value === 'object'),
    joined: index.parts[0]?.kind === 'text' && index.parts[0].value === '*',
    isSet: variable.isSet,
    keys: inAnyOrder(keys),
  }
}

/** Returns an element of `BASH_CMDS` (program paths; exists if the program ran before) or `BASH_ALIASES`. */
function tableElement(analysis: Analysis, state: State, name: string, variable: Variable, index: Word): Subject {
  const key = expandValue(analysis, state, index)
  if (typeof key !== 'string') return single(unknown('output', 'an unknown array element'))
  const found = variable.items?.get(key)
  if (name === 'BASH_ALIASES') return single(found ?? state.definitions.alias(key))
  const where: Value = { ...unknown('output', 'the path of a program'), alternatives: [`/usr/bin/${key}`] }
  return single(found ?? where)
}

function ofVariable(variable: Variable): Subject {
  if (variable.items) return single(elementAt(variable.items, '0'))
  return single(variable.isSet ? (variable.choices ? oneOf(variable.choices) : variable.value) : undefined)
}

function elementNamed(analysis: Analysis, state: State, variable: Variable, index: Word): Value | undefined {
  const isNamed = variable.attributes.includes('A')
  const key = isNamed ? expandValue(analysis, state, index) : evaluateWord(analysis, state, index)
  analysis.budget.add(2 * (variable.items?.size ?? 0))
  const values = elements(variable)
  if (key === null || typeof key === 'object') return anyElement(values)
  // An unknown variable can also be an array.
  if (variable.items === null && variable.isSet && typeof variable.value === 'object') return variable.value
  if (typeof key === 'number' && key < 0 && values.some(isUncounted)) return anyElement(values)
  const position = isNamed ? String(key) : numberedKey(variable, String(key))
  return position === null ? undefined : elementAt(variable.items ?? listOf(values), position)
}

/** The maximum number of elements kept apart for an unknown key. */
const MAX_ELEMENTS = 64

const anyElement = (values: readonly Value[]): Value =>
  values.length === 0 || values.length > MAX_ELEMENTS ? unknown('output', 'an unknown array element') : anyOf(values)

function special(state: State, name: string): Subject {
  const { positional } = state.arguments
  const isOpen = positional.some(isUncounted)
  if (name === '@' || name === '*')
    return { values: positional, isOpen, isList: true, joined: name === '*', isSet: positional.length > 0, keys: [] }
  if (name === '#') return single(isOpen ? A_NUMBER : String(positional.length))
  if (name === '0') return single(state.arguments.scriptName)
  if (name === '?')
    return single(state.control.status === null ? unknown('number', '$?') : String(state.control.status))
  if (name === '!' && !state.history.hasBackground) return single(undefined)
  if (name === '$' || name === '!') return single({ ...unknown('number', `$${name}`), pathName: `\u0001${name}` })
  if (name === '-') return single({ ...unknown('number', '$-'), alternatives: ['hBc'] })
  const value = elementAt(listOf(positional), String(Number(name) - 1))
  return isOpen ? { ...single(value), mayBeUnset: true } : single(value)
}
