import { escapeArg } from '../model/display.js'
import { parseScript } from '../shell/parse-script.js'
import type { Node } from '../shell/tree.js'
import { joinLeaving } from './jump.js'
import { anyOf, isMany, many } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Arg } from './programs/knowledge.js'
import { SOMEWHERE, type State, UNSET, type Variable } from './state.js'
import type { Work } from './text/work.js'
import { unknown, type Value } from './value.js'

/** More possible values than this are not told apart. */
const CHOICES = 8

/** Makes `state` what it is after exactly one of the forks ran, when it is not known which. */
export function joinForks(work: Work, state: State, forks: readonly State[]): void {
  const [first] = forks
  if (!first) return
  let alike = true
  for (const fork of forks) alike &&= fork === first || isLike(fork, first)
  if (alike) {
    state.adopt(first)
    state.last = eitherLast(forks)
    return
  }
  const merged = new Map<string, Variable>()
  for (const fork of forks)
    for (const name of fork.changed.keys()) {
      if (merged.has(name)) continue
      const variables = forks.map((one) => one.get(name) ?? UNSET)
      for (const { items, choices } of variables) work.add(4 + 2 * (items?.size ?? 0) + (choices?.length ?? 0))
      merged.set(name, mergeVariables(variables))
    }
  const functions = new Map<string, Node>()
  for (const fork of forks)
    for (const name of fork.newFunctions()) {
      const body = functions.has(name) ? null : mergeFunctions(name, forks)
      if (body) functions.set(name, body)
    }
  const aliases = new Map<string, Value>()
  for (const fork of forks)
    for (const name of fork.newAliases())
      if (!aliases.has(name)) aliases.set(name, oneOf(forks.map((one) => one.alias(name) ?? name)))
  const main = forks.find((fork) => fork.leave === null) ?? first
  state.adopt(main)
  for (const [name, value] of aliases) state.setAlias(name, value)
  state.last = eitherLast(forks)
  for (const [name, variable] of merged) state.set(name, variable)
  for (const [name, body] of functions) state.setFunction(name, body)
  joinRest(state, main, forks)
}

/** A function that is defined in several ways, or only maybe, is each of them on a condition that is not known. */
function mergeFunctions(name: string, forks: readonly State[]): Node | null {
  const staying = forks.filter(({ leave }) => leave === null)
  const bodies = [...new Set((staying.length > 0 ? staying : forks).map((fork) => fork.functionNamed(name)))]
  if (bodies.length === 1) return bodies[0] ?? null
  // Where there is no function of that name, it is a builtin or a program.
  const nodes = bodies.flatMap(
    (body) => body ?? parseScript(`command ${escapeArg(name)} "$@"`).statements[0]?.node ?? [],
  )
  return nodes.reduce((other, node) => ({
    kind: 'if',
    arms: [{ test: NOT_KNOWN, body: [{ node, background: false }] }],
    otherwise: [{ node: other, background: false }],
    span: node.span,
  }))
}

const NOT_KNOWN = parseScript('((RANDOM))').statements

/** What `$_` is after one of several: null where it is not the same in all. */
export const eitherLast = (forks: readonly State[]): Arg | null => {
  const last = forks[0]?.last ?? null
  return forks.every((fork) => fork.last === last) ? last : null
}

/** Directory, arguments, options, status, and whether control stays: what differs is not known. */
function joinRest(state: State, main: State, forks: readonly State[]): void {
  let leaving = 0
  let sameOptions = true
  let samePositional = true
  for (const fork of forks) {
    if (fork.leave !== null) leaving++
    else if (fork.cwd !== main.cwd) {
      state.cwd = null
      state.place = SOMEWHERE
    } else if (fork.place !== main.place) state.place = SOMEWHERE
    samePositional &&= fork.positional === main.positional
    if (fork.status !== main.status) state.status = null
    sameOptions &&= fork.options === main.options
  }
  if (forks.some((fork) => fork.zero !== main.zero)) state.zero = oneOf(forks.map((fork) => fork.zero))
  if (!samePositional) state.positional = mergePositional(forks.map((fork) => fork.positional))
  if (state.cwd === null) state.places = placesOf(forks)
  if (!sameOptions) state.options = new Set(forks.flatMap((fork) => [...fork.options]))
  for (const { mayJump } of forks) if (mayJump > state.mayJump) state.mayJump = mayJump
  if (leaving === 0) state.leave = null
  else joinLeaving(state, forks, leaving)
}

