import { runOwnVariable } from './environment-facts.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { many, withElement } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { elements, inheritedScalar, SOMEWHERE, type State, scalar, UNSET, type Variable } from './state.js'
import { argValue, hole, mapValue, type Value } from './value.js'

/** Variables bash sets by itself, with values that change. */
const CHANGING = new Set(
  'RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO BASHPID PPID UID EUID BASH_SUBSHELL SHLVL COLUMNS LINES HISTCMD'.split(
    ' ',
  ),
)
/** Those that go on doing so whatever they are set to, or cannot be set. */
const KEEPS_CHANGING = /^(?:S?RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|BASHPID|PPID|E?UID|FUNCNAME|GROUPS)$/
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
  return { ...hole('what bash sets at its start', 'environment'), options: [value] }
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
  ['BASH', { ...hole('where bash is', 'condition'), options: ['/usr/bin/bash', '/bin/bash'] }],
  ['SHELL', '/bin/bash'],
  ['PATH', hole('PATH', 'environment', '/')],
  ['PS4', '+ '],
  ['OPTIND', '1'],
  ['OPTERR', '1'],
  ['OSTYPE', 'linux-gnu'],
  ['TERM', 'dumb'],
  ['BASH_VERSION', hole('the version of bash', 'environment', '5.')],
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

function lastArgument({ last }: State): Value {
  if (last === null) return STARTED_BY
  return 'span' in last ? argValue(last) : oneOf(last.map(argValue))
}

/** Before any command `$_` is what the shell above started: this one, or a program that started it. */
const STARTED_BY: Value = { ...hole('what started the shell', 'environment'), options: ['bash'] }

export const ifsOf = (state: State): Value => {
  const variable = state.get('IFS')
  return variable
    ? variable.isSet
      ? variable.choices
        ? hole('IFS', 'environment')
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

/** What the current directory goes by, where it is not known but the same each time. */
export const here = ({ place }: State): { readonly place?: string } => (place === SOMEWHERE ? {} : { place })

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
  if (name === '_') return scalar(lastArgument(state))
  if (name === 'BASH_CMDS') return { ...scalar(hole('where programs are', 'output')), attributes: 'A' }
  if (name === 'PWD')
    return scalar(
      state.cwd === null
        ? { ...hole('the current directory', 'environment'), options: state.places, ...here(state) }
        : state.stays.length === 0
          ? state.cwd
          : oneOf([state.cwd, ...state.stays]),
    )
  if (name === 'OLDPWD')
    return state.previous === null || state.stays.length > 0
      ? scalar({
          ...hole('the previous directory', 'environment'),
          ...(state.previous === null ? {} : { options: [state.previous] }),
        })
      : scalar(state.previous)
  if (name === 'HOME') return inheritedScalar(reading.context.home, true)
  if (name === 'DIRSTACK' && state.stays.length > 0)
    return { ...scalar(hole('a directory', 'environment')), items: listOf([many(hole('a directory', 'environment'))]) }
  if (name === 'DIRSTACK') {
    const stack = [state.cwd, ...state.directories].map((path) => path ?? hole('a directory', 'environment'))
    return { ...scalar(stack[0] ?? ''), items: listOf(stack) }
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
          : { ...hole(`$${name}`, 'environment'), options: [file.name], place: file.name },
      )
  }
  // What is cut out of it is the script itself.
  if (name === 'BASH_EXECUTION_STRING') return scalar(hole(`$${name}`, 'disguised'))
  if (name === 'BASH_COMMAND' && reading.command !== null) {
    const { node, source } = reading.command
    return scalar(source.slice(...node.span))
  }
  if (name === 'SHELLOPTS')
    return {
      ...scalar(
        [...new Set([...SET_AT_START, ...[...state.options].filter((one) => SET_OPTIONS.has(one))])].sort().join(':'),
      ),
      attributes: 'r',
    }
  if (CHANGING.has(name)) return scalar(hole(`$${name}`, 'number'))
  const given = reading.inherited(name)
  if (typeof given === 'string') return inheritedScalar(given, true)
  const own = BASH_OWN.get(name)
  if (own !== undefined) return inheritedScalar(own, given === null)
  if (STARTING.has(name)) return inheritedScalar(hole(`$${name}`, 'environment'), given === null)
  if (given === null || (INHERITED.has(name) && reading.context.inherited === undefined))
    return inheritedScalar({ unknown: `$${name}`, source: 'environment', head: '', place: `\u0001${name}` }, true)
  return UNSET
}

