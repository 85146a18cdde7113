import { doubt } from './again.js'
import { performAssignment } from './assignments.js'
import type { Builtin } from './builtins.js'
import { runCall, setPositional } from './call.js'
import { addVariable, runOwnVariable } from './environment-facts.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, UNSET } from './state.js'
import { argValue, hole, type Value } from './value.js'
import { assign, assignArray, assignElement, lookUp } from './variables.js'

/** The letters of the options before the operands, and the operands. */
function optionLetters(args: readonly Arg[]): {
  readonly on: string
  readonly off: string
  readonly operands: readonly Arg[]
} {
  let on = ''
  let off = ''
  let i = 1
  for (; i < args.length; i++) {
    const arg = args[i] as Arg
    const text = arg.assignment ? '' : (arg.text ?? '')
    if (text === '--') {
      i++
      break
    }
    if (/^-[a-zA-Z]+$/.test(text)) on += text.slice(1)
    else if (/^\+[a-zA-Z]+$/.test(text)) off += text.slice(1)
    else break
  }
  return { on, off, operands: args.slice(i) }
}

/** `declare`, `typeset`, `local`, `readonly`. */
export const declare: Builtin = (reading, state, args) => {
  const { on, off, operands } = optionLetters(args)
  const name = args[0]?.text
  state.status = 0
  if (/[fF]/.test(on)) {
    const sink = state.descriptors.get(1)?.sink
    for (const arg of sink ? operands : []) sink?.write(definitionOf(reading, state, arg))
    if (operands.length === 0) sink?.write(hole('definitions of functions', 'decoded'))
    return
  }
  const local =
    name === 'local' || ((name === 'declare' || name === 'typeset') && state.frames > 0 && !on.includes('g'))
  for (const arg of operands) declareOne(reading, state, arg, on.replace(/[gpI]/g, ''), off, local)
}

/** `declare -f name`: bash prints it in a layout of its own. Whoever prints a function has it run elsewhere: it is read as if called. */
function definitionOf(reading: Reading, state: State, arg: Arg): Value {
  const body = arg.text === null ? undefined : state.functionNamed(arg.text)
  if (body) {
    runCall(reading, state.fork(), arg.text ?? '', body, [])
    runCall(reading, state.fork(), arg.text ?? '', body, null)
  }
  return hole('the definition of a function', 'output')
}

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
function doubtName(reading: Reading, state: State, name: Arg): void {
  const value = argValue(name)
  if (typeof value !== 'string') doubt(reading, state, value)
}

