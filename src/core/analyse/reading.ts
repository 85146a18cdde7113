import type { Answers, Invocation, Question, Unknown } from '../model/facts.js'
import { baseName } from '../model/path.js'
import type { Span } from '../model/span.js'
import type { Node, Word } from '../shell/tree.js'
import type { AnalysisContext } from './analysis-context.js'
import { Bounds } from './bounds.js'
import { expandWords } from './expand.js'
import { Findings } from './findings.js'
import { Memory } from './memory.js'
import { physicalPath } from './physical-path.js'
import type { Arg } from './programs/knowledge.js'
import { Questions } from './questions.js'
import type { State, Variable } from './state.js'
import type { Sink } from './streams.js'
import type { Value } from './value.js'
import type { Inline } from './writers.js'

const NOT_KNOWN = { unknown: 'not known' }
/** An argument as it is listed. */
const spelled = (arg: Arg): Invocation['argv'][number] =>
  arg.text ?? (arg.head.startsWith('-') ? option(arg) : (arg.unknown ?? NOT_KNOWN))

const option = ({ unknown, head, several }: Arg): Unknown => ({
  ...(unknown ?? NOT_KNOWN),
  prefix: head,
  ...(several ? { maySplit: several } : {}),
})

/** Of the first invocations the length of their arguments is not counted: it is that of the script. */
const MANY = 20_000

function charsOf(args: readonly Arg[]): number {
  let chars = 0
  for (let i = 0; i < args.length; i++) chars += (args[i] as Arg).head.length
  return chars
}

const NO_VARIABLES: NonNullable<AnalysisContext['inherited']> = []

/**
 * What is said of a script while the host has not answered for it. `asked`: one that the line names is code that is told of and not read,
 * as `./x` is. `unknown`: nothing on the line says that it is run. `program`: it need not be a script at all.
 */
export type Unread = 'asked' | 'unknown' | 'program'

/** One analysis: its facts, its questions, its bounds, and the files and texts it follows. */
export class Reading {
  readonly context: AnalysisContext
  readonly answers: Answers
  readonly findings = new Findings()
  readonly work = new Bounds()
  readonly memory = new Memory()
  readonly files = this.memory.files
  readonly copies = this.memory.copies
  readonly links = this.memory.links
  readonly written = this.memory.written
  readonly made = this.memory.made
  /** Programs that did what a text told them, which may have been to write files. */
  readonly inline: Inline[] = []
  /** Names of the functions and scripts being run, innermost last, with the concurrency each was entered at. */
  readonly calls: {
    readonly name: string
    readonly concurrency: number
    readonly waits?: number
    /** Conditions that were not known then. */
    readonly undecided?: number
    readonly body?: Node
    readonly text?: Value
    /** The shell at the time of the call, where it is a function. */
    readonly before?: { readonly cwd: string | null; readonly variables: ReadonlyMap<string, Variable> }
  }[] = []
  /** Process substitutions to be run when what is written to them is known. */
  readonly later: { readonly path: string; readonly run: (text: Value) => void }[] = []
  /** An unset variable that a profile might pass on; noticed when it stands where a command is named. */
  guessed: string | null = null
  /** The same, for the whole statement being run: text made in it and evaluated again may hold what the profile put there. */
  doubtful: string | null = null
  /** Variables that were set to such text. */
  #doubtfulNames: Set<string> | null = null
  /** Process substitutions of the command being run: bash numbers them from the top. */
  opened = 0
  /** Above zero where bash may have others open that it forgot to close, so that the numbers are anybody's guess. */
  unnumbered = 0
  /** True once an alias was made. */
  hasAliases = false
  /** Files and directories that `mktemp` made. */
  temporaries = 0
  /** Directories gone to that are not known. */
  somewhere = 0
  /** True while the pieces of a script are read that cannot be read as a whole. */
  salvaged = false
  /** True once something was started in the background: before that `$!` is empty. */
  background = false
  /** Above zero in code that is read although bash would not reach it. */
  dead = 0
  /** Above zero in code that runs on another machine: its paths are not ours. */
  remote = 0
  /** True once a variable has several possible values. */
  hasChoices = false
  /** Above zero in code that may or may not run. */
  undecided = 0
  /** The number of the branch being read, where it may or may not be run, and of the last one that was. */
  branch = 0
  branches = 0
  /** The same, for reasons of which nothing else depends. */
  unsure = 0
  /** True once a trap is set that changes the shell where a signal is sent to it. */
  hasSignalTrap = false
  /** Commands set by `trap`, and the shell they are set in: they are run once more when the script ends. */
  readonly traps: { readonly text: Value; readonly span: Span; readonly state: State }[] = []
  /** A line just printed that is there only where the command that prints it succeeds, and what was there before. */
  told: { readonly sink: Sink; readonly before: Value; readonly line: Value; readonly after: Value } | null = null
  /** Names that were exported since what stands before a command was assigned. */
  exported: Set<string> | null = null
  /** Commands that were substituted. */
  substitutions = 0
  /** The text that spans of the nodes being run point into, for what reads source again. */
  source = ''
  readonly #questions: Questions
  #fixed: Span | null = null
  /** Where the command being run stands. */
  here: Span = [0, 0]

