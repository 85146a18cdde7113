import type { ArithmeticFor, For, Statement, While } from '../shell/tree.js'
import { assign } from './assigning.js'
import { forkMaybe, redirectedTo, walkDead } from './branch.js'
import { evaluateWord } from './evaluate.js'
import { expandWords } from './expand.js'
import { Fields } from './fields.js'
import { joinForks } from './join.js'
import { anyOf, isMany } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runStatements } from './run.js'
import { type State, UNSET, type Variable } from './state.js'
import { type Input, Sink } from './streams.js'
import { A_NUMBER, argValue, unknown, type Value, worse } from './value.js'
import { ifsOf } from './variables.js'

/** Runs one turn of a loop. False when the loop is over. */
function turn(reading: Reading, state: State, body: readonly Statement[]): boolean {
  state.loops++
  runStatements(reading, state, body)
  state.loops--
  // The end of a turn is where it goes anyway.
  if (state.mayJump === 1) state.mayJump = 0
  const { leave } = state
  if (!leave || (leave.how !== 'break' && leave.how !== 'continue')) return leave === null
  // More levels than there are loops are as many as there are.
  const levels = state.loops > 0 ? leave.levels : 1
  state.leave = levels > 1 ? { how: leave.how, levels: levels - 1 } : null
  return leave.how === 'continue' && levels <= 1
}

/**
 * Reads a loop of which it is not known how often it runs: what a turn changes is found by running one, then taken as unknown, and the
 * turn is read again with that, until nothing new changes. Afterwards it may have run any number of times.
 */
function anyNumberOfTurns(reading: Reading, state: State, source: Source, run: (state: State) => void): void {
  const changed = new Map<string, Changed>()
  const inputs = state.descriptors.sharedInputs().map((input) => ({ input, start: input.peek() }))
  const sinks = state.descriptors.sinks()
  const written = new Map<Sink, Value[]>(sinks.map((sink) => [sink, ['']]))
  let worst = source
  reading.hasChoices = true
  reading.undecided++
  const within = reading.branch
  let last: State = state.fork()
  for (let round = 0, isNew = true; round < 4 && (round < 2 || isNew); round++) {
    reading.work.add(40)
    reading.branch = ++reading.branches
    const fork = state.fork()
    if (round > 0) joinForks(reading.work, fork, [state.fork(), last])
    fork.leave = null
    for (const [name, one] of changed)
      fork.set(name, { ...(fork.get(name) ?? UNSET), value: changedInLoop(worst, one), items: null, choices: null })
    const own = new Map(sinks.map((sink) => [sink, new Sink()]))
    const descriptors = own.size === 0 ? state.descriptors : redirectedTo(state.descriptors, own, NO_INPUTS)
    fork.descriptors = descriptors
    isNew = false
    run(fork)
    fork.leave = null
    if (fork.descriptors === descriptors) fork.descriptors = state.descriptors
    for (const [name, variable] of fork.changed) {
      isNew = addTexts(changed, name, variable) || isNew
      worst = worstOf(worst, variable)
    }
    for (const [sink, { text }] of own) written.get(sink)?.push(text)
    for (const { input, start } of inputs)
      if (input.peek() !== start) input.leave(unknown('made', 'what a loop leaves to be read'))
    if (fork.cwd !== state.cwd) fork.cwd = null
    last = fork
  }
  joinForks(reading.work, state, [state.fork(), last])
  for (const [sink, texts] of written) if (texts.some((text) => text !== '')) sink.write(repeated(texts))
  reading.branch = within
  reading.undecided--
  state.mayLeave = false
}

const NO_INPUTS: ReadonlyMap<Input, Input> = new Map()

/** Text that is written once, or several times, or not at all. */
function repeated(texts: readonly Value[]): Value {
  const value = oneOf(texts)
  return typeof value === 'object' && value.source === 'condition' ? { ...value, source: 'output' } : value
}

/** So many texts are told of what a variable may be in a loop, if they are no longer than this. */
const TEXTS = 16
const TEXT_CHARS = 256

/** What turns make of a variable: texts, and whether it is never anything but a number. */
interface Changed {
  readonly texts: Set<string>
  isNumber: boolean
}

/** Notes what a turn made of a variable. True where that was not known of it. */
function addTexts(changed: Map<string, Changed>, name: string, { value, items, choices }: Variable): boolean {
  const known = changed.get(name)
  const one: Changed = known ?? { texts: new Set(), isNumber: items === null }
  const before = one.texts.size
  for (const held of choices ?? (items === null ? [value] : [])) {
    one.isNumber &&= typeof held === 'string' ? /^-?\d+$/.test(held) : held.source === 'number'
    for (const text of typeof held === 'string' ? [held] : (held.options ?? []))
      if (one.texts.size < TEXTS && text !== '' && text.length <= TEXT_CHARS) one.texts.add(text)
  }
  changed.set(name, one)
  return known === undefined || one.texts.size > before
}

function changedInLoop(source: Source, { texts, isNumber }: Changed): Value {
  if (isNumber) return A_NUMBER
  if (texts.size === 0) return unknown(source, 'changed in a loop')
  // There may be others.
  return { ...unknown(source === 'condition' ? 'output' : source, 'changed in a loop'), options: [...texts] }
}

/** Text that was made of the script's own stays that, however often it is changed. */
function worstOf(source: Source, { value, choices }: Variable): Source {
  let worst = source
  for (const one of choices ?? [value])
    if (typeof one === 'object' && (one.source === 'decoded' || one.source === 'made')) worst = worse(worst, one.source)
  return worst
}

