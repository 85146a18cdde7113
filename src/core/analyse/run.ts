import type { AndOr, Block, Coproc, FunctionDefinition, If, Node, Pipeline, Statement } from '../shell/tree.js'
import { assignArray } from './assigning.js'
import { forkBranches, forkMaybe, walkDead } from './branch.js'
import { runCall } from './call.js'
import { runCase } from './case.js'
import { evaluateWord } from './evaluate.js'
import { runArithmeticFor, runFor, runWhile } from './loop.js'
import { ANY_ARGUMENTS } from './positional.js'
import type { Reading } from './reading.js'
import { noteErrors, withRedirects } from './redirect.js'
import { runSimple } from './simple.js'
import { type State, scalar, UNSET } from './state.js'
import { Input, Sink } from './streams.js'
import { subshell } from './substitute.js'
import { testExpression } from './test-expression.js'
import { A_NUMBER, type Hole, unknown } from './value.js'
import { listOf } from './variables.js'

/** Runs a list of commands one after the other, as far as that can be told. */
export function runStatements(reading: Reading, state: State, statements: readonly Statement[]): void {
  const before = reading.doubtful
  let doubtful = before
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i] as Statement
    if (state.leave) break
    reading.doubtful = before
    if (statement.background) {
      reading.background = true
      const inner = subshell(state, state.descriptors)
      runNode(reading, inner, statement.node)
      state.status = 0
    } else runNode(reading, state, statement.node)
    doubtful ??= reading.doubtful
    if (state.mayJump > 0 && i + 1 < statements.length) {
      runUnlessLeft(reading, state, statements.slice(i + 1))
      break
    }
  }
  reading.doubtful = doubtful
}

/** What is left of a list where control may have left it. */
function runUnlessLeft(reading: Reading, state: State, rest: readonly Statement[]): void {
  const { mayJump } = state
  state.mayJump = 0
  forkMaybe(reading, state, (fork) => runStatements(reading, fork, rest))
  state.mayJump = Math.max(state.mayJump, mayJump)
}

/** Runs one command of any kind. */
export function runNode(reading: Reading, state: State, node: Node): void {
  if (node.kind === 'simple') {
    runSimple(reading, state, node)
    return
  }
  reading.work.enter()
  const before = reading.here
  reading.here = reading.at(node.span)
  runCompound(reading, state, node)
  reading.here = before
  reading.work.exit()
}

function runCompound(reading: Reading, state: State, node: Exclude<Node, { kind: 'simple' }>): void {
  switch (node.kind) {
    case 'pipeline':
      runPipeline(reading, state, node)
      return
    case 'and-or':
      runAndOr(reading, state, node)
      return
    case 'group':
    case 'subshell':
      runBlock(reading, state, node)
      return
    case 'if':
      runIf(reading, state, node)
      return
    case 'for':
    case 'select':
      runFor(reading, state, node)
      return
    case 'arithmetic-for':
      runArithmeticFor(reading, state, node)
      return
    case 'while':
      runWhile(reading, state, node)
      return
    case 'case':
      runCase(reading, state, node)
      return
    case 'function':
      define(reading, state, node)
      return
    case 'coproc':
      runCoproc(reading, state, node)
      return
    case 'test': {
      const result = testExpression(reading, state, node.expression)
      state.status = result === null ? null : result ? 0 : 1
      return
    }
    case 'arithmetic': {
      const value = evaluateWord(reading, state, node.expression)
      state.status = value === null ? null : value === 0 ? 1 : 0
    }
  }
}

/** The number of a descriptor, as it mostly is. */
const ofCoprocess = (number: string): Hole => ({
  ...unknown('number', 'a descriptor of a coprocess'),
  options: [number, ''],
})

/** Its output can be read from one descriptor; what is written to the other is not followed. */
function runCoproc(reading: Reading, state: State, node: Coproc): void {
  const sink = new Sink()
  const input = new Input(unknown('decoded', 'what is written to a coprocess'))
  reading.background = true
  runNode(
    reading,
    subshell(state, state.descriptors.with(0, { input, sink: null }).with(1, { input: null, sink })),
    node.body,
  )
  // Its descriptors take the numbers that process substitutions would have.
  reading.unnumbered++
  assignArray(state, node.name, listOf([ofCoprocess('63'), ofCoprocess('60')]))
  // They are gone once it ends.
  for (const [name, value] of [
    [node.name, null],
    [`${node.name}_PID`, A_NUMBER],
  ] as const)
    state.set(name, { ...(value === null ? (state.get(name) ?? UNSET) : scalar(value)), mayBeUnset: true })
  state.descriptors = state.descriptors
    .with(63, { input: new Input(sink.text), sink: null })
    .with(60, { input: null, sink: new Sink() })
}

function runPipeline(reading: Reading, state: State, node: Pipeline): void {
  const { commands } = node
  if (commands.length === 1) runNode(reading, state, commands[0] as Node)
  else {
    let input: Input | null = null
    let hasFailed = false
    for (let i = 0; i < commands.length; i++) {
      const last = i === commands.length - 1
      const sink = last ? null : new Sink()
      let { descriptors } = state
      if (input) descriptors = descriptors.with(0, { input, sink: null })
      if (sink) {
        descriptors = descriptors.with(1, { input: null, sink })
        if (node.both[i]) descriptors = noteErrors(state, 2, descriptors.with(2, { input: null, sink }))
      }
      const inner = subshell(state, descriptors)
      runNode(reading, inner, commands[i] as Node)
      if (last && state.options.has('lastpipe')) state.adopt(inner)
      if (last) state.status = hasFailed && inner.status === 0 ? null : inner.status
      hasFailed ||= inner.status !== 0 && state.options.has('pipefail')
      input = sink ? new Input(sink.text) : null
    }
  }
  if (node.negated && state.status !== null) state.status = state.status === 0 ? 1 : 0
}

