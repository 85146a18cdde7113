import type { Operation, Parameter, Part, Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { MARK } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { couldMatch } from '../text/pattern.js'
import { oneOf } from '../values/one-of.js'
import { anyOf, uncounted } from '../values/uncounted-elements.js'
import { A_NUMBER, argValue, templateOf, type UnknownValue, unknown, type Value } from '../values/value.js'
import { evaluateWord } from './arithmetic.js'
import { assign, assignElement, withAttributes } from './assign.js'
import { changeOf } from './parameter-operation.js'
import { type Subject, selectsAll, subjectOf } from './parameter-subject.js'
import { reportReexpansion } from './unknown-reexpansion.js'
import { lookUp } from './variables.js'
import { type Expansion, expandOperandWords, expandValue, joinList } from './words.js'

/** Expands `$x`, `${x}` and `${x…}`. Operands are expanded even if there is no value to apply them to. */
export function expandParameter(analysis: Analysis, state: State, part: Parameter): Expansion {
  if (part.prefix === '!' && part.operation?.kind === 'names')
    return { list: [uncounted(unknown('made', 'the names of variables'))], joined: part.operation.joined, isOpen: true }
  const listed = part.index !== null && selectsAll(part.index)
  if (part.prefix === '!' && !listed) return indirect(analysis, state, part)
  const subject = subjectOf(analysis, state, part.name, part.index)
  if (part.prefix === '!') return { list: subject.keys, joined: subject.joined, isOpen: subject.isOpen === true }
  if (part.prefix === '#') return { value: A_NUMBER }
  return operate(analysis, state, part, subject)
}

const NOTHING_SET: Subject = { values: [], isList: false, joined: false, isSet: false, keys: [] }

function indirect(analysis: Analysis, state: State, part: Parameter): Expansion {
  const subject = subjectOf(analysis, state, part.name, part.index)
  const [target] = subject.values
  const nameref = state.variables.get(part.name)
  if (nameref?.attributes.includes('n') && part.operation === null) return { value: nameref.value }
  if (target === undefined || target === '') {
    if (!subject.isList) analysis.findings.reportFailure()
    return part.operation?.kind === 'default' ? operate(analysis, state, part, NOTHING_SET) : { value: '' }
  }
  if (typeof target !== 'string') {
    reportReexpansion(analysis, state, target)
    return {
      value: { ...unknown('output', 'a variable with an unknown name'), ...valuesNamed(analysis, state, target) },
    }
  }
  const element = /^(\w+|[@*#?$!0-])(?:\[(.*)\])?$/s.exec(target)
  if (!element) {
    analysis.findings.reportFailure()
    return { value: '' }
  }
  const index: Word | null =
    element[2] === undefined
      ? null
      : { kind: 'word', parts: [{ kind: 'text', value: element[2], quoted: false }], span: part.span }
  return operate(analysis, state, part, subjectOf(analysis, state, element[1] as string, index))
}

/** Returns the values of all variables whose names match an unknown name. */
function valuesNamed(analysis: Analysis, state: State, name: UnknownValue): Pick<UnknownValue, 'alternatives'> {
  const pattern = templateOf(name).replaceAll(MARK, '*')
  if (/^\**$/.test(pattern)) return {}
  const values = couldMatch(state.variables.names(), pattern, analysis.budget).map(
    (one) => state.variables.get(one)?.value,
  )
  return { alternatives: values.filter((value) => typeof value === 'string') }
}

/** Makes the output unknown, because a shell that exits here prints no more. */
function endEarly(state: State): void {
  const sink = state.descriptors.get(1)?.sink
  sink?.write(unknown(sink.text === '' ? 'output' : 'made', 'the output of a shell that exits early'))
}

function operate(analysis: Analysis, state: State, part: Parameter, subject: Subject): Expansion {
  const { operation } = part
  analysis.budget.add(1 + subject.values.length)
  // Under `set -u` an unset variable ends the shell; a waiting shell continues.
  if (!(subject.isSet || subject.isList) && state.options.size > 0 && operation?.kind !== 'default')
    if (state.concurrency > 0 && state.options.has('nounset')) endEarly(state)
  if (operation === null) return toExpansion(subject, subject.values)
  if (operation.kind === 'default') return defaulted(analysis, state, part, operation, subject)
  if (operation.kind === 'slice' && subject.isList) return sliceList(analysis, state, part, operation, subject)
  const change = changeOf(analysis, state, operation)
  // `${a[@]@k}` adds words to a list. Attributes exist even for an unset variable.
  const isWrittenOut = operation.kind === 'transform' && /[kKAa]/.test(operation.operator)
  if (isWrittenOut && (subject.isList || subject.values.length === 0))
    return {
      list: [uncounted(unknown('made', 'a variable printed as a command'))],
      joined: subject.joined,
      isOpen: true,
    }
  return toExpansion(subject, subject.values.map(change))
}

const toExpansion = (subject: Subject, values: readonly Value[]): Expansion =>
  subject.isList
    ? { list: values, joined: subject.joined, isOpen: subject.isOpen === true }
    : { value: values[0] ?? '' }

const ERROR_MESSAGE = unknown('decoded', 'an error message of the shell')

/** Expands `${x:-y}`, `${x=y}`, `${x:?y}` or `${x:+y}`. */
function defaulted(
  analysis: Analysis,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'default' }>,
  subject: Subject,
): Expansion {
  const colon = operation.operator.startsWith(':')
  const what = operation.operator.slice(-1)
  const [first] = subject.values
  const isUnknown =
    (subject.isSet && colon && typeof first !== 'string' && first !== undefined) || (subject.mayBeUnset && !colon)
  const empty = !subject.isSet || (colon && isEmpty(subject, state))
  const operand = (): Expansion =>
    part.quoted
      ? { value: expandValue(analysis, state, operation.operand) }
      : expandOperand(analysis, state, operation.operand)
  if (isUnknown) return valueOrOperand(what, subject, operand())
  if (what === '+') return empty ? { value: '' } : operand()
  if (!empty) return toExpansion(subject, subject.values)
  if (what === '=') {
    const value = expandValue(analysis, state, operation.operand)
    if (!/^\w+$/.test(part.name)) return { value }
    assignDefault(analysis, state, part, value)
    // The expansion sees the value after the attributes changed it.
    const { attributes } = lookUp(analysis, state, part.name)
    return { value: attributes === '' ? value : withAttributes(analysis, state, value, attributes) }
  }
  const expansion = operand()
  if (what === '?') {
    state.descriptors.get(2)?.sink?.write(ERROR_MESSAGE)
    state.control.mayExit = true
    // bash does not go on without a value.
    return { value: unknown('environment', 'a variable that must be set') }
  }
  return expansion
}

/** Tells whether a list is empty. One empty member counts as empty. */
function isEmpty({ values, isList, joined }: Subject, state: State): boolean {
  if (!isList || values.length <= 1) return values.length === 0 || values[0] === ''
  return joined && joinList(values, state) === ''
}

/** Returns the value or the operand when it is unknown whether the value is set; for `+`, the operand or nothing. */
function valueOrOperand(what: string, subject: Subject, operand: Expansion): Expansion {
  const other = 'value' in operand ? operand.value : null
  const whole = toExpansion(subject, subject.values)
  if (what === '+')
    return { value: other === null ? unknown('condition', 'a value that depends on a condition') : oneOf([other, '']) }
  if (what === '?' || other === null || !('value' in whole)) return whole
  return { value: oneOf([whole.value, other]) }
}

function assignDefault(analysis: Analysis, state: State, { name, index }: Parameter, value: Value): void {
  if (index === null) {
    assign(analysis, state, name, value)
    return
  }
  const isNamed = lookUp(analysis, state, name).attributes.includes('A')
  const key = isNamed ? expandValue(analysis, state, index) : evaluateWord(analysis, state, index)
  if (key !== null && typeof key !== 'object') assignElement(analysis, state, name, String(key), value)
}

/** Tells whether a part can be several words or contain quotes. */
const hasWords = (part: Part): boolean =>
  part.kind === 'parameter' && (part.operation?.kind === 'default' || part.index !== null || /^[@*]$/.test(part.name))

/** Expands a default. Unquoted, it splits like the rest of the word, but quoted parts stay together. */
function expandOperand(analysis: Analysis, state: State, word: Word): Expansion {
  const simple = word.parts.every((part) => part.kind === 'process' || !(part.quoted || hasWords(part)))
  if (simple) return { value: expandValue(analysis, state, word) }
  const args = expandOperandWords(analysis, state, word)
  const isOpen = args.some((arg) => arg.maySplit)
  return { list: args.map(argValue), joined: false, isSplit: true, isOpen }
}

/** Applies `${@:2}` or `${a[@]:1:3}`. If some positions are unknown, each member may be absent. */
function sliceList(
  analysis: Analysis,
  state: State,
  part: Parameter,
  operation: Extract<Operation, { kind: 'slice' }>,
  subject: Subject,
): Expansion {
  const offset = evaluateWord(analysis, state, operation.offset)
  const length = operation.length ? evaluateWord(analysis, state, operation.length) : Number.POSITIVE_INFINITY
  const { joined, keys } = subject
  const all = part.index === null ? [state.arguments.scriptName, ...subject.values] : subject.values
  const isDense = keys.every((key, i) => key === String(i))
  if (subject.isOpen || !isDense || offset === null || length === null || offset < 0 || length < 0)
    return { list: all.map((value) => uncounted(anyOf([value]))), joined, isOpen: true }
  return { list: all.slice(offset, offset + length), joined, isOpen: false }
}
