import { assignArray } from './assigning.js'
import { forkBranches, forkMaybe } from './branch.js'
import { assignNamed } from './builtin-variables.js'
import type { Builtin } from './builtins.js'
import { Fields } from './fields.js'
import { many } from './many-elements.js'
import { oneOf } from './one-of.js'
import { known } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Input } from './streams.js'
import { type Hole, unknown, type Value } from './value.js'
import { ifsOf, listOf } from './variables.js'

export interface Options {
  readonly flags: string
  readonly values: ReadonlyMap<string, Arg>
  readonly operands: readonly Arg[]
}

/** Reads bundled options, those in `valued` with a value. */
export function options(args: readonly Arg[], valued: string): Options {
  const values = new Map<string, Arg>()
  let flags = ''
  let i = 1
  for (; i < args.length; i++) {
    const arg = args[i] as Arg
    const text = arg.text ?? arg.head
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
      const value = rest !== '' ? { ...arg, text: arg.text === null ? null : rest, head: rest } : args[++i]
      if (value) values.set(letter, value)
      break
    }
  }
  return { flags, values, operands: args.slice(i) }
}

/** What is read from a descriptor. */
export const inputOf = (state: State, fd: Arg | undefined): Input => {
  const number = fd ? Number(fd.text ?? fd.options?.find((option) => /^\d+$/.test(option)) ?? Number.NaN) : 0
  return (
    state.descriptors.get(number)?.input ??
    new Input(Number.isNaN(number) ? unknown('input', 'a descriptor that is not known') : '')
  )
}

export const read: Builtin = (reading, state, args) => {
  const given = options(args, 'adinNptu')
  const input = inputOf(state, given.values.get('u'))
  const text = input.peek()
  if (typeof text === 'string' || !text.options?.length) readFrom(reading, state, given, input)
  else readEach(reading, state, given, input, text, text.options)
}

/** Text that can be one of several is read from for each of them. */
function readEach(
  reading: Reading,
  state: State,
  given: Options,
  input: Input,
  text: Hole,
  texts: readonly string[],
): void {
  const { options: _, ...rest } = text
  const inputs = (text.source === 'condition' ? texts : [...texts, rest]).map((one) => new Input(one))
  forkBranches(
    reading,
    state,
    inputs.map((own) => (fork) => readFrom(reading, fork, given, own)),
  )
  input.leave(oneOf(inputs.map((own) => own.peek())))
}

function readFrom(reading: Reading, state: State, { flags, values, operands }: Options, input: Input): void {
  const count = values.get('N') ?? values.get('n')
  const delimiter = values.get('d')
  const end = delimiter ? (delimiter.text ?? '\n').slice(0, 1) : '\n'
  const given = input.peek()
  // What backslashes do without -r is not followed.
  if (!flags.includes('r') && typeof given === 'string' && given.includes('\\'))
    input.leave(unknown('made', 'read from text with backslashes'))
  const line = count ? nextChars(input, Number(count.text ?? 0) || 0, values.has('N') ? null : end) : input.line(end)
  state.status = line === null ? 1 : typeof line.text !== 'string' ? null : line.complete ? 0 : 1
  const read = line?.text ?? ''
  const text = typeof read === 'string' && read.includes('\0') ? read.replaceAll('\0', '') : read
  const array = values.get('a')
  if (!array) {
    if (operands.length === 0) assignNamed(reading, state, known('REPLY', reading.here), text)
    else assignFields(reading, state, operands, text, values.has('N'))
  } else if (array.text === null) reading.reportUnknown('a variable whose name is not known is set', array.span)
  else {
    const fields = typeof text === 'string' ? fieldsOf(state, text, Number.POSITIVE_INFINITY) : [many(text)]
    assignArray(state, array.text, listOf(fields))
  }
}

/** So many characters, or fewer where the line ends before them and `-n` asked for them. Null at the end. */
function nextChars(input: Input, count: number, end: string | null): ReturnType<Input['line']> {
  const rest = input.peek()
  if (typeof rest !== 'string') return { text: rest, complete: true }
  if (rest === '' && count > 0) return null
  const at = end ? rest.slice(0, count).indexOf(end) : -1
  if (at >= 0) return input.line(end ?? '')
  return { text: input.take(count), complete: rest.length >= count }
}

function assignFields(reading: Reading, state: State, names: readonly Arg[], text: Value, whole: boolean): void {
  const values =
    typeof text !== 'string' ? names.map((): Value => text) : whole ? [text] : fieldsOf(state, text, names.length)
  const assignFrom = (inner: State, from: number): void => {
    for (let i = from; i < names.length; i++) {
      assignNamed(reading, inner, names[i], values[i] ?? '')
      // One that cannot be changed is the last; whether it was made so may depend on a condition.
      if (!inner.get(names[i]?.text ?? '')?.attributes.includes('r')) continue
      if (i + 1 < names.length) forkMaybe(reading, inner, (fork) => assignFrom(fork, i + 1))
      inner.status = null
      return
    }
  }
  assignFrom(state, 0)
}

/** Splits a line for `read`: at most `count` fields, the last one with all that is left. */
function fieldsOf(state: State, text: string, count: number): readonly Value[] {
  const ifs = ifsOf(state)
  if (typeof ifs !== 'string') return [many(unknown('input', 'split at characters that are not known'))]
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

/** `read` never matches file names: pattern characters are put aside while splitting. */
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
  // One delimiter at the very end closes the last field.
  const last = rest.at(-1) ?? ''
  const closed = ifs.includes(last) && ![...rest.slice(0, -1)].some((c) => ifs.includes(c))
  return rest === '' ? fields : [...fields, closed ? rest.slice(0, -1) : rest]
}
