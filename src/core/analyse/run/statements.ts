import type { AndOr, Block, Coproc, FunctionDefinition, If, Node, Pipeline, Statement } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { analyseUnreachable, forkBranches, forkMaybe } from '../analysis/fork-branches.js'
import { evaluateWord } from '../expand/arithmetic.js'
import { assignArray } from '../expand/assign.js'
import { subshell } from '../expand/substitution.js'
import { testExpression } from '../expand/test-expression.js'
import { listOf } from '../expand/variables.js'
import { ANY_ARGUMENTS } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { Input, Sink } from '../state/streams.js'
import { scalar, UNSET } from '../state/variable.js'
import { A_NUMBER, type UnknownValue, unknown } from '../values/value.js'
import { runCase } from './case.js'
import { runCall } from './functions-and-aliases.js'
import { runArithmeticFor, runFor, runWhile } from './loops.js'
import { noteErrors, withRedirects } from './redirections.js'
import { runSimple } from './simple-command.js'

/** Runs a list of commands until control certainly leaves it. */
export function runStatements(analysis: Analysis, state: State, statements: readonly Statement[]): void {
  const before = analysis.unset.inStatement
  let unsetInStatement = before
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i] as Statement
    if (state.control.exit) break
    analysis.unset.inStatement = before
    if (statement.background) {
      state.history.hasBackground = true
      const inner = subshell(state, state.descriptors)
      runNode(analysis, inner, statement.node)
      state.control.status = 0
    } else runNode(analysis, state, statement.node)
    unsetInStatement ??= analysis.unset.inStatement
    if (state.control.mayExitLevels > 0 && i + 1 < statements.length) {
      runUnlessLeft(analysis, state, statements.slice(i + 1))
      break
    }
  }
  analysis.unset.inStatement = unsetInStatement
}

/** Runs the rest of a list when control may have left it. */
function runUnlessLeft(analysis: Analysis, state: State, rest: readonly Statement[]): void {
  const { mayExitLevels } = state.control
  state.control.mayExitLevels = 0
  forkMaybe(analysis, state, (fork) => runStatements(analysis, fork, rest))
  state.control.mayExitLevels = Math.max(state.control.mayExitLevels, mayExitLevels)
}

export function runNode(analysis: Analysis, state: State, node: Node): void {
  if (node.kind === 'simple') {
    runSimple(analysis, state, node)
    return
  }
  analysis.budget.enter()
  analysis.location.at(node.span, () => runCompound(analysis, state, node))
  analysis.budget.exit()
}

function runCompound(analysis: Analysis, state: State, node: Exclude<Node, { kind: 'simple' }>): void {
  switch (node.kind) {
    case 'pipeline':
      runPipeline(analysis, state, node)
      return
    case 'and-or':
      runAndOr(analysis, state, node)
      return
    case 'group':
    case 'subshell':
      runBlock(analysis, state, node)
      return
    case 'if':
      runIf(analysis, state, node)
      return
    case 'for':
    case 'select':
      runFor(analysis, state, node)
      return
    case 'arithmetic-for':
      runArithmeticFor(analysis, state, node)
      return
    case 'while':
      runWhile(analysis, state, node)
      return
    case 'case':
      runCase(analysis, state, node)
      return
    case 'function':
      define(analysis, state, node)
      return
    case 'coproc':
      runCoproc(analysis, state, node)
      return
    case 'test': {
      const result = testExpression(analysis, state, node.expression)
      state.control.status = result === null ? null : result ? 0 : 1
      return
    }
    case 'arithmetic': {
      const value = evaluateWord(analysis, state, node.expression)
      state.control.status = value === null ? null : value === 0 ? 1 : 0
    }
  }
}

/** Returns a descriptor number as a value. */
const ofCoprocess = (number: string): UnknownValue => ({
  ...unknown('number', 'a descriptor of a coprocess'),
  alternatives: [number, ''],
})

/** Runs a coprocess. Its output can be read from one descriptor; its input is not followed. */
function runCoproc(analysis: Analysis, state: State, node: Coproc): void {
  const sink = new Sink()
  const input = new Input(unknown('decoded', 'input of a coprocess'))
  state.history.hasBackground = true
  runNode(
    analysis,
    subshell(state, state.descriptors.with(0, { input, sink: null }).with(1, { input: null, sink })),
    node.body,
  )
  // The descriptors take numbers that process substitutions would get.
  analysis.processSubstitutions.loseNumbers()
  assignArray(state, node.name, listOf([ofCoprocess('63'), ofCoprocess('60')]))
  // bash unsets them when the coprocess ends.
  for (const [name, value] of [
    [node.name, null],
    [`${node.name}_PID`, A_NUMBER],
  ] as const)
    state.variables.set(name, {
      ...(value === null ? (state.variables.get(name) ?? UNSET) : scalar(value)),
      mayBeUnset: true,
    })
  state.descriptors = state.descriptors
    .with(63, { input: new Input(sink.text), sink: null })
    .with(60, { input: null, sink: new Sink() })
}

function runPipeline(analysis: Analysis, state: State, node: Pipeline): void {
  const { commands } = node
  if (commands.length === 1) runNode(analysis, state, commands[0] as Node)
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
      runNode(analysis, inner, commands[i] as Node)
      if (last && state.options.has('lastpipe')) state.adopt(inner)
      if (last) state.control.status = hasFailed && inner.control.status === 0 ? null : inner.control.status
      hasFailed ||= inner.control.status !== 0 && state.options.has('pipefail')
      input = sink ? new Input(sink.text) : null
    }
  }
  if (node.negated && state.control.status !== null) state.control.status = state.control.status === 0 ? 1 : 0
}

