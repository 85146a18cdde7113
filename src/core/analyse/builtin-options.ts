import { assign } from './assigning.js'
import type { Builtin } from './builtins.js'
import { runOwnVariable } from './environment-facts.js'
import { isMany } from './many-elements.js'
import { givePositional } from './positional.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, UNSET } from './state.js'
import { A_NUMBER, argValue, unknown } from './value.js'
import { lookUp } from './variables.js'

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
  if (options.has('histexpand')) {
    reading.reportUnknown('history expansion rewrites commands before they are read', null)
    reading.findings.shape('decode-and-run', reading.here)
  }
  if (options.has('xtrace')) runOwnVariable(reading, state, 'PS4', reading.here)
}

/** Options that `shopt` knows: of others it only complains. */
const SHOPTS = new Set(
  'autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose sourcepath syslog_history varredir_close xpg_echo'.split(
    ' ',
  ),
)

export const shopt: Builtin = (_reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = on === '' || on.includes('q') || operands.some(({ text }) => !SHOPTS.has(text ?? '')) ? null : 0
  const options = new Set(state.options)
  for (const arg of operands) {
    if (arg.text === null) continue
    if (on.includes('s')) options.add(arg.text)
    else if (on.includes('u')) options.delete(arg.text)
  }
  state.options = options
}

/** One step of `getopts` over known words, an option to a word; false where that is not how they are given. */
function nextOption(reading: Reading, state: State, args: readonly Arg[]): boolean {
  const [, letters, name, ...given] = args
  const words = given.length > 0 ? given.map(argValue) : state.positional
  const at = lookUp(reading, state, 'OPTIND').value
  if (!letters?.text || !name?.text || words.some(isMany) || typeof at !== 'string' || !/^\d+$/.test(at)) return false
  const word = words[Number(at) - 1] ?? '--'
  if (typeof word !== 'string') return false
  const match = /^-([a-zA-Z0-9])(.*)$/s.exec(word)
  if (!match && word !== '-' && word !== '--' && word.startsWith('-')) return false
  if (!match) {
    state.status = 1
    assign(reading, state, name.text, '?')
    state.set('OPTARG', UNSET)
    return true
  }
  const [, letter = '', rest = ''] = match
  const valued = letters.text.includes(`${letter}:`)
  if (!valued && (rest !== '' || !letters.text.includes(letter))) return false
  const value = !valued ? '' : rest !== '' ? rest : words[Number(at)]
  if (value === undefined) return false
  state.status = 0
  assign(reading, state, name.text, letter)
  if (valued) assign(reading, state, 'OPTARG', value)
  else state.set('OPTARG', UNSET)
  assign(reading, state, 'OPTIND', String(Number(at) + (valued && rest === '' ? 2 : 1)))
  return true
}

export const getopts: Builtin = (reading, state, args) => {
  if (nextOption(reading, state, args)) return
  state.status = null
  if (args[2]?.text) assign(reading, state, args[2].text, unknown('condition', 'an option'))
  assign(reading, state, 'OPTARG', unknown('input', 'the value of an option'))
  assign(reading, state, 'OPTIND', A_NUMBER)
}
