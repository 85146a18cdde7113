import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { wordsOf } from './said.js'
import type { State } from './state.js'
import { unknown, type Value } from './value.js'

/** Text that stands for other text, or makes it out of numbers. */
const ENCODED =
  /\$\(|`|\\x[\da-f]{2}|\\[0-7]{3}|\\u[\da-f]{4}|\bchr\b|%c|\bpack\b|hex\b|b(?:ase)?64|::-1|revers|rot13|fromCharCode|\bg?sub(?:str)?\(|to(?:upp|low)er|\.join\(|\.replace\(|\[-?\d*:|[A-Za-z\d+]{24,}|[A-Za-z\d+/]{2,}={1,2}\s*$|^[\da-f\s]{8,}$/i

const MOST_CHARS = 65_536

/** Is what a program prints made of nothing but this, and is this something else than it looks like? */
export function isDisguise(args: readonly Arg[], input: string, reading: Reading): boolean {
  for (const { text } of args) if (text === null) return false
  for (const { text } of args) if (isEncoded(text ?? '', reading)) return true
  return isEncoded(input, reading)
}

function isEncoded(text: string, reading: Reading): boolean {
  reading.work.add(2 + (text.length >> 3))
  return text.length > 0 && text.length <= MOST_CHARS && ENCODED.test(text)
}

/** Words of them that are kept. */
const SAID = 16

/** What a program that prints was told: its arguments, its input, and what the program before it in a pipe was told. */
export function saidBy(reading: Reading, args: readonly Arg[], input: Value): readonly Arg[] {
  let all: Arg[] | null = null
  const add = (text: Value | undefined): void => {
    if (text === undefined || text === '') return
    if (typeof text === 'object' && text.said === undefined && text.glob === undefined) return
    all ??= [...args]
    if (all.length > SAID) return
    const word = typeof text === 'string' ? text : text.glob
    if (word !== undefined) all.push({ text: word, head: word, several: false, span: reading.here })
    if (typeof text === 'object') all.push(...(text.said?.slice(1, SAID) ?? []))
  }
  for (const { text } of args) if (text?.startsWith('/dev/fd/')) add(reading.files.get(text)?.text)
  add(input)
  return all ?? args
}

const CANDIDATES = 6
/** Words that mean something where a program finds them: paths, options, addresses. */
const TELLING = /^(?:\/|\.\.|-\w|--\w|@|\+\w|\w+=\/|\w+:\/)/

/** What the first argument of many programs is. */
const SUBCOMMAND = /^[a-z][a-z-]{2,11}$/

/** What an argument may turn out to be that a program made of the script's own text. */
function candidatesOf(arg: Arg, isFirst: boolean): readonly string[] {
  const found = new Set<string>()
  const told = new Set(arg.said?.map(({ text }) => text))
  for (const option of arg.options?.slice(0, CANDIDATES) ?? []) found.add(option.trim().slice(arg.head.length))
  for (const text of wordsOf(arg.said ?? [])) {
    // The options of the program itself are none of it; what it reads ends with its line.
    if (text.startsWith('-') && !text.endsWith('\n') && told.has(text)) continue
    for (const word of text.split(/[\s'"`(),;|<>{}[\]]+/)) {
      if (TELLING.test(word) || (isFirst && SUBCOMMAND.test(word))) found.add(word.replace(/(?<=.)[:.]$/, ''))
      if (found.size >= CANDIDATES) return [...found]
    }
  }
  return [...found]
}

/** Runs a program again for everything that an argument made of the script's own text may be. */
export function runWithGuesses(
  reading: Reading,
  state: State,
  args: readonly Arg[],
  run: (reading: Reading, state: State, args: readonly Arg[]) => void,
): void {
  const at = args.findIndex((arg) => isMade(arg))
  const made = args[at]
  if (made === undefined) return
  reading.undecided++
  for (const word of candidatesOf(made, at === 1)) {
    reading.work.step()
    const text = made.head + word
    const inner = state.fork()
    // Each reads for itself what there is to read.
    inner.descriptors = state.descriptors
      .map((one) => (one.input ? { input: one.input.copy(), sink: one.sink } : one))
      .with(1, { input: null, sink: null })
    run(reading, inner, args.with(at, { text, head: text, several: false, span: made.span }))
  }
  reading.undecided--
}

const isMade = ({ text, said, source, options }: Arg): boolean =>
  text === null && (options !== undefined || (said !== undefined && (source === 'decoded' || source === 'disguised')))

/** Is an argument made of the script's own text by a program that is not followed? */
export function hasMade(args: readonly Arg[]): boolean {
  for (let i = 1; i < args.length; i++) if (isMade(args[i] as Arg)) return true
  return false
}

/** What `date` prints where its format tells: words that are not replaced, or figures, which are a number wherever they are used. */
export function dated(args: readonly Arg[]): Value | null {
  const format = args.length === 2 ? args[1]?.text : args.findLast((arg) => arg.head.startsWith('+'))?.text
  if (!format?.startsWith('+')) return null
  if (!format.includes('%')) return args.length === 2 ? `${format.slice(1)}\n` : null
  return /^\+(?:%-?[sYmdHMSNjuUVWyGgwFT]|[\d.:_-])+$/.test(format) ? unknown('number', 'the time') : null
}