/** The element of an array that a reference names: `declare -n r='a[1]'`. The subscript is evaluated. */
function referred(reading: Reading, state: State, text: string, depth: number): Variable {
  const key = expandText(reading, state, /\[(.*)\]$/s.exec(text)?.[1] ?? '')
  const array = lookUp(reading, state, text.replace(/\[.*$/s, ''), depth + 1)
  const value = typeof key === 'string' ? array.items?.get(key) : undefined
  if (value !== undefined) return scalar(value)
  return typeof key === 'string' && /^\d+$/.test(key) ? UNSET : scalar(hole('an element that is not known', 'output'))
}

/** Where a name really points, following namerefs. */
export function targetName(state: State, name: string): string {
  let current = name
  for (let i = 0; i < 8; i++) {
    const variable = state.get(current)
    if (!variable?.attributes.includes('n') || typeof variable.value !== 'string' || variable.value === '')
      return current
    current = variable.value
  }
  return current
}

/** Assigns, with what the variable's attributes do to a value. */
export function assign(reading: Reading, state: State, name: string, value: Value): void {
  const target = targetName(state, name)
  const element = target.includes('[') ? /^(\w+)\[(.*)\]$/s.exec(target) : null
  if (element) {
    assignReferred(reading, state, element[1] as string, element[2] as string, value)
    return
  }
  reading.noteAssigned(target)
  if (target === 'BASH_ARGV0') state.zero = value
  const before = state.get(target)
  if (before?.attributes.includes('r')) {
    keepReadonly(reading, state, target, before, value)
    return
  }
  // They go on changing, unless they were unset.
  if (before === undefined && KEEPS_CHANGING.test(target)) return
  const given = withAttributes(reading, state, value, before?.attributes ?? '')
  const changed = before?.attributes.includes('?') ? oneOf([value, given]) : given
  const choices = typeof changed === 'object' ? (changed.options ?? null) : null
  if (choices) reading.hasChoices = true
  const exported = state.options.has('allexport') || (before?.exported ?? isInherited(reading, target))
  if (before?.items) {
    reading.work.add(before.items.size)
    state.set(target, {
      ...before,
      value: changed,
      items: before.attributes.includes('A')
        ? new Map([...before.items, ['0', changed]])
        : withFirst(before.items, changed),
      choices: null,
      isSet: true,
    })
    return
  }
  state.set(target, {
    value: changed,
    items: null,
    choices: choices ? [...choices, ...unlisted(changed)] : null,
    exported,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
  if (target === 'PS4' && state.options.has('xtrace')) runOwnVariable(reading, state, target, reading.here)
}

/** Sets the element that a reference names. */
function assignReferred(reading: Reading, state: State, name: string, subscript: string, value: Value): void {
  const key = expandText(reading, state, subscript)
  const isNamed = lookUp(reading, state, name).attributes.includes('A')
  const index = isNamed ? key : evaluateValue(reading, state, key)
  if (index !== null && typeof index !== 'object') assignElement(reading, state, name, String(index), value)
  else assignSomewhere(reading, state, name, value)
}

/** One of the elements is given a value, nobody knows which. */
export function assignSomewhere(reading: Reading, state: State, name: string, value: Value): void {
  const unknown = oneOf([
    hole('an element that is not known', 'output'),
    value,
    ...elements(lookUp(reading, state, name)),
  ])
  assignArray(state, name, new Map([['0', many(unknown)]]))
}

/** The elements with that one at their beginning. */
const withFirst = (items: ReadonlyMap<string, Value>, value: Value): ReadonlyMap<string, Value> =>
  items.has('0') || items.size === 0 ? withElement(items, '0', value) : new Map([['0', value], ...items])

/** What cannot be changed stays what it is. Whether it was made so may depend on a condition: it may be both. */
function keepReadonly(reading: Reading, state: State, name: string, before: Variable, value: Value): void {
  reading.fails()
  if (before.items || before.choices?.includes(value) || before.value === value) return
  reading.hasChoices = true
  state.set(name, { ...before, choices: [...(before.choices ?? [before.value]), value].slice(0, 8) })
}

/** A value with options can be none of them, unless a condition alone decides. */
const unlisted = (value: Value): readonly Value[] =>
  typeof value === 'object' && value.source !== 'condition'
    ? [{ unknown: value.unknown, source: value.source, head: '' }]
    : []

/** Where a number points in an array: below zero it counts from the end, and may point before the beginning. */
export function numberedKey({ items, isSet }: Variable, key: string): string | null {
  if (!key.startsWith('-')) return key
  let highest = items === null && isSet ? 0 : -1
  for (const one of items?.keys() ?? []) highest = Math.max(highest, Number(one))
  const at = highest + 1 + Number(key)
  return at < 0 ? null : String(at)
}

export function assignElement(reading: Reading, state: State, name: string, key: string, value: Value): void {
  const target = targetName(state, name)
  const before = state.get(target)
  if (before?.attributes.includes('r')) {
    reading.fails()
    return
  }
  reading.work.add(3 * (before?.items?.size ?? 0))
  const changed = withAttributes(reading, state, value, before?.attributes ?? '')
  const old = before?.items ?? new Map(before?.isSet ? [['0', before.value]] : [])
  const isNamed = before?.attributes.includes('A') === true
  const place = before && !isNamed ? numberedKey(before, key) : key
  if (place === null || (!isNamed && place.startsWith('-'))) {
    reading.fails()
    return
  }
  const items = isNamed ? new Map(old).set(place, changed) : withElement(old, place, changed)
  // One that was there keeps its place.
  const ordered = isNamed || old.has(place) ? items : new Map([...items].sort((a, b) => Number(a[0]) - Number(b[0])))
  state.set(target, {
    value: ordered.get('0') ?? '',
    items: ordered,
    choices: null,
    exported: before?.exported ?? false,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
}

export function assignArray(state: State, name: string, items: ReadonlyMap<string, Value>): void {
  const target = targetName(state, name)
  const before = state.get(target)
  if (before?.attributes.includes('r')) return
  state.set(target, {
    value: items.get('0') ?? '',
    items,
    choices: null,
    exported: before?.exported ?? false,
    attributes: before?.attributes ?? '',
    isSet: true,
  })
}

export const listOf = (values: readonly Value[]): ReadonlyMap<string, Value> =>
  new Map(values.map((value, i) => [String(i), value]))

/** What a variable makes of a value that is given to it. An integer evaluates it, and so runs what stands in its subscripts. */
export function withAttributes(reading: Reading, state: State, value: Value, attributes: string): Value {
  if (attributes === '') return value
  if (attributes.includes('i')) {
    const number = evaluateValue(reading, state, value)
    return number === null ? hole('a number', 'number') : String(number)
  }
  if (attributes.includes('l')) return mapValue(value, (text) => text.toLowerCase())
  if (attributes.includes('u')) return mapValue(value, (text) => text.toUpperCase())
  if (attributes.includes('c'))
    return mapValue(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase())
  return value
}
