import type { Analysis } from '../analysis/analysis.js'
import { forkBranches, forkMaybe } from '../analysis/fork-branches.js'
import type { Builtin } from '../analysis/interpreter.js'
import { assignArray } from '../expand/assign.js'
import { Fields } from '../expand/field-splitting.js'
import { ifsOf, listOf } from '../expand/variables.js'
import { known } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { Input } from '../state/streams.js'
import { oneOf } from '../values/one-of.js'
import { uncounted } from '../values/uncounted-elements.js'
import { type UnknownValue, unknown, type Value } from '../values/value.js'
import { assignNamed } from './unset-shift-let.js'

export interface Options {
  readonly flags: string
  readonly values: ReadonlyMap<string, Arg>
  readonly operands: readonly Arg[]
}

/** Parses bundled options. Those in `valued` take a value. */
export function options(args: readonly Arg[], valued: string): Options {
  const values = new Map<string, Arg>()
  let flags = ''
  let i = 1
  for (; i < args.length; i++) {
    const arg = args[i] as Arg
    const text = arg.text ?? arg.prefix
    if (text === '--') {
      i++
      break
    }
    if (!/^-[a-zA-Z]/.test(text)) break
    for (let j = 1; j < text.length; j++) {
      const letter = text[j] as string
      if (!valued.includes(letter)) {
        flags += letter
        continue
      }
      const rest = text.slice(j + 1)
      const value = rest !== '' ? { ...arg, text: arg.text === null ? null : rest, prefix: rest } : args[++i]
      if (value) values.set(letter, value)
      break
    }
  }
  return { flags, values, operands: args.slice(i) }
}

export const inputOf = (state: State, fd: Arg | undefined): Input => {
  const number = fd ? Number(fd.text ?? fd.alternatives?.find((option) => /^\d+$/.test(option)) ?? Number.NaN) : 0
  return (
    state.descriptors.get(number)?.input ??
    new Input(Number.isNaN(number) ? unknown('input', 'an unknown file descriptor') : '')
  )
}

export const read: Builtin = (analysis, state, args) => {
  const given = options(args, 'adinNptu')
  const input = inputOf(state, given.values.get('u'))
  const text = input.peek()
  if (typeof text === 'string' || !text.alternatives?.length) readFrom(analysis, state, given, input)
  else readEach(analysis, state, given, input, text)
}

function readEach(analysis: Analysis, state: State, given: Options, input: Input, text: UnknownValue): void {
  const { alternatives: texts = [], ...rest } = text
  const inputs = (text.origin === 'condition' ? texts : [...texts, rest]).map((one) => new Input(one))
  forkBranches(
    analysis,
    state,
    inputs.map((own) => (fork) => readFrom(analysis, fork, given, own)),
  )
  input.replaceRest(oneOf(inputs.map((own) => own.peek())))
}

function readFrom(analysis: Analysis, state: State, { flags, values, operands }: Options, input: Input): void {
  const count = values.get('N') ?? values.get('n')
  const delimiter = values.get('d')
  const end = delimiter ? (delimiter.text ?? '\n').slice(0, 1) : '\n'
  const given = input.peek()
  // Backslashes without -r are not followed.
  if (!flags.includes('r') && typeof given === 'string' && given.includes('\\'))
    input.replaceRest(unknown('made', 'read from text with backslashes'))
  const line = count ? nextChars(input, Number(count.text ?? 0) || 0, values.has('N') ? null : end) : input.line(end)
  state.control.status = line === null ? 1 : typeof line.text !== 'string' ? null : line.complete ? 0 : 1
  const read = line?.text ?? ''
  const text = typeof read === 'string' && read.includes('\0') ? read.replaceAll('\0', '') : read
  const array = values.get('a')
  if (!array) {
    if (operands.length === 0) assignNamed(analysis, state, known('REPLY', analysis.location.here), text)
    else assignFields(analysis, state, operands, text, values.has('N'))
  } else if (array.text === null)
    analysis.findings.reportUnknown('a command sets a variable with an unknown name', array.span)
  else {
    const fields = typeof text === 'string' ? fieldsOf(state, text, Number.POSITIVE_INFINITY) : [uncounted(text)]
    assignArray(state, array.text, listOf(fields))
  }
}

