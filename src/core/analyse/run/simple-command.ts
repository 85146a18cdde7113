import type { Assignment, Part, Redirect, Simple, Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { forkBranches } from '../analysis/fork-branches.js'
import type { Builtin } from '../analysis/interpreter.js'
import { performAssignment, prefixAssignments } from '../expand/assignment-words.js'
import { expandBraces } from '../expand/braces.js'
import { expandValue, expandWord } from '../expand/words.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { variableWithChoices } from '../state/undecided-variable.js'
import { runAlias, runCall } from './functions-and-aliases.js'
import { redirected, withRedirects } from './redirections.js'
import { noteSyntaxError } from './syntax-message.js'

/** Runs a simple command: expansions, assignments, redirections, then the command itself. */
export function runSimple(analysis: Analysis, state: State, node: Simple): void {
  analysis.budget.step()
  analysis.budget.add(node.words.length * (1 + (state.variables.level >> 2)))
  analysis.location.at(node.span, () => {
    const choice = state.history.hasChoices ? variableWithChoices(state, node) : null
    if (choice) {
      const [name, variables] = choice
      forkBranches(
        analysis,
        state,
        variables.map((variable) => (fork) => {
          fork.variables.set(name, variable)
          runSimple(analysis, fork, node)
        }),
      )
    } else runExpanded(analysis, state, node)
  })
}

/** `$_` after a command without words. */
const EMPTY_ARG: Arg = { text: '', prefix: '', maySplit: false, span: [0, 0] }

function runExpanded(analysis: Analysis, state: State, node: Simple): void {
  // Aliases can be disabled. bash replaces them before it expands the command.
  if (state.history.hasAliases) runAlias(analysis, state, node)
  const { processSubstitutions } = analysis
  processSubstitutions.during(() =>
    processSubstitutions.flushAfter(() => runWords(analysis, state, node, expandCommand(analysis, state, node))),
  )
}

/** Expands the words of a command. Reports a command word from a variable that the environment may set. */
function expandCommand(analysis: Analysis, state: State, { words, span }: Simple): readonly Arg[] {
  const args: Arg[] = []
  const [first] = words
  const unset = first ? analysis.unset.during(() => addExpanded(analysis, state, first, args)) : null
  for (let i = 1; i < words.length; i++) addExpanded(analysis, state, words[i] as Word, args)
  if (unset !== null)
    analysis.findings.reportUnknown(`the command depends on $${unset}, which the script does not set`, span)
  return args
}

function runWords(analysis: Analysis, state: State, node: Simple, args: readonly Arg[]): void {
  if (args.length === 0) {
    const { substitutions } = state.control
    for (const assignment of node.assignments) performAssignment(analysis, state, assignment)
    // The assignment can use the previous status. The command's own status is that of its substitution.
    if (state.control.substitutions === substitutions) state.control.status = 0
    if (node.redirects.length > 0) redirected(analysis, state, node.redirects)
    state.lastArg = EMPTY_ARG
  } else {
    if (node.redirects.length === 0) runAssigned(analysis, state, args, node)
    else {
      const changes = changesShell(analysis, state, args[0]?.text ?? '')
      // bash performs a program's redirections in the child process.
      const isProgram = !changes && analysis.interpreter.builtinNamed(args[0]?.text ?? '') === undefined
      const own = isProgram && node.redirects.some(mayAssign) ? state.fork() : state
      withRedirects(
        analysis,
        own,
        node.redirects,
        (inner) => runAssigned(analysis, inner, args, node),
        () => changes,
      )
      state.control.status = own.control.status
    }
    state.lastArg = lastOf(args)
  }
}

/** Tells whether a redirection can assign a variable: `> "${x:=f}"`, `<<< $((i++))`. */
function mayAssign(redirect: Redirect): boolean {
  const { parts } = redirect.kind === 'file' ? redirect.target : redirect.body
  return parts.some((part) => part.kind === 'arithmetic' || (part.kind === 'parameter' && part.operation !== null))
}

/** Builtins that leave the shell unchanged, or end it if their redirections fail. */
const LEAVES_ALONE = new Set('echo : true false test [ pwd type times jobs exec'.split(' '))

const changesShell = (analysis: Analysis, state: State, name: string): boolean =>
  state.definitions.functionNamed(name) !== undefined ||
  (analysis.interpreter.builtinNamed(name) !== undefined && !LEAVES_ALONE.has(name))

/** Runs a command with assignments before it. bash performs them after the expansions and redirections. */
function runAssigned(analysis: Analysis, state: State, args: readonly Arg[], node: Simple): void {
  if (node.assignments.length === 0) {
    dispatch(analysis, state, args, node)
    return
  }
  const { history } = state
  const outer = history.exports
  history.exports = new Set()
  const restore = prefixAssignments(analysis, state, node.assignments, keptNames(args))
  dispatch(analysis, state, args, node)
  restore(history.exports)
  history.exports = outer
}

/** Returns the names that `x=1 export x` exports, which stay set. */
function keptNames(args: readonly Arg[]): readonly string[] {
  const texts = args.map((arg) => arg.text ?? '')
  const at = texts.findIndex((text) => /^(?:export|readonly|declare|typeset)$/.test(text))
  const [name = ''] = texts.slice(at)
  if (at < 0 || at > 2) return []
  return /^[er]/.test(name) || texts.some((text) => /^-[a-zA-Z]*[xr]/.test(text)) ? texts.slice(at + 1) : []
}

/** Returns the last argument for `$_`, or null if the command sets it otherwise. */
function lastOf(args: readonly Arg[]): Arg | null {
  const last = args[args.length - 1] ?? null
  return last?.assignment || /^(?:alias|unset)$/.test(args[0]?.text ?? '') ? null : last
}

/** Expands a word or an assignment argument (`export A=b`), which is passed on as text. */
function addExpanded(analysis: Analysis, state: State, word: Word | Assignment, args: Arg[]): void {
  if (word.kind === 'word') expandWord(analysis, state, word, args)
  else if (word.value.kind === 'word' && word.value.parts.some(hasBrace) && !state.options.has('no-braceexpand'))
    for (const parts of expandBraces(word.value.parts, analysis.budget) ?? [])
      args.push(expandAssigned(analysis, state, { ...word, value: { ...word.value, parts } }))
  else args.push(expandAssigned(analysis, state, word))
}

const hasBrace = (part: Part): boolean => part.kind === 'text' && !part.quoted && part.value.includes('{')

function expandAssigned(analysis: Analysis, state: State, word: Assignment): Arg {
  const span = analysis.location.of(word.span)
  const name = `${word.name}${word.index ? '[]' : ''}${word.append ? '+=' : '='}`
  if (word.value.kind === 'array') return { text: `${name}()`, prefix: name, maySplit: false, span, assignment: word }
  const value = expandValue(analysis, state, word.value, true)
  if (typeof value === 'string')
    return { text: name + value, prefix: name + value, maySplit: false, span, assignment: word, value }
  return {
    text: null,
    prefix: name + value.prefix,
    unknown: { unknown: value.unknown },
    origin: value.origin,
    maySplit: false,
    span,
    assignment: word,
    value,
  }
}

/** Runs a function, else a builtin, else a program. An alias precedes all. */
function dispatch(analysis: Analysis, state: State, args: readonly Arg[], node: Simple): void {
  const command = args[0]
  if (!command) return
  const name = command.text
  if (name === null) {
    runUnknownWord(analysis, state, args, (fork, words) => dispatch(analysis, fork, words, node))
    return
  }
  const body = name.includes('/') ? undefined : state.definitions.functionNamed(name)
  if (body) {
    runCall(analysis, state, name, body, args.slice(1))
    return
  }
  const builtin = analysis.interpreter.builtinNamed(name)
  if (builtin) {
    runBuiltin(analysis, state, builtin, args)
    return
  }
  analysis.interpreter.runProgram(analysis, state, args)
}

/** Runs an unknown command word: each alternative, if they are known. */
function runUnknownWord(
  analysis: Analysis,
  state: State,
  args: readonly Arg[],
  run: (fork: State, args: readonly Arg[]) => void,
): void {
  const [command, ...rest] = args
  if (!command) return
  const { alternatives, unknown: _, origin, ...plain } = command
  if (alternatives) {
    const wordOf = (text: string): Arg => ({ ...plain, text, prefix: text, maySplit: false })
    forkBranches(
      analysis,
      state,
      alternatives.map((option) => (fork) => {
        const words = command.maySplit ? option.split(/\s+/).filter((word) => word !== '') : [option]
        run(fork, [...words.map(wordOf), ...rest])
      }),
    )
  }
  if (!alternatives || origin !== 'condition') analysis.interpreter.runUnknown(analysis, state, args)
}

function runBuiltin(analysis: Analysis, state: State, builtin: Builtin, args: readonly Arg[]): void {
  analysis.findings.addInvocation(state, args)
  builtin(analysis, state, args)
  noteSyntaxError(state, args)
  analysis.interpreter.writeListing(state, args[0]?.text ?? '', args)
}

/** Runs a command of another command: a program, never a function, alias or builtin. */
export function runArguments(analysis: Analysis, state: State, args: readonly Arg[]): void {
  const command = args[0]
  if (!command) return
  analysis.budget.step()
  if (command.text === null) runUnknownWord(analysis, state, args, (fork, words) => runArguments(analysis, fork, words))
  else {
    analysis.interpreter.runProgram(analysis, state, args)
    // Some systems have a program of this name.
    if (/^(?:\/usr)?(?:\/bin\/)?command$/.test(command.text))
      analysis.interpreter.builtinNamed('command')?.(analysis, state, args)
  }
}

/** Runs the command of a builtin (`command`, `builtin`, `exec`, `time`), without aliases and functions. */
export function runWithoutFunctions(analysis: Analysis, state: State, args: readonly Arg[]): void {
  const [command] = args
  if (!command) return
  analysis.budget.step()
  if (command.text === null) {
    runUnknownWord(analysis, state, args, (fork, words) => runWithoutFunctions(analysis, fork, words))
    return
  }
  const builtin = analysis.interpreter.builtinNamed(command.text)
  if (!builtin) {
    analysis.interpreter.runProgram(analysis, state, args)
    return
  }
  runBuiltin(analysis, state, builtin, args)
}
