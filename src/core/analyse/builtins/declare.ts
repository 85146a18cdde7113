import type { Analysis } from '../analysis/analysis.js'
import { forkMaybe } from '../analysis/fork-branches.js'
import type { Builtin } from '../analysis/interpreter.js'
import { evaluateValue } from '../expand/arithmetic.js'
import { assign, assignElement } from '../expand/assign.js'
import { performAssignment } from '../expand/assignment-words.js'
import { addVariable, runOwnVariable } from '../expand/environment-facts.js'
import { expandText } from '../expand/reexpansion.js'
import { reportReexpansion } from '../expand/unknown-reexpansion.js'
import { lookUp } from '../expand/variables.js'
import { asWritten } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { runText } from '../run/shell-text.js'
import type { State } from '../state/state.js'
import { UNSET, type Variable } from '../state/variable.js'
import { A_NUMBER, argValue, unknown, type Value } from '../values/value.js'
import { optionLetters } from './set-shopt-getopts.js'

const DECLARING = /^[aAcfFgiIlnprtux]*$/
const READONLY = /^[aAfp]*$/
const EXPORTING = /^[fnp]*$/

/** `declare`, `typeset`, `local`, `readonly`. An invalid option disables them; `-p` makes them print. */
export const declare: Builtin = (analysis, state, args) => {
  const { on, off, operands, isBad } = optionLetters(args)
  const name = args[0]?.text
  state.control.status = 0
  if (isBad || !(name === 'readonly' ? READONLY : DECLARING).test(on + off)) {
    state.control.status = 2
    return
  }
  if (on.includes('p') && name !== 'readonly') {
    state.control.status = null
    return
  }
  if (/[fF]/.test(on)) {
    state.descriptors.get(1)?.sink?.write(unknown('output', 'the function definitions'))
    if (!operands.every(({ text }) => text !== null && state.definitions.functionNamed(text)))
      state.control.status = null
    return
  }
  if (on.includes('p') && operands.length > 0) {
    if (!operands.every(({ text }) => isSurelySet(text === null ? undefined : state.variables.get(text))))
      state.control.status = null
    return
  }
  if (name === 'local' && !analysis.calls.running.some((call) => call.name.startsWith('function '))) {
    state.control.status = 1
    return
  }
  const local =
    name === 'local' || ((name === 'declare' || name === 'typeset') && state.control.callDepth > 0 && !on.includes('g'))
  for (const arg of operands.map(asWritten)) {
    const own = on.includes('g') && state.control.callDepth > 0 ? globalName(arg) : null
    const outside = own === null ? undefined : state.variables.outside(own)
    const letters = on.replace(/[gpI]/g, '') + (name === 'readonly' ? 'r' : '')
    // A quoted array value is a list for `declare` and its like, but plain text for `readonly` and `export`.
    const how = local ? 'local' : name === 'readonly' && !/[aA]/.test(on) ? 'text' : 'list'
    if (own !== null && outside)
      declareOutside(state, own, outside, (fork) => declareOne(analysis, fork, arg, { on: letters, off, how: 'list' }))
    else declareOne(analysis, state, arg, { on: letters, off, how })
  }
}

const isSurelySet = (variable: Variable | undefined): boolean => variable?.isSet === true && !variable.mayBeUnset

/** Declares a global variable past a local of the same name, which keeps its value. */
function declareOutside(state: State, name: string, outside: Variable, declare: (state: State) => void): void {
  const own = state.variables.get(name)
  state.variables.set(name, outside)
  declare(state)
  state.variables.setOutside(name, state.variables.get(name) ?? outside)
  if (own) state.variables.set(name, own)
}

const globalName = (arg: Arg): string | null =>
  /^[A-Za-z_]\w*/.exec(arg.assignment?.name ?? arg.text ?? arg.prefix)?.[0] ?? null

