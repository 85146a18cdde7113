import type { Statement } from '../../shell/tree.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import type { Value } from '../values/value.js'
import type { Analysis } from './analysis.js'

/**
 * Describes a script without an answer from the host. `asked`: the line names the script, so it is foreign code until
 * it is read. `unknown`: the line does not show that the script runs. `program`: the file can be a binary.
 */
export type Unread = 'asked' | 'unknown' | 'program'

/** A command that bash runs itself. `args[0]` is its name. */
export type Builtin = (analysis: Analysis, state: State, args: readonly Arg[]) => void

/** Breaks import cycles: `analyse.ts` passes these steps to expansion, statements, builtins and programs. */
export interface Interpreter {
  runStatements(analysis: Analysis, state: State, statements: readonly Statement[]): void
  runText(analysis: Analysis, state: State, text: Value): void
  runScript(analysis: Analysis, state: State, path: Arg, args: readonly Arg[], unread: Unread): void
  /** Runs the parts of a text that can be parsed when the whole cannot. */
  recoverStatements(analysis: Analysis, state: State, text: string): void
  builtinNamed(name: string): Builtin | undefined
  writeListing(state: State, name: string, args: readonly Arg[]): void
  runProgram(analysis: Analysis, state: State, args: readonly Arg[]): void
  /** Reports a command with an unknown name. */
  runUnknown(analysis: Analysis, state: State, args: readonly Arg[]): void
}
