import type { ArithmeticFor, For, Statement, While } from '../shell/tree.js'
import { assign } from './assigning.js'
import { forkBranches, forkMaybe, walkDead } from './branch.js'
import { evaluateWord } from './evaluate.js'
import { expandWords } from './expand.js'
import { Fields } from './fields.js'
import { changesVariables, eitherLast, joinForks } from './join.js'
import { LoopStreams } from './loop-streams.js'
import { isMany } from './many-elements.js'
import { oneOf } from './one-of.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runStatements } from './run.js'
import { type State, scalar, type Variable } from './state.js'
import { argValue, unknown, type Value, worse } from './value.js'
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
 * A loop of which it is not known how often it runs: what a turn changes is found by running one, then taken as unknown, and the turn
 * is read again with that, until nothing new changes. Afterwards it may have run any number of times.
 */
function anyNumberOfTurns(reading: Reading, state: State, source: Source, run: (state: State) => void): void {
  const changed = new Map<string, Set<string>>()
  let worst = source
  reading.hasChoices = true
  reading.hasLost ||= source === 'lost'
  reading.undecided++
  const within = reading.branch
  const streams = new LoopStreams(state.descriptors)
  let last: State | null = null
  for (let round = 0, isNew = true; round < 4 && (round < 2 || isNew); round++) {
    reading.work.add(40)
    reading.branch = ++reading.branches
    const fork: State = last === null ? state.fork() : startOfNext(reading, state, last)
    fork.descriptors = streams.begin(round)
    for (const [name, texts] of changed)
      fork.set(name, {
        ...(fork.get(name) ?? NEW),
        value: changedInLoop(worst, texts),
        items: null,
        choices: null,
      })
    isNew = false
    const { descriptors } = fork
    run(fork)
    fork.leave = null
    if (fork.descriptors === descriptors) fork.descriptors = state.descriptors
    for (const [name, variable] of fork.changed) {
      isNew = addTexts(changed, name, variable) || isNew
      worst = worstOf(worst, variable)
    }
    if (fork.cwd !== state.cwd) fork.cwd = null
    last = fork
  }
  if (last !== null) joinForks(reading.work, state, [state.fork(), last])
  streams.end()
  reading.branch = within
  reading.undecided--
  state.mayLeave = false
}

/** So many texts are told of what a variable may be in a loop, if they are no longer than this. */
const TEXTS = 16
const TEXT_CHARS = 256

/** Notes what a turn made of a variable. True where that was not known of it. */
function addTexts(changed: Map<string, Set<string>>, name: string, { value, items, choices }: Variable): boolean {
  const known = changed.get(name)
  const texts = known ?? new Set()
  const before = texts.size
  for (const one of choices ?? (items === null ? [value] : []))
    for (const text of typeof one === 'string' ? [one] : (one.options ?? []))
      if (texts.size < TEXTS && text !== '' && text.length <= TEXT_CHARS) texts.add(text)
  changed.set(name, texts)
  return known === undefined || texts.size > before
}

function changedInLoop(source: Source, texts: ReadonlySet<string>): Value {
  if (texts.size === 0) return unknown(source, 'changed in a loop')
  // There may be others.
  return { ...unknown(source === 'condition' ? 'output' : source, 'changed in a loop'), options: [...texts] }
}

/** What the shell is before another turn: as it was before the loop, or as the turn before left it. */
function startOfNext(reading: Reading, state: State, last: State): State {
  const next = state.fork()
  if (changesVariables(last, state) && keepsKinds(state, last)) {
    next.status = last.status === state.status ? state.status : null
    next.last = eitherLast([state, last])
    return next
  }
  joinForks(reading.work, next, [state.fork(), last])
  next.leave = null
  return next
}

/** One that a turn sets, which there need not have been one of before. */
const NEW: Variable = { ...scalar(''), mayBeUnset: true }

/** Were variables that there were before given values, and nothing else? All of those are set anew for the next turn. */
function keepsKinds(state: State, last: State): boolean {
  for (const [name, variable] of last.changed) {
    const before = state.get(name) ?? NEW
    if (!before.isSet || variable.mayBeUnset) return false
    if (before.exported !== variable.exported || before.attributes !== variable.attributes) return false
  }
  return true
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
  reading.hasFailed = false
  const args = node.words ? expandWords(reading, state, node.words) : null
  if (reading.hasFailed) forkMaybe(reading, state, (fork) => runForArguments(reading, fork, node, args))
  else runForArguments(reading, state, node, args)
}

function runForArguments(reading: Reading, state: State, node: For, args: readonly Arg[] | null): void {
  const at = args === null || node.kind === 'select' ? -1 : args.findIndex((arg) => arg.several && arg.options?.length)
  if (args && at >= 0) {
    runForEach(reading, state, node, args, at)
    return
  }
  runForWords(reading, state, node, args)
}