  constructor(context: AnalysisContext, answers: Answers) {
    this.context = context
    this.answers = answers
    this.#questions = new Questions(answers)
  }

  /** The place in the request's text that a node's span stands for. */
  at(span: Span): Span {
    return this.#fixed ?? span
  }

  /** Runs something whose spans do not point into the request's text but all stand for one place in it. */
  within<T>(source: string | null, run: () => T): T {
    const before = { fixed: this.#fixed, source: this.source }
    this.#fixed ??= this.here
    if (source !== null) this.source = source
    const result = run()
    this.#fixed = before.fixed
    this.source = before.source
    return result
  }

  /** Reports an expansion that fails: bash gives up the command and the rest of its line, and what they set stays what it was. */
  fails(): void {
    if (this.dead === 0) this.reportUnknown('an expansion fails, and bash gives up the rest of the line', null)
  }

  reportUnknown(reason: string, span: Span | null): void {
    this.findings.spot({ span: span ? this.at(span) : this.here, kind: 'unknown', reason })
  }

  reportForeign(reason: string, span: Span | null): void {
    this.findings.spot({ span: span ? this.at(span) : this.here, kind: 'foreign', reason })
  }

  /** A variable of the environment: undefined where there is none, null where its value is not told. */
  inherited(name: string): string | null | undefined {
    for (const [given, value] of this.context.inherited ?? NO_VARIABLES) if (given === name) return value
    return undefined
  }

  /** May a variable that the script does not set come from an environment that nobody told us of? */
  mayInherit(name: string): boolean {
    return this.context.inherited === undefined && /^[A-Z][A-Z0-9_]*$/.test(name)
  }

  /** Notes a variable that is not set here, and that a profile might set. */
  guess(name: string): void {
    this.guessed = name
    this.doubtful = name
  }

  /** A variable is set in the statement being run. */
  noteAssigned(name: string): void {
    if (this.doubtful === null) this.#doubtfulNames?.delete(name)
    else {
      this.#doubtfulNames ??= new Set()
      this.#doubtfulNames.add(name)
    }
  }

  isDoubtful(name: string): boolean {
    return this.#doubtfulNames?.has(name) ?? false
  }

  /** Says that text is evaluated again in the statement being run. */
  evaluates(): void {
    if (this.doubtful !== null)
      this.reportUnknown(`a shell runs text made of $${this.doubtful}, which is not set here`, null)
  }

  /** A script the host has not answered for yet. What it cannot be asked for any more is hidden. */
  unread(path: string, unread: Unread): void {
    if (unread === 'program') this.reportForeign(`${path} is a program of its own`, null)
    else if (unread === 'asked' && this.questions.some((one) => one.ask === 'script' && one.path === path))
      this.reportForeign(`the script ${path} has not been read`, null)
    else this.reportUnknown(`the script ${path} has not been read`, null)
  }

  invocation(state: State, args: readonly Arg[]): void {
    const first = args[0]
    if (!first) return
    const argv = args.map(spelled)
    this.work.add(args.length)
    if (this.work.done > MANY) this.work.add(charsOf(args) >> 2)
    const program = first.text === null ? null : baseName(first.text)
    const { via } = state
    this.findings.invocation(
      this.isUnsure
        ? { program, argv, span: this.here, via, conditional: true }
        : { program, argv, span: this.here, via },
    )
  }

  /** Is it not certain that what is read here runs? */
  get isUnsure(): boolean {
    return this.undecided > 0 || this.dead > 0 || this.unsure > 0
  }

  ask(question: Question): void {
    this.#questions.add(question)
  }

  get questions(): readonly Question[] {
    return this.#questions.list
  }

  /** The absolute path of an argument, or null where the directory is not known. */
  absolute({ cwd }: Pick<State, 'cwd'>, path: string): string | null {
    if (path.startsWith('/')) return physicalPath(this, path, '/')
    return cwd === null ? null : physicalPath(this, path, cwd)
  }

  /** The same for what the script itself writes and runs: a directory that is not known has a name there too. */
  owned({ cwd, place }: Pick<State, 'cwd' | 'place'>, path: string): string {
    return physicalPath(this, path, path.startsWith('/') ? '/' : (cwd ?? place))
  }

  /** Expands one word into arguments, as for a command. */
  expandSplit(state: State, word: Word): readonly Arg[] {
    return expandWords(this, state, [word])
  }
}
