import { escapeArg } from '../model/display.js'
import { decodeAnsiC } from '../shell/ansi-c.js'
import type { Operation, Parameter, Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { evaluateWord } from './evaluate.js'
import { expandPrompt } from './evaluate-text.js'
import { type Expansion, expandPattern, expandValue } from './expand.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { elements, type State, type Variable } from './state.js'
import { matchesPattern, removePattern, replacePattern } from './text/pattern.js'
import type { Work } from './text/work.js'
import { hole, type Value } from './value.js'
import { assign, lookUp } from './variables.js'

interface Subject {
  /** Null when the positional parameters are not known. */
  readonly values: readonly Value[] | null
  readonly isList: boolean
  readonly joined: boolean
  readonly isSet: boolean
  /** Keys of an array, for `${!a[@]}`. */
  readonly keys: readonly string[]
}

/** `$x`, `${x}`, `${x…}` with everything bash can do there. */
export function expandParameter(reading: Reading, state: State, part: Parameter): Expansion {
  if (part.prefix === '!' && part.operation?.kind === 'names') {
    const names = state.names()
    reading.work.add(4 * names.length)
    return { list: names.filter((name) => name.startsWith(part.name)).sort(), joined: false, unknown: false }
  }
  const listed = part.index !== null && isStar(part.index)
  if (part.prefix === '!' && !listed) return indirect(reading, state, part)
  const subject = subjectOf(reading, state, part.name, part.index)
  if (part.prefix === '!') return { list: subject.keys, joined: subject.joined, unknown: false }
  if (part.prefix === '#') return { value: lengthOf(subject) }
  return operate(reading, state, part, subject)
}

const isStar = (index: Word): boolean =>
  index.parts.length === 1 && index.parts[0]?.kind === 'text' && /^[@*]$/.test(index.parts[0].value)

function indirect(reading: Reading, state: State, part: Parameter): Expansion {
  const subject = subjectOf(reading, state, part.name, part.index)
  const target = subject.values?.[0]
  const nameref = state.get(part.name)
  if (nameref?.attributes.includes('n') && part.operation === null) return { value: nameref.value }
  if (target === undefined) return { value: '' }
  if (typeof target !== 'string') {
    doubt(reading, state, target)
    return { value: hole('the name of a variable is not known', 'output') }
  }
  if (target === '') return { value: '' }
  const element = /^(\w+|[@*#?$!0-])(?:\[(.*)\])?$/s.exec(target)
  if (!element) return { value: '' }
  const index: Word | null =
    element[2] === undefined
      ? null
      : { kind: 'word', parts: [{ kind: 'text', value: element[2], quoted: false }], span: part.span }
  return operate(reading, state, part, subjectOf(reading, state, element[1] as string, index))
}

/** What a name stands for, arrays and special parameters included. */
function subjectOf(reading: Reading, state: State, name: string, index: Word | null): Subject {
  if (/^([@*#?$!0-]|\d+)$/.test(name)) return special(reading, state, name)
  const variable = lookUp(reading, state, name)
  if (!variable.isSet && reading.mayInherit(name) && state.get(name) === undefined) reading.guess(name)
  else if (reading.isDoubtful(name)) reading.doubtful = name
  if (index === null) return ofVariable(variable)
  if (isStar(index)) {
    reading.work.add(2 * (variable.items?.size ?? 0))
    const joined = index.parts[0]?.kind === 'text' && index.parts[0].value === '*'
    return {
      values: elements(variable),
      isList: true,
      joined,
      isSet: variable.isSet,
      keys: variable.items ? [...variable.items.keys()] : variable.isSet ? ['0'] : [],
    }
  }
  return name === 'BASH_CMDS' || name === 'BASH_ALIASES'
    ? ofOwnTable(reading, state, name, variable, index)
    : ofElement(reading, state, variable, index)
}

/**
 * An element of `BASH_CMDS` is where bash finds a program, one of `BASH_ALIASES` what an alias stands for; what the script did not set of
 * the former is there if the program was run before.
 */
function ofOwnTable(reading: Reading, state: State, name: string, variable: Variable, index: Word): Subject {
  const key = expandValue(reading, state, index)
  const one = (value: Value | undefined): Subject => ({
    values: value === undefined ? [] : [value],
    isList: false,
    joined: false,
    isSet: value !== undefined,
    keys: [],
  })
  if (typeof key !== 'string') return one(hole('an element that is not known', 'output'))
  const found = variable.items?.get(key)
  if (name === 'BASH_ALIASES') return one(found ?? state.alias(key))
  const where: Value = { ...hole('where a program is', 'output'), options: [`/usr/bin/${key}`] }
  return one(found ?? state.hashed(key) ?? where)
}

function ofVariable(variable: Variable): Subject {
  const value = variable.choices ? oneOf(variable.choices) : variable.value
  return { values: variable.isSet ? [value] : [], isList: false, joined: false, isSet: variable.isSet, keys: [] }
}

function ofElement(reading: Reading, state: State, variable: Variable, index: Word): Subject {
  const one = (value: Value | undefined): Subject => ({
    values: value === undefined ? [] : [value],
    isList: false,
    joined: false,
    isSet: value !== undefined,
    keys: [],
  })
  if (variable.attributes.includes('A')) {
    const key = expandValue(reading, state, index)
    return one(typeof key === 'string' ? variable.items?.get(key) : hole('an element that is not known', 'output'))
  }
  const number = evaluateWord(reading, state, index)
  if (number === null) return one(hole('an element that is not known', 'output'))
  const items = variable.items ?? new Map(variable.isSet ? [['0', variable.value]] : [])
  if (number >= 0n) return one(items.get(String(number)))
  reading.work.add(items.size)
  let highest = -1
  for (const key of items.keys()) highest = Math.max(highest, Number(key))
  return one(items.get(String(BigInt(highest) + 1n + number)))
}

function special(reading: Reading, state: State, name: string): Subject {
  const one = (value: Value, isSet = true): Subject => ({
    values: isSet ? [value] : [],
    isList: false,
    joined: false,
    isSet,
    keys: [],
  })
  const { positional } = state
  if (name === '@' || name === '*')
    return {
      values: positional,
      isList: true,
      joined: name === '*',
      isSet: positional === null || positional.length > 0,
      keys: [],
    }
  if (name === '#') return one(positional === null ? hole('$#', 'number') : String(positional.length))
  if (name === '0') return one(state.zero)
  if (name === '?') return one(state.status === null ? hole('$?', 'number') : String(state.status))
  if (name === '!' && !reading.background) return one('', false)
  if (name === '$' || name === '!') return one({ ...hole(`$${name}`, 'number'), place: `\u0001${name}` })
  if (name === '-') return one(hole('$-', 'number'))
  if (/^\d+$/.test(name)) {
    if (positional === null) return one(hole('an argument that is not known', 'input'))
    const value = positional[Number(name) - 1]
    return one(value ?? '', value !== undefined)
  }
  return one(hole(`$${name}`, 'number'))
}

function lengthOf(subject: Subject): Value {
  if (subject.values === null) return hole('a number', 'number')
  if (subject.isList) return String(subject.values.length)
  const value = subject.values[0] ?? ''
  return typeof value === 'string' && !/[^\0-\x7f]/.test(value) ? String(value.length) : hole('a number', 'number')
}

function operate(reading: Reading, state: State, part: Parameter, subject: Subject): Expansion {
  const { operation } = part
  reading.work.add(1 + (subject.values?.length ?? 0))
  if (operation === null) return toExpansion(subject, subject.values)
  if (operation.kind === 'default') return defaulted(reading, state, part, operation, subject)
  if (operation.kind === 'slice' && subject.isList) return sliceList(reading, state, part, operation, subject)
  if (subject.values === null) return toExpansion(subject, null)
  if (subject.values.length === 0) expandOperands(reading, state, operation)
  return toExpansion(
    subject,
    subject.values.map((value) => transform(reading, state, operation, value)),
  )
}

/** Operands are expanded, and so run, even where there is nothing to apply them to. */
function expandOperands(reading: Reading, state: State, operation: Operation): void {
  if (operation.kind === 'replace') {
    expandPattern(reading, state, operation.pattern)
    expandPattern(reading, state, operation.replacement)
  } else if (operation.kind === 'remove' || (operation.kind === 'case' && operation.operand))
    expandPattern(reading, state, operation.operand as Word)
  else if (operation.kind === 'slice') {
    evaluateWord(reading, state, operation.offset)
    if (operation.length) evaluateWord(reading, state, operation.length)
  }
}

const toExpansion = (subject: Subject, values: readonly Value[] | null): Expansion =>
  subject.isList
    ? { list: values ?? [], joined: subject.joined, unknown: values === null }
    : { value: values === null ? hole('an argument that is not known', 'input') : (values[0] ?? '') }

/** `${x:-y}`, `${x=y}`, `${x:?y}`, `${x:+y}`. */
function defaulted(
  reading: Reading,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'default' }>,
  subject: Subject,
): Expansion {
  const colon = operation.operator.startsWith(':')
  const what = operation.operator.slice(-1)
  const [first] = subject.values ?? []
  const unknown =
    subject.values === null || (subject.isSet && colon && typeof first !== 'string' && first !== undefined)
  const empty = !subject.isSet || (colon && (subject.isList ? (subject.values?.length ?? 0) === 0 : first === ''))
  const operand = (): Expansion =>
    part.quoted
      ? { value: expandValue(reading, state, operation.operand) }
      : expandOperand(reading, state, operation.operand)
  if (unknown) {
    operand()
    return what === '+' ? { value: hole('depends on a condition', 'condition') } : toExpansion(subject, subject.values)
  }
  if (what === '+') return empty ? { value: '' } : operand()
  if (!empty) return toExpansion(subject, subject.values)
  const expansion = operand()
  if (what === '=' && 'value' in expansion && /^\w+$/.test(part.name))
    assign(reading, state, part.name, expansion.value)
  if (what === '?') state.mayLeave = true
  return expansion
}

/** An unquoted default is split like the rest of the word, but what is quoted inside it stays together. */
function expandOperand(reading: Reading, state: State, word: Word): Expansion {
  const simple = word.parts.every((part) => part.kind !== 'text' || !part.quoted)
  if (simple) return { value: expandValue(reading, state, word) }
  const args = reading.expandSplit(state, word)
  if (args.some((arg) => arg.text === null)) return { value: expandValue(reading, state, word) }
  return args.length === 1
    ? { value: args[0]?.text ?? '' }
    : { list: args.map((arg) => arg.text ?? ''), joined: false, unknown: false }
}

function sliceList(
  reading: Reading,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'slice' }>,
  subject: Subject,
): Expansion {
  const offset = evaluateWord(reading, state, operation.offset)
  const length = operation.length ? evaluateWord(reading, state, operation.length) : undefined
  if (subject.values === null || offset === null || length === null)
    return { list: [], joined: subject.joined, unknown: true }
  const positional = part.name === '@' || part.name === '*'
  const all = positional && part.index === null ? [state.zero, ...subject.values] : subject.values
  const from = offset < 0n ? all.length + Number(offset) : Number(offset)
  const start = positional && part.index === null && from <= 0 && offset !== 0n ? Math.max(from, 0) : from
  if (start < 0) return { list: [], joined: subject.joined, unknown: false }
  const end = length === undefined ? all.length : length < 0n ? all.length + Number(length) : start + Number(length)
  return { list: all.slice(start, end), joined: subject.joined, unknown: false }
}

function transform(
  reading: Reading,
  state: State,
  operation: Exclude<Operation, { kind: 'default' }>,
  value: Value,
): Value {
  switch (operation.kind) {
    case 'slice':
      return slice(reading, state, operation, value)
    case 'remove': {
      const pattern = expandPattern(reading, state, operation.operand)
      return apply(value, pattern, (text, p) => removePattern(text, p, operation.operator, reading.work))
    }
    case 'replace': {
      const pattern = expandPattern(reading, state, operation.pattern)
      const replacement = replacementOf(reading, state, operation.replacement)
      if (typeof replacement !== 'string') return hole('a replacement that is not known', 'output')
      return apply(value, pattern, (text, p) => replacePattern(text, p, replacement, operation.operator, reading.work))
    }
    case 'case': {
      const pattern = operation.operand ? expandPattern(reading, state, operation.operand) : '?'
      return apply(value, pattern, (text, p) => changeCase(text, p, operation.operator, reading.work))
    }
    case 'transform':
      if (typeof value === 'string') reading.work.add(value.length)
      else if (operation.operator === 'P') doubt(reading, state, value)
      return apply(value, '', (text) => transformed(reading, state, operation.operator, text))
    case 'names':
      return value
  }
}

/** A quoted `&` in a replacement is itself; an unquoted one is the match. */
function replacementOf(reading: Reading, state: State, word: Word): Value {
  if (!word.parts.some((part) => part.kind !== 'text' || part.quoted || part.value.includes('\\')))
    return expandValue(reading, state, word)
  let value: Value = ''
  for (const part of word.parts) {
    const piece = expandValue(reading, state, { ...word, parts: [part] })
    if (typeof piece !== 'string') return piece
    const literal = part.kind === 'text' ? part.quoted : part.kind !== 'process' && part.quoted
    value += literal ? piece.replace(/[\\&]/g, '\\$&') : piece
  }
  return value
}

function apply(value: Value, pattern: string | null, change: (text: string, pattern: string) => Value | null): Value {
  if (typeof value !== 'string') return { unknown: value.unknown, source: value.source, head: '' }
  if (pattern === null) return hole('a pattern that is not known', 'output')
  return change(value, pattern) ?? hole('a pattern that is not followed', 'decoded')
}

function slice(reading: Reading, state: State, operation: Extract<Operation, { kind: 'slice' }>, value: Value): Value {
  const offset = evaluateWord(reading, state, operation.offset)
  const length = operation.length ? evaluateWord(reading, state, operation.length) : undefined
  if (offset === null || length === null) return hole('a part that is not known', 'output')
  if (typeof value !== 'string') {
    const end = length === undefined ? undefined : Number(offset + length)
    const inHead = offset >= 0n && end !== undefined && length !== undefined && length >= 0n && end <= value.head.length
    return inHead ? value.head.slice(Number(offset), end) : { ...value, head: '' }
  }
  reading.work.chars(value.length)
  // Whether bytes or characters are counted depends on the language that is set.
  if (/[^\0-\x7f]/.test(value)) return hole('a part of text that is not plain', 'decoded')
  const from = offset < 0n ? value.length + Number(offset) : Number(offset)
  if (from < 0) return ''
  const end = length === undefined ? value.length : length < 0n ? value.length + Number(length) : from + Number(length)
  return value.slice(from, Math.max(0, end))
}

const swap = (c: string): string => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())

function changeCase(text: string, pattern: string, operator: string, work: Work): string {
  work.chars(2 * text.length)
  const change = operator.startsWith('^')
    ? (c: string) => c.toUpperCase()
    : operator.startsWith(',')
      ? (c: string) => c.toLowerCase()
      : swap
  const chars = [...text]
  const upTo = operator.length === 2 ? chars.length : Math.min(1, chars.length)
  return chars
    .map((c, i) => (i < upTo && (pattern === '?' || matchesPattern(c, pattern, work)) ? change(c) : c))
    .join('')
}

function transformed(reading: Reading, state: State, operator: string, text: string): Value | null {
  switch (operator) {
    case 'U':
      return text.toUpperCase()
    case 'L':
      return text.toLowerCase()
    case 'u':
      return text.charAt(0).toUpperCase() + text.slice(1)
    case 'Q':
      return escapeArg(text).startsWith("'") ? escapeArg(text) : `'${text}'`
    case 'E':
      return decodeAnsiC(text)
    case 'P':
      return expandPrompt(reading, state, text)
    default:
      return hole('a variable written out again', 'decoded')
  }
}
