import type { ArithmeticFor, For, Statement, While } from '../shell/tree.js'
import { forkBranches, walkDead } from './branch.js'
import { evaluateWord } from './evaluate.js'
import { expandWords } from './expand.js'
import { joinForks } from './join.js'
import type { Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runStatements } from './run.js'
import { type State, scalar } from './state.js'
import { argValue, hole, type Value } from './value.js'
import { assign } from './variables.js'

/** Runs one turn of a loop. False when the loop is over. */
function turn(reading: Reading, state: State, body: readonly Statement[]): boolean {
  state.loops++
  runStatements(reading, state, body)
  state.loops--
  const { leave } = state
  if (!leave || (leave.how !== 'break' && leave.how !== 'continue')) return leave === null
  state.leave = leave.levels > 1 && state.loops > 0 ? { how: leave.how, levels: leave.levels - 1 } : null
  return leave.how === 'continue' && leave.levels <= 1
}

/**
 * A loop of which it is not known how often it runs: what a turn changes is found by running one, then taken as unknown, and the turn
 * is read again with that, until nothing new changes. Afterwards it may have run any number of times.
 */
function anyNumberOfTurns(reading: Reading, state: State, source: Source, run: (state: State) => void): void {
  const changed = new Set<string>()
  reading.hasChoices = true
  reading.hasLost ||= source === 'lost'
  reading.undecided++
  for (let round = 0; round < 4; round++) {
    const fork = state.fork()
    for (const name of changed)
      fork.set(name, {
        ...(fork.get(name) ?? scalar('')),
        value: hole('changed in a loop', source),
        items: null,
        choices: null,
      })
    const before = changed.size
    run(fork)
    fork.leave = null
    for (const name of fork.changed.keys()) changed.add(name)
    if (fork.cwd !== state.cwd) fork.cwd = null
    if (round > 0 && changed.size === before) {
      joinForks(reading.work, state, [state.fork(), fork])
      break
    }
    if (round === 3) joinForks(reading.work, state, [state.fork(), fork])
  }
  reading.undecided--
  state.mayLeave = false
}

/** `for x in …`: over what is known turn by turn. */
export function runFor(reading: Reading, state: State, node: For): void {
  const args = node.words ? expandWords(reading, state, node.words) : null
  const values = args ? args.map(argValue) : (state.positional ?? [hole('arguments that are not known', 'input')])
  const open = args ? args.some((arg) => arg.several) : state.positional === null
  state.status = 0
  if (node.kind === 'select') {
    const line = state.descriptors.get(0)?.input?.line('\n')
    assign(reading, state, 'REPLY', line?.text ?? hole('what somebody types', 'input'))
    forkBranches(
      reading,
      state,
      values.map((value) => (s) => void oneTurn(reading, s, node, value)),
    )
    return
  }
  if (values.length === 0) {
    walkDead(reading, state, (s) => void oneTurn(reading, s, node, ''))
    return
  }
  for (const value of values) {
    const isCounted = reading.iterate()
    if (open || !isCounted) {
      const word = isCounted ? value : hole('one of many words', 'lost')
      anyNumberOfTurns(reading, state, isCounted ? 'condition' : 'lost', (s) => void oneTurn(reading, s, node, word))
      if (!isCounted) return
      continue
    }
    if (!oneTurn(reading, state, node, value) && !state.mayLeave) return
  }
}

function oneTurn(reading: Reading, state: State, node: For, value: Value): boolean {
  assign(reading, state, node.name, value)
  return turn(reading, state, node.body)
}

/** `while` and `until`: turn by turn while the condition is known, else any number of times. */
export function runWhile(reading: Reading, state: State, node: While): void {
  for (let turns = 0; ; turns++) {
    runStatements(reading, state, node.test)
    if (state.leave) return
    const { status } = state
    const over = status !== null && (status === 0) === node.until
    if (over) {
      if (turns === 0) walkDead(reading, state, (s) => void turn(reading, s, node.body))
      state.status = 0
      return
    }
    const isOpen = status === null || state.mayLeave
    if (isOpen || !reading.iterate()) {
      anyNumberOfTurns(reading, state, isOpen ? 'condition' : 'lost', (s) => {
        if (turn(reading, s, node.body)) runStatements(reading, s, node.test)
      })
      state.status = null
      return
    }
    if (!turn(reading, state, node.body)) return
  }
}

/** `for ((a; b; c))`. */
export function runArithmeticFor(reading: Reading, state: State, node: ArithmeticFor): void {
  if (node.initialise) evaluateWord(reading, state, node.initialise)
  for (let turns = 0; ; turns++) {
    const test = node.test ? evaluateWord(reading, state, node.test) : 1n
    if (test === 0n) {
      if (turns === 0) walkDead(reading, state, (s) => void turn(reading, s, node.body))
      return
    }
    const isOpen = test === null || state.mayLeave
    if (isOpen || !reading.iterate()) {
      anyNumberOfTurns(reading, state, isOpen ? 'condition' : 'lost', (s) => {
        turn(reading, s, node.body)
        if (node.update) evaluateWord(reading, s, node.update)
        if (node.test) evaluateWord(reading, s, node.test)
      })
      return
    }
    if (!turn(reading, state, node.body)) return
    if (node.update) evaluateWord(reading, state, node.update)
  }
}
