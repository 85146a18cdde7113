import type { Builtin } from '../analysis/interpreter.js'
import { assign } from '../expand/assign.js'
import { runOwnVariable } from '../expand/environment-facts.js'
import type { Arg } from '../programs/grammar/roles.js'
import { setPositional } from '../state/positional-parameters.js'
import { oneOf } from '../values/one-of.js'
import { A_NUMBER, argValue, unknown, type Value } from '../values/value.js'

/** Events of history expansion. `$!` and `!=` are none. */
const HISTORY_EVENT = /(?<![$\\[(])![^\s=("]|\^[^^\n]*\^/

/** Returns the option letters and the operands. `isBad` tells that an argument looks like an option but is none. */
export function optionLetters(args: readonly Arg[]): {
  readonly on: string
  readonly off: string
  readonly operands: readonly Arg[]
  readonly isBad: boolean
} {
  let on = ''
  let off = ''
  let isBad = false
  let i = 1
  for (; i < args.length; i++) {
    const arg = args[i] as Arg
    const text = arg.assignment ? '' : (arg.text ?? '')
    if (text === '--') {
      i++
      break
    }
    if (/^-[a-zA-Z]+$/.test(text)) on += text.slice(1)
    else if (/^\+[a-zA-Z]+$/.test(text)) off += text.slice(1)
    else {
      isBad = /^[-+]./.test(text)
      break
    }
  }
  return { on, off, operands: args.slice(i), isBad }
}

const LONG_OPTIONS: Readonly<Record<string, string>> = {
  x: 'xtrace',
  a: 'allexport',
  e: 'errexit',
  f: 'noglob',
  n: 'noexec',
  k: 'keyword',
  H: 'histexpand',
  B: 'braceexpand',
  C: 'noclobber',
  E: 'errtrace',
  T: 'functrace',
  u: 'nounset',
}

const setTo = (options: Set<string>, name: string, isOn: boolean): void => {
  if (isOn) options.add(name)
  else options.delete(name)
}

/** `set -- a b`, `set -x`, `set -o name`. */
export const setOptions: Builtin = (analysis, state, args) => {
  state.control.status = 0
  const options = new Set(state.options)
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg
    const { text } = arg
    if (text === '--' || text === '-') {
      setPositional(state, args.slice(i + 1))
      break
    }
    const letters = /^([-+])([a-zA-Z]+)$/.exec(text ?? '')
    if (!letters) {
      setPositional(state, args.slice(i))
      break
    }
    for (const letter of letters[2] ?? '') {
      const name = letter === 'o' ? (args[++i]?.text ?? '') : (LONG_OPTIONS[letter] ?? letter)
      // Options that are on by default are stored when they are off.
      if (name === 'braceexpand') setTo(options, 'no-braceexpand', letters[1] === '+')
      else setTo(options, name, letters[1] === '-')
    }
  }
  state.options = options
  // History expansion needs an exclamation mark before a word.
  if (options.has('histexpand') && HISTORY_EVENT.test(analysis.location.source))
    analysis.findings.reportUnknown('history expansion rewrites later commands', null)
  if (options.has('keyword')) analysis.findings.reportUnknown('set -k treats arguments as assignments', null)
  if (options.has('xtrace')) {
    state.descriptors.get(2)?.sink?.write(unknown('decoded', 'the trace of set -x'))
    runOwnVariable(analysis, state, 'PS4', analysis.location.here)
  }
}

export const shopt: Builtin = (_analysis, state, args) => {
  const { on, operands } = optionLetters(args)
  state.control.status = null
  const options = new Set(state.options)
  for (const arg of operands) {
    if (arg.text === null) continue
    if (on.includes('s')) options.add(arg.text)
    else if (on.includes('u')) options.delete(arg.text)
  }
  state.options = options
}

/** The maximum number of alternatives of an option's value. */
const MAX_VALUES = 40

/** Returns the possible values of `-o value` and `-ovalue`: a word, the end of one, or an unknown letter. */
function valueOfOption(words: readonly Value[]): Value {
  const texts = words.filter((word) => typeof word === 'string')
  if (texts.every((text) => text === '')) return unknown('input', 'the value of an option')
  const letters = texts.filter((text) => /^-./.test(text)).map((text) => text.slice(1))
  const count = texts.length + letters.reduce((sum, text) => sum + 2 * text.length, 0)
  if (texts.length < words.length || count > MAX_VALUES) return unknown('made', 'the value of an option')
  return oneOf(['', ...texts, ...letters.flatMap((text) => [...text].flatMap((c, i) => [c, text.slice(i + 1)]))])
}

export const getopts: Builtin = (analysis, state, args) => {
  state.control.status = null
  if (args[2]?.text) assign(analysis, state, args[2].text, unknown('condition', 'an option'))
  const words = args.length > 3 ? args.slice(3).map(argValue) : state.arguments.positional
  assign(analysis, state, 'OPTARG', valueOfOption(words))
  assign(analysis, state, 'OPTIND', A_NUMBER)
}