/** A word that is one of several, each of which may be many words: the loop is run for each. */
function runForEach(reading: Reading, state: State, node: For, args: readonly Arg[], at: number): void {
  const word = args[at] as Arg
  const { options = [], ...rest } = word
  const ifs = ifsOf(state)
  const lists = options.flatMap((option) => {
    const fields = new Fields(word.span, ifs)
    fields.split(option)
    fields.end()
    const [only] = fields.args
    // What stands between quotes is not split.
    const whole: Arg = { text: option, head: option, several: false, span: word.span }
    return fields.args.length === 1 && only?.text === option ? [fields.args] : [fields.args, [whole]]
  })
  const unknown = word.source === 'condition' ? [] : [[rest]]
  forkBranches(
    reading,
    state,
    [...lists, ...unknown].map((list) => (fork) => runForWords(reading, fork, node, args.toSpliced(at, 1, ...list))),
  )
}

function runForWords(reading: Reading, state: State, node: For, args: readonly Arg[] | null): void {
  const values = args ? args.map(argValue) : state.positional
  const open = args ? args.some((arg) => arg.several) : values.some(isMany)
  state.status = 0
  if (node.kind === 'select') {
    runSelect(reading, state, node, values, open)
    return
  }
  if (values.length === 0) {
    walkDead(reading, state, (s) => void oneTurn(reading, s, node, ''))
    return
  }
  let jump = 0
  for (const value of values) {
    const isCounted = reading.work.iterate()
    if (open || !isCounted) {
      const word = isCounted ? value : unknown('lost', 'one of many words')
      anyNumberOfTurns(reading, state, isCounted ? 'condition' : 'lost', (s) => void oneTurn(reading, s, node, word))
      if (!isCounted) break
      continue
    }
    if (!perhaps(reading, state, jump > 0, (s) => oneTurn(reading, s, node, value)) && !state.mayLeave) break
    jump = Math.max(jump, state.mayJump)
    state.mayJump = 0
  }
  state.mayJump = outOfLoop(Math.max(jump, state.mayJump))
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

/** `select`: a turn for each line that is typed; an empty one only shows the list again, and at the end of all it is over. */
function runSelect(reading: Reading, state: State, node: For, values: readonly Value[], open: boolean): void {
  if (values.length === 0) return
  for (;;) {
    const input = state.descriptors.get(0)?.input
    const line = input?.line('\n')
    if (input && !line) {
      assign(reading, state, 'REPLY', '')
      state.status = 1
      return
    }
    const text = line?.text ?? unknown('input', 'what somebody types')
    if (typeof text !== 'string' || open || !reading.work.iterate()) {
      assign(reading, state, 'REPLY', typeof text === 'string' ? unknown('condition', 'what somebody types') : text)
      // What is none of their numbers picks nothing.
      const picked = oneOf([...values, ''])
      anyNumberOfTurns(reading, state, 'condition', (s) => void oneTurn(reading, s, node, picked))
      state.status = null
      return
    }
    if (text === '') continue
    assign(reading, state, 'REPLY', text)
    if (!oneTurn(reading, state, node, /^\d+$/.test(text) ? (values[Number(text) - 1] ?? '') : '')) return
  }
}

function oneTurn(reading: Reading, state: State, node: For, value: Value): boolean {
  const variable = state.get(node.name)
  // A reference refers to one after the other.
  if (variable?.attributes.includes('n')) state.set(node.name, { ...variable, value, isSet: true })
  else assign(reading, state, node.name, value)
  return turn(reading, state, node.body)
}

/** `while` and `until`: turn by turn while the condition is known, else any number of times. */
export function runWhile(reading: Reading, state: State, node: While): void {
  let last: number | null = 0
  for (let turns = 0; ; turns++) {
    runStatements(reading, state, node.test)
    if (state.leave) return
    const { status } = state
    const over = status !== null && (status === 0) === node.until
    if (over) {
      if (turns === 0) walkDead(reading, state, (s) => void turn(reading, s, node.body))
      state.status = last
      return
    }
    const isOpen = status === null || state.mayLeave
    if (isOpen || !reading.work.iterate()) {
      anyNumberOfTurns(reading, state, isOpen ? 'condition' : 'lost', (s) => {
        if (turn(reading, s, node.body)) runStatements(reading, s, node.test)
      })
      state.status = null
      state.mayJump = outOfLoop(state.mayJump)
      return
    }
    const goesOn = turn(reading, state, node.body)
    if (state.mayJump > 0) {
      // It may be over here, and what comes is any number of turns, if any.
      const { mayJump } = state
      state.mayJump = 0
      if (goesOn) forkMaybe(reading, state, (fork) => runWhile(reading, fork, node))
      state.mayJump = Math.max(outOfLoop(mayJump), state.mayJump)
      return
    }
    if (!goesOn) return
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
    const isOpen = test === null || state.mayLeave
    if (isOpen || !reading.work.iterate()) {
      anyNumberOfTurns(reading, state, isOpen ? 'condition' : 'lost', (s) => {
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
