import type { Analysis } from '../analysis/analysis.js'
import { inheritedValue } from '../analysis/analysis-input.js'
import { scriptPath } from '../files/physical-path.js'
import { currentDirectory } from '../state/current-directory.js'
import type { State } from '../state/state.js'
import { inheritedScalar, scalar, UNSET, type Variable } from '../state/variable.js'
import { uncounted } from '../values/uncounted-elements.js'
import { argValue, unknown, type Value } from '../values/value.js'
import { expandText } from './reexpansion.js'

/** Variables that bash sets itself and that change. */
const CHANGING = new Set(
  'RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO BASHPID PPID UID EUID BASH_SUBSHELL SHLVL COLUMNS LINES HISTCMD'.split(
    ' ',
  ),
)
/** Variables that every command inherits. Their values are not disclosed to the analyser. */
const INHERITED = new Set('PATH USER LOGNAME LANG LC_ALL TERM TMPDIR'.split(' '))
/** Variables that bash sets at its start, depending on the machine and version. */
const STARTING = new Set(
  'HOSTNAME HOSTTYPE MACHTYPE BASH_VERSION BASH_VERSINFO BASHOPTS SHELLOPTS GROUPS PIPESTATUS BASH_COMMAND BASH_SOURCE BASH_LINENO BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_LOADABLES_PATH BASH_REMATCH COMP_WORDBREAKS BASH_COMPAT BASH_MONOSECONDS'.split(
    ' ',
  ),
)
/** Returns the value that is usual on most systems. */
function usually(value: string): Value {
  return { ...unknown('environment', 'a value that bash sets when it starts'), alternatives: [value] }
}

/** Options of `set -o`, as opposed to those of `shopt`. */
const SET_OPTIONS = new Set(
  'allexport errexit errtrace functrace histexpand history ignoreeof keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace'.split(
    ' ',
  ),
)
/** Options that are on by default. */
const SET_AT_START = ['braceexpand', 'hashall', 'interactive-comments']

const BASH_OWN: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['IFS', ' \t\n'],
  ['BASH', { ...unknown('condition', 'the path of bash'), alternatives: ['/usr/bin/bash', '/bin/bash'] }],
  ['SHELL', '/bin/bash'],
  ['PATH', unknown('environment', 'PATH', '/')],
  ['PS4', '+ '],
  ['OPTIND', '1'],
  ['OPTERR', '1'],
  ['OSTYPE', 'linux-gnu'],
  ['TERM', 'dumb'],
  ['BASH_VERSION', unknown('environment', 'the version of bash', '5.')],
  ['COMP_WORDBREAKS', ' \t\n"\'><=;|&(:'],
  ['HOSTTYPE', usually('x86_64')],
  ['MACHTYPE', usually('x86_64-pc-linux-gnu')],
  [
    'BASHOPTS',
    usually(
      'checkwinsize:cmdhist:complete_fullquote:extquote:force_fignore:globasciiranges:globskipdots:hostcomplete:interactive_comments:patsub_replacement:progcomp:promptvars:sourcepath',
    ),
  ],
])

/** Associative arrays of bash: program paths and aliases. */
const OWN_TABLES = new Set(['BASH_CMDS', 'BASH_ALIASES'])

export const ifsOf = (state: State): Value => {
  const variable = state.variables.get('IFS')
  return variable
    ? variable.isSet
      ? variable.choices
        ? unknown('environment', 'IFS')
        : variable.value
      : ' \t\n'
    : ' \t\n'
}

/** Tells whether programs inherit the variable without an export. */
export const isInherited = (analysis: Analysis, name: string): boolean =>
  INHERITED.has(name) ||
  name === 'HOME' ||
  name === 'SHELL' ||
  name === 'PWD' ||
  inheritedValue(analysis.input, name) !== undefined ||
  analysis.input.env.some(([n]) => n === name)

