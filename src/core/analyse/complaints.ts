import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { argValue, concat, type Hole, headOf, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** What makes a message that repeats an argument more than one command to a shell. */
const BREAKING = /[\n;&|$`(<>]/
/** Never complain of their arguments. */
const SILENT = new Set(['echo', 'printf', ':', 'true', 'false', 'eval', 'command', 'builtin', '[', 'test'])

/**
 * Messages of error go where the second descriptor goes. They repeat the words of the script, so a shell that runs them runs what the
 * script says.
 */
export function noteComplaints(state: State, args: readonly Arg[], isProgram: boolean): void {
  const sink = state.descriptors.get(2)?.sink
  if (!sink || SILENT.has(args[0]?.text ?? '')) return
  const isShared = sink === state.descriptors.get(1)?.sink
  const isBreaking = args.some((arg) => arg.text === null || BREAKING.test(arg.text))
  const what = `what ${args[0]?.text ?? 'a program'} complains of`
  // What a program prints to both is not known anyway, unless it is a plain filter, which does not complain.
  if (isShared ? !isProgram && isBreaking : isProgram || isBreaking) sink.write(unknown('decoded', what))
  else if (!isProgram && state.status !== 0) sink.write(maybeMessage(state, what, args))
}

/** A builtin that may fail says so, or nothing. */
const maybeMessage = (state: State, what: string, args: readonly Arg[]): Hole => {
  const words = args.map((arg) => arg.text ?? '').filter((text) => !text.startsWith('-'))
  const message = `${headOf(state.zero)}: line 1: ${words.join(': ')}: No such file or directory\n`
  return { ...unknown('decoded', what), options: ['', message] }
}

/** What `${x?text}` says before the shell ends. */
export function noteMessage(state: State, name: string, text: Value): void {
  const sink = state.descriptors.get(2)?.sink
  if (!sink) return
  const message = headOf(text)
  // Quotes in it are taken away, between double quotes too.
  const bare = message.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')
  const options = [`${headOf(state.zero)}: line 1: ${name}: ${bare}\n`, `${message}\n`, `${bare}\n`]
  sink.write({ ...unknown('decoded', 'what the shell says at its end'), options })
}

/** What `time` prints, in the words of TIMEFORMAT where it is set. */
export function noteTimes(reading: Reading, state: State): void {
  const sink = state.descriptors.get(2)?.sink
  if (!sink) return
  const format = lookUp(reading, state, 'TIMEFORMAT')
  if (!format.isSet || typeof format.value !== 'string') {
    sink.write(format.isSet ? concat(format.value, '\n') : unknown('number', 'how long it took'))
    return
  }
  if (format.value === '') return
  for (const piece of format.value.split(/(%(?:%|\d?l?[RUSP]))/))
    sink.write(piece === '%%' ? '%' : /^%./.test(piece) ? unknown('number', 'how long it took') : piece)
  sink.write('\n')
}

/** How deep substitutions and evaluations are nested that are told apart. */
const NESTED = [1, 2, 3]

/** What the shell prints of a command before it runs it, after `set -x`. */
export function noteTrace(reading: Reading, state: State, words: readonly Value[]): void {
  const to = lookUp(reading, state, 'BASH_XTRACEFD').value
  const sink = state.descriptors.get(typeof to === 'string' && /^\d+$/.test(to) ? Number(to) : 2)?.sink
  if (!sink || words.length === 0) return
  const prompt = lookUp(reading, state, 'PS4')
  const mark = prompt.isSet ? headOf(prompt.value) : ''
  let line: Value = ''
  words.forEach((word, i) => {
    line = concat(i === 0 ? line : concat(line, ' '), word)
  })
  line = concat(line, '\n')
  if (mark === '' || typeof line !== 'string') sink.write(line)
  else {
    const options = NESTED.map((times) => mark.charAt(0).repeat(times) + mark.slice(1) + line)
    sink.write({ ...unknown('decoded', 'what the shell prints of its commands'), options })
  }
}

/** The words of a command as the shell prints them. */
export const tracedWords = (args: readonly Arg[], quote: (text: string) => string): readonly Value[] =>
  args.map((arg) => {
    const value = argValue(arg)
    return typeof value === 'string' ? quote(value) : value
  })
