import type { Node, Simple, Word } from '../shell/tree.js'
import { forkMaybe } from './branch.js'
import { many } from './many-elements.js'
import { notFollowed } from './parameter-operation.js'
import { ANY_ARGUMENTS, givePositional } from './positional.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runNode } from './run.js'
import { runText } from './shell-text.js'
import { SOMEWHERE, type State, UNSET, type Variable } from './state.js'
import { argValue } from './value.js'

/** A function that calls itself deeper than this is read once more with what it changes unknown, and then left. */
const RECURSION = 2

/** Calls a function. `args` null: its arguments are not known. */
export function runCall(reading: Reading, state: State, name: string, body: Node, args: readonly Arg[] | null): void {
  const running = reading.calls.filter((call) => call.body === body)
  const [outer] = running
  if (outer && isBomb(reading, state, outer)) {
    reading.findings.shape('fork-bomb', reading.here)
    return
  }
  if (running.length > RECURSION || (outer && reading.dead > 0)) return
  reading.work.enter()
  const before = { cwd: state.cwd, variables: variablesOf(state) }
  const { concurrency, waits } = state
  reading.calls.push({ name: `function ${name}`, concurrency, waits, undecided: reading.undecided, body, before })
  const { positional } = state
  if (outer?.before && running.length === RECURSION) {
    forgetChanged(state, outer.before)
    state.positional = args === null ? ANY_ARGUMENTS : args.map((arg) => many(notFollowed(argValue(arg))))
  } else if (args === null) state.positional = ANY_ARGUMENTS
  else givePositional(state, args)
  state.frames++
  const locals = state.beginLocals(reading.undecided)
  const { mayJump } = state
  state.mayJump = 0
  runNode(reading, state, body)
  state.mayJump = mayJump
  state.endLocals(locals)
  state.frames--
  state.positional = positional
  if (state.leave?.how === 'return') state.leave = null
  reading.calls.pop()
  reading.work.exit()
}

/**
 * Does a function start copies of itself without end? One below another, each waited for, come to an end where a condition stops them.
 */
function isBomb(reading: Reading, state: State, { concurrency, waits = 0, undecided = 0 }: Call): boolean {
  if (state.concurrency - state.waits > concurrency - waits) return true
  return state.concurrency > concurrency && reading.undecided <= undecided
}

type Call = Reading['calls'][number]

/** All variables as they are now. */
function variablesOf(state: State): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>()
  for (const name of state.names()) variables.set(name, state.get(name) ?? UNSET)
  return variables
}

/** Takes the directory and all variables that are no longer what they were for unknown. */
function forgetChanged(state: State, before: NonNullable<Reading['calls'][number]['before']>): void {
  if (state.cwd !== before.cwd) {
    state.cwd = null
    state.place = SOMEWHERE
  }
  for (const [name, variable] of variablesOf(state))
    if (variable !== before.variables.get(name))
      state.set(name, { ...variable, value: notFollowed(variable.value), items: null, choices: null })
}

/** An alias is text put in front of the rest of its line. Whether it was known when the line was read cannot be told: both are followed. */
export function runAlias(reading: Reading, state: State, node: Simple): void {
  const [first] = node.words
  if (first?.kind !== 'word' || first.parts.some((part) => part.kind !== 'text' || part.quoted)) return
  const name = first.parts.map((part) => (part.kind === 'text' ? part.value : '')).join('')
  const value = state.alias(name)
  if (value === undefined) return
  for (const text of typeof value === 'string' ? [value] : (value.options ?? [])) {
    // One that was made anew in its own text is another.
    if (text === name || reading.calls.some((call) => call.name === `alias ${name}` && call.text === text)) continue
    reading.calls.push({ name: `alias ${name}`, concurrency: state.concurrency, text })
    runAliasText(reading, state, node, first, text)
    reading.calls.pop()
  }
  if (typeof value !== 'string' && !(value.options && value.source === 'condition'))
    runText(reading, state.fork(), value)
}

function runAliasText(reading: Reading, state: State, node: Simple, first: Word, value: string): void {
  const rest = node.words.slice(1)
  const end = node.span[1]
  const before = reading.source.slice(node.span[0], first.span[0])
  const from = first.span[1]
  const remaining = rest.length > 0 || node.redirects.length > 0 ? reading.source.slice(from, end) : ''
  forkMaybe(reading, state, (fork) => runText(reading, fork, before + value + remaining))
  // After an alias that ends in a blank the next word is looked up too.
  const next = /[ \t]$/.test(value) && rest[0]?.kind === 'word' ? rest[0].parts : []
  const named =
    next.length === 1 && next[0]?.kind === 'text' && !next[0].quoted ? state.alias(next[0].value) : undefined
  if (typeof named === 'string')
    runText(reading, state.fork(), `${before}${value}${named} ${reading.source.slice(rest[0]?.span[1] ?? end, end)}`)
}
