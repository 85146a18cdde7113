import { baseName } from '../../model/basics/path.js'
import { shellWord } from '../../model/run/display.js'
import type { Analysis } from '../analysis/analysis.js'
import { withoutEnvironment } from '../analysis/cleared-environment.js'
import { forkMaybe } from '../analysis/fork-branches.js'
import type { Builtin } from '../analysis/interpreter.js'
import { expandText } from '../expand/reexpansion.js'
import { reportReexpansion } from '../expand/unknown-reexpansion.js'
import { addPath } from '../files/path-facts.js'
import { joined } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { areSent, noteSignal } from '../run/sent-signals.js'
import { runStartupFiles } from '../run/shell-startup.js'
import { runScript, runText } from '../run/shell-text.js'
import { runWithoutFunctions } from '../run/simple-command.js'
import { redirectsForExec } from '../state/keep-redirections.js'
import type { State } from '../state/state.js'
import { DISCARDED } from '../state/streams.js'
import { isSensitive } from '../values/repeating-text.js'
import { isUncounted } from '../values/uncounted-elements.js'
import { argValue, unknown, type Value, valueArg } from '../values/value.js'
import { unknownStatus } from './control-flow.js'
import { printCommands, RESERVED } from './type-and-command.js'
import { assignNamed } from './unset-shift-let.js'

const through = (state: State, via: string): State => {
  const inner = state.fork()
  inner.via = [...state.via, via]
  return inner
}

/** Runs a function in this shell and adds `via` to its commands. */
function withVia(state: State, via: string, run: (state: State) => void): void {
  const before = state.via
  state.via = [...before, via]
  run(state)
  state.via = before
}

const isOption = (arg: Arg | undefined): boolean => /^-[^-]/.test(arg?.text ?? '')

export const evaluateWords: Builtin = (analysis, state, args) => {
  const words = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  state.control.status = 0
  analysis.unset.reportEvaluation()
  const isPattern = words.some((arg) => arg.unknown?.glob !== undefined)
  if (isPattern && words.every((arg) => arg.text !== null || arg.unknown?.glob !== undefined))
    runText(analysis, through(state, 'eval'), words.map((arg) => arg.text ?? arg.unknown?.glob).join(' '))
  withVia(state, 'eval', (inner) => runText(analysis, inner, argValue(joined(words, analysis.location.here))))
}

export const source: Builtin = (analysis, state, args) => {
  const [file, ...rest] = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  if (!file) return
  const before = state.arguments
  // bash does not always close one of these afterwards.
  if (/^\/dev\/fd\/\d+$/.test(file.text ?? file.pathName ?? '')) analysis.processSubstitutions.loseNumbers()
  state.control.callDepth++
  withVia(state, args[0]?.text ?? 'source', (inner) =>
    runScript(analysis, inner, file, rest.length > 0 ? rest : toArgs(before.positional, file), 'asked'),
  )
  state.control.callDepth--
  // The script can only have returned.
  state.control.mayExitLevels = 0
  // The parameters set by `set` stay. The caller's return if the script got others and only shifted those.
  const given =
    rest.length > 0 ? rest.map(argValue).slice(-state.arguments.positional.length || rest.length) : before.positional
  const after = state.arguments.positional
  const isBack = isSame(given, after) || (rest.length > 0 && after.length === 0)
  state.arguments = isBack ? before : { ...before, positional: after }
  if (state.control.exit?.how === 'return') state.control.exit = null
}

const isSame = (before: readonly Value[], after: readonly Value[]): boolean =>
  before.length === after.length &&
  before.every((value, i) => value === after[i] || (typeof value === 'object' && typeof after[i] === 'object'))

const toArgs = (positional: readonly Value[], like: Arg): readonly Arg[] =>
  positional.map((value) => ({ ...valueArg(value, like.span), maySplit: isUncounted(value) }))

/** `command [-pVv] cmd …`. With `-v` it only prints the path of a program. */
export const command: Builtin = (analysis, state, args) => {
  let i = 1
  let tells = false
  for (; isOption(args[i]); i++) tells ||= /[vV]/.test(args[i]?.text ?? '')
  if (args[i]?.text === '--') i++
  const rest = args.slice(i)
  if (!tells) {
    withVia(state, 'command', (inner) => runWithoutFunctions(analysis, inner, rest))
    return
  }
  printCommands(analysis, state, args.slice(1, i), rest)
}

