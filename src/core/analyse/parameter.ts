import type { Operation, Parameter, Part, Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { assign, assignElement, withAttributes } from './assigning.js'
import { evaluateWord } from './evaluate.js'
import { type Expansion, expandOperandWords, expandValue, joinList } from './expand.js'
import { anyOf, many } from './many-elements.js'
import { oneOf } from './one-of.js'
import { changeOf } from './parameter-operation.js'
import { isStar, type Subject, subjectOf } from './parameter-subject.js'
import { MARK } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { couldMatch } from './text/pattern.js'
import { A_NUMBER, argValue, aroundOf, type Hole, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** `$x`, `${x}`, `${x…}`. Operands are expanded, and so run, even where there is nothing to apply them to. */
export function expandParameter(reading: Reading, state: State, part: Parameter): Expansion {
  if (part.prefix === '!' && part.operation?.kind === 'names')
    return { list: [many(unknown('made', 'names of variables'))], joined: part.operation.joined, isOpen: true }
  const listed = part.index !== null && isStar(part.index)
  if (part.prefix === '!' && !listed) return indirect(reading, state, part)
  const subject = subjectOf(reading, state, part.name, part.index)
  if (part.prefix === '!') return { list: subject.keys, joined: subject.joined, isOpen: subject.isOpen === true }
  if (part.prefix === '#') return { value: A_NUMBER }
  return operate(reading, state, part, subject)
}

const NOTHING_SET: Subject = { values: [], isList: false, joined: false, isSet: false, keys: [] }

function indirect(reading: Reading, state: State, part: Parameter): Expansion {
  const subject = subjectOf(reading, state, part.name, part.index)
  const [target] = subject.values
  const nameref = state.get(part.name)
  if (nameref?.attributes.includes('n') && part.operation === null) return { value: nameref.value }
  if (target === undefined || target === '') {
    if (!subject.isList) reading.fails()
    return part.operation?.kind === 'default' ? operate(reading, state, part, NOTHING_SET) : { value: '' }
  }
  if (typeof target !== 'string') {
    doubt(reading, state, target)
    return {
      value: { ...unknown('output', 'the name of a variable is not known'), ...valuesNamed(reading, state, target) },
    }
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

/** All that variables hold whose names begin or end as is known of one that is not. */
function valuesNamed(reading: Reading, state: State, name: Hole): Pick<Hole, 'options'> {
  const pattern = aroundOf(name).replaceAll(MARK, '*')
  if (/^\**$/.test(pattern)) return {}
  const values = couldMatch(state.names(), pattern, reading.work).map((one) => state.get(one)?.value)
  return { options: values.filter((value) => typeof value === 'string') }
}

/** A shell that ends here prints no more, so that what it prints is not known. */
function endEarly(state: State): void {
  const sink = state.descriptors.get(1)?.sink
  sink?.write(unknown(sink.text === '' ? 'output' : 'made', 'the output of a shell that ends early'))
}

function operate(reading: Reading, state: State, part: Parameter, subject: Subject): Expansion {
  const { operation } = part
  reading.work.add(1 + subject.values.length)
  // What is not set ends the shell under `set -u`; another that waits for it goes on.
  if (!(subject.isSet || subject.isList) && state.options.size > 0 && operation?.kind !== 'default')
    if (state.concurrency > 0 && state.options.has('nounset')) endEarly(state)
  if (operation === null) return toExpansion(subject, subject.values)
  if (operation.kind === 'default') return defaulted(reading, state, part, operation, subject)
  if (operation.kind === 'slice' && subject.isList) return sliceList(reading, state, part, operation, subject)
  const change = changeOf(reading, state, operation)
  // `${a[@]@k}` makes more words of a list than there are, and even a variable that is not set has attributes, which are text.
  const isWrittenOut = operation.kind === 'transform' && /[kKAa]/.test(operation.operator)
  if (isWrittenOut && (subject.isList || subject.values.length === 0))
    return { list: [many(unknown('made', 'a variable written out'))], joined: subject.joined, isOpen: true }
  return toExpansion(subject, subject.values.map(change))
}

const toExpansion = (subject: Subject, values: readonly Value[]): Expansion =>
  subject.isList
    ? { list: values, joined: subject.joined, isOpen: subject.isOpen === true }
    : { value: values[0] ?? '' }

const LAST_WORDS = unknown('decoded', 'what the shell says at its end')

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
  const [first] = subject.values
  const unknown =
    (subject.isSet && colon && typeof first !== 'string' && first !== undefined) || (subject.mayBeUnset && !colon)
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
    state.descriptors.get(2)?.sink?.write(LAST_WORDS)
    state.mayLeave = true
  }
  return expansion
}

/** Does a list have no text at all? One empty member is as good as none. */
function isEmpty({ values, isList, joined }: Subject, state: State): boolean {
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
  return { list: args.map(argValue), joined: false, isSplit: true, isOpen }
}

/** `${@:2}`, `${a[@]:1:3}`: followed where all members are known by their place; else each of them may be there or not. */
function sliceList(
  reading: Reading,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'slice' }>,
  subject: Subject,
): Expansion {
  const offset = evaluateWord(reading, state, operation.offset)
  const length = operation.length ? evaluateWord(reading, state, operation.length) : Number.POSITIVE_INFINITY
  const { joined, keys } = subject
  const all = part.index === null ? [state.zero, ...subject.values] : subject.values
  const isDense = keys.every((key, i) => key === String(i))
  if (subject.isOpen || !isDense || offset === null || length === null || offset < 0 || length < 0)
    return { list: all.map((value) => many(anyOf([value]))), joined, isOpen: true }
  return { list: all.slice(offset, offset + length), joined, isOpen: false }
}
