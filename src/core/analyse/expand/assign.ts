import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { elements, type Variable } from '../state/variable.js'
import { oneOf } from '../values/one-of.js'
import { uncounted, withElement } from '../values/uncounted-elements.js'
import { A_NUMBER, mapValue, unknown, type Value } from '../values/value.js'
import { evaluateValue } from './arithmetic.js'
import { runOwnVariable } from './environment-facts.js'
import { expandText } from './reexpansion.js'
import { isInherited, lookUp } from './variables.js'

/** Variables of bash that keep changing or cannot be set. */
const KEEPS_CHANGING = /^(?:S?RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|BASHPID|PPID|E?UID|FUNCNAME|GROUPS)$/

/** Returns the target of a name through name references. */
export function targetName(state: State, name: string): string {
  let current = name
  for (let i = 0; i < 8; i++) {
    const variable = state.variables.get(current)
    if (!variable?.attributes.includes('n') || typeof variable.value !== 'string' || variable.value === '')
      return current
    current = variable.value
  }
  return current
}

/** Assigns a value, changed by the attributes of the variable. */
export function assign(analysis: Analysis, state: State, name: string, value: Value): void {
  const target = targetName(state, name)
  const element = target.includes('[') ? /^(\w+)\[(.*)\]$/s.exec(target) : null
  if (element) {
    assignReferred(analysis, state, element[1] as string, element[2] as string, value)
    return
  }
  analysis.unset.noteAssigned(target)
  if (target === 'BASH_ARGV0') state.arguments = { ...state.arguments, scriptName: value }
  if (target === 'BASH_XTRACEFD')
    for (const sink of state.descriptors.sinks()) sink.write(unknown('decoded', 'the trace of set -x'))
  const before = state.variables.get(target)
  if (before?.attributes.includes('r')) {
    keepReadonly(analysis, state, target, before, value)
    return
  }
  // These variables keep changing unless they were unset.
  if (before === undefined && KEEPS_CHANGING.test(target)) return
  const given = withAttributes(analysis, state, value, before?.attributes ?? '')
  const changed = before?.attributes.includes('?') ? oneOf([value, given]) : given
  const choices = typeof changed === 'object' ? (changed.alternatives ?? null) : null
  const exported = state.options.has('allexport') || (before?.exported ?? isInherited(analysis, target))
  if (before?.items) {
    analysis.budget.add(before.items.size)
    state.variables.set(target, {
      ...before,
      value: changed,
      items: before.attributes.includes('A')
        ? new Map([...before.items, ['0', changed]])
        : withFirst(before.items, changed),
      choices: null,
      isSet: true,
    })
    return
  }
  state.variables.set(target, {
    value: changed,
    items: null,
    choices: choices ? [...choices, ...possibleValues(changed)] : null,
    exported,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
  if (target === 'PS4' && state.options.has('xtrace')) runOwnVariable(analysis, state, target, analysis.location.here)
}

/** Assigns to the element that a name reference names. */
function assignReferred(analysis: Analysis, state: State, name: string, subscript: string, value: Value): void {
  const key = expandText(analysis, state, subscript)
  const isNamed = lookUp(analysis, state, name).attributes.includes('A')
  const index = isNamed ? key : evaluateValue(analysis, state, key)
  if (index !== null && typeof index !== 'object') assignElement(analysis, state, name, String(index), value)
  else assignToUnknownName(analysis, state, name, value)
}

export function assignToUnknownName(analysis: Analysis, state: State, name: string, value: Value): void {
  const element = oneOf([
    unknown('output', 'an unknown array element'),
    value,
    ...elements(lookUp(analysis, state, name)),
  ])
  assignArray(state, name, new Map([['0', uncounted(element)]]))
}

const withFirst = (items: ReadonlyMap<string, Value>, value: Value): ReadonlyMap<string, Value> =>
  items.has('0') || items.size === 0 ? withElement(items, '0', value) : new Map([['0', value], ...items])

/** Keeps the value of a readonly variable. If a condition decides whether it is readonly, both values are possible. */
function keepReadonly(analysis: Analysis, state: State, name: string, before: Variable, value: Value): void {
  analysis.findings.reportFailure()
  if (before.items || before.choices?.includes(value) || before.value === value) return
  state.variables.set(name, { ...before, choices: [...(before.choices ?? [before.value]), value].slice(0, 8) })
}

/** Returns the possible values. Unless a condition alone decides, another value is possible too. */
const possibleValues = (value: Value): readonly Value[] =>
  typeof value === 'object' && value.origin !== 'condition' ? [unknown(value.origin, value.unknown)] : []

/** Returns the key of a number in an array. A negative number counts from the end and can be out of range. */
export function numberedKey({ items, isSet }: Variable, key: string): string | null {
  if (!key.startsWith('-')) return key
  let highest = items === null && isSet ? 0 : -1
  for (const one of items?.keys() ?? []) highest = Math.max(highest, Number(one))
  const at = highest + 1 + Number(key)
  return at < 0 ? null : String(at)
}

/** Reports assignments to bash's arrays of program paths and directories. */
export function noteOwnArray(analysis: Analysis, name: string): void {
  if (name === 'BASH_CMDS' || name === 'DIRSTACK') analysis.findings.reportUnknown(`the script changes ${name}`, null)
}

export function assignElement(analysis: Analysis, state: State, name: string, key: string, value: Value): void {
  const target = targetName(state, name)
  noteOwnArray(analysis, target)
  const before = state.variables.get(target)
  if (before?.attributes.includes('r')) {
    analysis.findings.reportFailure()
    return
  }
  analysis.budget.add(3 * (before?.items?.size ?? 0))
  const changed = withAttributes(analysis, state, value, before?.attributes ?? '')
  const old = before?.items ?? new Map(before?.isSet ? [['0', before.value]] : [])
  const isNamed = before?.attributes.includes('A') === true
  const position = before && !isNamed ? numberedKey(before, key) : key
  if (position === null || (!isNamed && position.startsWith('-'))) {
    analysis.findings.reportFailure()
    return
  }
  const items = isNamed ? new Map(old).set(position, changed) : withElement(old, position, changed)
  // An existing key keeps its position.
  const ordered = isNamed || old.has(position) ? items : new Map([...items].sort((a, b) => Number(a[0]) - Number(b[0])))
  setItems(state, target, before, ordered)
}

export function assignArray(state: State, name: string, items: ReadonlyMap<string, Value>): void {
  const target = targetName(state, name)
  const before = state.variables.get(target)
  if (!before?.attributes.includes('r')) setItems(state, target, before, items)
}

function setItems(state: State, name: string, before: Variable | undefined, items: ReadonlyMap<string, Value>): void {
  const { exported = false, attributes = '' } = before ?? {}
  state.variables.set(name, { value: items.get('0') ?? '', items, choices: null, exported, attributes, isSet: true })
}

/** Applies attributes to a value. An integer variable evaluates it, which runs commands in subscripts. */
export function withAttributes(analysis: Analysis, state: State, value: Value, attributes: string): Value {
  if (attributes === '') return value
  if (attributes.includes('i')) {
    const number = evaluateValue(analysis, state, value)
    return number === null ? A_NUMBER : String(number)
  }
  if (attributes.includes('l')) return mapValue(value, (text) => text.toLowerCase())
  if (attributes.includes('u')) return mapValue(value, (text) => text.toUpperCase())
  if (attributes.includes('c'))
    return mapValue(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase())
  return value
}
