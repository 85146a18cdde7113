import { assign } from './assigning.js'
import type { Builtin } from './builtins.js'
import { runOwnVariable } from './environment-facts.js'
import { givePositional } from './positional.js'
import type { Arg } from './programs/knowledge.js'
import { A_NUMBER, argValue, unknown } from './value.js'

/** What history expansion takes for an event; `$!` and `!=` are none. */
const REWRITES = /(?<![$\\[(])![^\s=("]|\^[^^\n]*\^/

/** The letters of the options before the operands, and the operands. `isBad`: there is a word that is no option and looks like one. */
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
export const setOptions: Builtin = (reading, state, args) => {
  state.status = 0
  const options = new Set(state.options)
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg
    const { text } = arg
    if (text === '--' || text === '-') {
      givePositional(state, args.slice(i + 1))
      break
    }
    const letters = /^([-+])([a-zA-Z]+)$/.exec(text ?? '')
    if (!letters) {
      givePositional(state, args.slice(i))
      break
    }
    for (const letter of letters[2] ?? '') {
      const name = letter === 'o' ? (args[++i]?.text ?? '') : (LONG_OPTIONS[letter] ?? letter)
      // What is on at the start is remembered where it is not.
      if (name === 'braceexpand') setTo(options, 'no-braceexpand', letters[1] === '+')
      else setTo(options, name, letters[1] === '-')
    }
  }
  state.options = options
  // Without an exclamation mark before a word there is nothing to expand.
  if (options.has('histexpand') && REWRITES.test(reading.source))
    reading.reportUnknown('history expansion rewrites commands before they are read', null)
  if (options.has('keyword')) reading.reportUnknown('set -k takes arguments of commands for assignments', null)
  if (options.has('xtrace')) {
    state.descriptors.get(2)?.sink?.write(unknown('decoded', 'a trace of commands'))
    runOwnVariable(reading, state, 'PS4', reading.here)
  }
}

export const shopt: Builtin = (_reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = null
  const options = new Set(state.options)
  for (const arg of operands) {
    if (arg.text === null) continue
    if (on.includes('s')) options.add(arg.text)
    else if (on.includes('u')) options.delete(arg.text)
  }
  state.options = options
}

export const getopts: Builtin = (reading, state, args) => {
  state.status = null
  if (args[2]?.text) assign(reading, state, args[2].text, unknown('condition', 'an option'))
  const words = args.length > 3 ? args.slice(3).map(argValue) : state.positional
  const isOwn = words.some((word) => typeof word === 'string' && word !== '')
  assign(reading, state, 'OPTARG', unknown(isOwn ? 'made' : 'input', 'the value of an option'))
  assign(reading, state, 'OPTIND', A_NUMBER)
}