export const builtin: Builtin = (analysis, state, args) => {
  withVia(state, 'builtin', (inner) =>
    runWithoutFunctions(analysis, inner, args[1]?.text === '--' ? args.slice(2) : args.slice(1)),
  )
}

/** `exec [-cl] [-a name] cmd …`. Without a command, its redirections stay in force. */
export const execute: Builtin = (analysis, state, args) => {
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
      if (isSensitive(name?.text ?? '') || /sh$/.test(args[i + 1]?.text ?? ''))
        analysis.findings.reportUnknown('exec -a starts a program under the name of another path', null)
    }
  }
  if (args[i]?.text === '--') i++
  const rest = args.slice(i)
  if (rest.length === 0) {
    redirectsForExec(state)
    return
  }
  const [file, ...operands] = rest
  if (logs && file?.text) runStartupFiles(analysis, state, baseName(file.text), [{ ...file, text: '-' }, ...operands])
  runWithoutFunctions(analysis, through(clears ? withoutEnvironment(analysis, state) : state, 'exec'), rest)
}

function withoutOutput(state: State): State {
  state.descriptors = state.descriptors.with(1, DISCARDED)
  return state
}

/** Sets a trap. Its action is analysed now and at the end. The variables that it sets become unknown. */
export const trap: Builtin = (analysis, state, args) => {
  const [action, ...signals] = args[1]?.text === '--' ? args.slice(2) : args.slice(1)
  state.control.status = 0
  if (action && signals.length > 0) analysis.unset.reportEvaluation()
  if (!action || signals.length === 0 || /^-[lp]*$/.test(action.text ?? '') || action.text === '') return
  const text = argValue(action)
  const fork = withoutOutput(through(state, 'trap'))
  analysis.certainty.maybe(() => runText(analysis, fork, text))
  if (!signals.every((signal) => /^(?:EXIT|0)$/i.test(signal.text ?? ''))) {
    for (const name of fork.variables.changed.keys()) state.history.addVolatile(name)
    const changesShell =
      !fork.definitions.isUnchanged || fork.directory.cwd !== state.directory.cwd || fork.options !== state.options
    if (changesShell && areSent(signals)) analysis.traps.hasSignalTrap = true
    else if (changesShell) analysis.findings.reportUnknown('a trap can change the shell at any time', null)
  }
  // The trap prints later, between other output.
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'the output of a trap'))
  state.history.isKept = true
  if (typeof text === 'string') analysis.traps.list.push({ text, span: analysis.location.here, state })
}

/** `kill`. A signal to the shell itself runs its traps. */
export const kill: Builtin = (analysis, state, args) => {
  unknownStatus(analysis, state, args)
  noteSignal(analysis, args)
}

export const aliases: Builtin = (analysis, state, args) => {
  state.control.status = args.slice(1).every((arg) => arg.text?.includes('=')) ? 0 : null
  for (const arg of args.slice(1)) {
    const equals = arg.prefix.indexOf('=')
    if (equals <= 0) continue
    const value =
      arg.text === null
        ? unknown(arg.origin ?? 'output', 'an alias', arg.prefix.slice(equals + 1))
        : arg.text.slice(equals + 1)
    const name = arg.prefix.slice(0, equals)
    state.definitions.setAlias(name, value)
    // bash expands an alias before it looks for reserved words, but the tree has them parsed already.
    if (RESERVED.has(name)) runText(analysis, state.fork(), value)
  }
}

/** `jobs -x COMMAND` runs the command with job ids replaced. */
export const jobs: Builtin = (analysis, state, args) => {
  if (args.length === 2 && args[1]?.text === '-p') {
    state.control.status = 0
    state.descriptors.get(1)?.sink?.write({ ...unknown('number', 'the numbers of jobs'), pathName: '\u0001!' })
    return
  }
  unknownStatus(analysis, state, args)
  if (args[1]?.text === '-x') withVia(state, 'jobs -x', (inner) => runWithoutFunctions(analysis, inner, args.slice(2)))
}

export const enable: Builtin = (analysis, state, args) => {
  state.control.status = args.length === 1 ? 0 : null
  if (args.some((arg) => /^-[a-z]*f/.test(arg.prefix) || arg.text === null))
    analysis.findings.reportUnknown('enable loads a shared library into the shell', null)
}

/** `hash -p PATH NAME` assigns the path to the name. */
export const hash: Builtin = (analysis, state, args) => {
  state.control.status = args.length === 1 || args[1]?.text === '-r' ? 0 : null
  if (args.some((arg) => /^-[a-z]*p/.test(arg.prefix) || (arg.text === null && arg.prefix === '')))
    analysis.findings.reportUnknown('hash assigns another path to a program', null)
}

