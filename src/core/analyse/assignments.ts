import type { Assignment } from '../shell/tree.js'
import { addVariable } from './environment-facts.js'
import { evaluateValue, evaluateWord } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { expandValue, expandWords } from './expand.js'
import type { Reading } from './reading.js'
import { elements, type State, UNSET } from './state.js'
import { argValue, concat, hole, type Value } from './value.js'
import { assign, assignArray, assignElement, listOf, lookUp } from './variables.js'

/** `a=b`, `a+=b`, `a[i]=b`, `a=(…)`. `value` is given where the word was expanded already. */
export function performAssignment(reading: Reading, state: State, node: Assignment, value?: Value): void {
  const { name } = node
  if (node.value.kind === 'array') assignArray(state, name, arrayItems(reading, state, node))
  else {
    const given = value ?? expandValue(reading, state, node.value, true)
    if (node.index) setElement(reading, state, node, given)
    else setScalar(reading, state, node, given)
  }
  if (state.get(name)?.exported) addVariable(reading, state, name, node.span)
}

function setScalar(reading: Reading, state: State, node: Assignment, value: Value): void {
  const before = lookUp(reading, state, node.name)
  if (before.attributes.includes('i')) {
    const number = evaluateValue(reading, state, value)
    const sum = node.append ? evaluateValue(reading, state, before.value) : 0n
    assign(
      reading,
      state,
      node.name,
      number === null || sum === null ? hole('a number', 'number') : String(number + sum),
    )
    return
  }
  if (node.append && before.choices) assign(reading, state, node.name, hole('depends on a condition', 'condition'))
  else assign(reading, state, node.name, node.append && before.isSet ? concat(before.value, value) : value)
}

function setElement(reading: Reading, state: State, node: Assignment, value: Value): void {
  if (!node.index) return
  const before = lookUp(reading, state, node.name)
  const associative = before.attributes.includes('A') || node.name === 'BASH_CMDS' || node.name === 'BASH_ALIASES'
  const key = associative ? expandValue(reading, state, node.index) : evaluateWord(reading, state, node.index)
  if (key === null || typeof key === 'object') {
    assignArray(
      state,
      node.name,
      new Map([...(before.items ?? []), ['0', hole('an element that is not known', 'output')]]),
    )
    return
  }
  const text = String(key)
  if (node.name === 'BASH_CMDS' && typeof value === 'string') state.setHashed(text, value)
  if (node.name === 'BASH_ALIASES') state.setAlias(text, value)
  const old = before.items?.get(text)
  assignElement(reading, state, node.name, text, node.append && old !== undefined ? concat(old, value) : value)
}

function arrayItems(reading: Reading, state: State, node: Assignment): ReadonlyMap<string, Value> {
  const before = lookUp(reading, state, node.name)
  const values = node.value.kind === 'array' ? node.value.elements : []
  const items = new Map<string, Value>(node.append ? (before.items ?? listOf(elements(before))) : [])
  let next = Math.max(-1, ...[...items.keys()].map(Number).filter(Number.isFinite)) + 1
  for (const element of values) {
    for (const arg of expandWords(reading, state, [element])) {
      const keyed = /^\[([^\]]*)\]\+?=(.*)$/s.exec(arg.text ?? '')
      if (!keyed) items.set(String(next++), argValue(arg))
      else {
        const key = keyed[1] ?? ''
        const index = before.attributes.includes('A') ? key : evaluateValue(reading, state, key)
        const text = String(index ?? next)
        items.set(text, keyed[2] ?? '')
        next = Number(text) + 1
      }
      if (/^\[.*(\$\(|`)/s.test(arg.head)) expandText(reading, state, arg.head)
    }
  }
  return items
}

/** Puts `A=b` before a command in force; what it returns takes that back. */
export function prefixAssignments(reading: Reading, state: State, assignments: readonly Assignment[]): () => void {
  if (assignments.length === 0) return () => {}
  const before = assignments.map(({ name }) => [name, state.get(name) ?? UNSET] as const)
  for (const assignment of assignments) {
    performAssignment(reading, state, assignment)
    const variable = state.get(assignment.name)
    if (variable) state.set(assignment.name, { ...variable, exported: true })
    addVariable(reading, state, assignment.name, assignment.span)
  }
  return () => {
    for (const [name, variable] of before) state.set(name, variable)
  }
}