/** The maximum number of commands in a chain that are analysed with the results of the earlier ones. */
const MAX_CHAINED = 12

/** Runs an and-or list from an index on, after `chained` commands with a required result. */
function runAndOr(analysis: Analysis, state: State, node: AndOr, from = 0, chained = 0): void {
  const before = analysis.unset.inStatement
  for (let i = from; i < node.commands.length; i++) {
    const command = node.commands[i]
    if (state.control.exit || !command) return
    analysis.unset.inStatement = before
    const operator = i === 0 ? null : (node.operators[i - 1] ?? null)
    if (operator !== null && state.control.status === null) {
      if (operator === '||' && runUnlessPrinted(analysis, state, node, i, chained)) return
      if (chained < MAX_CHAINED && isChain(node, i) && !state.descriptors.hasSink) {
        runChain(analysis, state, node, i, chained)
        return
      }
      const otherwise = operator === '&&' && node.operators[i] === '||' ? node.commands[i + 1] : undefined
      if (otherwise) {
        runEither(analysis, state, command, otherwise)
        i++
        continue
      }
    }
    runNext(analysis, state, command, operator)
  }
}

/** Runs `command -v a || command -v b`: the first prints only if the second does not run. False for other lists. */
function runUnlessPrinted(analysis: Analysis, state: State, node: AndOr, from: number, chained: number): boolean {
  const sink = state.descriptors.get(1)?.sink
  const line = sink?.conditionalLine
  if (!(sink && line) || line.step !== analysis.budget.steps || line.after !== sink.text) return false
  sink.conditionalLine = null
  if (node.operators.indexOf('&&', from) >= 0) return false
  sink.restore(line.before)
  forkBranches(analysis, state, [
    (s) => {
      s.descriptors.get(1)?.sink?.write(line.text)
      s.control.status = 0
    },
    (s) => {
      s.control.status = 1
      runAndOr(analysis, s, node, from, chained + 1)
    },
  ])
  return true
}

/** Tells whether several commands follow that are all joined by the same operator. */
function isChain({ commands, operators }: AndOr, from: number): boolean {
  if (from + 1 >= commands.length) return false
  for (let i = from; i < operators.length; i++) if (operators[i] !== operators[from - 1]) return false
  return true
}

/** Assumes that the last command succeeded: a `cd` reached its directory. */
function assumeSuccess(state: State): void {
  state.control.status = 0
  if (state.directory.possibleOldCwds.length > 0) state.directory = { ...state.directory, possibleOldCwds: [] }
}

/** Runs `cd a && make && cp b c`: each command runs only after the required results of the others. */
function runChain(analysis: Analysis, state: State, node: AndOr, from: number, chained: number): void {
  forkMaybe(analysis, state, (s) => {
    if (node.operators[from - 1] === '&&') assumeSuccess(s)
    runNode(analysis, s, node.commands[from] as Node)
    runAndOr(analysis, s, node, from + 1, chained + 1)
  })
}

/** Runs `a && b || c` with an unknown `a`: `c` if `a` fails, `b` alone if it succeeds. */
function runEither(analysis: Analysis, state: State, command: Node, otherwise: Node): void {
  forkBranches(analysis, state, [
    (s) => {
      assumeSuccess(s)
      runNode(analysis, s, command)
      if (!s.control.exit) runNext(analysis, s, otherwise, '||')
    },
    (s) => runNode(analysis, s, otherwise),
  ])
}

function runNext(analysis: Analysis, state: State, command: Node, operator: '&&' | '||' | null): void {
  const { status } = state.control
  if (operator === null || (status !== null && (status === 0) === (operator === '&&')))
    runNode(analysis, state, command)
  else if (status !== null) analyseUnreachable(analysis, state, (s) => runNode(analysis, s, command))
  else
    forkMaybe(analysis, state, (s) => {
      if (operator === '&&') assumeSuccess(s)
      runNode(analysis, s, command)
    })
}

function runBlock(analysis: Analysis, state: State, node: Block): void {
  withRedirects(analysis, state, node.redirects, (inner) => {
    if (node.kind === 'group') runStatements(analysis, inner, node.body)
    else {
      const own = subshell(inner, inner.descriptors)
      own.waits++
      runStatements(analysis, own, node.body)
      inner.control.status = own.control.status
    }
  })
}

function runIf(analysis: Analysis, state: State, node: If, from = 0): void {
  const arm = node.arms[from]
  if (!arm) {
    if (node.otherwise) runStatements(analysis, state, node.otherwise)
    else state.control.status = 0
    return
  }
  runStatements(analysis, state, arm.test)
  const { status } = state.control
  const rest = (s: State): void => runIf(analysis, s, node, from + 1)
  const body = (s: State): void => {
    s.control.status = 0
    runStatements(analysis, s, arm.body)
  }
  if (status === null) forkBranches(analysis, state, [body, rest])
  else if (status === 0) {
    body(state)
    analyseUnreachable(analysis, state, rest)
  } else {
    analyseUnreachable(analysis, state, body)
    rest(state)
  }
}

function define(analysis: Analysis, state: State, node: FunctionDefinition): void {
  state.definitions.setFunction(node.name, node.body)
  state.control.status = 0
  // bash calls this function for commands it cannot find.
  if (node.name === 'command_not_found_handle') {
    const inner = subshell(state, state.descriptors)
    inner.arguments = { ...inner.arguments, positional: ANY_ARGUMENTS }
    runCall(analysis, inner, node.name, node.body, null)
  }
}