/** `for x in …`: over what is known turn by turn. */
export function runFor(reading: Reading, state: State, node: For): void {
  const args = node.words ? expandWords(reading, state, node.words) : null
  const values = args ? args.map((arg) => wordsIn(state, arg)) : state.positional
  const open = args ? args.some((arg) => arg.several) : values.some(isMany)
  state.status = 0
  if (values.length === 0) {
    walkDead(reading, state, (s) => void oneTurn(reading, s, node, ''))
    return
  }
  if (node.kind === 'select') {
    // A line that is typed picks one of them, or nothing.
    assign(reading, state, 'REPLY', unknown('input', 'what somebody types'))
    anyNumberOfTurns(reading, state, 'condition', (s) => void oneTurn(reading, s, node, anyOf(values)))
    state.status = null
    return
  }
  let jump = 0
  for (const value of values) {
    const isCounted = reading.work.iterate()
    if (open || !isCounted) {
      const word = isCounted ? value : values.every(isNumber) ? A_NUMBER : unknown('made', 'one of many words')
      anyNumberOfTurns(reading, state, 'condition', (s) => void oneTurn(reading, s, node, word))
      if (!isCounted) break
      continue
    }
    if (!perhaps(reading, state, jump > 0, (s) => oneTurn(reading, s, node, value)) && !state.mayLeave) break
    jump = Math.max(jump, state.mayJump)
    state.mayJump = 0
  }
  state.mayJump = outOfLoop(Math.max(jump, state.mayJump))
}

const isNumber = (value: Value): boolean =>
  typeof value === 'string' ? /^-?\d+$/.test(value) : value.source === 'number'

/** An argument as one of the words it may be split into. What stood between quotes is not split. */
function wordsIn(state: State, arg: Arg): Value {
  const value = argValue(arg)
  if (typeof value === 'string' || !arg.several || value.options === undefined) return value
  const fields = new Fields(arg.span, ifsOf(state))
  for (const option of value.options) {
    fields.split(option)
    fields.end()
  }
  const others = value.source === 'condition' ? [] : [unknown(value.source, value.unknown)]
  return anyOf([...value.options, ...fields.args.map(argValue), ...others])
}

/** A turn that is run, or is not where control may have left the loop before. False when the loop is over in any case. */
function perhaps(reading: Reading, state: State, maybe: boolean, run: (state: State) => boolean): boolean {
  if (!maybe) return run(state)
  let goesOn = true
  forkMaybe(reading, state, (fork) => {
    goesOn = run(fork)
  })
  return goesOn
}

/** How far control goes yet that has left one loop. */
const outOfLoop = (reach: number): number => Math.max(0, reach - 2)

function oneTurn(reading: Reading, state: State, node: For, value: Value): boolean {
  const variable = state.get(node.name)
  // A reference refers to one after the other.
  if (variable?.attributes.includes('n')) state.set(node.name, { ...variable, value, isSet: true })
  else assign(reading, state, node.name, value)
  return turn(reading, state, node.body)
}

/** Turns of one loop that are read with what is known. */
const TURNS = 64

/** `while` and `until`: turn by turn while the condition is known, else any number of times. */
export function runWhile(reading: Reading, state: State, node: While): void {
  let last: number | null = 0
  for (let turns = 0; ; turns++) {
    // Where control may have left the loop, the test need not run again.
    const mayBeOver = state.mayJump > 0
    if (!mayBeOver) runStatements(reading, state, node.test)
    if (state.leave) return
    const { status } = state
    if (!mayBeOver && status !== null && (status === 0) === node.until) {
      if (turns === 0) walkDead(reading, state, (s) => void turn(reading, s, node.body))
      state.status = last
      return
    }
    if (status === null || state.mayLeave || state.mayJump > 0 || turns >= TURNS || !reading.work.iterate()) {
      const { mayJump } = state
      state.mayJump = 0
      anyNumberOfTurns(reading, state, turns < TURNS ? 'condition' : 'made', (s) => {
        if (turn(reading, s, node.body)) runStatements(reading, s, node.test)
      })
      state.status = null
      state.mayJump = outOfLoop(Math.max(mayJump, state.mayJump))
      return
    }
    if (!turn(reading, state, node.body)) return
    last = state.status
  }
}

/** `for ((a; b; c))`. */
export function runArithmeticFor(reading: Reading, state: State, node: ArithmeticFor): void {
  if (node.initialise) evaluateWord(reading, state, node.initialise)
  state.status = 0
  for (let turns = 0; ; turns++) {
    const test = node.test ? evaluateWord(reading, state, node.test) : 1
    if (test === 0) {
      if (turns === 0) walkDead(reading, state, (s) => void turn(reading, s, node.body))
      return
    }
    if (test === null || state.mayLeave || turns >= TURNS || !reading.work.iterate()) {
      anyNumberOfTurns(reading, state, turns < TURNS ? 'condition' : 'made', (s) => {
        turn(reading, s, node.body)
        if (node.update) evaluateWord(reading, s, node.update)
        if (node.test) evaluateWord(reading, s, node.test)
      })
      state.mayJump = outOfLoop(state.mayJump)
      return
    }
    if (!turn(reading, state, node.body)) return
    if (node.update) evaluateWord(reading, state, node.update)
  }
}
