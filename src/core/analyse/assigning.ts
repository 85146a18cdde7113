import { runOwnVariable } from './environment-facts.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { many, withElement } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { elements, type State, type Variable } from './state.js'
import { A_NUMBER, mapValue, unknown, type Value } from './value.js'
import { isInherited, lookUp } from './variables.js'

/** Variables of bash's own that go on changing whatever they are set to, or cannot be set. */
const KEEPS_CHANGING = /^(?:S?RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|BASHPID|PPID|E?UID|FUNCNAME|GROUPS)$/

/** Where a name really points, following namerefs. */
export function targetName(state: State, name: string): string {
  let current = name
  for (let i = 0; i < 8; i++) {
    const variable = state.get(current)
    if (!variable?.attributes.includes('n') || typeof variable.value !== 'string' || variable.value === '')
      return current
    current = variable.value
  }
  return current
}

/** Assigns, with what the variable's attributes do to a value. */
export function assign(reading: Reading, state: State, name: string, value: Value): void {
  const target = targetName(state, name)
  const element = target.includes('[') ? /^(\w+)\[(.*)\]$/s.exec(target) : null
  if (element) {
    assignReferred(reading, state, element[1] as string, element[2] as string, value)
    return
  }
  reading.noteAssigned(target)
  if (target === 'BASH_ARGV0') state.zero = value
  if (target === 'BASH_XTRACEFD')
    for (const sink of state.descriptors.sinks()) sink.write(unknown('decoded', 'a trace of commands'))
  const before = state.get(target)
  if (before?.attributes.includes('r')) {
    keepReadonly(reading, state, target, before, value)
    return
  }
  // They go on changing, unless they were unset.
  if (before === undefined && KEEPS_CHANGING.test(target)) return
  const given = withAttributes(reading, state, value, before?.attributes ?? '')
  const changed = before?.attributes.includes('?') ? oneOf([value, given]) : given
  const choices = typeof changed === 'object' ? (changed.options ?? null) : null
  if (choices) reading.hasChoices = true
  const exported = state.options.has('allexport') || (before?.exported ?? isInherited(reading, target))
  if (before?.items) {
    reading.work.add(before.items.size)
    state.set(target, {
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
  state.set(target, {
    value: changed,
    items: null,
    choices: choices ? [...choices, ...unlisted(changed)] : null,
    exported,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
  if (target === 'PS4' && state.options.has('xtrace')) runOwnVariable(reading, state, target, reading.here)
}

/** Sets the element that a reference names. */
function assignReferred(reading: Reading, state: State, name: string, subscript: string, value: Value): void {
  const key = expandText(reading, state, subscript)
  const isNamed = lookUp(reading, state, name).attributes.includes('A')
  const index = isNamed ? key : evaluateValue(reading, state, key)
  if (index !== null && typeof index !== 'object') assignElement(reading, state, name, String(index), value)
  else assignSomewhere(reading, state, name, value)
}

/** One of the elements is given a value, nobody knows which. */
export function assignSomewhere(reading: Reading, state: State, name: string, value: Value): void {
  const element = oneOf([
    unknown('output', 'an element that is not known'),
    value,
    ...elements(lookUp(reading, state, name)),
  ])
  assignArray(state, name, new Map([['0', many(element)]]))
}

/** The elements with that one at their beginning. */
const withFirst = (items: ReadonlyMap<string, Value>, value: Value): ReadonlyMap<string, Value> =>
  items.has('0') || items.size === 0 ? withElement(items, '0', value) : new Map([['0', value], ...items])

/** What cannot be changed stays what it is. Whether it was made so may depend on a condition: it may be both. */
function keepReadonly(reading: Reading, state: State, name: string, before: Variable, value: Value): void {
  reading.fails()
  if (before.items || before.choices?.includes(value) || before.value === value) return
  reading.hasChoices = true
  state.set(name, { ...before, choices: [...(before.choices ?? [before.value]), value].slice(0, 8) })
}

/** A value with options can be none of them, unless a condition alone decides. */
const unlisted = (value: Value): readonly Value[] =>
  typeof value === 'object' && value.source !== 'condition' ? [unknown(value.source, value.unknown)] : []

/** Where a number points in an array: below zero it counts from the end, and may point before the beginning. */
export function numberedKey({ items, isSet }: Variable, key: string): string | null {
  if (!key.startsWith('-')) return key
  let highest = items === null && isSet ? 0 : -1
  for (const one of items?.keys() ?? []) highest = Math.max(highest, Number(one))
  const at = highest + 1 + Number(key)
  return at < 0 ? null : String(at)
}

/** Reports arrays of bash's own that say where programs and directories are. */
export function noteOwnArray(reading: Reading, name: string): void {
  if (name === 'BASH_CMDS' || name === 'DIRSTACK') reading.reportUnknown(`${name} is changed`, null)
}

export function assignElement(reading: Reading, state: State, name: string, key: string, value: Value): void {
  const target = targetName(state, name)
  noteOwnArray(reading, target)
  const before = state.get(target)
  if (before?.attributes.includes('r')) {
    reading.fails()
    return
  }
  reading.work.add(3 * (before?.items?.size ?? 0))
  const changed = withAttributes(reading, state, value, before?.attributes ?? '')
  const old = before?.items ?? new Map(before?.isSet ? [['0', before.value]] : [])
  const isNamed = before?.attributes.includes('A') === true
  const place = before && !isNamed ? numberedKey(before, key) : key
  if (place === null || (!isNamed && place.startsWith('-'))) {
    reading.fails()
    return
  }
  const items = isNamed ? new Map(old).set(place, changed) : withElement(old, place, changed)
  // One that was there keeps its place.
  const ordered = isNamed || old.has(place) ? items : new Map([...items].sort((a, b) => Number(a[0]) - Number(b[0])))
  state.set(target, {
    value: ordered.get('0') ?? '',
    items: ordered,
    choices: null,
    exported: before?.exported ?? false,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
}

export function assignArray(state: State, name: string, items: ReadonlyMap<string, Value>): void {
  const target = targetName(state, name)
  const before = state.get(target)
  if (before?.attributes.includes('r')) return
  state.set(target, {
    value: items.get('0') ?? '',
    items,
    choices: null,
    exported: before?.exported ?? false,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
}

/** What a variable makes of a value that is given to it. An integer evaluates it, and so runs what stands in its subscripts. */
export function withAttributes(reading: Reading, state: State, value: Value, attributes: string): Value {
  if (attributes === '') return value
  if (attributes.includes('i')) {
    const number = evaluateValue(reading, state, value)
    return number === null ? A_NUMBER : String(number)
  }
  if (attributes.includes('l')) return mapValue(value, (text) => text.toLowerCase())
  if (attributes.includes('u')) return mapValue(value, (text) => text.toUpperCase())
  if (attributes.includes('c'))
    return mapValue(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase())
  return value
}
