import { escapeArg } from '../model/display.js'
import { baseName } from '../model/path.js'
import { doubt } from './again.js'
import { forkMaybe } from './branch.js'
import { unknownStatus } from './builtin-flow.js'
import { RESERVED, tellCommands } from './builtin-lookup.js'
import { assignNamed } from './builtin-variables.js'
import type { Builtin } from './builtins.js'
import { cleared } from './cleared.js'
import { expandText } from './evaluate-text.js'
import { redirectsForExec } from './exec-descriptors.js'
import { isMany } from './many-elements.js'
import { addPath } from './path-facts.js'
import { joined } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { isTelling } from './repeating.js'
import { areSent, noteSignal } from './sent-signals.js'
import { runScript, runText } from './shell-text.js'
import { runWithoutFunctions } from './simple.js'
import { runStartupFiles } from './startup-files.js'
import type { State } from './state.js'
import { NOWHERE } from './streams.js'
import { argValue, unknown, valueArg } from './value.js'

const through = (state: State, via: string): State => {
  const inner = state.fork()
  inner.via = [...state.via, via]
  return inner
}

/** Runs in this shell, with `via` shown on what is run. */
function here(state: State, via: string, run: (state: State) => void): void {
  const before = state.via
  state.via = [...before, via]
  run(state)
  state.via = before
}

const isOption = (arg: Arg | undefined): boolean => /^-[^-]/.test(arg?.text ?? '')

export const evaluateWords: Builtin = (reading, state, args) => {
  const words = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  state.status = 0
  reading.evaluates()
  const isPattern = words.some((arg) => arg.unknown?.glob !== undefined)
  if (isPattern && words.every((arg) => arg.text !== null || arg.unknown?.glob !== undefined))
    runText(reading, through(state, 'eval'), words.map((arg) => arg.text ?? arg.unknown?.glob).join(' '))
  here(state, 'eval', (inner) => runText(reading, inner, argValue(joined(words, reading.here))))
}

export const source: Builtin = (reading, state, args) => {
  const [file, ...rest] = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  if (!file) return
  const { positional, zero } = state
  // bash does not always close one of these afterwards.
  if (/^\/dev\/fd\/\d+$/.test(file.text ?? file.place ?? '')) reading.unnumbered++
  state.frames++
  here(state, args[0]?.text ?? 'source', (inner) =>
    runScript(reading, inner, file, rest.length > 0 ? rest : toArgs(positional, file), 'asked'),
  )
  state.frames--
  // It may have returned, and nothing more.
  state.mayJump = 0
  // They stay what `set` made of them, but come back where the script was given others and only shifted those.
  const given = rest.length > 0 ? rest.map(argValue).slice(-state.positional.length || rest.length) : positional
  if (isSame(given, state.positional) || (rest.length > 0 && state.positional.length === 0))
    state.positional = positional
  state.zero = zero
  if (state.leave?.how === 'return') state.leave = null
}

const isSame = (before: State['positional'], after: State['positional']): boolean =>
  before.length === after.length &&
  before.every((value, i) => value === after[i] || (typeof value === 'object' && typeof after[i] === 'object'))

const toArgs = (positional: State['positional'], like: Arg): readonly Arg[] =>
  positional.map((value) => ({ ...valueArg(value, like.span), several: isMany(value) }))

/** `command [-pVv] cmd …`. With `-v` it only tells where a program is. */
export const command: Builtin = (reading, state, args) => {
  let i = 1
  let tells = false
  for (; isOption(args[i]); i++) tells ||= /[vV]/.test(args[i]?.text ?? '')
  if (args[i]?.text === '--') i++
  const rest = args.slice(i)
  if (!tells) {
    here(state, 'command', (inner) => runWithoutFunctions(reading, inner, rest))
    return
  }
  tellCommands(reading, state, args.slice(1, i), rest)
}

export const builtin: Builtin = (reading, state, args) => {
  here(state, 'builtin', (inner) =>
    runWithoutFunctions(reading, inner, args[1]?.text === '--' ? args.slice(2) : args.slice(1)),
  )
}