function declareOne(reading: Reading, state: State, arg: Arg, on: string, off: string, local: boolean): void {
  if (arg.text === null && (arg.assignment ? on.includes('n') : !/^[^[]*=/.test(arg.head)))
    doubtName(reading, state, arg)
  const text = arg.assignment ? arg.assignment.name : (arg.text ?? arg.head)
  const match = declared(text)
  const name = match?.[1]
  if (name === undefined) {
    if (arg.text === null) reading.hidden('a name that is not known is declared', arg.span)
    return
  }
  if (local) {
    state.makeLocal(name, lookUp(reading, state, name))
    if (!arg.assignment && match?.[3] === undefined) state.set(name, UNSET)
  }
  giveAttributes(reading, state, name, on, off)
  if (arg.assignment) performAssignment(reading, state, arg.assignment, arg.value)
  else if (match?.[2] !== undefined)
    declareElement(
      reading,
      state,
      name,
      match[2],
      match[3] ? { ...arg, text: arg.text === null ? null : (match[4] ?? ''), head: match[4] ?? '' } : null,
    )
  else if (match?.[3] !== undefined) declareText(reading, state, name, match[3], arg, match[4] ?? '')
  if (on.includes('x') || state.options.has('allexport')) exportOne(reading, state, name, arg)
  runOwnVariable(reading, state, name, arg.span)
}

/** A value that came as text (`declare "$x"`): compound assignments in it are expanded again. */
function declareText(reading: Reading, state: State, name: string, operator: string, arg: Arg, rest: string): void {
  const value: Value = arg.text === null ? { ...(argValue(arg) as Exclude<Value, string>), head: rest } : rest
  if (typeof value === 'string' && /^\(.*\)$/s.test(value) && lookUp(reading, state, name).items) {
    expandText(reading, state, value)
    assignArray(state, name, new Map([['0', hole('an array given as text', 'output')]]))
    return
  }
  const before = lookUp(reading, state, name)
  if (before.attributes.includes('i')) {
    const number = evaluateValue(reading, state, value)
    assign(reading, state, name, number === null ? hole('a number', 'number') : String(number))
  } else
    assign(
      reading,
      state,
      name,
      operator === '+=' && typeof before.value === 'string' && typeof value === 'string' ? before.value + value : value,
    )
}

function declareElement(reading: Reading, state: State, name: string, subscript: string, value: Arg | null): void {
  const key = /[$`]/.test(subscript) ? expandText(reading, state, subscript) : subscript
  const index = lookUp(reading, state, name).attributes.includes('A') ? key : evaluateValue(reading, state, key)
  if (index !== null && typeof index !== 'object' && value)
    assignElement(reading, state, name, String(index), argValue(value))
}

function giveAttributes(reading: Reading, state: State, name: string, on: string, off: string): void {
  const before = state.get(name) ?? lookUp(reading, state, name)
  const attributes = [...new Set(before.attributes + on)].filter((letter) => !off.includes(letter)).join('')
  const array = /[aA]/.test(on) && !before.items
  const changed = { ...before, attributes, exported: off.includes('x') ? false : before.exported }
  state.set(
    name,
    array ? { ...changed, items: before.isSet ? new Map([['0', before.value]]) : new Map(), isSet: true } : changed,
  )
}

export const exportNames: Builtin = (reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = 0
  for (const arg of operands) {
    const name = /^[A-Za-z_]\w*/.exec(arg.assignment?.name ?? arg.text ?? arg.head)?.[0]
    if (name === undefined) {
      if (arg.text === null) reading.hidden('a name that is not known is exported', arg.span)
      continue
    }
    if (on.includes('f')) state.exportFunction(name)
    else if (on.includes('n')) state.set(name, { ...lookUp(reading, state, name), exported: false })
    else {
      if (arg.assignment) performAssignment(reading, state, arg.assignment, arg.value)
      else declareOne(reading, state, arg, '', '', false)
      exportOne(reading, state, name, arg)
    }
  }
}

function exportOne(reading: Reading, state: State, name: string, arg: Arg): void {
  const before = state.get(name) ?? lookUp(reading, state, name)
  state.set(name, { ...before, exported: true })
  if (before.isSet) addVariable(reading, state, name, arg.span)
}

export const unset: Builtin = (reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = 0
  for (const arg of operands) {
    if (arg.text === null) {
      reading.hidden('a name that is not known is unset', arg.span)
      doubtName(reading, state, arg)
      continue
    }
    const element = /^(\w+)\[(.*)\]$/s.exec(arg.text)
    if (element) {
      const key = expandText(reading, state, element[2] ?? '')
      const before = lookUp(reading, state, element[1] ?? '')
      if (typeof key === 'string' && before.items)
        assignArray(state, element[1] ?? '', new Map([...before.items].filter(([k]) => k !== key)))
    } else if (on.includes('f') || (!state.get(arg.text)?.isSet && state.functionNamed(arg.text)))
      state.setFunction(arg.text, null)
    else state.set(arg.text, { ...UNSET, attributes: '' })
  }
}

const LONG_OPTIONS: Readonly<Record<string, string>> = {
  x: 'xtrace',
  a: 'allexport',
  e: 'errexit',
  f: 'noglob',
  n: 'noexec',
  H: 'histexpand',
}

/** `set -- a b`, `set -x`, `set -o name`. */
export const setOptions: Builtin = (reading, state, args) => {
  state.status = 0
  const options = new Set(state.options)
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg
    const { text } = arg
    if (text === '--' || text === '-') {
      setPositional(state, args.slice(i + 1))
      break
    }
    const letters = /^([-+])([a-zA-Z]+)$/.exec(text ?? '')
    if (!letters) {
      setPositional(state, args.slice(i))
      break
    }
    for (const letter of letters[2] ?? '') {
      const name = letter === 'o' ? (args[++i]?.text ?? '') : (LONG_OPTIONS[letter] ?? letter)
      if (letters[1] === '-') options.add(name)
      else options.delete(name)
    }
  }
  state.options = options
  if (options.has('histexpand')) {
    reading.hidden('history expansion rewrites commands before they are read', null)
    reading.findings.shape('decode-and-run', reading.here)
  }
  if (options.has('xtrace')) runOwnVariable(reading, state, 'PS4', reading.here)
}

export const shift: Builtin = (_reading, state, args) => {
  const count = args[1] ? Number(args[1].text ?? Number.NaN) : 1
  state.status = 0
  if (Number.isNaN(count)) state.positional = null
  else if (state.positional && count > state.positional.length) state.status = 1
  else state.positional = state.positional?.slice(count) ?? null
}

export const shopt: Builtin = (_reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = on === '' || on.includes('q') ? null : 0
  const options = new Set(state.options)
  for (const arg of operands) {
    if (arg.text === null) continue
    if (on.includes('s')) options.add(arg.text)
    else if (on.includes('u')) options.delete(arg.text)
  }
  state.options = options
}

/** One step of `getopts` over known words, an option to a word; false where that is not how they are given. */
function nextOption(reading: Reading, state: State, args: readonly Arg[]): boolean {
  const [, letters, name, ...given] = args
  const words = given.length > 0 ? given.map(argValue) : state.positional
  const at = lookUp(reading, state, 'OPTIND').value
  if (!letters?.text || !name?.text || !words || typeof at !== 'string' || !/^\d+$/.test(at)) return false
  const word = words[Number(at) - 1] ?? '--'
  const match = typeof word === 'string' ? /^-([a-zA-Z0-9])(.*)$/s.exec(word) : null
  if (typeof word !== 'string') return false
  if (!match) {
    state.status = 1
    assign(reading, state, name.text, '?')
    return true
  }
  const [, letter = '', rest = ''] = match
  const valued = letters.text.includes(`${letter}:`)
  if (!valued && (rest !== '' || !letters.text.includes(letter))) return false
  const value = !valued ? '' : rest !== '' ? rest : words[Number(at)]
  if (value === undefined) return false
  state.status = 0
  assign(reading, state, name.text, letter)
  if (valued) assign(reading, state, 'OPTARG', value)
  assign(reading, state, 'OPTIND', String(Number(at) + (valued && rest === '' ? 2 : 1)))
  return true
}

export const getopts: Builtin = (reading, state, args) => {
  if (nextOption(reading, state, args)) return
  state.status = null
  if (args[2]?.text) assign(reading, state, args[2].text, hole('an option', 'condition'))
  assign(reading, state, 'OPTARG', hole('the value of an option', 'input'))
  assign(reading, state, 'OPTIND', hole('a number', 'number'))
}

/** Every argument of `let` is arithmetic. */
export const letWords: Builtin = (reading, state, args) => {
  let value: bigint | null = 0n
  for (const arg of args.slice(1)) value = evaluateValue(reading, state, argValue(arg))
  state.status = value === null ? null : value === 0n ? 1 : 0
}

/** Sets a variable by a name that a builtin was given, subscript and all. */
export function assignNamed(reading: Reading, state: State, name: Arg | undefined, value: Value): void {
  if (!name) return
  if (name.text === null) {
    reading.hidden('a variable whose name is not known is set', name.span)
    doubtName(reading, state, name)
    return
  }
  const element = /^(\w+)\[(.*)\]$/s.exec(name.text)
  if (!element) {
    assign(reading, state, name.text, value)
    if (state.get(name.text)?.exported) addVariable(reading, state, name.text, name.span)
    runOwnVariable(reading, state, name.text, name.span)
    return
  }
  declareElement(reading, state, element[1] ?? '', element[2] ?? '', {
    text: typeof value === 'string' ? value : null,
    head: typeof value === 'string' ? value : value.head,
    several: false,
    span: name.span,
  })
}