/** Splits `name[subscript]+=value` into its parts. A subscript can contain brackets. */
function parseDeclaration(text: string): readonly (string | undefined)[] | null {
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

/** Reports an unknown name. It can be an array element, whose subscript bash evaluates. */
export function reportUnknownName(analysis: Analysis, state: State, name: Arg): void {
  const value = argValue(name)
  if (typeof value !== 'string') reportReexpansion(analysis, state, value)
}

/** The attributes that a declaration adds and removes, and the scope of the variable. */
interface Declared {
  readonly on: string
  readonly off: string
  readonly how: 'local' | 'list' | 'text'
}

function declareOne(analysis: Analysis, state: State, arg: Arg, given: Declared): void {
  const { on, off, how } = given
  if (arg.text === null && (arg.assignment ? on.includes('n') : !/^[^[]*=/.test(arg.prefix)))
    reportUnknownName(analysis, state, arg)
  const text = arg.assignment ? arg.assignment.name : (arg.text ?? arg.prefix)
  const match = parseDeclaration(text)
  const name = match?.[1]
  if (name === undefined) {
    if (arg.text === null) analysis.findings.reportUnknown('declare sets a variable with an unknown name', arg.span)
    state.control.status = 1
    return
  }
  if (on.includes('n') && !arg.assignment && match?.[3] === undefined)
    analysis.findings.reportUnknown(`${name} is a name reference to a variable chosen later`, arg.span)
  // A name reference cannot point to an invalid variable name.
  const referred = on.includes('n')
    ? arg.assignment
      ? arg.value
      : arg.text === null
        ? undefined
        : match?.[4]
    : undefined
  if (typeof referred === 'string' && !/^[A-Za-z_]\w*(?:\[.+\])?$/s.test(referred)) {
    state.control.status = 1
    return
  }
  if (how === 'local') beginLocal(analysis, state, name, arg)
  else if (cannotBecome(state.variables.get(name), on)) {
    // An unknown condition can decide whether the variable is such an array.
    forkMaybe(analysis, state, (fork) => {
      fork.variables.set(name, UNSET)
      declareOne(analysis, fork, arg, given)
    })
    state.control.status = null
    return
  }
  // A new target for a name reference leaves the old target unchanged.
  if (on.includes('n') && state.variables.get(name) && (arg.assignment || match?.[3])) state.variables.set(name, UNSET)
  giveAttributes(analysis, state, name, on.replace('r', ''), off)
  const compound = match?.[2] === undefined && how !== 'text' ? compoundText(analysis, state, name, arg) : null
  if (compound !== null) runText(analysis, state, compound)
  else if (arg.assignment) performAssignment(analysis, state, arg.assignment, arg.value)
  else if (match?.[2] !== undefined)
    declareElement(analysis, state, name, match[2], match[3] ? withHead(arg, match[4] ?? '') : null)
  else if (match?.[3] !== undefined) declareText(analysis, state, name, match[3], withHead(arg, match[4] ?? ''))
  if (on.includes('x') || state.options.has('allexport')) exportOne(analysis, state, name, arg)
  runOwnVariable(analysis, state, name, arg.span)
  if (on.includes('r')) giveAttributes(analysis, state, name, 'r', '')
}

/** Returns the value of an argument after an operator or option. */
const withHead = (arg: Arg, text: string): Value =>
  argValue({ ...arg, text: arg.text === null ? null : text, prefix: text })

/** Tells whether the conversion fails: indexed arrays never become associative, nor the reverse. */
const cannotBecome = (before: Variable | undefined, on: string): boolean =>
  before?.items != null &&
  (before.attributes.includes('A') ? on.includes('a') && !on.includes('A') : on.includes('A') && before.items.size > 0)

/** Starts a local variable as empty text. Only its new value can use the variable outside. */
function beginLocal(analysis: Analysis, state: State, name: string, arg: Arg): void {
  const outside = lookUp(analysis, state, name)
  // A local variable cannot hide a readonly one.
  if (outside.attributes.includes('r')) return
  const isNew = state.variables.makeLocal(name, outside, analysis.certainty.conditionalDepth)
  if (isNew && !state.options.has('localvar_inherit')) {
    const keeps = arg.assignment?.value.kind === 'array' && !arg.assignment.append
    state.variables.set(name, keeps ? { ...outside, attributes: '' } : { ...UNSET, exported: outside.exported })
  }
}

/** Returns a quoted array value, `declare -a x='(…)'`, which bash parses as if it were unquoted. */
function compoundText(analysis: Analysis, state: State, name: string, arg: Arg): string | null {
  const text = arg.assignment && arg.value === undefined ? null : arg.text
  const value = text === null ? null : /^\w+(\+?=\(.*\))$/s.exec(text)
  return value && lookUp(analysis, state, name).items ? `${name}${value[1]}` : null
}

/** Declares a value that came from an expansion (`declare "$x"`). */
function declareText(analysis: Analysis, state: State, name: string, operator: string, value: Value): void {
  const before = lookUp(analysis, state, name)
  if (before.attributes.includes('i')) {
    const number = evaluateValue(analysis, state, value)
    assign(analysis, state, name, number === null ? A_NUMBER : String(number))
  } else
    assign(
      analysis,
      state,
      name,
      operator === '+=' && typeof before.value === 'string' && typeof value === 'string' ? before.value + value : value,
    )
}

export function declareElement(
  analysis: Analysis,
  state: State,
  name: string,
  subscript: string,
  value: Value | null,
): void {
  const key = /[$`]/.test(subscript) ? expandText(analysis, state, subscript) : subscript
  const index = lookUp(analysis, state, name).attributes.includes('A') ? key : evaluateValue(analysis, state, key)
  if (index !== null && typeof index !== 'object' && value !== null)
    assignElement(analysis, state, name, String(index), value)
}

function giveAttributes(analysis: Analysis, state: State, name: string, on: string, off: string): void {
  const before = state.variables.get(name) ?? lookUp(analysis, state, name)
  const attributes = [...new Set(before.attributes + on)].filter((letter) => !off.includes(letter)).join('')
  const array = /[aA]/.test(on) && !before.items
  const changed = { ...before, attributes, exported: off.includes('x') ? false : before.exported }
  state.variables.set(
    name,
    array ? { ...changed, items: before.isSet ? new Map([['0', before.value]]) : new Map() } : changed,
  )
}

export const exportNames: Builtin = (analysis, state, args) => {
  const { on, off, operands, isBad } = optionLetters(args)
  state.control.status = isBad || !EXPORTING.test(on + off) ? 2 : 0
  if (state.control.status === 2) return
  for (const arg of operands) {
    const name = /^[A-Za-z_]\w*/.exec(arg.assignment?.name ?? arg.text ?? arg.prefix)?.[0]
    if (name === undefined) {
      if (arg.text === null) analysis.findings.reportUnknown('export sets a variable with an unknown name', arg.span)
      continue
    }
    if (on.includes('f')) state.definitions.exportFunction(name)
    else {
      if (arg.assignment) performAssignment(analysis, state, arg.assignment, arg.value)
      else declareOne(analysis, state, arg, { on: '', off: '', how: 'text' })
      if (on.includes('n')) state.variables.set(name, { ...lookUp(analysis, state, name), exported: false })
      else exportOne(analysis, state, name, arg)
    }
  }
}

function exportOne(analysis: Analysis, state: State, name: string, arg: Arg): void {
  state.history.exports?.add(name)
  const before = state.variables.get(name) ?? lookUp(analysis, state, name)
  state.variables.set(name, { ...before, exported: true, attributes: before.attributes.replaceAll('!', '') })
  if (before.isSet) addVariable(analysis, state, name, arg.span)
}
