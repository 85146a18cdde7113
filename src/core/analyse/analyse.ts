import { displayCommand, escapeArg } from '../model/display.js'
import type { Answers, Facts, Question } from '../model/facts.js'
import type { Command } from '../model/request.js'
import { parseScript } from '../shell/parse-script.js'
import type { Script } from '../shell/tree.js'
import type { AnalysisContext } from './analysis-context.js'
import { Descriptors } from './descriptors.js'
import { addVariable } from './environment-facts.js'
import { mergeVariables } from './join.js'
import { Reading } from './reading.js'
import { runStatements } from './run.js'
import { salvage } from './salvage.js'
import { runText } from './shell-text.js'
import { runArguments } from './simple.js'
import { State, scalar } from './state.js'
import { Input, NOWHERE } from './streams.js'
import { TooMuch } from './text/work.js'
import { unknown, type Value } from './value.js'

export type { AnalysisContext } from './analysis-context.js'

/** What a command would do, what the host has to be asked, and the work it took to read it. */
export interface Analysis {
  readonly facts: Facts
  readonly questions: readonly Question[]
  readonly work: number
}

/**
 * Everything a command would do that can be read off it, and what the host has to be asked before that is complete. Pure; never
 * throws: what cannot be read is hidden.
 */
export const analyse = (command: Command, context: AnalysisContext, answers: Answers): Analysis =>
  readerOf(command, context)(answers)

/** The same for one who has the host answer in between: the text is parsed once, however often it is gone through. */
export function readerOf(command: Command, context: AnalysisContext): (answers: Answers) => Analysis {
  const script = command.mode === 'shell' ? parseScript(command.script) : null
  return (answers) => {
    const reading = new Reading(context, answers)
    try {
      readCommand(reading, command, script)
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no reason'
      reading.findings.giveUp(
        error instanceof TooMuch ? `the script is too large to analyse: ${reason}` : `the analyser failed: ${reason}`,
        [0, displayCommand(command).length],
      )
    }
    return { facts: reading.findings.facts(), questions: reading.questions, work: reading.work.done }
  }
}

function readCommand(reading: Reading, command: Command, script: Script | null): void {
  const state = initialState(reading)
  if (command.mode === 'structured') {
    readStructured(reading, state, command.program, command.args)
    return
  }
  if (script === null) return
  reading.source = command.script
  if (script.isTooMuch) throw new TooMuch(script.problems[0]?.reason)
  const begun = script.problems.length > 0 ? beginningOf(reading, command.script) : null
  runStatements(reading, state, (begun ?? script).statements)
  if (script.problems.length > 0) {
    // Aliases and options that the beginning sets may have bash read the rest in another way.
    if (begun === null || reading.hasAliases || reading.findings.hasUnknown)
      for (const { reason, span } of script.problems) reading.findings.spot({ kind: 'unknown', reason, span })
    reading.here = [0, command.script.length]
    salvage(reading, state, command.script)
  }
  for (const trap of reading.traps) if (isOpen(trap.state, trap.text)) readTrap(reading, trap)
}

/**
 * What bash runs of a script that it finds an error in: the lines before that, which are run. Null where bash has not been asked, finds
 * none, or reads those lines in another way than they are read here.
 */
function beginningOf(reading: Reading, text: string): Script | null {
  reading.ask({ ask: 'syntax', text })
  const count = reading.answers.syntax?.get(text) ?? -1
  if (count < 0) return null
  const beginning = text.split('\n').slice(0, count).join('\n')
  if (CHANGES_GRAMMAR.test(beginning)) return null
  const script = parseScript(beginning)
  return script.problems.length > 0 ? null : script
}

/** What may set options or aliases by which bash reads the rest in another way than `bash -n` does. */
const CHANGES_GRAMMAR = /shopt|alias|enable|eval|source|posix|(?:^|[;&|({\s])(?:\.|set)\s/i

/** Reads a trap once more: it may run whenever a variable was given a value since it was set. */
function readTrap(reading: Reading, { text, span, state }: Reading['traps'][number]): void {
  reading.here = span
  const inner = state.fork()
  inner.leave = null
  inner.via = ['trap']
  for (const [name, variables] of state.history.variables) inner.set(name, mergeVariables([...variables]))
  reading.hasChoices = true
  runText(reading, inner, text)
}

/** Does it depend on what was set or defined after it was? */
const isOpen = (shell: State, text: Value): boolean =>
  typeof text !== 'string' || /[$`]/.test(text) || text.split(/[^\w.:-]+/).some((word) => shell.functionNamed(word))

function initialState(reading: Reading): State {
  const { context } = reading
  const state = new State(null, {
    cwd: context.cwd,
    zero: 'bash',
    positional: [],
    descriptors: standard(context.stdin),
  })
  for (const [name, value] of context.env) {
    state.set(name, { ...scalar(value), exported: true })
    addVariable(reading, state, name, [0, 0])
  }
  return state
}

const standard = (stdin: string | undefined): Descriptors =>
  new Descriptors(
    { input: new Input(stdin ?? unknown('input', 'the standard input of the request')), sink: null },
    NOWHERE,
    NOWHERE,
  )

/** No shell in between: every argument is a literal, and the program is looked up as it is. */
function readStructured(reading: Reading, state: State, program: string, args: readonly string[]): void {
  let at = 0
  const words = [program, ...args].map((text) => {
    const length = escapeArg(text).length
    const span = [at, at + length] as const
    at += length + 1
    return { text, head: text, several: false, span }
  })
  reading.here = [0, Math.max(0, at - 1)]
  runArguments(reading, state, words)
}
