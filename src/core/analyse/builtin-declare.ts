import { doubt } from './again.js'
import { assign, assignElement } from './assigning.js'
import { performAssignment } from './assignments.js'
import { forkMaybe } from './branch.js'
import { optionLetters } from './builtin-options.js'
import type { Builtin } from './builtins.js'
import { addVariable, runOwnVariable } from './environment-facts.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { asWritten } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runText } from './shell-text.js'
import { type State, UNSET, type Variable } from './state.js'
import { A_NUMBER, argValue, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

const DECLARING = /^[aAcfFgiIlnprtux]*$/
const READONLY = /^[aAfp]*$/
const EXPORTING = /^[fnp]*$/

/** `declare`, `typeset`, `local`, `readonly`. With an option that they do not have they do nothing, with `-p` they print. */
export const declare: Builtin = (reading, state, args) => {
  const { on, off, operands, isBad } = optionLetters(args)
  const name = args[0]?.text
  state.status = 0
  if (isBad || !(name === 'readonly' ? READONLY : DECLARING).test(on + off)) {
    state.status = 2
    return
  }
  if (on.includes('p') && name !== 'readonly') {
    state.status = null
    return
  }
  if (/[fF]/.test(on)) {
    state.descriptors.get(1)?.sink?.write(unknown('output', 'definitions of functions'))
    if (!operands.every(({ text }) => text !== null && state.functionNamed(text))) state.status = null
    return
  }
  if (on.includes('p') && operands.length > 0) {
    if (!operands.every(({ text }) => isSurelySet(text === null ? undefined : state.get(text)))) state.status = null
    return
  }
  if (name === 'local' && !reading.calls.some((call) => call.name.startsWith('function '))) {
    state.status = 1
    return
  }
  const local =
    name === 'local' || ((name === 'declare' || name === 'typeset') && state.frames > 0 && !on.includes('g'))
  for (const arg of operands.map(asWritten)) {
    const own = on.includes('g') && state.frames > 0 ? globalName(arg) : null
    const outside = own === null ? undefined : state.outside(own)
    const letters = on.replace(/[gpI]/g, '') + (name === 'readonly' ? 'r' : '')
    // What an array is given between quotes is a list for `declare` and its kin, and text for `readonly` and `export`.
    const how = local ? 'local' : name === 'readonly' && !/[aA]/.test(on) ? 'text' : 'list'
    if (own !== null && outside)
      declareOutside(reading, state, own, outside, (fork) => declareOne(reading, fork, arg, letters, off, 'list'))
    else declareOne(reading, state, arg, letters, off, how)
  }
}

const isSurelySet = (variable: Variable | undefined): boolean => variable?.isSet === true && !variable.mayBeUnset

/** A function on the way has one of its own, which stays what it was. */
function declareOutside(
  reading: Reading,
  state: State,
  name: string,
  outside: Variable,
  declare: (state: State) => void,
): void {
  const own = state.get(name)
  state.set(name, outside)
  declare(state)
  state.setOutside(name, state.get(name) ?? outside)
  reading.hasChoices = true
  if (own) state.set(name, own)
}

const globalName = (arg: Arg): string | null =>
  /^[A-Za-z_]\w*/.exec(arg.assignment?.name ?? arg.text ?? arg.head)?.[0] ?? null

/** `name[subscript]+=value` in its parts. A subscript may hold brackets of its own. */
function declared(text: string): readonly (string | undefined)[] | null {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0]
  if (name === undefined) return null
  let end = name.length
  if (text[end] === '[') {
    let depth = 0
    do {
      if (text[end] === '[') depth++
      else if (text[end] === ']') depth--
      end++
    } while (depth > 0 && end < text.length)
  }
  const subscript = end > name.length ? text.slice(name.length + 1, end - 1) : undefined
  const [, operator, value] = /^(\+?=)?(.*)$/s.exec(text.slice(end)) ?? []
  return [text, name, subscript, operator, value]
}

/** A name that is not known may be that of an element, whose subscript is evaluated. */
export function doubtName(reading: Reading, state: State, name: Arg): void {
  const value = argValue(name)
  if (typeof value !== 'string') doubt(reading, state, value)
}