/** Is everything but variables and how the last command ended the same in both? */
const isElsewhereLike = (a: State, b: State): boolean =>
  a.cwd === b.cwd &&
  a.previous === b.previous &&
  a.positional === b.positional &&
  a.options === b.options &&
  a.zero === b.zero &&
  a.directories === b.directories

/** Did neither change anything that the other did not? */
const isLike = (a: State, b: State): boolean =>
  a.isUnchanged &&
  b.isUnchanged &&
  isElsewhereLike(a, b) &&
  a.status === b.status &&
  a.leave === b.leave &&
  a.mayLeave === b.mayLeave &&
  a.mayJump === b.mayJump

/** Is a state after its fork ran or did not the one it was before? */
export const changesNothing = (fork: State, state: State): boolean =>
  fork.isUnchanged && fork.status === state.status && changesVariables(fork, state)

/** The same but for values of variables and how the last command ended. */
export const changesVariables = (fork: State, state: State): boolean =>
  fork.changesVariablesAlone &&
  isElsewhereLike(fork, state) &&
  fork.leave === null &&
  !fork.mayLeave &&
  fork.mayJump === 0

/** One variable that can be any of several. */
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
  attributes = withDoubts(variables, attributes)
  const unset = isSet && variables.some((one) => !one.isSet || one.mayBeUnset) ? MAY_BE_UNSET : null
  if (hasItems)
    return { value: UNDECIDED, items: mergeKeys(variables), choices: null, exported, attributes, isSet, ...unset }
  return { value: UNDECIDED, items: null, choices: choicesOf(variables), exported, attributes, isSet, ...unset }
}

/** Marks what not all of them are: `?` where values are changed, `!` where they are exported. */
function withDoubts(variables: readonly Variable[], attributes: string): string {
  const [first] = variables
  if (!first) return attributes
  const changing = (one: Variable): string => [...'iluc'].filter((letter) => one.attributes.includes(letter)).join('')
  const isChanging = variables.some((one) => changing(one) !== changing(first))
  const isExported = variables.some((one) => one.exported !== first.exported)
  return attributes + (isChanging ? '?' : '') + (isExported ? '!' : '')
}

const MAY_BE_UNSET = { mayBeUnset: true } as const

const UNDECIDED = unknown('condition', 'depends on a condition')

/** Elements that are the same in all, or one of those they have. */
function mergeKeys(variables: readonly Variable[]): ReadonlyMap<string, Value> {
  const keys = new Set<string>()
  for (const variable of variables) for (const key of variable.items?.keys() ?? ['0']) keys.add(key)
  const isNamed = variables.some((one) => one.attributes.includes('A'))
  let inOrder = [...keys]
  // Those that not all of them have come in later.
  if (!isNamed && variables.some((one) => one.items !== null && one.items.size !== keys.size))
    inOrder = inOrder.sort((a, b) => Number(a) - Number(b))
  return new Map(inOrder.map((key) => [key, elementIn(variables, key)]))
}

/** An element, which need not be there where some have none. */
function elementIn(variables: readonly Variable[], key: string): Value {
  const values = variables.map((one) => (one.items ? one.items.get(key) : one.isSet ? one.value : undefined))
  const value = oneOf(values.map((one) => one ?? ''))
  return values.includes(undefined) ? many(value) : value
}

/** Arguments that are one of several lists. Those that not all of them have may be there or not. */
function mergePositional(lists: readonly (readonly Value[])[]): readonly Value[] {
  if (lists.some((list) => list.some(isMany))) return [...new Set(lists.flat())].map((value) => many(anyOf([value])))
  const longest = lists.reduce((a, b) => (b.length > a.length ? b : a))
  return longest.map((_, i) => {
    const values = lists.map((list) => list[i])
    const value = oneOf(values.map((one) => one ?? ''))
    return values.includes(undefined) ? many(value) : value
  })
}

/** The directories it may be in, where they are few. */
function placesOf(forks: readonly State[]): readonly string[] {
  const places = new Set<string>()
  for (const { cwd, places: known, leave } of forks) {
    if (leave !== null) continue
    if (cwd !== null) places.add(cwd)
    for (const place of known) places.add(place)
  }
  return places.size > CHOICES ? [] : [...places]
}

/** All the values it can have, each once; null where they are too many. */
function choicesOf(variables: readonly Variable[]): readonly Value[] | null {
  const choices: Value[] = []
  for (const variable of variables) {
    for (const value of variable.choices ?? [variable.value]) if (!choices.includes(value)) choices.push(value)
    if (choices.length > CHOICES) return null
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
