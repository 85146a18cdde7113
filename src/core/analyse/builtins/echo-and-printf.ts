import type { Analysis } from '../analysis/analysis.js'
import type { Builtin } from '../analysis/interpreter.js'
import { testWords } from '../expand/test-expression.js'
import { type Arg, MARK, type Origin } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { formatEcho, formatPrintf } from '../text/echo-printf-format.js'
import { upToNul } from '../text/split-items.js'
import { oneOf } from '../values/one-of.js'
import { argValue, concat, templateOf, type UnknownValue, unknown, type Value } from '../values/value.js'
import { assignNamed } from './unset-shift-let.js'

export function echoOutput(args: readonly Arg[], escaping = false): Value {
  const texts = args.slice(1)
  let options = 0
  while (/^-[neE]+$/.test(texts[options]?.text ?? '')) options++
  const letters = texts
    .slice(0, options)
    .map((arg) => arg.text?.slice(1))
    .join('')
  let body: Value = ''
  texts.slice(options).forEach((arg, i) => {
    body = concat(i === 0 ? body : concat(body, ' '), argValue(arg))
  })
  const newline = letters.includes('n') ? '' : '\n'
  const escapes = /[eE]/.test(letters) ? letters.lastIndexOf('e') > letters.lastIndexOf('E') : escaping
  const text = body as Value
  if (typeof text !== 'string') return concat(escapes ? resolveEscapes(text) : text, newline)
  const { text: printedText, ended } = escapes ? formatEcho(text) : { text, ended: false }
  return ended ? printedText : printedText + newline
}

/** Resolves the backslashes in the known parts of a text. */
const resolveEscapes = (value: UnknownValue): UnknownValue => ({
  ...value,
  origin: originOf(templateOf(value), value.origin),
  prefix: formatEcho(value.prefix).text,
  template: formatEcho(templateOf(value)).text,
})

/** An escape with an unknown number, which can be any character. */
const ESCAPED_PART = new RegExp(`\\\\[xuU]?[0-9a-fA-F]*${MARK}`)

const originOf = (template: string, origin: Origin = 'output'): Origin =>
  ESCAPED_PART.test(template) ? 'made' : origin

/** An option of the state that marks a shell other than bash. */
export const PLAIN_SHELL = 'plain shell'

export const echo: Builtin = (_analysis, state, args) => {
  state.control.status = 0
  const sink = state.descriptors.get(1)?.sink
  if (!sink) return
  const text = echoOutput(args, state.options.has('xpg_echo'))
  // Plain shells resolve backslashes by default, and it is unknown which shell `sh` is.
  const isPlain = state.options.has(PLAIN_SHELL) && typeof text === 'string' && text.includes('\\')
  sink.write(isPlain ? oneOf([text, echoOutput(args, true)]) : text)
}

export function printfOutput(args: readonly Arg[]): Value {
  const [format, ...rest] = args
  if (!format) return ''
  const pattern = format.unknown?.glob
  if (format.text === null && pattern !== undefined) {
    // A glob that matches no file stays as it is.
    const text = printfOutput([{ ...format, text: pattern, prefix: pattern }, ...rest])
    return typeof text === 'string' ? { ...unknown('files', 'output of printf'), alternatives: [text] } : text
  }
  if (format.text === null)
    return unknown(originOf(format.template ?? '', format.origin), 'output of printf with an unknown format')
  const unknownArg = rest.find((arg) => arg.text === null)
  if (!unknownArg)
    return (
      formatPrintf(
        format.text,
        rest.map((arg) => arg.text ?? ''),
      ) ?? unknown('made', 'output of printf that is not followed')
    )
  const options = printedOptions(format.text, rest)
  const what = {
    ...unknown(
      originOf(unknownArg.template ?? '', unknownArg.origin),
      unknownArg.unknown?.unknown ?? 'an unknown value',
    ),
    ...(options === null ? {} : { alternatives: options }),
  }
  const template = printedAround(format.text, rest)
  if (template?.includes(MARK)) return { ...what, prefix: template.slice(0, template.indexOf(MARK)), template }
  const prefix = /^[^%\\]*/.exec(format.text)?.[0] ?? ''
  const direct = /^%s/.test(format.text) && rest[0] === unknownArg ? unknownArg.prefix : ''
  return { ...what, prefix: prefix + direct }
}

/** The maximum number of outputs that are kept apart. */
const MAX_ALTERNATIVES = 16

/** Returns all possible outputs if the possible values of every argument are known. */
function printedOptions(format: string, args: readonly Arg[]): readonly string[] | null {
  let lists: readonly (readonly string[])[] = [[]]
  for (const { text, alternatives, maySplit } of args) {
    const choices = text !== null ? [text] : maySplit ? undefined : alternatives
    if (choices === undefined || lists.length * choices.length > MAX_ALTERNATIVES) return null
    lists = lists.flatMap((list) => choices.map((choice) => [...list, choice]))
  }
  const printed = lists.map((list) => formatPrintf(format, list)).filter((text) => text !== null)
  return printed.length === 0 ? null : [...new Set(printed)]
}

/** Returns the output with a mark for each unknown part. A glob prints at least one file name, or itself. */
const printedAround = (format: string, args: readonly Arg[]): string | null =>
  args.some((arg) => arg.maySplit && arg.unknown?.glob === undefined)
    ? null
    : formatPrintf(
        format,
        args.map((arg) => templateOf(argValue(arg))),
      )

export const printf: Builtin = (analysis, state, args) => {
  state.control.status = 0
  let rest = args.slice(1)
  let name: Arg | undefined
  if (/^-v/.test(rest[0]?.prefix ?? '')) {
    const [first, second] = rest
    const attached = first && first.prefix.length > 2
    name = attached
      ? { ...first, text: first.text === null ? null : first.text.slice(2), prefix: first.prefix.slice(2) }
      : second
    rest = rest.slice(attached ? 1 : 2)
  }
  if (rest[0]?.text === '--') rest = rest.slice(1)
  const value = printfOutput(rest)
  // printf converts an argument that is not a number, but fails.
  if (/%[-+ #0-9.*]*[diouxXeEfFgGaA]/.test(rest[0]?.prefix ?? '')) state.control.status = null
  if (name) assignNamed(analysis, state, name, typeof value === 'string' ? upToNul(value) : value)
  else state.descriptors.get(1)?.sink?.write(value)
}

export const testBuiltin: Builtin = (analysis: Analysis, state: State, args) => {
  const words = args[0]?.text === '[' ? args.slice(1, args.at(-1)?.text === ']' ? -1 : undefined) : args.slice(1)
  const result = testWords(analysis, state, words)
  state.control.status = result === null ? null : result ? 0 : 1
}
