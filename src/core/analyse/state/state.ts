import type { Arg } from '../programs/grammar/roles.js'
import { Control } from './control.js'
import { Definitions } from './definitions.js'
import type { Descriptors } from './descriptors.js'
import type { ScriptArguments } from './script-arguments.js'
import { ShellHistory } from './shell-history.js'
import { Variables } from './variable-scopes.js'
import type { WorkingDirectory } from './working-directory.js'

const NO_NAMES: ReadonlySet<string> = new Set()
const NO_STEPS: readonly string[] = []

/** The state of a shell at one point. A fork reads from its parent and keeps its own changes. */
export class State {
  readonly history: ShellHistory
  readonly variables: Variables
  readonly definitions: Definitions
  readonly control: Control
  directory: WorkingDirectory
  arguments: ScriptArguments
  descriptors: Descriptors
  /** Set by `exec` without a command: its redirections stay in force. */
  keptDescriptors: Descriptors | null = null
  options: ReadonlySet<string>
  /** The programs between the script and the current commands: `['xargs', 'bash -c']`. */
  via: readonly string[]
  /** Nested subshells, pipelines and background commands since the start. */
  concurrency: number
  /** The number of these that the shell waits for: `( … )` and `$( … )`. */
  waits: number
  /** The last argument of the previous command, `$_`; null if unknown. */
  lastArg: Arg | null

  constructor(parent: State | null, start: Pick<State, 'directory' | 'arguments' | 'descriptors'>) {
    this.history = parent?.history ?? new ShellHistory()
    this.variables = new Variables(parent?.variables ?? null, this.history)
    this.definitions = new Definitions(parent?.definitions ?? null, this.history)
    this.control = new Control(parent?.control ?? null)
    this.directory = start.directory
    this.arguments = start.arguments
    this.descriptors = start.descriptors
    this.options = parent?.options ?? NO_NAMES
    this.via = parent?.via ?? NO_STEPS
    this.concurrency = parent?.concurrency ?? 0
    this.waits = parent?.waits ?? 0
    this.lastArg = parent?.lastArg ?? null
  }

  fork(): State {
    return new State(this, this)
  }

  /** Takes over the changes of a fork. */
  adopt(fork: State): void {
    this.variables.adopt(fork.variables)
    this.definitions.adopt(fork.definitions)
    this.control.adopt(fork.control)
    this.directory = fork.directory
    this.arguments = fork.arguments
    this.descriptors = fork.descriptors
    this.options = fork.options
    this.lastArg = fork.lastArg
  }
}
