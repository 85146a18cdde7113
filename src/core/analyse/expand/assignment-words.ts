import type { Assignment, Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { elements, UNSET, type Variable } from '../state/variable.js'
import { oneOf } from '../values/one-of.js'
import { isUncounted, memberOf, uncounted } from '../values/uncounted-elements.js'
import { A_NUMBER, concat, unknown, type Value } from '../values/value.js'
import { evaluateValue, evaluateWord } from './arithmetic.js'
import {
  assign,
  assignArray,
  assignElement,
  assignToUnknownName,
  noteOwnArray,
  numberedKey,
  withAttributes,
} from './assign.js'
import { addVariable } from './environment-facts.js'
import { listOf, lookUp } from './variables.js'
import { expandValue, expandWords } from './words.js'

/** Performs `a=b`, `a+=b`, `a[i]=b` or `a=(…)`. `value` is the expanded word, if it is known already. */
export function performAssignment(analysis: Analysis, state: State, node: Assignment, value?: Value): void {
  const { name } = node
  if (node.value.kind === 'array') {
    noteOwnArray(analysis, name)
    // bash makes the variable an array before it expands the elements.
    if (!state.variables.get(name)) state.variables.set(name, { ...lookUp(analysis, state, name), items: NO_ITEMS })
    const items = arrayItems(analysis, state, node)
    assignItems(analysis, state, name, items)
  } else {
    const given = value ?? expandValue(analysis, state, node.value, true)
    setOne(analysis, state, node, given)
  }
  if (state.variables.get(name)?.exported) addVariable(analysis, state, name, node.span)
}

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

function setOne(analysis: Analysis, state: State, node: Assignment, value: Value): void {
  if (node.index) setElement(analysis, state, node, value)
  else setScalar(analysis, state, node, value)
}

/** Assigns the elements of an array, changed by its attributes. */
export function assignItems(analysis: Analysis, state: State, name: string, items: ReadonlyMap<string, Value>): void {
  const { attributes } = lookUp(analysis, state, name)
  if (!/[iluc]/.test(attributes)) {
    assignArray(state, name, items)
    return
  }
  const changed = new Map<string, Value>()
  for (const [key, value] of items) changed.set(key, withAttributes(analysis, state, value, attributes))
  assignArray(state, name, changed)
}

function setScalar(analysis: Analysis, state: State, node: Assignment, value: Value): void {
  const before = lookUp(analysis, state, node.name)
  if (before.attributes.includes('i') && !before.attributes.includes('?')) {
    const number = evaluateValue(analysis, state, value)
    const sum = node.append ? evaluateValue(analysis, state, before.value) : 0
    assign(analysis, state, node.name, number === null || sum === null ? A_NUMBER : String(number + sum))
    return
  }
  if (node.append && before.choices)
    assign(analysis, state, node.name, unknown('condition', 'a value that depends on a condition'))
  else assign(analysis, state, node.name, node.append && before.isSet ? concat(before.value, value) : value)
}

function setElement(analysis: Analysis, state: State, node: Assignment, value: Value): void {
  if (!node.index) return
  const before = lookUp(analysis, state, node.name)
  const associative = before.attributes.includes('A') || node.name === 'BASH_CMDS' || node.name === 'BASH_ALIASES'
  const key = associative ? expandValue(analysis, state, node.index) : evaluateWord(analysis, state, node.index)
  if (key === null || typeof key === 'object') {
    assignToUnknownName(analysis, state, node.name, value)
    return
  }
  const text = associative ? String(key) : numberedKey(before, String(key))
  if (text === null || (associative && text === '')) {
    analysis.findings.reportFailure()
    return
  }
  if (node.name === 'BASH_ALIASES') {
    state.definitions.setAlias(text, value)
  }
  const old = before.items ? before.items.get(text) : before.isSet && text === '0' ? before.value : undefined
  assignElement(analysis, state, node.name, text, node.append && old !== undefined ? concat(old, value) : value)
}

function arrayItems(analysis: Analysis, state: State, node: Assignment): ReadonlyMap<string, Value> {
  const before = lookUp(analysis, state, node.name)
  const values = node.value.kind === 'array' ? node.value.elements : []
  analysis.budget.add(node.append ? (before.items?.size ?? 0) : 0)
  const items = new Map<string, Value>(node.append ? (before.items ?? listOf(elements(before))) : [])
  let next = 0
  let hasKeys = false
  for (const key of items.keys()) if (Number(key) >= next) next = Number(key) + 1
  // Keys of an associative array can alternate with the values.
  if (before.attributes.includes('A') && values[0] && !keyOf(values[0])) {
    const words = values.map((word) => expandValue(analysis, state, word))
    for (let i = 0; i < words.length; i += 2) {
      const key = words[i] ?? ''
      items.set(typeof key === 'string' ? key : key.prefix, words[i + 1] ?? '')
    }
    return items
  }
  for (const element of values) {
    const keyed = keyOf(element)
    if (keyed) {
      hasKeys = true
      const isNamed = before.attributes.includes('A')
      const key = elementKey(analysis, state, keyed.key, isNamed) ?? String(next)
      const text = isNamed ? key : numberedKey({ ...UNSET, items }, key)
      // An empty or unknown key creates no element; the others are created.
      if (text === '' || text === null) continue
      const value = expandValue(analysis, state, keyed.value)
      items.set(text, keyed.append ? concat(items.get(text) ?? '', value) : value)
      next = Number(text) + 1
      continue
    }
    for (const arg of expandWords(analysis, state, [element])) items.set(String(next++), memberOf(arg))
  }
  const isNumbered = hasKeys && !before.attributes.includes('A')
  // After an uncounted element, a number can select any element.
  if (isNumbered && [...items.values()].some(isUncounted))
    return new Map([['0', uncounted(oneOf([...items.values()]))]])
  return isNumbered ? new Map([...items].sort(([a], [b]) => Number(a) - Number(b))) : items
}

/** Parses `[key]=value` inside the parentheses of an array. */
function keyOf(word: Word): { readonly key: Word; readonly value: Word; readonly append: boolean } | null {
  const [first] = word.parts
  if (first?.kind !== 'text' || first.quoted || !first.value.startsWith('[')) return null
  const close = word.parts.findIndex((part) => part.kind === 'text' && !part.quoted && /\]\+?=/.test(part.value))
  const part = word.parts[close]
  if (part?.kind !== 'text') return null
  const match = /^(.*?)\]\+?=(.*)$/s.exec(part.value)
  if (!match) return null
  const text = (value: string): Word['parts'] => (value === '' ? [] : [{ kind: 'text', value, quoted: false }])
  const before = close === 0 ? [] : [...text(first.value.slice(1)), ...word.parts.slice(1, close)]
  const inner = close === 0 ? (match[1] ?? '').slice(1) : (match[1] ?? '')
  return {
    key: { ...word, parts: [...before, ...text(inner)] },
    value: { ...word, parts: [...text(match[2] ?? ''), ...word.parts.slice(close + 1)] },
    append: /\]\+=/.test(part.value),
  }
}

