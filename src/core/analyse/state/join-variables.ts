import type { CostMeter } from '../text/cost-meter.js'
import { oneOf } from '../values/one-of.js'
import { uncounted } from '../values/uncounted-elements.js'
import { unknown, type Value } from '../values/value.js'
import { UNSET, type Variable } from './variable.js'
import type { Variables } from './variable-scopes.js'

/** The maximum number of values that a variable keeps apart. */
const MAX_CHOICES = 8

/** Returns the variables that one of several branches changed, with their possible values. */
export function joinVariables(meter: CostMeter, forks: readonly Variables[]): ReadonlyMap<string, Variable> {
  const merged = new Map<string, Variable>()
  for (const fork of forks)
    for (const name of fork.changed.keys()) {
      if (merged.has(name)) continue
      const variables = forks.map((one) => one.get(name) ?? UNSET)
      for (const { items, choices } of variables) meter.add(4 + 2 * (items?.size ?? 0) + (choices?.length ?? 0))
      merged.set(name, mergeVariables(variables))
    }
  return merged
}

/** Merges several versions of one variable. */
export function mergeVariables(variables: readonly Variable[]): Variable {
  const first = variables[0] ?? UNSET
  let same = true
  let exported = false
  let isSet = false
  let hasItems = false
  let attributes = first.attributes
  for (const variable of variables) {
    same &&= sameVariable(variable, first)
    exported ||= variable.exported
    isSet ||= variable.isSet
    hasItems ||= variable.items !== null
    if (variable.attributes !== attributes) attributes = [...new Set(attributes + variable.attributes)].join('')
  }
  if (same) return first
  attributes = withUncertainAttributes(variables, attributes)
  const unset = isSet && variables.some((one) => !one.isSet || one.mayBeUnset) ? MAY_BE_UNSET : null
  if (hasItems)
    return { value: CONDITIONAL, items: mergeKeys(variables), choices: null, exported, attributes, isSet, ...unset }
  return { value: CONDITIONAL, items: null, choices: choicesOf(variables), exported, attributes, isSet, ...unset }
}

/** Adds attributes that differ between the versions: `?` for changed values, `!` for exports. */
function withUncertainAttributes(variables: readonly Variable[], attributes: string): string {
  const [first] = variables
  if (!first) return attributes
  const changing = (one: Variable): string => [...'iluc'].filter((letter) => one.attributes.includes(letter)).join('')
  const isChanging = variables.some((one) => changing(one) !== changing(first))
  const isExported = variables.some((one) => one.exported !== first.exported)
  return attributes + (isChanging ? '?' : '') + (isExported ? '!' : '')
}

const MAY_BE_UNSET = { mayBeUnset: true } as const

const CONDITIONAL = unknown('condition', 'a value that depends on a condition')

/** Merges the elements of several arrays by key. */
function mergeKeys(variables: readonly Variable[]): ReadonlyMap<string, Value> {
  const keys = new Set<string>()
  for (const variable of variables) for (const key of variable.items?.keys() ?? ['0']) keys.add(key)
  const isNamed = variables.some((one) => one.attributes.includes('A'))
  let inOrder = [...keys]
  // Keys that only some versions have come last.
  if (!isNamed && variables.some((one) => one.items !== null && one.items.size !== keys.size))
    inOrder = inOrder.sort((a, b) => Number(a) - Number(b))
  return new Map(inOrder.map((key) => [key, elementIn(variables, key)]))
}

/** Merges one element. It can be absent if a version lacks it. */
function elementIn(variables: readonly Variable[], key: string): Value {
  const values = variables.map((one) => (one.items ? one.items.get(key) : one.isSet ? one.value : undefined))
  const value = oneOf(values.map((one) => one ?? ''))
  return values.includes(undefined) ? uncounted(value) : value
}

/** Returns all possible values without duplicates, or null if there are too many. */
function choicesOf(variables: readonly Variable[]): readonly Value[] | null {
  const choices: Value[] = []
  for (const variable of variables) {
    for (const value of variable.choices ?? [variable.value]) if (!choices.includes(value)) choices.push(value)
    if (choices.length > MAX_CHOICES) return null
  }
  return choices
}

function sameVariable(a: Variable, b: Variable): boolean {
  if (a === b) return true
  if (
    a.isSet !== b.isSet ||
    a.mayBeUnset !== b.mayBeUnset ||
    a.attributes !== b.attributes ||
    a.exported !== b.exported
  )
    return false
  if (a.choices || b.choices) return false
  if (!(a.items || b.items)) return !a.isSet || a.value === b.value
  if (!(a.items && b.items)) return false
  if (a.items.size !== b.items.size) return false
  for (const [key, value] of a.items) if (b.items.get(key) !== value) return false
  return true
}
