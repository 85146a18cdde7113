import { displayCommand, shellWord } from '../model/run/display.js'
import type { Answers, Facts, Question } from '../model/run/facts.js'
import type { Command } from '../model/run/request.js'
import { parseScript } from '../shell/parse-script.js'
import type { Script } from '../shell/tree.js'
import { Analysis } from './analysis/analysis.js'
import type { AnalysisInput } from './analysis/analysis-input.js'
import type { Interpreter } from './analysis/interpreter.js'
import { linesBeforeError, mayChangeGrammar } from './analysis/lines-before-error.js'
import type { Trap } from './analysis/traps.js'
import { writeListing } from './builtins/listings.js'
import { builtinNamed } from './builtins/registry.js'
import { addVariable } from './expand/environment-facts.js'
import { runProgram } from './invoke/program.js'
import { runUnknown } from './invoke/unknown-command-word.js'
import { recoverStatements } from './run/parse-recovery.js'
import { runScript, runText } from './run/shell-text.js'
import { runArguments } from './run/simple-command.js'
import { runStatements } from './run/statements.js'
import { Descriptors } from './state/descriptors.js'
import { mergeVariables } from './state/join-variables.js'
import { State } from './state/state.js'
import { DISCARDED, Input } from './state/streams.js'
import { scalar } from './state/variable.js'
import { startIn } from './state/working-directory.js'
import { OverBudget } from './text/cost-meter.js'
import { unknown, type Value } from './values/value.js'

export type { AnalysisInput } from './analysis/analysis-input.js'

const INTERPRETER: Interpreter = {
  runStatements,
  runText,
  runScript,
  recoverStatements,
  builtinNamed,
  writeListing,
  runProgram,
  runUnknown,
}

/** The facts of a command, the questions for the host, and the steps that the analysis took. */
export interface AnalysisResult {
  readonly facts: Facts
  readonly questions: readonly Question[]
  readonly cost: number
}

/** Analyses a command. Pure; never throws. Code that cannot be parsed is reported as unknown. */
export const analyse = (command: Command, input: AnalysisInput, answers: Answers): AnalysisResult =>
  analyserOf(command, input)(answers)

/** Returns an analysis that the caller repeats with more answers. It parses the script once. */
export function analyserOf(command: Command, input: AnalysisInput): (answers: Answers) => AnalysisResult {
  const script = command.mode === 'shell' ? parseScript(command.script) : null
  return (answers) => {
    const analysis = new Analysis(input, answers, INTERPRETER, command.mode === 'shell' ? command.script : '')
    try {
      analyseCommand(analysis, command, script)
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no reason'
      analysis.findings.giveUp(
        error instanceof OverBudget
          ? `the script is too large to analyse: ${reason}`
          : `the analyser failed: ${reason}`,
        [0, displayCommand(command).length],
      )
    }
    return { facts: analysis.findings.facts(), questions: analysis.questions.list, cost: analysis.budget.done }
  }
}

function analyseCommand(analysis: Analysis, command: Command, script: Script | null): void {
  const state = initialState(analysis)
  if (command.mode === 'structured') {
    analyseStructured(analysis, state, command.program, command.args)
    return
  }
  if (script === null) return
  if (script.isTooLarge) throw new OverBudget(script.parseErrors[0]?.reason)
  const begun = script.parseErrors.length > 0 ? linesBeforeError(analysis, command.script, 'bash') : null
  runStatements(analysis, state, (begun ?? script).statements)
  if (script.parseErrors.length > 0 && (begun === null || mayChangeGrammar(analysis, state))) {
    for (const { reason, span } of script.parseErrors) analysis.findings.spot({ kind: 'unknown', reason, span })
    analysis.location.at([0, command.script.length], () => recoverStatements(analysis, state, command.script))
  }
  for (const trap of analysis.traps.list) if (dependsOnLaterState(trap.state, trap.text)) runTrapAgain(analysis, trap)
}

/** Runs a trap again when the script ends, because the trap sees variables set after it. */
function runTrapAgain(analysis: Analysis, { text, span, state }: Trap): void {
  const inner = state.fork()
  inner.control.exit = null
  inner.via = ['trap']
  for (const [name, variables] of state.history.variables) inner.variables.set(name, mergeVariables([...variables]))
  analysis.location.at(span, () => runText(analysis, inner, text))
}

/** Tells whether the text depends on variables or functions that can change after the trap is set. */
const dependsOnLaterState = (shell: State, text: Value): boolean =>
  typeof text !== 'string' ||
  /[$`]/.test(text) ||
  text.split(/[^\w.:-]+/).some((word) => shell.definitions.functionNamed(word))

function initialState(analysis: Analysis): State {
  const { input } = analysis
  const state = new State(null, {
    directory: startIn(input.cwd),
    arguments: { positional: [], scriptName: 'bash' },
    descriptors: standard(input.stdin),
  })
  for (const [name, value] of input.env) {
    state.variables.set(name, { ...scalar(value), exported: true })
    addVariable(analysis, state, name, [0, 0])
  }
  return state
}

const standard = (stdin: string | undefined): Descriptors =>
  new Descriptors(
    { input: new Input(stdin ?? unknown('input', 'the standard input of the request')), sink: null },
    DISCARDED,
    DISCARDED,
  )

/** Analyses a program with literal arguments. No shell runs, so aliases, functions and builtins do not apply. */
function analyseStructured(analysis: Analysis, state: State, program: string, args: readonly string[]): void {
  let at = 0
  const words = [program, ...args].map((text) => {
    const length = shellWord(text).length
    const span = [at, at + length] as const
    at += length + 1
    return { text, prefix: text, maySplit: false, span }
  })
  analysis.location.at([0, Math.max(0, at - 1)], () => runArguments(analysis, state, words))
}
