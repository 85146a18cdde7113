import type { Assignment, Part, Redirect, Simple, Word } from '../shell/tree.js'
import { performAssignment, prefixAssignments } from './assignments.js'
import { expandBraces } from './brace.js'
import { forkBranches } from './branch.js'
import { writeListing } from './builtin-listing.js'
import { type Builtin, builtinNamed } from './builtins.js'
import { runAlias, runCall } from './call.js'
import { choiceIn } from './choice.js'
import { noteComplaint } from './complaint.js'
import { expandValue, expandWord } from './expand.js'
import { runProgram } from './program.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { flushLater, redirected, withRedirects } from './redirect.js'
import type { State } from './state.js'
import { runUnknown } from './unknown-program.js'

/** Runs one simple command: expansion, assignments, redirections, and then whatever the first word names. */
export function runSimple(reading: Reading, state: State, node: Simple): void {
  reading.work.step()
  reading.work.add(node.words.length * (1 + (state.level >> 2)))
  const before = reading.here
  reading.here = reading.at(node.span)
  reading.told = null
  const choice = reading.hasChoices ? choiceIn(state, node) : null
  if (choice) {
    const [name, variables] = choice
    forkBranches(
      reading,
      state,
      variables.map((variable) => (fork) => {
        fork.set(name, variable)
        runSimple(reading, fork, node)
      }),
    )
  } else runExpanded(reading, state, node)
  reading.here = before
}

/** `$_` after a command without words. */
const NOTHING: Arg = { text: '', head: '', several: false, span: [0, 0] }

function runExpanded(reading: Reading, state: State, node: Simple): void {
  // Whether aliases are in force depends on the shell and how it was started. They are text, put in before anything is expanded.
  if (reading.hasAliases) runAlias(reading, state, node)
  const waiting = reading.later.length
  const { opened } = reading
  reading.guessed = null
  const args: Arg[] = []
  let guessed: string | null = null
  for (let i = 0; i < node.words.length; i++) {
    const word = node.words[i]
    if (word) addExpanded(reading, state, word, args)
    if (i === 0) guessed = reading.guessed
  }
  if (guessed !== null) reading.reportUnknown(`the command depends on $${guessed}, which is not set here`, node.span)
  if (args.length === 0) {
    const { substitutions } = reading
    for (const assignment of node.assignments) performAssignment(reading, state, assignment)
    // What is assigned may be how the command before ended; this one ends as what it substitutes.
    if (reading.substitutions === substitutions) state.status = 0
    if (node.redirects.length > 0) redirected(reading, state, node.redirects)
    state.last = NOTHING
  } else {
    if (node.redirects.length === 0) runAssigned(reading, state, args, node)
    else {
      const changes = changesShell(state, args[0]?.text ?? '')
      // What is assigned in a redirection of a program is assigned in the shell that becomes it.
      const isProgram = !changes && builtinNamed(args[0]?.text ?? '') === undefined
      const own = isProgram && node.redirects.some(mayAssign) ? state.fork() : state
      withRedirects(
        reading,
        own,
        node.redirects,
        (inner) => runAssigned(reading, inner, args, node),
        () => changes,
      )
      state.status = own.status
    }
    state.last = lastOf(args)
  }
  flushLater(reading, waiting)
  reading.opened = opened
}

/** `> "${x:=f}"`, `<<< $((i++))`: may a redirection assign something? */
function mayAssign(redirect: Redirect): boolean {
  const { parts } = redirect.kind === 'file' ? redirect.target : redirect.body
  return parts.some((part) => part.kind === 'arithmetic' || (part.kind === 'parameter' && part.operation !== null))
}

/** Builtins after which the shell is as it was, or that end it where their redirections fail. */
const LEAVES_ALONE = new Set('echo : true false test [ pwd type times jobs exec'.split(' '))

/** May a command of that name change the shell that runs it? */
const changesShell = (state: State, name: string): boolean =>
  state.functionNamed(name) !== undefined || (builtinNamed(name) !== undefined && !LEAVES_ALONE.has(name))

/** What stands before a command is assigned when its words and redirections have been expanded. */
function runAssigned(reading: Reading, state: State, args: readonly Arg[], node: Simple): void {
  if (node.assignments.length === 0) {
    dispatch(reading, state, args, node)
    return
  }
  const { exported } = reading
  reading.exported = new Set()
  const restore = prefixAssignments(reading, state, node.assignments, keptNames(args))
  dispatch(reading, state, args, node)
  restore(reading.exported)
  reading.exported = exported
}

