import type { Node, Simple, Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Call } from '../analysis/call-stack.js'
import { forkMaybe } from '../analysis/fork-branches.js'
import { notFollowed } from '../expand/parameter-operation.js'
import type { Arg } from '../programs/grammar/roles.js'
import { ANY_ARGUMENTS, setPositional } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { UNSET, type Variable } from '../state/variable.js'
import { SOMEWHERE } from '../state/working-directory.js'
import { uncounted } from '../values/uncounted-elements.js'
import { argValue } from '../values/value.js'
import { runText } from './shell-text.js'
import { runNode } from './statements.js'

/** The recursion limit. At the limit a function runs once more with unknown variables. */
const MAX_RECURSION = 2

/** Calls a function. `args` is null for unknown arguments. */
export function runCall(analysis: Analysis, state: State, name: string, body: Node, args: readonly Arg[] | null): void {
  const running = analysis.calls.running.filter((call) => call.body === body)
  const [outer] = running
  if (outer && isBomb(analysis, state, outer)) {
    analysis.findings.shape('fork-bomb', analysis.location.here)
    return
  }
  if (running.length > MAX_RECURSION || (outer && analysis.certainty.isUnreachable)) return
  analysis.budget.enter()
  const before = { cwd: state.directory.cwd, variables: variablesOf(state) }
  const { concurrency, waits } = state
  const { conditionalDepth } = analysis.certainty
  const call = { name: `function ${name}`, concurrency, waits, conditionalDepth, body, before }
  const given = state.arguments
  if (outer?.before && running.length === MAX_RECURSION) {
    forgetChanged(state, outer.before)
    const positional = args === null ? ANY_ARGUMENTS : args.map((arg) => uncounted(notFollowed(argValue(arg))))
    state.arguments = { ...given, positional }
  } else if (args === null) state.arguments = { ...given, positional: ANY_ARGUMENTS }
  else setPositional(state, args)
  state.control.callDepth++
  const locals = state.variables.beginLocals(conditionalDepth)
  const { mayExitLevels } = state.control
  state.control.mayExitLevels = 0
  analysis.calls.during(call, () => runNode(analysis, state, body))
  state.control.mayExitLevels = mayExitLevels
  state.variables.endLocals(locals)
  state.control.callDepth--
  state.arguments = { ...state.arguments, positional: given.positional }
  if (state.control.exit?.how === 'return') state.control.exit = null
  analysis.budget.exit()
}

/** Tells whether a function starts copies of itself without end. A condition ends a chain of awaited calls. */
function isBomb(analysis: Analysis, state: State, { concurrency, waits = 0, conditionalDepth = 0 }: Call): boolean {
  if (state.concurrency - state.waits > concurrency - waits) return true
  return state.concurrency > concurrency && analysis.certainty.conditionalDepth <= conditionalDepth
}

/** Returns all variables with their current values. */
function variablesOf(state: State): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>()
  for (const name of state.variables.names()) variables.set(name, state.variables.get(name) ?? UNSET)
  return variables
}

/** Makes the directory and all changed variables unknown. */
function forgetChanged(state: State, before: NonNullable<Call['before']>): void {
  if (state.directory.cwd !== before.cwd) state.directory = { ...state.directory, cwd: null, unknownCwdName: SOMEWHERE }
  for (const [name, variable] of variablesOf(state))
    if (variable !== before.variables.get(name))
      state.variables.set(name, { ...variable, value: notFollowed(variable.value), items: null, choices: null })
}

/** Runs an alias as text before the rest of its line, and also the command without the alias. */
export function runAlias(analysis: Analysis, state: State, node: Simple): void {
  const [first] = node.words
  if (first?.kind !== 'word' || first.parts.some((part) => part.kind !== 'text' || part.quoted)) return
  const name = first.parts.map((part) => (part.kind === 'text' ? part.value : '')).join('')
  const value = state.definitions.alias(name)
  if (value === undefined) return
  for (const text of typeof value === 'string' ? [value] : (value.alternatives ?? [])) {
    // An alias that redefines itself counts as another.
    if (text === name || analysis.calls.running.some((call) => call.name === `alias ${name}` && call.text === text))
      continue
    const call = { name: `alias ${name}`, concurrency: state.concurrency, text }
    analysis.calls.during(call, () => runAliasText(analysis, state, node, first, text))
  }
  if (typeof value !== 'string' && !(value.alternatives && value.origin === 'condition'))
    runText(analysis, state.fork(), value)
}

function runAliasText(analysis: Analysis, state: State, node: Simple, first: Word, value: string): void {
  const rest = node.words.slice(1)
  const end = node.span[1]
  const before = analysis.location.source.slice(node.span[0], first.span[0])
  const from = first.span[1]
  const remaining = rest.length > 0 || node.redirects.length > 0 ? analysis.location.source.slice(from, end) : ''
  forkMaybe(analysis, state, (fork) => runText(analysis, fork, before + value + remaining))
  // After an alias that ends in a blank, bash expands the next word too.
  const next = /[ \t]$/.test(value) && rest[0]?.kind === 'word' ? rest[0].parts : []
  const named =
    next.length === 1 && next[0]?.kind === 'text' && !next[0].quoted
      ? state.definitions.alias(next[0].value)
      : undefined
  if (typeof named === 'string')
    runText(
      analysis,
      state.fork(),
      `${before}${value}${named} ${analysis.location.source.slice(rest[0]?.span[1] ?? end, end)}`,
    )
}