function elementKey(analysis: Analysis, state: State, word: Word, associative: boolean): string | null {
  const key = expandValue(analysis, state, word)
  const index = associative || key === '' ? key : evaluateValue(analysis, state, key)
  return index === null || typeof index === 'object' ? null : String(index)
}

/** Applies `A=b` before a command. The returned function restores the variables. */
export function prefixAssignments(
  analysis: Analysis,
  state: State,
  assignments: readonly Assignment[],
  kept: readonly string[],
): (exported: ReadonlySet<string>) => void {
  const before = assignments.map(
    ({ name }) => [name, state.variables.get(name) ?? lookUp(analysis, state, name)] as const,
  )
  for (const assignment of assignments) {
    // A command does not inherit an array of that name.
    const isArray =
      state.variables.get(assignment.name)?.items && assignment.value.kind === 'word' && !assignment.append
    const value = isArray ? expandValue(analysis, state, assignment.value as Word, true) : undefined
    if (isArray) state.variables.set(assignment.name, UNSET)
    performAssignment(analysis, state, assignment, value)
    const variable = state.variables.get(assignment.name)
    if (variable) state.variables.set(assignment.name, { ...variable, exported: true })
    addVariable(analysis, state, assignment.name, assignment.span)
  }
  return (exported) => {
    for (const [name, variable] of before)
      if (!kept.includes(name))
        state.variables.set(name, exported.has(name) ? eitherOf(variable, state.variables.get(name)) : variable)
  }
}

/** Joins a variable before and after a function that may have exported it. */
function eitherOf(before: Variable, after: Variable | undefined): Variable {
  if (!after || after.items || before.items) return before
  return { ...after, choices: [...new Set([after.value, before.value])] }
}
