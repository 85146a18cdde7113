import { assignNamed } from './builtin-variables.js'
import type { Builtin } from './builtins.js'
import { oneOf } from './one-of.js'
import { type Arg, MARK, type Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { testWords } from './test-expression.js'
import { upToNul } from './text/items.js'
import { formatEcho, formatPrintf } from './text/print.js'
import { argValue, aroundOf, concat, type Hole, unknown, type Value } from './value.js'

/** What `echo` prints. */
export function echoed(args: readonly Arg[], escaping = false): Value {
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
  if (typeof text !== 'string') return concat(escapes ? unescaped(text) : text, newline)
  const { text: printedText, ended } = escapes ? formatEcho(text) : { text, ended: false }
  return ended ? printedText : printedText + newline
}

/** Text of which a part is not known, backslashes understood in what is. */
const unescaped = (value: Hole): Hole => ({
  ...value,
  source: sourceOf(aroundOf(value), value.source),
  head: formatEcho(value.head).text,
  around: formatEcho(aroundOf(value)).text,
})

/** A character by its number, which is not known: a number there is any text. */
const ESCAPED_PART = new RegExp(`\\\\[xuU]?[0-9a-fA-F]*${MARK}`)

const sourceOf = (around: string, source: Source = 'output'): Source => (ESCAPED_PART.test(around) ? 'made' : source)

/** Stands among the options of a shell that may be another than bash. */
export const PLAIN_SHELL = 'plain shell'

export const echo: Builtin = (_reading, state, args) => {
  state.status = 0
  const sink = state.descriptors.get(1)?.sink
  if (!sink) return
  const text = echoed(args, state.options.has('xpg_echo'))
  // Plain shells understand backslashes without being told to, and which shell `sh` is cannot be told.
  const isPlain = state.options.has(PLAIN_SHELL) && typeof text === 'string' && text.includes('\\')
  sink.write(isPlain ? oneOf([text, echoed(args, true)]) : text)
}

/** What `printf` prints. */
export function printfed(args: readonly Arg[]): Value {
  const [format, ...rest] = args
  if (!format) return ''
  const pattern = format.unknown?.glob
  if (format.text === null && pattern !== undefined) {
    // A pattern that matches no file stays what it is.
    const text = printfed([{ ...format, text: pattern, head: pattern }, ...rest])
    return typeof text === 'string' ? { ...unknown('files', 'printed by a format'), options: [text] } : text
  }
  if (format.text === null)
    return unknown(sourceOf(format.around ?? '', format.source), 'printed by a format that is not known')
  const lost = rest.find((arg) => arg.text === null)
  if (!lost)
    return (
      formatPrintf(
        format.text,
        rest.map((arg) => arg.text ?? ''),
      ) ?? unknown('made', 'printed in a way that is not followed')
    )
  const options = printedOptions(format.text, rest)
  const what = {
    ...unknown(sourceOf(lost.around ?? '', lost.source), lost.unknown?.unknown ?? 'not known'),
    ...(options === null ? {} : { options }),
  }
  const around = printedAround(format.text, rest)
  if (around?.includes(MARK)) return { ...what, head: around.slice(0, around.indexOf(MARK)), around }
  const head = /^[^%\\]*/.exec(format.text)?.[0] ?? ''
  const direct = /^%s/.test(format.text) && rest[0] === lost ? lost.head : ''
  return { ...what, head: head + direct }
}

/** Texts that are told apart. */
const TOLD_APART = 16

/** All that is printed where of every argument it is known what it can be. */
function printedOptions(format: string, args: readonly Arg[]): readonly string[] | null {
  let lists: readonly (readonly string[])[] = [[]]
  for (const { text, options, several } of args) {
    const choices = text !== null ? [text] : several ? undefined : options
    if (choices === undefined || lists.length * choices.length > TOLD_APART) return null
    lists = lists.flatMap((list) => choices.map((choice) => [...list, choice]))
  }
  const printed = lists.map((list) => formatPrintf(format, list)).filter((text) => text !== null)
  return printed.length === 0 ? null : [...new Set(printed)]
}

/** What is printed, with a mark for each part of it that is not known. Of a pattern for file names there is at least one, or itself. */
const printedAround = (format: string, args: readonly Arg[]): string | null =>
  args.some((arg) => arg.several && arg.unknown?.glob === undefined)
    ? null
    : formatPrintf(
        format,
        args.map((arg) => aroundOf(argValue(arg))),
      )

export const printf: Builtin = (reading, state, args) => {
  state.status = 0
  let rest = args.slice(1)
  let name: Arg | undefined
  if (/^-v/.test(rest[0]?.head ?? '')) {
    const [first, second] = rest
    const attached = first && first.head.length > 2
    name = attached
      ? { ...first, text: first.text === null ? null : first.text.slice(2), head: first.head.slice(2) }
      : second
    rest = rest.slice(attached ? 1 : 2)
  }
  if (rest[0]?.text === '--') rest = rest.slice(1)
  const value = printfed(rest)
  // What is not a number is one all the same, and an error.
  if (/%[-+ #0-9.*]*[diouxXeEfFgGaA]/.test(rest[0]?.head ?? '')) state.status = null
  if (name) assignNamed(reading, state, name, typeof value === 'string' ? upToNul(value) : value)
  else state.descriptors.get(1)?.sink?.write(value)
}

export const testBuiltin: Builtin = (reading: Reading, state: State, args) => {
  const words = args[0]?.text === '[' ? args.slice(1, args.at(-1)?.text === ']' ? -1 : undefined) : args.slice(1)
  const result = testWords(reading, state, words)
  state.status = result === null ? null : result ? 0 : 1
}
