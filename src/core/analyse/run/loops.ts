import type { ArithmeticFor, For, Statement, While } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { analyseUnreachable, forkMaybe, redirectedTo } from '../analysis/fork-branches.js'
import { evaluateWord } from '../expand/arithmetic.js'
import { assign } from '../expand/assign.js'
import { Fields } from '../expand/field-splitting.js'
import { ifsOf } from '../expand/variables.js'
import { expandWords } from '../expand/words.js'
import type { Arg, Origin } from '../programs/grammar/roles.js'
import { joinForks } from '../state/join-forks.js'
import type { State } from '../state/state.js'
import { type Input, Sink } from '../state/streams.js'
import { UNSET, type Variable } from '../state/variable.js'
import { oneOf } from '../values/one-of.js'
import { anyOf, isUncounted } from '../values/uncounted-elements.js'
import { A_NUMBER, argValue, unknown, type Value, worse } from '../values/value.js'
import { runStatements } from './statements.js'

/** Runs one iteration of a loop. Returns false when the loop ends. */
function runIteration(analysis: Analysis, state: State, body: readonly Statement[]): boolean {
  state.control.loops++
  runStatements(analysis, state, body)
  state.control.loops--
  // The iteration ends here anyway.
  if (state.control.mayExitLevels === 1) state.control.mayExitLevels = 0
  const { exit } = state.control
  if (!exit || (exit.how !== 'break' && exit.how !== 'continue')) return exit === null
  // bash limits the levels to the number of loops.
  const levels = state.control.loops > 0 ? exit.levels : 1
  state.control.exit = levels > 1 ? { how: exit.how, levels: levels - 1 } : null
  return exit.how === 'continue' && levels <= 1
}

/** Analyses any number of iterations: changed variables become unknown until nothing new changes. */
function anyNumberOfIterations(analysis: Analysis, state: State, origin: Origin, run: (state: State) => void): void {
  const changed = new Map<string, Changed>()
  const inputs = state.descriptors.sharedInputs().map((input) => ({ input, start: input.peek() }))
  const sinks = state.descriptors.sinks()
  const written = new Map<Sink, Value[]>(sinks.map((sink) => [sink, ['']]))
  let worst = origin
  let last: State = state.fork()
  for (let round = 0, isNew = true; round < 4 && (round < 2 || isNew); round++) {
    analysis.budget.add(40)
    const fork = state.fork()
    if (round > 0) joinForks(analysis.budget, fork, [state.fork(), last])
    fork.control.exit = null
    for (const [name, one] of changed)
      fork.variables.set(name, {
        ...(fork.variables.get(name) ?? UNSET),
        value: changedInLoop(worst, one),
        items: null,
        choices: null,
      })
    const own = new Map(sinks.map((sink) => [sink, new Sink()]))
    const descriptors = own.size === 0 ? state.descriptors : redirectedTo(state.descriptors, own, NO_INPUTS)
    fork.descriptors = descriptors
    isNew = false
    analysis.certainty.inBranch(() => run(fork))
    fork.control.exit = null
    if (fork.descriptors === descriptors) fork.descriptors = state.descriptors
    for (const [name, variable] of fork.variables.changed) {
      isNew = addTexts(changed, name, variable) || isNew
      worst = worstOf(worst, variable)
    }
    for (const [sink, { text }] of own) written.get(sink)?.push(text)
    for (const { input, start } of inputs)
      if (input.peek() !== start) input.replaceRest(unknown('made', 'input that a loop did not read'))
    if (fork.directory.cwd !== state.directory.cwd) fork.directory = { ...fork.directory, cwd: null }
    last = fork
  }
  joinForks(analysis.budget, state, [state.fork(), last])
  for (const [sink, texts] of written) if (texts.some((text) => text !== '')) sink.write(repeated(texts))
  state.control.mayExit = false
}

const NO_INPUTS: ReadonlyMap<Input, Input> = new Map()