/** `exec [-cl] [-a name] cmd …`; without a command its redirections stay. */
export const execute: Builtin = (reading, state, args) => {
  let i = 1
  let clears = false
  let logs = false
  for (; isOption(args[i]); i++) {
    clears ||= /^-[a-z]*c/.test(args[i]?.text ?? '')
    logs ||= /^-[a-z]*l/.test(args[i]?.text ?? '')
    // A shell whose name starts with a dash is a login shell.
    if (/a$/.test(args[i]?.text ?? '')) {
      const name = args[++i]
      logs = /^-/.test(name?.text ?? '-') || logs
      if (isTelling(name?.text ?? '') || /sh$/.test(args[i + 1]?.text ?? ''))
        reading.reportUnknown('a program is started by a name that is a path', null)
    }
  }
  if (args[i]?.text === '--') i++
  const rest = args.slice(i)
  if (rest.length === 0) {
    redirectsForExec(state)
    return
  }
  const [file, ...operands] = rest
  if (logs && file?.text) runStartupFiles(reading, state, baseName(file.text), [{ ...file, text: '-' }, ...operands])
  runWithoutFunctions(reading, through(clears ? cleared(reading, state) : state, 'exec'), rest)
}

/** What it prints goes nowhere. */
function silent(state: State): State {
  state.descriptors = state.descriptors.with(1, NOWHERE)
  return state
}

/**
 * The action is read at once with what is known now, and again at the end with all that variables were given since. It may run in between
 * at any time, so what it sets is not known from now on.
 */
export const trap: Builtin = (reading, state, args) => {
  const [action, ...signals] = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  state.status = 0
  if (action && signals.length > 0) reading.evaluates()
  if (!action || signals.length === 0 || /^-[lp]*$/.test(action.text ?? '') || action.text === '') return
  const text = argValue(action)
  const fork = silent(through(state, 'trap'))
  reading.undecided++
  runText(reading, fork, text)
  reading.undecided--
  if (!signals.every((signal) => /^(?:EXIT|0)$/i.test(signal.text ?? ''))) {
    for (const name of fork.changed.keys()) state.history.addVolatile(name)
    const changesShell = !fork.changesVariablesAlone || fork.cwd !== state.cwd || fork.options !== state.options
    if (changesShell && areSent(signals)) reading.hasSignalTrap = true
    else if (changesShell) reading.reportUnknown('a trap changes the shell at any time', null)
  }
  // It is printed later, nobody knows between what.
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'what a trap prints'))
  state.history.isKept = true
  if (typeof text === 'string') reading.traps.push({ text, span: reading.here, state })
}

/** A signal to the shell itself runs its traps. */
export const kill: Builtin = (reading, state, args) => {
  unknownStatus(reading, state, args)
  noteSignal(reading, args)
}

export const aliases: Builtin = (reading, state, args) => {
  state.status = args.slice(1).every((arg) => arg.text?.includes('=')) ? 0 : null
  reading.hasAliases = true
  for (const arg of args.slice(1)) {
    const equals = arg.head.indexOf('=')
    if (equals <= 0) continue
    const value =
      arg.text === null
        ? unknown(arg.source ?? 'output', 'an alias', arg.head.slice(equals + 1))
        : arg.text.slice(equals + 1)
    const name = arg.head.slice(0, equals)
    state.setAlias(name, value)
    // bash puts it in before it looks for reserved words; the tree knows them only as what they were.
    if (RESERVED.has(name)) runText(reading, state.fork(), value)
  }
}

/** `jobs -x COMMAND` runs it, with the ids of jobs put in. */
export const jobs: Builtin = (reading, state, args) => {
  if (args.length === 2 && args[1]?.text === '-p') {
    state.status = 0
    state.descriptors.get(1)?.sink?.write({ ...unknown('number', 'the numbers of jobs'), place: '\u0001!' })
    return
  }
  unknownStatus(reading, state, args)
  if (args[1]?.text === '-x') here(state, 'jobs -x', (inner) => runWithoutFunctions(reading, inner, args.slice(2)))
}

export const enable: Builtin = (reading, state, args) => {
  state.status = args.length === 1 ? 0 : null
  if (args.some((arg) => /^-[a-z]*f/.test(arg.head) || arg.text === null))
    reading.reportUnknown('enable loads a library into the shell', null)
}