/** `x=1 export x`: those that are exported stay. */
function keptNames(args: readonly Arg[]): readonly string[] {
  const texts = args.map((arg) => arg.text ?? '')
  const at = texts.findIndex((text) => /^(?:export|readonly|declare|typeset)$/.test(text))
  const [name = ''] = texts.slice(at)
  if (at < 0 || at > 2) return []
  return /^[er]/.test(name) || texts.some((text) => /^-[a-zA-Z]*[xr]/.test(text)) ? texts.slice(at + 1) : []
}

/** `$_` is the last argument; null for those that the command left otherwise. */
function lastOf(args: readonly Arg[]): Arg | null {
  const last = args[args.length - 1] ?? null
  return last?.assignment || /^(?:alias|unset)$/.test(args[0]?.text ?? '') ? null : last
}

/** An argument that is an assignment (`export A=b`) is passed on as it would be printed. */
function addExpanded(reading: Reading, state: State, word: Word | Assignment, args: Arg[]): void {
  if (word.kind === 'word') expandWord(reading, state, word, args)
  else if (word.value.kind === 'word' && word.value.parts.some(hasBrace) && !state.options.has('no-braceexpand'))
    for (const parts of expandBraces(word.value.parts, reading.work) ?? [])
      args.push(expandAssigned(reading, state, { ...word, value: { ...word.value, parts } }))
  else args.push(expandAssigned(reading, state, word))
}

const hasBrace = (part: Part): boolean => part.kind === 'text' && !part.quoted && part.value.includes('{')

function expandAssigned(reading: Reading, state: State, word: Assignment): Arg {
  const span = reading.at(word.span)
  const name = `${word.name}${word.index ? '[]' : ''}${word.append ? '+=' : '='}`
  if (word.value.kind === 'array') return { text: `${name}()`, head: name, several: false, span, assignment: word }
  const value = expandValue(reading, state, word.value, true)
  if (typeof value === 'string')
    return { text: name + value, head: name + value, several: false, span, assignment: word, value }
  return {
    text: null,
    head: name + value.head,
    unknown: { unknown: value.unknown },
    source: value.source,
    several: false,
    span,
    assignment: word,
    value,
  }
}

/** Functions before builtins before programs; an alias before all of them. */
function dispatch(reading: Reading, state: State, args: readonly Arg[], node: Simple): void {
  const command = args[0]
  if (!command) return
  const name = command.text
  if (name === null) {
    runNotKnown(reading, state, args, (fork, words) => dispatch(reading, fork, words, node))
    return
  }
  const body = name.includes('/') ? undefined : state.functionNamed(name)
  if (body) {
    runCall(reading, state, name, body, args.slice(1))
    return
  }
  const builtin = builtinNamed(name)
  if (builtin) {
    runBuiltin(reading, state, builtin, args)
    return
  }
  runProgram(reading, state, args)
}

/** A command word that is not known: where it is one of several, each is run. */
function runNotKnown(
  reading: Reading,
  state: State,
  args: readonly Arg[],
  run: (fork: State, args: readonly Arg[]) => void,
): void {
  const [command, ...rest] = args
  if (!command) return
  const { options, unknown: _, source, ...plain } = command
  if (options) {
    const wordOf = (text: string): Arg => ({ ...plain, text, head: text, several: false })
    forkBranches(
      reading,
      state,
      options.map((option) => (fork) => {
        const words = command.several ? option.split(/\s+/).filter((word) => word !== '') : [option]
        run(fork, [...words.map(wordOf), ...rest])
      }),
    )
  }
  if (!options || source !== 'condition') runUnknown(reading, state, args)
}

function runBuiltin(reading: Reading, state: State, builtin: Builtin, args: readonly Arg[]): void {
  reading.invocation(state, args)
  builtin(reading, state, args)
  noteComplaint(state, args)
  writeListing(state, args[0]?.text ?? '', args)
}

/** What a command run by another command is: a program, never a function, alias or builtin. */
export function runArguments(reading: Reading, state: State, args: readonly Arg[]): void {
  const command = args[0]
  if (!command) return
  reading.work.step()
  if (command.text === null) runNotKnown(reading, state, args, (fork, words) => runArguments(reading, fork, words))
  else {
    runProgram(reading, state, args)
    // Some systems have it as a program too.
    if (/^(?:\/usr)?(?:\/bin\/)?command$/.test(command.text)) builtinNamed('command')?.(reading, state, args)
  }
}

/** A command given as words to a builtin (`command`, `builtin`, `exec`, `time`): no alias, and no function. */
export function runWithoutFunctions(reading: Reading, state: State, args: readonly Arg[]): void {
  const [command] = args
  if (!command) return
  reading.work.step()
  if (command.text === null) {
    runNotKnown(reading, state, args, (fork, words) => runWithoutFunctions(reading, fork, words))
    return
  }
  const builtin = builtinNamed(command.text)
  if (!builtin) {
    runProgram(reading, state, args)
    return
  }
  runBuiltin(reading, state, builtin, args)
}