/** Returns text that is written any number of times. */
function repeated(texts: readonly Value[]): Value {
  const value = oneOf(texts)
  return typeof value === 'object' && value.origin === 'condition' ? { ...value, origin: 'output' } : value
}

/** The maximum number of alternatives of a loop variable, and their maximum length. */
const MAX_TEXTS = 16
const MAX_TEXT_CHARS = 256

/** The values that iterations assign to a variable, and whether all are numbers. */
interface Changed {
  readonly texts: Set<string>
  isNumber: boolean
}

/** Records the values of a variable. Returns true if one is new. */
function addTexts(changed: Map<string, Changed>, name: string, { value, items, choices }: Variable): boolean {
  const known = changed.get(name)
  const one: Changed = known ?? { texts: new Set(), isNumber: items === null }
  const before = one.texts.size
  for (const held of choices ?? (items === null ? [value] : [])) {
    one.isNumber &&= typeof held === 'string' ? /^-?\d+$/.test(held) : held.origin === 'number'
    for (const text of typeof held === 'string' ? [held] : (held.alternatives ?? []))
      if (one.texts.size < MAX_TEXTS && text !== '' && text.length <= MAX_TEXT_CHARS) one.texts.add(text)
  }
  changed.set(name, one)
  return known === undefined || one.texts.size > before
}

function changedInLoop(origin: Origin, { texts, isNumber }: Changed): Value {
  if (isNumber) return A_NUMBER
  if (texts.size === 0) return unknown(origin, 'a value changed in a loop')
  // Other values are possible.
  return {
    ...unknown(origin === 'condition' ? 'output' : origin, 'a value changed in a loop'),
    alternatives: [...texts],
  }
}

/** Returns the more dangerous origin. Text made by the script keeps its origin through changes. */
function worstOf(origin: Origin, { value, choices }: Variable): Origin {
  let worst = origin
  for (const one of choices ?? [value])
    if (typeof one === 'object' && (one.origin === 'decoded' || one.origin === 'made')) worst = worse(worst, one.origin)
  return worst
}

/** Runs `for x in …`: once for each known word. */
export function runFor(analysis: Analysis, state: State, node: For): void {
  const args = node.words ? expandWords(analysis, state, node.words) : null
  const values = args ? args.map((arg) => wordsIn(state, arg)) : state.arguments.positional
  const open = args ? args.some((arg) => arg.maySplit) : values.some(isUncounted)
  state.control.status = 0
  if (values.length === 0) {
    analyseUnreachable(analysis, state, (s) => void runForIteration(analysis, s, node, ''))
    return
  }
  if (node.kind === 'select') {
    // The input selects one of them, or nothing.
    assign(analysis, state, 'REPLY', unknown('input', 'input from a terminal'))
    anyNumberOfIterations(analysis, state, 'condition', (s) => void runForIteration(analysis, s, node, anyOf(values)))
    state.control.status = null
    return
  }
  let jump = 0
  for (const value of values) {
    const isCounted = analysis.budget.iterate()
    if (open || !isCounted) {
      const word = isCounted ? value : values.every(isNumber) ? A_NUMBER : unknown('made', 'one of many loop words')
      anyNumberOfIterations(analysis, state, 'condition', (s) => void runForIteration(analysis, s, node, word))
      if (!isCounted) break
      continue
    }
    if (
      !runMaybe(analysis, state, jump > 0, (s) => runForIteration(analysis, s, node, value)) &&
      !state.control.mayExit
    )
      break
    jump = Math.max(jump, state.control.mayExitLevels)
    state.control.mayExitLevels = 0
  }
  state.control.mayExitLevels = levelAfterLoop(Math.max(jump, state.control.mayExitLevels))
}

const isNumber = (value: Value): boolean =>
  typeof value === 'string' ? /^-?\d+$/.test(value) : value.origin === 'number'