/** `hash -p PATH NAME`: the name runs that path from now on. */
export const hash: Builtin = (reading, state, args) => {
  state.status = args.length === 1 || args[1]?.text === '-r' ? 0 : null
  if (args.some((arg) => /^-[a-z]*p/.test(arg.head) || (arg.text === null && arg.head === '')))
    reading.reportUnknown('hash gives a program another path', null)
}

export const history: Builtin = (reading, state, args) => {
  state.status = null
  const option = args.find((arg) => /^-[acdnprsw]/.test(arg.text ?? ''))?.text ?? ''
  const file = args[2]
  if (/^-[aw]/.test(option) && file) addPath(reading, state, 'writes', file, 'history', false)
  // What is put into the history is there to be run from it.
  if (/^-[a-z]*s/.test(option) && args[0]?.text === 'history')
    runText(reading, through(state, 'history -s'), argValue(joined(args.slice(2), reading.here)))
  if (args[0]?.text === 'fc' && !/^-[a-z]*l/.test(option))
    reading.reportUnknown('fc runs commands from the history', null)
}

/** `compgen -C cmd` runs the command with the name of the completed command and two words. */
const runOption = (reading: Reading, state: State, args: readonly Arg[], letter: string, via: string): void => {
  args.forEach((arg, i) => {
    const match = new RegExp(`^-[a-zA-Z]*${letter}(.*)$`, 's').exec(arg.head)
    if (!match) return
    const value: Arg | undefined = match[1]
      ? { ...arg, text: arg.text === null ? null : match[1], head: match[1] }
      : args[i + 1]
    const text = value ? argValue(value) : ''
    const next = args[i + (match[1] ? 1 : 2)]?.text ?? ''
    const word = next.startsWith('-') ? '' : next
    runText(reading, through(state, via), typeof text === 'string' ? `${text} compgen ${escapeArg(word)} ''` : text)
  })
}

/** `compgen -C cmd`, `compgen -W "$(cmd)"`: commands in options, and words expanded once more. */
export const compgen: Builtin = (reading, state, args) => {
  runOption(reading, state, args, 'C', 'compgen -C')
  runFunctionOption(reading, state, args)
  state.status = null
  args.forEach((arg, i) => {
    const value = /^-W(.*)$/s.exec(arg.text ?? '')
    const words = value ? value[1] || args[i + 1]?.text : null
    if (words && /[$`]/.test(words)) expandText(reading, through(state, 'compgen -W'), words)
    if (/^-W/.test(arg.head)) evaluated(reading, state, arg.head === '-W' && arg.text !== null ? args[i + 1] : arg)
  })
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'completions'))
}

function runFunctionOption(reading: Reading, state: State, args: readonly Arg[]): void {
  args.forEach((arg, i) => {
    const name = arg.text === '-F' ? args[i + 1]?.text : undefined
    const word = args[i + 2]?.text ?? ''
    if (name)
      runText(
        reading,
        through(state, `${args[0]?.text} -F`),
        `${name} compgen ${escapeArg(word.startsWith('-') ? '' : word)} ''`,
      )
  })
}

/** `bind -x '"key": command'`. */
export const bind: Builtin = (reading, state, args) => {
  state.status = 0
  const at = args.findIndex((arg) => /^-[a-z]*x$/.test(arg.text ?? ''))
  const value = at < 0 ? undefined : args[at + 1]
  if (!value) return
  const text = value.text === null ? argValue(value) : value.text.replace(/^\s*"(?:[^"\\]|\\.)*"\s*:?\s*/s, '')
  runText(reading, through(state, 'bind -x'), text)
}

/** An argument that is not known and that the builtin evaluates. */
function evaluated(reading: Reading, state: State, arg: Arg | undefined): void {
  const value = arg ? argValue(arg) : ''
  if (typeof value !== 'string') doubt(reading, state, value)
}

/** `wait -p 'a[$(cmd)]'` evaluates the subscript. */
export const wait: Builtin = (reading, state, args) => {
  state.status = null
  const at = args.findIndex((arg) => /^-[a-z]*p$/.test(arg.text ?? ''))
  const name = at < 0 ? undefined : args[at + 1]
  if (name?.text?.includes('[')) expandText(reading, state, name.text)
  evaluated(reading, state, name)
  // Where there was nothing to wait for it is unset.
  if (name)
    forkMaybe(reading, state, (fork) => assignNamed(reading, fork, name, unknown('number', 'the number of a process')))
}
