import type { Operation, Parameter, Part, Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { assign, assignElement, withAttributes } from './assigning.js'
import { noteMessage } from './complaints.js'
import { evaluateWord } from './evaluate.js'
import { type Expansion, expandOperandWords, expandPattern, expandValue, joinList } from './expand.js'
import { many } from './many-elements.js'
import { oneOf } from './one-of.js'
import { transform } from './parameter-operation.js'
import { isStar, type Subject, subjectOf } from './parameter-subject.js'
import { lastLoose } from './positional.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { argValue, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'
import { writtenOut } from './written-out.js'

/** `$x`, `${x}`, `${x…}` with everything bash can do there. */
export function expandParameter(reading: Reading, state: State, part: Parameter): Expansion {
  if (part.prefix === '!' && part.operation?.kind === 'names') {
    const names = state.names()
    reading.work.add(4 * names.length)
    const list = names.filter((name) => name.startsWith(part.name) && state.get(name)?.isSet !== false).sort()
    const { joined } = part.operation
    // Those that need not be set need not be named either.
    const isOpen = list.some((name) => state.get(name)?.mayBeUnset)
    return isOpen ? { list: list.map(many), joined, unknown: false, isOpen } : { list, joined, unknown: false }
  }
  const listed = part.index !== null && isStar(part.index)
  if (part.prefix === '!' && !listed) return indirect(reading, state, part)
  const subject = subjectOf(reading, state, part.name, part.index)
  if (part.prefix === '!' && subject.isOpen)
    return { list: subject.keys.map(many), joined: subject.joined, unknown: true, isOpen: true }
  if (part.prefix === '!') return { list: subject.keys, joined: subject.joined, unknown: false }
  // bash has it that a reference to an element is of no length.
  if (part.prefix === '#' && part.index === null && refersToElement(state, part.name))
    return { value: oneOf([lengthOf(subject), '0']) }
  if (part.prefix === '#') {
    if (part.index !== null && subject.values?.length === 0 && isFromEnd(part.index)) reading.fails()
    return { value: lengthOf(subject) }
  }
  return operate(reading, state, part, subject)
}

const NOTHING_SET: Subject = { values: [], isList: false, joined: false, isSet: false, keys: [] }

function indirect(reading: Reading, state: State, part: Parameter): Expansion {
  const subject = subjectOf(reading, state, part.name, part.index)
  const target = subject.values?.[0]
  const nameref = state.get(part.name)
  if (nameref?.attributes.includes('n') && part.operation === null) return { value: nameref.value }
  if (target === undefined || target === '') {
    if (subject.values !== null && !subject.isList) reading.fails()
    return part.operation?.kind === 'default' ? operate(reading, state, part, NOTHING_SET) : { value: '' }
  }
  if (typeof target !== 'string') {
    doubt(reading, state, target)
    return { value: part.name === '#' ? lastLoose(state) : unknown('output', 'the name of a variable is not known') }
  }
  const element = /^(\w+|[@*#?$!0-])(?:\[(.*)\])?$/s.exec(target)
  if (!element) {
    reading.fails()
    return { value: '' }
  }
  const index: Word | null =
    element[2] === undefined
      ? null
      : { kind: 'word', parts: [{ kind: 'text', value: element[2], quoted: false }], span: part.span }
  return operate(reading, state, part, subjectOf(reading, state, element[1] as string, index))
}

/** Is it counted from the end, where there may be none? */
const isFromEnd = ({ parts: [first] }: Word): boolean => first?.kind === 'text' && first.value.startsWith('-')

function refersToElement(state: State, name: string): boolean {
  const variable = state.get(name)
  return (
    variable?.attributes.includes('n') === true && typeof variable.value === 'string' && variable.value.includes('[')
  )
}

function lengthOf(subject: Subject): Value {
  if (subject.values === null || subject.isOpen) return unknown('number', 'a number')
  if (subject.isList) return String(subject.values.length)
  const value = subject.values[0] ?? ''
  return typeof value === 'string' && !/[^\0-\x7f]/.test(value) ? String(value.length) : unknown('number', 'a number')
}

function operate(reading: Reading, state: State, part: Parameter, subject: Subject): Expansion {
  const { operation } = part
  reading.work.add(1 + (subject.values?.length ?? 0))
  // What is not set ends the shell under `set -u`; another that waits for it goes on.
  if (!(subject.isSet || subject.isList) && state.options.size > 0 && operation?.kind !== 'default')
    if (state.concurrency > 0 && state.options.has('nounset')) reading.fails()
  if (operation === null) return toExpansion(subject, subject.values)
  if (operation.kind === 'default') return defaulted(reading, state, part, operation, subject)
  if (operation.kind === 'slice' && subject.isList) return changed(sliceList(reading, state, part, operation, subject))
  if (subject.values === null) return toExpansion(subject, null)
  if (operation.kind === 'transform') {
    if (!'UuLQEPAaKk'.includes(operation.operator)) reading.fails()
    const written = writtenOut(reading, state, part, subject, operation.operator)
    if (written) return changed(written)
  }
  if (subject.values.length === 0) expandOperands(reading, subject.isList ? state : state.fork(), operation)
  return changed(
    toExpansion(
      subject,
      subject.values.map((value) => transform(reading, state, operation, value)),
    ),
  )
}

/** Says of a list that an operation was applied to its members. */
const changed = (expansion: Expansion): Expansion =>
  'list' in expansion && !expansion.joined ? { ...expansion, isChanged: true } : expansion

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

/** A list of which not all is known: where something in it may be several words, that is all there is to be added. */
function looseList({ loose = [], joined }: Subject): Expansion {
  const isOpen = loose.some((value) => typeof value !== 'string')
  return { list: loose, joined, unknown: !isOpen, isOpen }
}

const toExpansion = (subject: Subject, values: readonly Value[] | null): Expansion =>
  subject.isList
    ? values === null
      ? looseList(subject)
      : { list: values, joined: subject.joined, unknown: false, isOpen: subject.isOpen === true }
    : { value: values === null ? unknown('input', 'an argument that is not known') : (values[0] ?? '') }

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
    subject.values === null ||
    (subject.isSet && colon && typeof first !== 'string' && first !== undefined) ||
    (subject.mayBeUnset && !colon)
  const empty = !subject.isSet || (colon && isEmpty(subject, state))
  const operand = (): Expansion =>
    part.quoted
      ? { value: expandValue(reading, state, operation.operand) }
      : expandOperand(reading, state, operation.operand)
  if (unknown) return eitherOf(what, subject, operand())
  if (what === '+') return empty ? { value: '' } : operand()
  if (!empty) return toExpansion(subject, subject.values)
  if (what === '=') {
    const value = expandValue(reading, state, operation.operand)
    if (!/^\w+$/.test(part.name)) return { value }
    assignDefault(reading, state, part, value)
    // What the variable makes of it is what is seen.
    const { attributes } = lookUp(reading, state, part.name)
    return { value: attributes === '' ? value : withAttributes(reading, state, value, attributes) }
  }
  const expansion = operand()
  if (what === '?') {
    noteMessage(state, part.name, 'value' in expansion ? expansion.value : (expansion.list[0] ?? ''))
    state.mayLeave = true
  }
  return expansion
}

/** Does a list have no text at all? One empty member is as good as none. */
function isEmpty({ values, isList, joined }: Subject, state: State): boolean {
  if (values === null) return false
  if (!isList || values.length <= 1) return values.length === 0 || values[0] === ''
  return joined && joinList(values, state) === ''
}

/** Whether there is a value is not known: it is that or the operand, and for `+` the operand or nothing. */
function eitherOf(what: string, subject: Subject, operand: Expansion): Expansion {
  const other = 'value' in operand ? operand.value : null
  const whole = toExpansion(subject, subject.values)
  if (what === '+')
    return { value: other === null ? unknown('condition', 'depends on a condition') : oneOf([other, '']) }
  if (what === '?' || other === null || !('value' in whole)) return whole
  return { value: oneOf([whole.value, other]) }
}

function assignDefault(reading: Reading, state: State, { name, index }: Parameter, value: Value): void {
  if (index === null) {
    assign(reading, state, name, value)
    return
  }
  const isNamed = lookUp(reading, state, name).attributes.includes('A')
  const key = isNamed ? expandValue(reading, state, index) : evaluateWord(reading, state, index)
  if (key !== null && typeof key !== 'object') assignElement(reading, state, name, String(key), value)
}

/** May it be several words by itself, or hold quotes of its own? */
const hasWords = (part: Part): boolean =>
  part.kind === 'parameter' && (part.operation?.kind === 'default' || part.index !== null || /^[@*]$/.test(part.name))

/** An unquoted default is split like the rest of the word, but what is quoted inside it stays together. */
function expandOperand(reading: Reading, state: State, word: Word): Expansion {
  const simple = word.parts.every((part) => part.kind === 'process' || !(part.quoted || hasWords(part)))
  if (simple) return { value: expandValue(reading, state, word) }
  const args = expandOperandWords(reading, state, word)
  const isOpen = args.some((arg) => arg.several)
  return { list: args.map(argValue), joined: false, unknown: false, isSplit: true, ...(isOpen ? { isOpen } : {}) }
}

/** Where elements of that number and above begin: there may be gaps between them. */
function placeFrom(keys: readonly string[], offset: number): number {
  const number = offset < 0 ? Number(keys.at(-1) ?? -1) + 1 + offset : offset
  if (number < 0) return -1
  const at = keys.findIndex((key) => Number(key) >= number)
  return at < 0 ? keys.length : at
}

function sliceList(
  reading: Reading,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'slice' }>,
  subject: Subject,
): Expansion {
  // Of an array without elements no part is worked out.
  const scope = part.index !== null && subject.values?.length === 0 ? state.fork() : state
  const offset = evaluateWord(reading, scope, operation.offset)
  const length = operation.length ? evaluateWord(reading, scope, operation.length) : undefined
  if (subject.values === null || subject.isOpen || offset === null || length === null) {
    const from = offset === null ? 0 : Number(offset < 0n ? offset : offset > 0n ? offset - 1n : 0n)
    const loose = (subject.loose ?? subject.values ?? []).slice(from)
    // Counted from the end those behind all that may be several are the ones that are meant.
    const isWhole = length === undefined && loose.length === -from && loose.every((value) => typeof value === 'string')
    return isWhole ? { list: loose, joined: subject.joined, unknown: false } : looseList({ ...subject, loose })
  }
  const positional = part.name === '@' || part.name === '*'
  const all = positional && part.index === null ? [state.zero, ...subject.values] : subject.values
  const isNumbered = part.index !== null && !lookUp(reading, state, part.name).attributes.includes('A')
  const from = isNumbered ? placeFrom(subject.keys, Number(offset)) : Number(offset) + (offset < 0n ? all.length : 0)
  const start = positional && part.index === null && from <= 0 && offset !== 0n ? Math.max(from, 0) : from
  if (start < 0) return { list: [], joined: subject.joined, unknown: false }
  const end = length === undefined ? all.length : length < 0n ? all.length + Number(length) : start + Number(length)
  return { list: all.slice(start, end), joined: subject.joined, unknown: false }
}
