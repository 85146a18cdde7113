import type { Assignment, Word } from '../shell/tree.js'
import {
  assign,
  assignArray,
  assignElement,
  assignSomewhere,
  noteOwnArray,
  numberedKey,
  withAttributes,
} from './assigning.js'
import { addVariable } from './environment-facts.js'
import { evaluateValue, evaluateWord } from './evaluate.js'
import { expandValue, expandWords } from './expand.js'
import { isMany, many, memberOf } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { elements, type State, UNSET, type Variable } from './state.js'
import { A_NUMBER, concat, unknown, type Value } from './value.js'
import { listOf, lookUp } from './variables.js'

/** `a=b`, `a+=b`, `a[i]=b`, `a=(…)`. `value` is given where the word was expanded already. */
export function performAssignment(reading: Reading, state: State, node: Assignment, value?: Value): void {
  const { name } = node
  if (node.value.kind === 'array') {
    noteOwnArray(reading, name)
    // It is an array already when its elements are expanded.
    if (!state.get(name)) state.set(name, { ...lookUp(reading, state, name), items: NO_ITEMS })
    const items = arrayItems(reading, state, node)
    assignItems(reading, state, name, items)
  } else {
    const given = value ?? expandValue(reading, state, node.value, true)
    setOne(reading, state, node, given)
  }
  if (state.get(name)?.exported) addVariable(reading, state, name, node.span)
}

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

function setOne(reading: Reading, state: State, node: Assignment, value: Value): void {
  if (node.index) setElement(reading, state, node, value)
  else setScalar(reading, state, node, value)
}

/** Gives an array its elements, each as the array's attributes make it. */
export function assignItems(reading: Reading, state: State, name: string, items: ReadonlyMap<string, Value>): void {
  const { attributes } = lookUp(reading, state, name)
  if (!/[iluc]/.test(attributes)) {
    assignArray(state, name, items)
    return
  }
  const changed = new Map<string, Value>()
  for (const [key, value] of items) changed.set(key, withAttributes(reading, state, value, attributes))
  assignArray(state, name, changed)
}

function setScalar(reading: Reading, state: State, node: Assignment, value: Value): void {
  const before = lookUp(reading, state, node.name)
  if (before.attributes.includes('i') && !before.attributes.includes('?')) {
    const number = evaluateValue(reading, state, value)
    const sum = node.append ? evaluateValue(reading, state, before.value) : 0
    assign(reading, state, node.name, number === null || sum === null ? A_NUMBER : String(number + sum))
    return
  }
  if (node.append && before.choices) assign(reading, state, node.name, unknown('condition', 'depends on a condition'))
  else assign(reading, state, node.name, node.append && before.isSet ? concat(before.value, value) : value)
}

function setElement(reading: Reading, state: State, node: Assignment, value: Value): void {
  if (!node.index) return
  const before = lookUp(reading, state, node.name)
  const associative = before.attributes.includes('A') || node.name === 'BASH_CMDS' || node.name === 'BASH_ALIASES'
  const key = associative ? expandValue(reading, state, node.index) : evaluateWord(reading, state, node.index)
  if (key === null || typeof key === 'object') {
    assignSomewhere(reading, state, node.name, value)
    return
  }
  const text = associative ? String(key) : numberedKey(before, String(key))
  if (text === null || (associative && text === '')) {
    reading.fails()
    return
  }
  if (node.name === 'BASH_ALIASES') {
    reading.hasAliases = true
    state.setAlias(text, value)
  }
  const old = before.items ? before.items.get(text) : before.isSet && text === '0' ? before.value : undefined
  assignElement(reading, state, node.name, text, node.append && old !== undefined ? concat(old, value) : value)
}

function arrayItems(reading: Reading, state: State, node: Assignment): ReadonlyMap<string, Value> {
  const before = lookUp(reading, state, node.name)
  const values = node.value.kind === 'array' ? node.value.elements : []
  reading.work.add(node.append ? (before.items?.size ?? 0) : 0)
  const items = new Map<string, Value>(node.append ? (before.items ?? listOf(elements(before))) : [])
  let next = 0
  let hasKeys = false
  for (const key of items.keys()) if (Number(key) >= next) next = Number(key) + 1
  // Keys that are names may come as words between the values.
  if (before.attributes.includes('A') && values[0] && !keyOf(values[0])) {
    const words = values.map((word) => expandValue(reading, state, word))
    for (let i = 0; i < words.length; i += 2) {
      const key = words[i] ?? ''
      items.set(typeof key === 'string' ? key : key.head, words[i + 1] ?? '')
    }
    return items
  }
  for (const element of values) {
    const keyed = keyOf(element)
    if (keyed) {
      hasKeys = true
      const isNamed = before.attributes.includes('A')
      const key = elementKey(reading, state, keyed.key, isNamed) ?? String(next)
      const text = isNamed ? key : numberedKey({ ...UNSET, items }, key)
      // Without a key there is no element; the others are made all the same.
      if (text === '' || text === null) continue
      const value = expandValue(reading, state, keyed.value)
      items.set(text, keyed.append ? concat(items.get(text) ?? '', value) : value)
      next = Number(text) + 1
      continue
    }
    for (const arg of expandWords(reading, state, [element])) items.set(String(next++), memberOf(arg))
  }
  const isNumbered = hasKeys && !before.attributes.includes('A')
  // Where some are many, which of them a number names cannot be told.
  if (isNumbered && [...items.values()].some(isMany)) return new Map([['0', many(oneOf([...items.values()]))]])
  return isNumbered ? new Map([...items].sort(([a], [b]) => Number(a) - Number(b))) : items
}

/** `[key]=value` inside an array's parentheses. */
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

function elementKey(reading: Reading, state: State, word: Word, associative: boolean): string | null {
  const key = expandValue(reading, state, word)
  const index = associative || key === '' ? key : evaluateValue(reading, state, key)
  return index === null || typeof index === 'object' ? null : String(index)
}

/** Puts `A=b` before a command in force; what it returns takes that back. */
export function prefixAssignments(
  reading: Reading,
  state: State,
  assignments: readonly Assignment[],
  kept: readonly string[],
): (exported: ReadonlySet<string>) => void {
  const before = assignments.map(({ name }) => [name, state.get(name) ?? lookUp(reading, state, name)] as const)
  for (const assignment of assignments) {
    // What a command is given has nothing of an array of that name.
    const isArray = state.get(assignment.name)?.items && assignment.value.kind === 'word' && !assignment.append
    const value = isArray ? expandValue(reading, state, assignment.value as Word, true) : undefined
    if (isArray) state.set(assignment.name, UNSET)
    performAssignment(reading, state, assignment, value)
    const variable = state.get(assignment.name)
    if (variable) state.set(assignment.name, { ...variable, exported: true })
    addVariable(reading, state, assignment.name, assignment.span)
  }
  return (exported) => {
    for (const [name, variable] of before)
      if (!kept.includes(name)) state.set(name, exported.has(name) ? eitherOf(variable, state.get(name)) : variable)
    reading.hasChoices ||= exported.size > 0
  }
}

/** What a function exports of what it was given stays; whether it did may depend on a condition. */
function eitherOf(before: Variable, after: Variable | undefined): Variable {
  if (!after || after.items || before.items) return before
  return { ...after, choices: [...new Set([after.value, before.value])] }
}