/** So many commands of one chain are followed by what it takes to get to them. Each is read in a state of its own. */
const CHAINED = 12

/** The commands of a list from one of them on. `chained`: so many before it had to go well, or wrong, for it to be reached at all. */
function runAndOr(reading: Reading, state: State, node: AndOr, from = 0, chained = 0): void {
  const before = reading.doubtful
  for (let i = from; i < node.commands.length; i++) {
    const command = node.commands[i]
    if (state.leave || !command) return
    reading.doubtful = before
    const operator = i === 0 ? null : (node.operators[i - 1] ?? null)
    if (operator !== null && state.status === null) {
      if (operator === '||' && runUnlessTold(reading, state, node, i, chained)) return
      if (chained < CHAINED && isChain(node, i) && !state.descriptors.hasSink) {
        runChain(reading, state, node, i, chained)
        return
      }
      const otherwise = operator === '&&' && node.operators[i] === '||' ? node.commands[i + 1] : undefined
      if (otherwise) {
        runEither(reading, state, command, otherwise)
        i++
        continue
      }
    }
    runNext(reading, state, command, operator)
  }
}

/** `command -v a || command -v b`: what the first prints is there only where the second is not run. False where it is not so. */
function runUnlessTold(reading: Reading, state: State, node: AndOr, from: number, chained: number): boolean {
  const { told } = reading
  reading.told = null
  if (told === null || state.descriptors.get(1)?.sink !== told.sink || told.sink.text !== told.after) return false
  if (node.operators.indexOf('&&', from) >= 0) return false
  told.sink.restore(told.before)
  forkBranches(reading, state, [
    (s) => {
      s.descriptors.get(1)?.sink?.write(told.line)
      s.status = 0
    },
    (s) => {
      s.status = 1
      runAndOr(reading, s, node, from, chained + 1)
    },
  ])
  return true
}

/** Is there more than one command from here on, with the same operator before all of them? */
function isChain({ commands, operators }: AndOr, from: number): boolean {
  if (from + 1 >= commands.length) return false
  for (let i = from; i < operators.length; i++) if (operators[i] !== operators[from - 1]) return false
  return true
}

/** What is read next is read where the command before went well: a `cd` went where it should. */
function wentWell(state: State): void {
  state.status = 0
  if (state.stays.length > 0) state.stays = []
}

/** `cd a && make && cp b c`: the third runs only where the second did, and where that ended as it had to. */
function runChain(reading: Reading, state: State, node: AndOr, from: number, chained: number): void {
  forkMaybe(reading, state, (s) => {
    if (node.operators[from - 1] === '&&') wentWell(s)
    runNode(reading, s, node.commands[from] as Node)
    runAndOr(reading, s, node, from + 1, chained + 1)
  })
}

/** `a && b || c` with an `a` of which nothing is known: where it fails only `c` runs, and where `b` is fine only `b`. */
function runEither(reading: Reading, state: State, command: Node, otherwise: Node): void {
  forkBranches(reading, state, [
    (s) => {
      wentWell(s)
      runNode(reading, s, command)
      if (!s.leave) runNext(reading, s, otherwise, '||')
    },
    (s) => runNode(reading, s, otherwise),
  ])
}

function runNext(reading: Reading, state: State, command: Node, operator: '&&' | '||' | null): void {
  const { status } = state
  if (operator === null || (status !== null && (status === 0) === (operator === '&&'))) runNode(reading, state, command)
  else if (status !== null) walkDead(reading, state, (s) => runNode(reading, s, command))
  else
    forkMaybe(reading, state, (s) => {
      if (operator === '&&') wentWell(s)
      runNode(reading, s, command)
    })
}

function runBlock(reading: Reading, state: State, node: Block): void {
  withRedirects(reading, state, node.redirects, (inner) => {
    if (node.kind === 'group') runStatements(reading, inner, node.body)
    else {
      const own = subshell(inner, inner.descriptors)
      own.waits++
      runStatements(reading, own, node.body)
      inner.status = own.status
    }
  })
}

function runIf(reading: Reading, state: State, node: If, from = 0): void {
  const arm = node.arms[from]
  if (!arm) {
    if (node.otherwise) runStatements(reading, state, node.otherwise)
    else state.status = 0
    return
  }
  runStatements(reading, state, arm.test)
  const { status } = state
  const rest = (s: State): void => runIf(reading, s, node, from + 1)
  const body = (s: State): void => {
    s.status = 0
    runStatements(reading, s, arm.body)
  }
  if (status === null) forkBranches(reading, state, [body, rest])
  else if (status === 0) {
    body(state)
    walkDead(reading, state, rest)
  } else {
    walkDead(reading, state, body)
    rest(state)
  }
}

function define(reading: Reading, state: State, node: FunctionDefinition): void {
  state.setFunction(node.name, node.body)
  state.status = 0
  // bash calls this one by itself, with whatever was not found.
  if (node.name === 'command_not_found_handle') {
    const inner = subshell(state, state.descriptors)
    inner.positional = ANY_ARGUMENTS
    runCall(reading, inner, node.name, node.body, null)
  }
}