export const history: Builtin = (analysis, state, args) => {
  state.control.status = null
  const option = args.find((arg) => /^-[acdnprsw]/.test(arg.text ?? ''))?.text ?? ''
  const file = args[2]
  if (/^-[aw]/.test(option) && file) addPath(analysis, state, { kind: 'writes', by: 'history' }, file)
  // Text added to the history can be run from it.
  if (/^-[a-z]*s/.test(option) && args[0]?.text === 'history')
    runText(analysis, through(state, 'history -s'), argValue(joined(args.slice(2), analysis.location.here)))
  if (args[0]?.text === 'fc' && !/^-[a-z]*l/.test(option))
    analysis.findings.reportUnknown('fc runs commands from the shell history', null)
}

/** `compgen -C cmd` runs the command with the completed word and two other arguments. */
const runOption = (analysis: Analysis, state: State, args: readonly Arg[], letter: string, via: string): void => {
  args.forEach((arg, i) => {
    const match = new RegExp(`^-[a-zA-Z]*${letter}(.*)$`, 's').exec(arg.prefix)
    if (!match) return
    const value: Arg | undefined = match[1]
      ? { ...arg, text: arg.text === null ? null : match[1], prefix: match[1] }
      : args[i + 1]
    const text = value ? argValue(value) : ''
    const next = args[i + (match[1] ? 1 : 2)]?.text ?? ''
    const word = next.startsWith('-') ? '' : next
    runText(analysis, through(state, via), typeof text === 'string' ? `${text} compgen ${shellWord(word)} ''` : text)
  })
}

/** `compgen -C cmd`, `compgen -W "$(cmd)"`: commands in options, and words that bash expands again. */
export const compgen: Builtin = (analysis, state, args) => {
  runOption(analysis, state, args, 'C', 'compgen -C')
  runFunctionOption(analysis, state, args)
  state.control.status = null
  args.forEach((arg, i) => {
    const value = /^-W(.*)$/s.exec(arg.text ?? '')
    const words = value ? value[1] || args[i + 1]?.text : null
    if (words && /[$`]/.test(words)) expandText(analysis, through(state, 'compgen -W'), words)
    if (/^-W/.test(arg.prefix))
      reportEvaluated(analysis, state, arg.prefix === '-W' && arg.text !== null ? args[i + 1] : arg)
  })
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'completions'))
}

function runFunctionOption(analysis: Analysis, state: State, args: readonly Arg[]): void {
  args.forEach((arg, i) => {
    const name = arg.text === '-F' ? args[i + 1]?.text : undefined
    const word = args[i + 2]?.text ?? ''
    if (name)
      runText(
        analysis,
        through(state, `${args[0]?.text} -F`),
        `${name} compgen ${shellWord(word.startsWith('-') ? '' : word)} ''`,
      )
  })
}

/** `bind -x '"key": command'`. */
export const bind: Builtin = (analysis, state, args) => {
  state.control.status = 0
  const at = args.findIndex((arg) => /^-[a-z]*x$/.test(arg.text ?? ''))
  const value = at < 0 ? undefined : args[at + 1]
  if (!value) return
  const text = value.text === null ? argValue(value) : value.text.replace(/^\s*"(?:[^"\\]|\\.)*"\s*:?\s*/s, '')
  runText(analysis, through(state, 'bind -x'), text)
}

/** Reports an unknown argument that the builtin evaluates. */
function reportEvaluated(analysis: Analysis, state: State, arg: Arg | undefined): void {
  const value = arg ? argValue(arg) : ''
  if (typeof value !== 'string') reportReexpansion(analysis, state, value)
}

/** `wait -p 'a[$(cmd)]'` evaluates the subscript. */
export const wait: Builtin = (analysis, state, args) => {
  state.control.status = null
  const at = args.findIndex((arg) => /^-[a-z]*p$/.test(arg.text ?? ''))
  const name = at < 0 ? undefined : args[at + 1]
  if (name?.text?.includes('[')) expandText(analysis, state, name.text)
  reportEvaluated(analysis, state, name)
  // Without a job to wait for, bash unsets the variable.
  if (name)
    forkMaybe(analysis, state, (fork) =>
      assignNamed(analysis, fork, name, unknown('number', 'the pid of a background job')),
    )
}
