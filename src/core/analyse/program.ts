import { baseName } from '../model/path.js'
import { noteDirectories } from './builtin-directory.js'
import { noteTold } from './builtin-lookup.js'
import { runCall } from './call.js'
import { clearedBy } from './cleared.js'
import { noteComplaint } from './complaint.js'
import { copyOf, noteCopies } from './copies.js'
import { perform } from './effects.js'
import { runHooks } from './hooks-of.js'
import { inherited } from './inherit.js'
import { noteModes } from './modes.js'
import { printed } from './output.js'
import { linkedPath } from './physical-path.js'
import { givePositional } from './positional.js'
import { isMade, known } from './programs/arguments.js'
import type { CompiledGrammar } from './programs/compiled-grammar.js'
import { readEffects } from './programs/effects-of.js'
import { isGitCommand } from './programs/git.js'
import type { Arg, Effect } from './programs/knowledge.js'
import { noteEnvironment } from './python-environment.js'
import type { Reading } from './reading.js'
import { noteSignal, SIGNALLING } from './sent-signals.js'
import { isMissing, isRunning, ownFileHere, runText, shellTextAt, writtenInPath } from './shell-text.js'
import { runStartupFiles } from './startup-files.js'
import type { State } from './state.js'
import { NOWHERE } from './streams.js'
import { type Traits, traitsOf } from './traits.js'
import { addHandedOn, addUnlisted } from './unlisted-program.js'
import type { Value } from './value.js'
import { noteInline, noteReplaced, replacesFiles, reportWriter } from './writers.js'

const SYSTEM =
  /^(?:\/proc\/self\/root)*\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?(?:s?bin|games|lib\/\S+|libexec\/\S+)\/[^/]+$/

/** The shell that reads the script, by the way of the kernel. */
const OWN_SHELL = /^\/+proc\/+(?:self|thread-self|\d+)\/+exe$/

const GIT_CORE = /^(?:\/\S*\/git-core\/|\/usr\/bin\/)?git-([a-z][a-z-]*)$/

/** `git-push`, `/usr/lib/git-core/git-push`: a subcommand of git by the name of its own program. Null for any other program. */
function subcommandOf([command, ...rest]: readonly Arg[]): readonly Arg[] | null {
  const name = command === undefined ? undefined : GIT_CORE.exec(command.text ?? '')?.[1]
  if (command === undefined || name === undefined || !isGitCommand(name)) return null
  return [known('git', command.span), known(name, command.span), ...rest]
}

/** Runs a program by its name or path: what it is given away by what is known of it. */
export function runProgram(reading: Reading, state: State, args: readonly Arg[]): void {
  const name = args[0]?.text ?? ''
  if (name === '') {
    state.status = 127
    return
  }
  const git = subcommandOf(args)
  if (git !== null) {
    runProgram(reading, state, git)
    return
  }
  reading.invocation(state, args)
  state.status = null
  const at = args.findIndex(({ text, options }) => text === null && options !== undefined)
  if (at > 0) runEach(reading, state, args, at)
  if (args.some(isMade)) reading.reportUnknown('an argument is made by a program of text in the script', null)
  if (name.includes('/')) {
    runPath(reading, state, args, name)
    return
  }
  const path = writtenInPath(reading, state, name)
  if (path === null) reading.ask({ ask: 'program', name })
  else if (runsFile(reading, state, args, path)) return
  runKnown(reading, state, args, name)
}

/** Values of one argument that are told apart. */
const MAX_OPTIONS = 6

/** Runs a program for each value that one of its arguments may have. */
function runEach(reading: Reading, state: State, args: readonly Arg[], at: number): void {
  const { options = [], span } = args[at] as Arg
  reading.undecided++
  for (const option of options.slice(0, MAX_OPTIONS)) {
    reading.work.step()
    const inner = state.fork()
    // Each reads for itself what there is to read.
    inner.descriptors = state.descriptors
      .map((one) => (one.input ? { input: one.input.copy(), sink: one.sink } : one))
      .with(1, NOWHERE)
    runProgram(reading, inner, args.with(at, known(option.trim(), span)))
  }
  reading.undecided--
}

/** Runs a program by its path. */
function runPath(reading: Reading, state: State, args: readonly Arg[], name: string): void {
  if (OWN_SHELL.test(name)) {
    runCopy(reading, state, args, '/bin/bash')
    return
  }
  const path = reading.absolute(state, name)
  if (path === null ? runsSomewhere(reading, state, args, name) : runsFile(reading, state, args, path)) return
  if (path !== null && isOwnProgram(reading, path)) runUnlisted(reading, state, args)
  else runKnown(reading, state, args, baseName(name))
}

/** Where tools are put by their own names, in a project too: `.venv/bin/pip`, `node_modules/.bin/tsc`. */
const BIN = /(?:^|\/)(?:\.?s?bin|shims|libexec|Scripts|games|git-core)\/[^/]+$/

/** `./script`, `./install`: a program of the project is not the one of the system that has its name. */
const isOwnProgram = ({ context }: Reading, path: string): boolean =>
  path.startsWith(`${context.cwd}/`) &&
  !SYSTEM.test(path) &&
  !BIN.test(path) &&
  !/^(?:gradlew|mvnw)/.test(baseName(path))