/** Returns a variable by name, including those of bash and the environment. Follows name references. */
export function lookUp(analysis: Analysis, state: State, name: string, depth = 0): Variable {
  const variable = state.variables.get(name)
  if (variable) {
    if (OWN_TABLES.has(name) && !variable.attributes.includes('A'))
      return { ...variable, attributes: `${variable.attributes}A` }
    if (!variable.attributes.includes('n') || typeof variable.value !== 'string' || depth >= 8) return variable
    return variable.value.includes('[')
      ? referencedElement(analysis, state, variable.value, depth)
      : lookUp(analysis, state, variable.value, depth + 1)
  }
  if (name === '_') return scalar(state.lastArg === null ? unknown('decoded', '$_') : argValue(state.lastArg))
  if (name === 'BASH_CMDS') return { ...scalar(unknown('output', 'the paths of programs')), attributes: 'A' }
  if (name === 'PWD') return scalar(currentDirectory(state))
  if (name === 'OLDPWD')
    return state.directory.previous === null || state.directory.possibleOldCwds.length > 0
      ? scalar({
          ...unknown('environment', 'the previous directory'),
          ...(state.directory.previous === null ? {} : { alternatives: [state.directory.previous] }),
        })
      : scalar(state.directory.previous)
  if (name === 'HOME') return inheritedScalar(analysis.input.home, true)
  if (name === 'DIRSTACK') {
    const directory = unknown('decoded', 'the directory stack')
    return { ...scalar(directory), items: listOf([uncounted(directory)]) }
  }
  if (name === 'FUNCNAME') {
    const names = analysis.calls.running
      .flatMap((call) => (call.name.startsWith('function ') ? [call.name.slice(9)] : []))
      .reverse()
    // Only a shell that runs a file names its top level.
    const outside = analysis.calls.running.some((call) => call.name.startsWith('/')) ? ['main'] : []
    if (names.length > 0) return { ...scalar(names[0] ?? ''), items: listOf([...names, ...outside]) }
  }
  if (name === 'BASH_SOURCE') {
    const file = analysis.calls.running.findLast((call) => call.name.startsWith('/'))
    // bash uses the given spelling, which is known for the running script.
    if (file)
      return scalar(
        typeof state.arguments.scriptName === 'string' &&
          scriptPath(analysis, state, state.arguments.scriptName) === file.name
          ? state.arguments.scriptName
          : { ...unknown('environment', `$${name}`), alternatives: [file.name], pathName: file.name },
      )
  }
  // A part of such a variable is text of the script itself.
  if (/^BASH_(?:EXECUTION_STRING|ARGV|COMMAND)$/.test(name)) return scalar(unknown('decoded', `$${name}`))
  if (name === 'SHELLOPTS')
    return {
      ...scalar(
        [...new Set([...SET_AT_START, ...[...state.options].filter((one) => SET_OPTIONS.has(one))])].sort().join(':'),
      ),
      attributes: 'r',
    }
  if (CHANGING.has(name)) return scalar(unknown('number', `$${name}`))
  const given = inheritedValue(analysis.input, name)
  if (typeof given === 'string') return inheritedScalar(given, true)
  const own = BASH_OWN.get(name)
  if (own !== undefined) return inheritedScalar(own, given === null)
  if (STARTING.has(name)) return inheritedScalar(unknown('environment', `$${name}`), given === null)
  if (given === null || (INHERITED.has(name) && analysis.input.inherited === undefined))
    return inheritedScalar({ ...unknown('environment', `$${name}`), pathName: `\u0001${name}` }, true)
  return UNSET
}

/** Returns the array element that a name reference names (`declare -n r='a[1]'`), and evaluates the subscript. */
function referencedElement(analysis: Analysis, state: State, text: string, depth: number): Variable {
  const key = expandText(analysis, state, /\[(.*)\]$/s.exec(text)?.[1] ?? '')
  const array = lookUp(analysis, state, text.replace(/\[.*$/s, ''), depth + 1)
  const value = typeof key === 'string' ? array.items?.get(key) : undefined
  if (value !== undefined) return scalar(value)
  return typeof key === 'string' && /^\d+$/.test(key) ? UNSET : scalar(unknown('output', 'an unknown array element'))
}

export const listOf = (values: readonly Value[]): ReadonlyMap<string, Value> =>
  new Map(values.map((value, i) => [String(i), value]))
