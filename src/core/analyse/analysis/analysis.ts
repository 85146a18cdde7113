import type { Answers } from '../../model/run/facts.js'
import { ScriptFiles } from '../state/script-files.js'
import type { AnalysisInput } from './analysis-input.js'
import { Budget } from './budget.js'
import { CallStack } from './call-stack.js'
import { Certainty } from './certainty.js'
import { Findings } from './findings.js'
import type { Interpreter } from './interpreter.js'
import { ProcessSubstitutions } from './process-substitutions.js'
import { Questions } from './questions.js'
import { SourceLocation } from './source-location.js'
import { Traps } from './traps.js'
import { UnsetVariables } from './unset-variables.js'

/** One analysis: its input, what it found, and the parts that belong to no single shell. */
export class Analysis {
  readonly input: AnalysisInput
  readonly answers: Answers
  readonly interpreter: Interpreter
  readonly questions: Questions
  readonly location: SourceLocation
  readonly certainty = new Certainty()
  readonly budget = new Budget()
  readonly findings: Findings
  readonly files = new ScriptFiles()
  readonly calls = new CallStack()
  readonly traps = new Traps()
  readonly processSubstitutions = new ProcessSubstitutions()
  readonly unset: UnsetVariables

  constructor(input: AnalysisInput, answers: Answers, interpreter: Interpreter, source: string) {
    this.input = input
    this.answers = answers
    this.interpreter = interpreter
    this.questions = new Questions(answers)
    this.location = new SourceLocation(source)
    this.findings = new Findings(this.location, this.certainty, this.budget)
    this.unset = new UnsetVariables(this.findings)
  }
}