/** Runs a program of which nothing is known but its words. */
function runUnlisted(reading: Reading, state: State, args: readonly Arg[]): void {
  reading.findings.changesAnything = true
  if (args.length > 1) addUnlisted(reading, state, baseName(args[0]?.text ?? ''), args)
  noteComplaint(state, args)
  print(reading, state, args, '', UNLISTED)
}

const UNLISTED = traitsOf('')

/** A file in a directory that is not known: one that the script put there, or a program of its own. */
function runsSomewhere(reading: Reading, state: State, args: readonly Arg[], name: string): boolean {
  const own = ownFileHere(reading, state, name)
  if (own !== null) return runsFile(reading, state, args, own)
  const span = args[0]?.span ?? null
  if (hasWritten(reading, baseName(name))) reading.reportUnknown(`${name} may be a file that the script writes`, span)
  else reading.reportForeign(`${name} is a program of its own`, span)
  return false
}

/** Tells whether the script makes a file of this name in any directory. */
const hasWritten = ({ files, copies, written }: Reading, name: string): boolean =>
  [files, copies, written].some((paths) => [...paths.keys()].some((path) => baseName(path) === name))

function runKnown(reading: Reading, state: State, args: readonly Arg[], base: string): void {
  const traits = traitsOf(base)
  let isPrinted = false
  if (traits.grammar === null) {
    reading.findings.changesAnything = true
    runNotFound(reading, state, args)
    if (args.length > 1) addUnlisted(reading, state, base, args)
  } else isPrinted = performCall(reading, state, args, base, traits, traits.grammar)
  if (traits.delegates && !isReported(reading))
    reading.findings.spot({
      kind: 'foreign',
      reason: `${base} starts programs of its own`,
      span: reading.here,
      inherent: true,
    })
  if (traits.makesEnvironment) noteEnvironment(reading, state, base, args)
  if (SIGNALLING.has(base)) noteSignal(reading, args)
  if (traits.isCopying) noteCopies(reading, state, base, args)
  if (reading.files.size > 0 && replacesFiles(base, args)) noteReplaced(reading, base)
  if (base === 'chmod') noteModes(reading, state, args)
  if (traits.makesDirectories) noteDirectories(reading, state, args)
  noteComplaint(state, args)
  if (!isPrinted) print(reading, state, args, base, traits)
  if (traits.isInline) noteInline(reading, state, base, args)
}

/** Writes what a program prints to where its output goes. */
function print(reading: Reading, state: State, args: readonly Arg[], base: string, traits: Traits): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink && base !== 'tee') return
  const output = printed(reading, state, base, args, traits.printer)
  const before = sink?.text ?? ''
  sink?.write(output)
  if (sink && base === 'which') noteTold(reading, sink, before, output)
}

/** Tells whether code that is not read is reported for this command already. */
function isReported({ findings, here }: Reading): boolean {
  const last = findings.opaque.at(-1)
  return last !== undefined && last.span[0] >= here[0] && last.span[1] <= here[1]
}

/** What a known program does with these arguments. True where it prints nothing but what another does that it runs. */
function performCall(
  reading: Reading,
  state: State,
  args: readonly Arg[],
  base: string,
  traits: Traits,
  grammar: CompiledGrammar,
): boolean {
  reading.work.add(3 * args.length)
  const { effects, contained } = readEffects(grammar, args)
  if (!contained) reading.findings.changesAnything = true
  const start = traits.isClearing ? clearedBy(reading, state, base, args) : state
  if (traits.isShell) runStartupFiles(reading, start, base, args)
  const kinds = kindsOf(effects)
  for (let i = 0; i < effects.length; i++) perform(reading, start, effects[i] as Effect, base)
  if (traits.isHooked) runHooks(reading, start, base, args)
  // Code of its own, and nothing that it is told.
  if (args.length > 3 && (kinds & (FOREIGN | RUNS)) === FOREIGN) addHandedOn(reading, start, base, args)
  return traits.passesOutput && (kinds & RUNS) !== 0
}

const FOREIGN = 1
const RUNS = 2

/** What there is among the effects, told in one look at them. */
function kindsOf(effects: readonly Effect[]): number {
  let kinds = 0
  for (let i = 0; i < effects.length; i++) {
    const { does } = effects[i] as Effect
    if (does === 'foreign') kinds |= FOREIGN
    else if (does === 'run' || does === 'run-stdin' || does === 'shell') kinds |= RUNS
  }
  return kinds
}

/** A program that nothing is known of may not be there: bash then calls a function with the whole line. */
function runNotFound(reading: Reading, state: State, args: readonly Arg[]): void {
  const body = state.functionNamed(HANDLER)
  if (!body || reading.calls.some((call) => call.body === body)) return
  reading.undecided++
  const inner = state.fork()
  inner.concurrency++
  runCall(reading, inner, HANDLER, body, args)
  reading.undecided--
}

const HANDLER = 'command_not_found_handle'