/** Reads `count` characters, or fewer if `-n` was given and the line ends. Null at the end. */
function nextChars(input: Input, count: number, end: string | null): ReturnType<Input['line']> {
  const rest = input.peek()
  if (typeof rest !== 'string') return { text: rest, complete: true }
  if (rest === '' && count > 0) return null
  const at = end ? rest.slice(0, count).indexOf(end) : -1
  if (at >= 0) return input.line(end ?? '')
  return { text: input.take(count), complete: rest.length >= count }
}

function assignFields(analysis: Analysis, state: State, names: readonly Arg[], text: Value, whole: boolean): void {
  const values =
    typeof text !== 'string' ? names.map((): Value => text) : whole ? [text] : fieldsOf(state, text, names.length)
  const assignFrom = (inner: State, from: number): void => {
    for (let i = from; i < names.length; i++) {
      assignNamed(analysis, inner, names[i], values[i] ?? '')
      // `read` stops at a readonly variable. A condition can decide whether it is readonly.
      if (!inner.variables.get(names[i]?.text ?? '')?.attributes.includes('r')) continue
      if (i + 1 < names.length) forkMaybe(analysis, inner, (fork) => assignFrom(fork, i + 1))
      inner.control.status = null
      return
    }
  }
  assignFrom(state, 0)
}

/** Splits a line for `read` into at most `count` fields. The last one keeps the rest. */
function fieldsOf(state: State, text: string, count: number): readonly Value[] {
  const ifs = ifsOf(state)
  if (typeof ifs !== 'string') return [uncounted(unknown('input', 'text split at unknown characters'))]
  const blanks = [...ifs].filter((c) => /[ \t\n]/.test(c)).join('')
  const trim = (s: string): string => {
    let from = 0
    let to = s.length
    while (from < to && blanks.includes(s[from] as string)) from++
    while (to > from && blanks.includes(s[to - 1] as string)) to--
    return s.slice(from, to)
  }
  if (count === 1) return [splitUpTo(trim(text), ifs, blanks, 1)[0] ?? '']
  if (!Number.isFinite(count)) {
    const fields = new Fields([0, 0], ifs)
    fields.split(text.replaceAll(/[*?[]/g, (c) => STAND_IN[c] ?? c))
    fields.end()
    return fields.args.map((arg) => (arg.text ?? '').replace(/[\ue000-\ue002]/g, (c) => ORIGINAL[c] ?? c))
  }
  return splitUpTo(trim(text), ifs, blanks, count)
}

/** Stand-ins for glob characters while splitting, because `read` never expands globs. */
const STAND_IN: Readonly<Record<string, string>> = { '*': '\ue000', '?': '\ue001', '[': '\ue002' }
const ORIGINAL: Readonly<Record<string, string>> = { '\ue000': '*', '\ue001': '?', '\ue002': '[' }

function splitUpTo(text: string, ifs: string, blanks: string, count: number): readonly string[] {
  const fields: string[] = []
  let rest = text
  while (fields.length < count - 1 && rest !== '') {
    let end = 0
    while (end < rest.length && !ifs.includes(rest[end] as string)) end++
    fields.push(rest.slice(0, end))
    let next = end
    let hard = false
    while (
      next < rest.length &&
      ifs.includes(rest[next] as string) &&
      !(hard && !blanks.includes(rest[next] as string))
    ) {
      hard ||= !blanks.includes(rest[next] as string)
      next++
    }
    rest = rest.slice(next)
  }
  // A single delimiter at the end closes the last field.
  const last = rest.at(-1) ?? ''
  const closed = ifs.includes(last) && ![...rest.slice(0, -1)].some((c) => ifs.includes(c))
  return rest === '' ? fields : [...fields, closed ? rest.slice(0, -1) : rest]
}
