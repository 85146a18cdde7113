import { currentDirectory } from './current-directory.js'
import { expandText } from './evaluate-text.js'
import { many } from './many-elements.js'
import type { Reading } from './reading.js'
import { inheritedScalar, type State, scalar, UNSET, type Variable } from './state.js'
import { argValue, unknown, type Value } from './value.js'

/** Variables bash sets by itself, with values that change. */
const CHANGING = new Set(
  'RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO BASHPID PPID UID EUID BASH_SUBSHELL SHLVL COLUMNS LINES HISTCMD'.split(
    ' ',
  ),
)
/** Variables that the environment of a command is given, and whose values the reader is not told. */
const INHERITED = new Set('PATH USER LOGNAME LANG LC_ALL TERM TMPDIR'.split(' '))
/** Variables bash sets when it starts, to what depends on the machine and on itself. */
const STARTING = new Set(
  'HOSTNAME HOSTTYPE MACHTYPE BASH_VERSION BASH_VERSINFO BASHOPTS SHELLOPTS GROUPS PIPESTATUS BASH_COMMAND BASH_SOURCE BASH_LINENO BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_LOADABLES_PATH BASH_REMATCH COMP_WORDBREAKS BASH_COMPAT BASH_MONOSECONDS'.split(
    ' ',
  ),
)
/** What it is nearly everywhere. */
function mostly(value: string): Value {
  return { ...unknown('environment', 'what bash sets at its start'), options: [value] }
}

/** Options of `set -o`, which are told apart from those of `shopt`. */
const SET_OPTIONS = new Set(
  'allexport errexit errtrace functrace histexpand history ignoreeof keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace'.split(
    ' ',
  ),
)
/** Options that are on in a shell that was told nothing. */
const SET_AT_START = ['braceexpand', 'hashall', 'interactive-comments']

const BASH_OWN: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['IFS', ' \t\n'],
  ['BASH', { ...unknown('condition', 'where bash is'), options: ['/usr/bin/bash', '/bin/bash'] }],
  ['SHELL', '/bin/bash'],
  ['PATH', unknown('environment', 'PATH', '/')],
  ['PS4', '+ '],
  ['OPTIND', '1'],
  ['OPTERR', '1'],
  ['OSTYPE', 'linux-gnu'],
  ['TERM', 'dumb'],
  ['BASH_VERSION', unknown('environment', 'the version of bash', '5.')],
  ['COMP_WORDBREAKS', ' \t\n"\'><=;|&(:'],
  ['HOSTTYPE', mostly('x86_64')],
  ['MACHTYPE', mostly('x86_64-pc-linux-gnu')],
  [
    'BASHOPTS',
    mostly(
      'checkwinsize:cmdhist:complete_fullquote:extquote:force_fignore:globasciiranges:globskipdots:hostcomplete:interactive_comments:patsub_replacement:progcomp:promptvars:sourcepath',
    ),
  ],
])

/** Arrays of bash's own whose keys are names: of programs and where they are, of aliases and what they stand for. */
const KEYED = new Set(['BASH_CMDS', 'BASH_ALIASES'])

export const ifsOf = (state: State): Value => {
  const variable = state.get('IFS')
  return variable
    ? variable.isSet
      ? variable.choices
        ? unknown('environment', 'IFS')
        : variable.value
      : ' \t\n'
    : ' \t\n'
}

/** Does a value set in the shell reach the programs it starts without being exported? */
export const isInherited = (reading: Reading, name: string): boolean =>
  INHERITED.has(name) ||
  name === 'HOME' ||
  name === 'SHELL' ||
  name === 'PWD' ||
  reading.inherited(name) !== undefined ||
  reading.context.env.some(([n]) => n === name)