/** Runs a file given by its path where it is a script, or a copy of something. False when it is a program like any other. */
function runsFile(reading: Reading, state: State, args: readonly Arg[], path: string): boolean {
  const copied = copyOf(reading, path) ?? linkedPath(reading, path, '/', true)
  if (copied !== null) {
    runCopy(reading, state, args, copied)
    // Whether the copy or the link could be made cannot be told where there was something before.
    if ((reading.answers.paths.get(path)?.kind ?? 'missing') === 'missing') return true
  }
  reportWriter(reading, path)
  const written = reading.files.get(path)
  if (written !== undefined) {
    // Where it need not have been written, what was there before is run.
    if (written && written.undecided > reading.undecided)
      runsFound(reading, state.fork(), args, path, reading.answers.scripts.get(path))
    return runsWritten(reading, state, args, path)
  }
  return SYSTEM.test(path) ? false : runsFound(reading, state, args, path, shellTextAt(reading, path))
}

/** A file that is there already, of which the host may have told what it is. */
function runsFound(
  reading: Reading,
  state: State,
  args: readonly Arg[],
  path: string,
  text: Value | null | undefined,
): boolean {
  const [command, ...rest] = args
  if (!command) return false
  if (typeof text === 'string' && isShell(text)) {
    runScriptText(reading, state, command, rest, path, text)
    return true
  }
  if (text === null && isMissing(reading, path)) {
    state.status = 127
    return true
  }
  reading.ask({ ask: 'path', path })
  reading.ask({ ask: 'script', path })
  if (typeof text === 'string') return runsInterpreter(reading, state, args, text)
  reading.reportForeign(`${command.text} is a program of its own`, command.span)
  return false
}

/** Runs a program that has another name here: a copy, a link, a file that another was made of. */
export function runCopy(reading: Reading, state: State, args: readonly Arg[], original: string): void {
  const [command, ...rest] = args
  if (!command) return
  const inner = state.fork()
  inner.via = [...state.via, command.text ?? '']
  const argv = [{ ...command, text: original, head: original }, ...rest]
  reading.work.enter()
  runProgram(reading, inner, argv)
  reading.work.exit()
}

/** A file the script wrote a moment ago. */
export function runsWritten(reading: Reading, state: State, args: readonly Arg[], path: string): boolean {
  const [command, ...rest] = args
  const text: Value = reading.files.get(path)?.text ?? ''
  if (!command) return false
  if (typeof text === 'object' && text.path !== undefined) {
    const { path: original, options, ...known } = text
    runCopy(reading, state, args, original)
    if (options) runScriptText(reading, state.fork(), command, rest, path, { ...known, source: 'condition', options })
    return true
  }
  if (typeof text === 'string' && !isShell(text)) return runsInterpreter(reading, state, args, text)
  runScriptText(reading, state, command, rest, path, text)
  return true
}

function runScriptText(
  reading: Reading,
  state: State,
  command: Arg,
  rest: readonly Arg[],
  path: string,
  text: Value,
): void {
  if (isRunning(reading, state, path, text)) return
  reading.calls.push({ name: path, concurrency: state.concurrency, text })
  if (typeof text === 'string') addInterpreter(reading, state, [command, ...rest], text)
  const inner = inherited(reading, state)
  inner.via = [...state.via, command.text ?? '']
  inner.zero = command.text ?? ''
  givePositional(inner, rest)
  runText(reading, inner, text)
  reading.calls.pop()
}

const isShell = (text: string): boolean => {
  if (!text.startsWith('#!')) return !/[\0-\x08\x0e-\x1a]/.test(text.slice(0, 256))
  return /^#!\s*\S*\/(?:env\s+(?:-\S+\s+)*)?(?:ba|da|k|z|a)?sh\b/.test(text)
}

/** What the first line of a shell script makes the kernel start: the shell, and `env` before it. */
function addInterpreter(reading: Reading, state: State, args: readonly Arg[], text: string): void {
  const line = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(text)
  if (!line) return
  const words = [line[1] ?? '', ...(line[2]?.trim().split(/\s+/) ?? [])].filter((word) => word !== '')
  const argv = args.map((arg) => arg.text ?? arg.unknown ?? { unknown: 'not known' })
  const env = words.findIndex((word) => !/(^|\/)env$|^-/.test(word))
  for (const start of new Set([0, Math.max(0, env)])) {
    const all = [...words.slice(start), ...argv]
    const program = baseName(words[start] ?? '')
    reading.findings.invocation({ program, argv: all, span: reading.here, via: state.via, implied: true })
  }
}

/** `#!/usr/bin/python3 -u`: the interpreter is what runs. */
function runsInterpreter(reading: Reading, state: State, args: readonly Arg[], text: string): boolean {
  const [command] = args
  const line = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(text)
  if (!line || !command) return false
  reading.work.enter()
  const words = [line[1] ?? '', ...(line[2]?.trim() ? [line[2].trim()] : [])]
  const inner = state.fork()
  inner.via = [...state.via, command.text ?? '']
  runProgram(reading, inner, [
    ...words.map((word) => ({ text: word, head: word, several: false, span: command.span })),
    ...args,
  ])
  reading.work.exit()
  return true
}