/** Returns an argument as one of the words it can split into. Quoted text does not split. */
function wordsIn(state: State, arg: Arg): Value {
  const value = argValue(arg)
  if (typeof value === 'string' || !arg.maySplit || value.alternatives === undefined) return value
  const fields = new Fields(arg.span, ifsOf(state))
  for (const option of value.alternatives) {
    fields.split(option)
    fields.end()
  }
  const others = value.origin === 'condition' ? [] : [unknown(value.origin, value.unknown)]
  return anyOf([...value.alternatives, ...fields.args.map(argValue), ...others])
}

/** Runs an iteration that may not run, because control may have left the loop. False if the loop has ended. */
function runMaybe(analysis: Analysis, state: State, maybe: boolean, run: (state: State) => boolean): boolean {
  if (!maybe) return run(state)
  let goesOn = true
  forkMaybe(analysis, state, (fork) => {
    goesOn = run(fork)
  })
  return goesOn
}

const levelAfterLoop = (level: number): number => Math.max(0, level - 2)

function runForIteration(analysis: Analysis, state: State, node: For, value: Value): boolean {
  const variable = state.variables.get(node.name)
  // A name reference refers to each word in turn.
  if (variable?.attributes.includes('n')) state.variables.set(node.name, { ...variable, value, isSet: true })
  else assign(analysis, state, node.name, value)
  return runIteration(analysis, state, node.body)
}

/** The maximum number of iterations with known values. */
const MAX_ITERATIONS = 64

/** Runs `while` and `until`: iterates while the condition is known, then any number of times. */
export function runWhile(analysis: Analysis, state: State, node: While): void {
  let last: number | null = 0
  for (let iterations = 0; ; iterations++) {
    // If control may have left the loop, the condition may not run again.
    const mayBeOver = state.control.mayExitLevels > 0
    if (!mayBeOver) runStatements(analysis, state, node.test)
    if (state.control.exit) return
    const { status } = state.control
    if (!mayBeOver && status !== null && (status === 0) === node.until) {
      if (iterations === 0) analyseUnreachable(analysis, state, (s) => void runIteration(analysis, s, node.body))
      state.control.status = last
      return
    }
    if (
      status === null ||
      state.control.mayExit ||
      state.control.mayExitLevels > 0 ||
      iterations >= MAX_ITERATIONS ||
      !analysis.budget.iterate()
    ) {
      const { mayExitLevels } = state.control
      state.control.mayExitLevels = 0
      anyNumberOfIterations(analysis, state, iterations < MAX_ITERATIONS ? 'condition' : 'made', (s) => {
        if (runIteration(analysis, s, node.body)) runStatements(analysis, s, node.test)
      })
      state.control.status = null
      state.control.mayExitLevels = levelAfterLoop(Math.max(mayExitLevels, state.control.mayExitLevels))
      return
    }
    if (!runIteration(analysis, state, node.body)) return
    last = state.control.status
  }
}

/** Runs `for ((a; b; c))`. */
export function runArithmeticFor(analysis: Analysis, state: State, node: ArithmeticFor): void {
  if (node.initialise) evaluateWord(analysis, state, node.initialise)
  state.control.status = 0
  for (let iterations = 0; ; iterations++) {
    const test = node.test ? evaluateWord(analysis, state, node.test) : 1
    if (test === 0) {
      if (iterations === 0) analyseUnreachable(analysis, state, (s) => void runIteration(analysis, s, node.body))
      return
    }
    if (test === null || state.control.mayExit || iterations >= MAX_ITERATIONS || !analysis.budget.iterate()) {
      anyNumberOfIterations(analysis, state, iterations < MAX_ITERATIONS ? 'condition' : 'made', (s) => {
        runIteration(analysis, s, node.body)
        if (node.update) evaluateWord(analysis, s, node.update)
        if (node.test) evaluateWord(analysis, s, node.test)
      })
      state.control.mayExitLevels = levelAfterLoop(state.control.mayExitLevels)
      return
    }
    if (!runIteration(analysis, state, node.body)) return
    if (node.update) evaluateWord(analysis, state, node.update)
  }
}