/** The variable of that name, bash's own and the environment's included. Namerefs are followed. */
export function lookUp(reading: Reading, state: State, name: string, depth = 0): Variable {
  const variable = state.get(name)
  if (variable) {
    if (KEYED.has(name) && !variable.attributes.includes('A'))
      return { ...variable, attributes: `${variable.attributes}A` }
    if (!variable.attributes.includes('n') || typeof variable.value !== 'string' || depth >= 8) return variable
    return variable.value.includes('[')
      ? referred(reading, state, variable.value, depth)
      : lookUp(reading, state, variable.value, depth + 1)
  }
  if (name === '_') return scalar(state.last === null ? unknown('decoded', '$_') : argValue(state.last))
  if (name === 'BASH_CMDS') return { ...scalar(unknown('output', 'where programs are')), attributes: 'A' }
  if (name === 'PWD') return scalar(currentDirectory(state))
  if (name === 'OLDPWD')
    return state.previous === null || state.stays.length > 0
      ? scalar({
          ...unknown('environment', 'the previous directory'),
          ...(state.previous === null ? {} : { options: [state.previous] }),
        })
      : scalar(state.previous)
  if (name === 'HOME') return inheritedScalar(reading.context.home, true)
  if (name === 'DIRSTACK') {
    const directory = unknown('decoded', 'remembered directories')
    return { ...scalar(directory), items: listOf([many(directory)]) }
  }
  if (name === 'FUNCNAME') {
    const names = reading.calls
      .flatMap((call) => (call.name.startsWith('function ') ? [call.name.slice(9)] : []))
      .reverse()
    // Only a shell that runs a file has a name for what stands outside all functions.
    const outside = reading.calls.some((call) => call.name.startsWith('/')) ? ['main'] : []
    if (names.length > 0) return { ...scalar(names[0] ?? ''), items: listOf([...names, ...outside]) }
  }
  if (name === 'BASH_SOURCE') {
    const file = reading.calls.findLast((call) => call.name.startsWith('/'))
    // It is spelled as it was given, which is known of the script that is run.
    if (file)
      return scalar(
        typeof state.zero === 'string' && reading.owned(state, state.zero) === file.name
          ? state.zero
          : { ...unknown('environment', `$${name}`), options: [file.name], place: file.name },
      )
  }
  // What is cut out of it is the script itself.
  if (/^BASH_(?:EXECUTION_STRING|ARGV|COMMAND)$/.test(name)) return scalar(unknown('decoded', `$${name}`))
  if (name === 'SHELLOPTS')
    return {
      ...scalar(
        [...new Set([...SET_AT_START, ...[...state.options].filter((one) => SET_OPTIONS.has(one))])].sort().join(':'),
      ),
      attributes: 'r',
    }
  if (CHANGING.has(name)) return scalar(unknown('number', `$${name}`))
  const given = reading.inherited(name)
  if (typeof given === 'string') return inheritedScalar(given, true)
  const own = BASH_OWN.get(name)
  if (own !== undefined) return inheritedScalar(own, given === null)
  if (STARTING.has(name)) return inheritedScalar(unknown('environment', `$${name}`), given === null)
  if (given === null || (INHERITED.has(name) && reading.context.inherited === undefined))
    return inheritedScalar({ ...unknown('environment', `$${name}`), place: `\u0001${name}` }, true)
  return UNSET
}

/** The element of an array that a reference names: `declare -n r='a[1]'`. The subscript is evaluated. */
function referred(reading: Reading, state: State, text: string, depth: number): Variable {
  const key = expandText(reading, state, /\[(.*)\]$/s.exec(text)?.[1] ?? '')
  const array = lookUp(reading, state, text.replace(/\[.*$/s, ''), depth + 1)
  const value = typeof key === 'string' ? array.items?.get(key) : undefined
  if (value !== undefined) return scalar(value)
  return typeof key === 'string' && /^\d+$/.test(key)
    ? UNSET
    : scalar(unknown('output', 'an element that is not known'))
}

export const listOf = (values: readonly Value[]): ReadonlyMap<string, Value> =>
  new Map(values.map((value, i) => [String(i), value]))