function declareOne(
  reading: Reading,
  state: State,
  arg: Arg,
  on: string,
  off: string,
  how: 'local' | 'list' | 'text',
): void {
  if (arg.text === null && (arg.assignment ? on.includes('n') : !/^[^[]*=/.test(arg.head)))
    doubtName(reading, state, arg)
  const text = arg.assignment ? arg.assignment.name : (arg.text ?? arg.head)
  const match = declared(text)
  const name = match?.[1]
  if (name === undefined) {
    if (arg.text === null) reading.reportUnknown('a name that is not known is declared', arg.span)
    state.status = 1
    return
  }
  if (on.includes('n') && !arg.assignment && match?.[3] === undefined)
    reading.reportUnknown(`${name} is a reference to a variable that is named later`, arg.span)
  // What no variable can be called cannot be referred to.
  const referred = on.includes('n')
    ? arg.assignment
      ? arg.value
      : arg.text === null
        ? undefined
        : match?.[4]
    : undefined
  if (typeof referred === 'string' && !/^[A-Za-z_]\w*(?:\[.+\])?$/s.test(referred)) {
    state.status = 1
    return
  }
  if (how === 'local') beginLocal(reading, state, name, arg)
  else if (cannotBecome(state.get(name), on)) {
    // Whether it is such an array may depend on a condition.
    forkMaybe(reading, state, (fork) => {
      fork.set(name, UNSET)
      declareOne(reading, fork, arg, on, off, how)
    })
    state.status = null
    return
  }
  // A reference that is made anew refers to something else; what it referred to stays.
  if (on.includes('n') && state.get(name) && (arg.assignment || match?.[3])) state.set(name, UNSET)
  giveAttributes(reading, state, name, on.replace('r', ''), off)
  const compound = match?.[2] === undefined && how !== 'text' ? compoundText(reading, state, name, arg) : null
  if (compound !== null) runText(reading, state, compound)
  else if (arg.assignment) performAssignment(reading, state, arg.assignment, arg.value)
  else if (match?.[2] !== undefined)
    declareElement(
      reading,
      state,
      name,
      match[2],
      match[3] ? argValue({ ...arg, text: arg.text === null ? null : (match[4] ?? ''), head: match[4] ?? '' }) : null,
    )
  else if (match?.[3] !== undefined) declareText(reading, state, name, match[3], arg, match[4] ?? '')
  if (on.includes('x') || state.options.has('allexport')) exportOne(reading, state, name, arg)
  runOwnVariable(reading, state, name, arg.span)
  if (on.includes('r')) giveAttributes(reading, state, name, 'r', '')
}

/** An array with numbers for keys never becomes one with names, nor the other way round. */
const cannotBecome = (before: Variable | undefined, on: string): boolean =>
  before?.items != null &&
  (before.attributes.includes('A') ? on.includes('a') && !on.includes('A') : on.includes('A') && before.items.size > 0)

/** A variable of the function's own starts empty, and as text; only what it is made of may be the one outside. */
function beginLocal(reading: Reading, state: State, name: string, arg: Arg): void {
  const outside = lookUp(reading, state, name)
  // What cannot be changed cannot be hidden either.
  if (outside.attributes.includes('r')) return
  const isNew = state.makeLocal(name, outside, reading.undecided)
  if (isNew && !state.options.has('localvar_inherit')) {
    const keeps = arg.assignment?.value.kind === 'array' && !arg.assignment.append
    state.set(name, keeps ? { ...outside, attributes: '' } : { ...UNSET, exported: outside.exported })
  }
}

/** What an array is given between quotes, `declare -a x='(…)'`, is read as if it stood there without them. */
function compoundText(reading: Reading, state: State, name: string, arg: Arg): string | null {
  const text = arg.assignment && arg.value === undefined ? null : arg.text
  const value = text === null ? null : /^\w+(\+?=\(.*\))$/s.exec(text)
  return value && lookUp(reading, state, name).items ? `${name}${value[1]}` : null
}

/** A value that came as text (`declare "$x"`). */
function declareText(reading: Reading, state: State, name: string, operator: string, arg: Arg, rest: string): void {
  const value: Value = arg.text === null ? { ...(argValue(arg) as Exclude<Value, string>), head: rest } : rest
  const before = lookUp(reading, state, name)
  if (before.attributes.includes('i')) {
    const number = evaluateValue(reading, state, value)
    assign(reading, state, name, number === null ? A_NUMBER : String(number))
  } else
    assign(
      reading,
      state,
      name,
      operator === '+=' && typeof before.value === 'string' && typeof value === 'string' ? before.value + value : value,
    )
}

export function declareElement(
  reading: Reading,
  state: State,
  name: string,
  subscript: string,
  value: Value | null,
): void {
  const key = /[$`]/.test(subscript) ? expandText(reading, state, subscript) : subscript
  const index = lookUp(reading, state, name).attributes.includes('A') ? key : evaluateValue(reading, state, key)
  if (index !== null && typeof index !== 'object' && value !== null)
    assignElement(reading, state, name, String(index), value)
}

function giveAttributes(reading: Reading, state: State, name: string, on: string, off: string): void {
  const before = state.get(name) ?? lookUp(reading, state, name)
  const attributes = [...new Set(before.attributes + on)].filter((letter) => !off.includes(letter)).join('')
  const array = /[aA]/.test(on) && !before.items
  const changed = { ...before, attributes, exported: off.includes('x') ? false : before.exported }
  state.set(name, array ? { ...changed, items: before.isSet ? new Map([['0', before.value]]) : new Map() } : changed)
}

export const exportNames: Builtin = (reading, state, args) => {
  const { on, off, operands, isBad } = optionLetters(args)
  state.status = isBad || !EXPORTING.test(on + off) ? 2 : 0
  if (state.status === 2) return
  for (const arg of operands) {
    const name = /^[A-Za-z_]\w*/.exec(arg.assignment?.name ?? arg.text ?? arg.head)?.[0]
    if (name === undefined) {
      if (arg.text === null) reading.reportUnknown('a name that is not known is exported', arg.span)
      continue
    }
    if (on.includes('f')) state.exportFunction(name)
    else {
      if (arg.assignment) performAssignment(reading, state, arg.assignment, arg.value)
      else declareOne(reading, state, arg, '', '', 'text')
      if (on.includes('n')) state.set(name, { ...lookUp(reading, state, name), exported: false })
      else exportOne(reading, state, name, arg)
    }
  }
}

function exportOne(reading: Reading, state: State, name: string, arg: Arg): void {
  reading.exported?.add(name)
  const before = state.get(name) ?? lookUp(reading, state, name)
  state.set(name, { ...before, exported: true, attributes: before.attributes.replaceAll('!', '') })
  if (before.isSet) addVariable(reading, state, name, arg.span)
}
