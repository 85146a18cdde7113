import { baseName } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import { childState } from '../analysis/child-process.js'
import { environmentPassedBy } from '../analysis/cleared-environment.js'
import { noteDirectories } from '../builtins/cd.js'
import { noteConditional } from '../builtins/type-and-command.js'
import { noteEnvironment } from '../expand/python-environment.js'
import { copyOf, noteCopies } from '../files/copies-and-links.js'
import { noteModes } from '../files/file-modes.js'
import { noteInline, noteReplaced, replacesFiles, reportWriter } from '../files/indirect-writers.js'
import { absolutePath, linkedPath } from '../files/physical-path.js'
import { outputOf } from '../printing/program-output.js'
import { isGitCommand } from '../programs/development/git.js'
import { isComputed, known } from '../programs/grammar/arguments.js'
import { readEffects } from '../programs/grammar/effects-of.js'
import type { Arg, Effect } from '../programs/grammar/roles.js'
import { runCall } from '../run/functions-and-aliases.js'
import { noteSignal, SIGNALLING } from '../run/sent-signals.js'
import { runStartupFiles } from '../run/shell-startup.js'
import { isMissing, isRunning, ownFileInCwd, runText, shellTextAt, writtenInPath } from '../run/shell-text.js'
import { noteSyntaxError } from '../run/syntax-message.js'
import { setPositional } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { DISCARDED } from '../state/streams.js'
import type { Value } from '../values/value.js'
import { applyEffect } from './effects.js'
import { runHooks } from './script-hooks.js'
import { type Traits, traitsOf } from './traits.js'
import { addForwardedCommand, addUnlistedProgram } from './unlisted-program.js'

const SYSTEM =
  /^(?:\/proc\/self\/root)*\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?(?:s?bin|games|lib\/\S+|libexec\/\S+)\/[^/]+$/

/** The path of the running shell in /proc. */
const OWN_SHELL = /^\/+proc\/+(?:self|thread-self|\d+)\/+exe$/

const GIT_CORE = /^(?:\/\S*\/git-core\/|\/usr\/bin\/)?git-([a-z][a-z-]*)$/

/** Returns the git call of `git-push` or `/usr/lib/git-core/git-push`, or null for another program. */
function subcommandOf([command, ...rest]: readonly Arg[]): readonly Arg[] | null {
  const name = command === undefined ? undefined : GIT_CORE.exec(command.text ?? '')?.[1]
  if (command === undefined || name === undefined || !isGitCommand(name)) return null
  return [known('git', command.span), known(name, command.span), ...rest]
}

/** Programs that do nothing with their arguments but print them. */
const ONLY_PRINTS = new Set(['echo', 'printf'])

/** Runs a program by its name or path, and follows the alternatives of its arguments. */
export function runProgram(analysis: Analysis, state: State, args: readonly Arg[]): void {
  const name = args[0]?.text ?? ''
  if (name === '') {
    state.control.status = 127
    return
  }
  const git = subcommandOf(args)
  if (git !== null) {
    runProgram(analysis, state, git)
    return
  }
  analysis.findings.addInvocation(state, args)
  state.control.status = null
  const at = args.findIndex(({ text, alternatives }) => text === null && alternatives !== undefined)
  if (at > 0) runEach(analysis, state, args, at)
  if (!ONLY_PRINTS.has(name) && args.some(isComputed))
    analysis.findings.reportUnknown('a program computes an argument from text in the script', null)
  if (name.includes('/')) {
    runPath(analysis, state, args, name)
    return
  }
  const path = writtenInPath(analysis, state, name)
  if (path === null) analysis.questions.add({ ask: 'program', name })
  else if (runsFile(analysis, state, args, path)) return
  runKnown(analysis, state, args, name)
}

/** The maximum number of alternatives of an argument that are run. */
const MAX_OPTIONS = 6

/** Runs a program for each alternative of one argument. */
function runEach(analysis: Analysis, state: State, args: readonly Arg[], at: number): void {
  const { alternatives = [], span } = args[at] as Arg
  for (const option of alternatives.slice(0, MAX_OPTIONS)) {
    analysis.budget.step()
    const inner = state.fork()
    // Each run reads the whole input.
    inner.descriptors = state.descriptors
      .map((one) => (one.input ? { input: one.input.copy(), sink: one.sink } : one))
      .with(1, DISCARDED)
    analysis.certainty.maybe(() => runProgram(analysis, inner, args.with(at, known(option.trim(), span))))
  }
}

function runPath(analysis: Analysis, state: State, args: readonly Arg[], name: string): void {
  if (OWN_SHELL.test(name)) {
    runCopy(analysis, state, args, '/bin/bash')
    return
  }
  const path = absolutePath(analysis, state, name)
  if (path === null ? runsInUnknownCwd(analysis, state, args, name) : runsFile(analysis, state, args, path)) return
  if (path !== null && isOwnProgram(analysis, path)) runUnlisted(analysis, state, args)
  else runKnown(analysis, state, args, baseName(name))
}

/** Directories of installed tools, in projects too: `.venv/bin/pip`, `node_modules/.bin/tsc`. */
const BIN = /(?:^|\/)(?:\.?s?bin|shims|libexec|Scripts|games|git-core)\/[^/]+$/

/** Tells whether a path is a program of the project. `./install` is not the system's install. */
const isOwnProgram = ({ input }: Analysis, path: string): boolean =>
  path.startsWith(`${input.cwd}/`) && !SYSTEM.test(path) && !BIN.test(path) && !/^(?:gradlew|mvnw)/.test(baseName(path))

function runUnlisted(analysis: Analysis, state: State, args: readonly Arg[]): void {
  analysis.findings.changesAnything = true
  if (args.length > 1) addUnlistedProgram(analysis, state, baseName(args[0]?.text ?? ''), args)
  noteSyntaxError(state, args)
  print(analysis, state, args, '', UNLISTED)
}

const UNLISTED = traitsOf('')

/** Runs a file in an unknown directory: the script's own or a program. False if it is neither. */
function runsInUnknownCwd(analysis: Analysis, state: State, args: readonly Arg[], name: string): boolean {
  const own = ownFileInCwd(analysis, state, name)
  if (own !== null) return runsFile(analysis, state, args, own)
  const span = args[0]?.span ?? null
  if (hasWritten(analysis, baseName(name)))
    analysis.findings.reportUnknown(`${name} may be a file that the script writes`, span)
  else analysis.findings.reportForeign(`${name} is a program file`, span)
  return false
}

/** Tells whether the script makes a file of this name in any directory. */
const hasWritten = ({ files: { texts, copies, writers } }: Analysis, name: string): boolean =>
  [texts, copies, writers].some((paths) => [...paths.keys()].some((path) => baseName(path) === name))

function runKnown(analysis: Analysis, state: State, args: readonly Arg[], base: string): void {
  const traits = traitsOf(base)
  let isPrinted = false
  if (traits.grammar === null) {
    analysis.findings.changesAnything = true
    runNotFound(analysis, state, args)
    if (args.length > 1) addUnlistedProgram(analysis, state, base, args)
  } else isPrinted = applyCall(analysis, state, args, base, traits)
  if (traits.delegates && !isReported(analysis))
    analysis.findings.spot({
      kind: 'foreign',
      reason: `${base} starts other programs`,
      span: analysis.location.here,
      inherent: true,
    })
  if (traits.makesEnvironment) noteEnvironment(analysis, state, base, args)
  if (SIGNALLING.has(base)) noteSignal(analysis, args)
  if (traits.isCopying) noteCopies(analysis, state, base, args)
  if (analysis.files.texts.size > 0 && replacesFiles(base, args)) noteReplaced(analysis, base)
  if (base === 'chmod') noteModes(analysis, state, args)
  if (traits.makesDirectories) noteDirectories(analysis, state, args)
  noteSyntaxError(state, args)
  if (!isPrinted) print(analysis, state, args, base, traits)
  if (traits.isInline) noteInline(analysis, state, base, args)
}

/** Writes the output of a program to its descriptor. */
function print(analysis: Analysis, state: State, args: readonly Arg[], base: string, traits: Traits): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink && base !== 'tee') return
  const output = outputOf(analysis, state, base, args, traits.printer)
  const before = sink?.text ?? ''
  sink?.write(output)
  if (sink && base === 'which') noteConditional(analysis, sink, before, output)
}

/** Tells whether this command is reported as opaque already. */
function isReported({ findings, location: { here } }: Analysis): boolean {
  const last = findings.opaque.at(-1)
  return last !== undefined && last.span[0] >= here[0] && last.span[1] <= here[1]
}

/** Applies the effects of a known program. Returns true if only the commands that it runs print. */
function applyCall(analysis: Analysis, state: State, args: readonly Arg[], base: string, traits: Traits): boolean {
  if (traits.grammar === null) return false
  analysis.budget.add(3 * args.length)
  const { effects, writesOnlyNamedPaths } = readEffects(traits.grammar, args)
  if (!writesOnlyNamedPaths) analysis.findings.changesAnything = true
  const start = traits.isClearing ? environmentPassedBy(analysis, state, base, args) : state
  if (traits.isShell) runStartupFiles(analysis, start, base, args)
  const kinds = kindsOf(effects)
  for (let i = 0; i < effects.length; i++) applyEffect(analysis, start, effects[i] as Effect, base)
  if (traits.isHooked) runHooks(analysis, start, base, args)
  // The program runs its own code and no argument.
  if (args.length > 3 && (kinds & (FOREIGN | RUNS)) === FOREIGN) addForwardedCommand(analysis, start, base, args)
  return traits.passesOutput && (kinds & RUNS) !== 0
}

const FOREIGN = 1
const RUNS = 2

/** Returns the kinds of effects as a bit mask. */
function kindsOf(effects: readonly Effect[]): number {
  let kinds = 0
  for (let i = 0; i < effects.length; i++) {
    const { does } = effects[i] as Effect
    if (does === 'foreign') kinds |= FOREIGN
    else if (does === 'run' || does === 'run-stdin' || does === 'shell') kinds |= RUNS
  }
  return kinds
}

/** Runs `command_not_found_handle`, which bash calls if the program does not exist. */
function runNotFound(analysis: Analysis, state: State, args: readonly Arg[]): void {
  const body = state.definitions.functionNamed(HANDLER)
  if (!body || analysis.calls.running.some((call) => call.body === body)) return
  const inner = state.fork()
  inner.concurrency++
  analysis.certainty.maybe(() => runCall(analysis, inner, HANDLER, body, args))
}

const HANDLER = 'command_not_found_handle'

/** Runs a file by its path if it is a script or a copy. False for any other program. */
function runsFile(analysis: Analysis, state: State, args: readonly Arg[], path: string): boolean {
  const copied = copyOf(analysis, path) ?? linkedPath(analysis, path, '/', true)
  if (copied !== null) {
    runCopy(analysis, state, args, copied)
    // An earlier file can have prevented the copy or link.
    if ((analysis.answers.paths.get(path)?.kind ?? 'missing') === 'missing') return true
  }
  reportWriter(analysis, path)
  const written = analysis.files.texts.get(path)
  if (written !== undefined) {
    // If the write is uncertain, the earlier file runs.
    if (written && written.conditionalDepth > analysis.certainty.conditionalDepth)
      runsFound(analysis, state.fork(), args, path, analysis.answers.scripts.get(path))
    return runsWritten(analysis, state, args, path)
  }
  return SYSTEM.test(path) ? false : runsFound(analysis, state, args, path, shellTextAt(analysis, path))
}

/** Runs an existing file. The host may have its text. */
function runsFound(
  analysis: Analysis,
  state: State,
  args: readonly Arg[],
  path: string,
  text: Value | null | undefined,
): boolean {
  const [command] = args
  if (!command) return false
  if (typeof text === 'string' && isShell(text)) {
    runScriptText(analysis, state, args, path, text)
    return true
  }
  if (text === null && isMissing(analysis, path)) {
    state.control.status = 127
    return true
  }
  analysis.questions.add({ ask: 'path', path })
  analysis.questions.add({ ask: 'script', path })
  if (typeof text === 'string') return runsInterpreter(analysis, state, args, text)
  analysis.findings.reportForeign(`${command.text} is a program file`, command.span)
  return false
}

/** Runs a program under the name of its original: a copy, a link, or a file built from another. */
export function runCopy(analysis: Analysis, state: State, args: readonly Arg[], original: string): void {
  const [command, ...rest] = args
  if (!command) return
  const inner = state.fork()
  inner.via = [...state.via, command.text ?? '']
  const argv = [{ ...command, text: original, prefix: original }, ...rest]
  analysis.budget.enter()
  runProgram(analysis, inner, argv)
  analysis.budget.exit()
}

/** Runs a file that the script wrote. */
export function runsWritten(analysis: Analysis, state: State, args: readonly Arg[], path: string): boolean {
  const [command] = args
  const text: Value = analysis.files.texts.get(path)?.text ?? ''
  if (!command) return false
  if (typeof text === 'object' && text.path !== undefined) {
    const { path: original, alternatives, ...known } = text
    runCopy(analysis, state, args, original)
    if (alternatives) runScriptText(analysis, state.fork(), args, path, { ...known, origin: 'condition', alternatives })
    return true
  }
  if (typeof text === 'string' && !isShell(text)) return runsInterpreter(analysis, state, args, text)
  runScriptText(analysis, state, args, path, text)
  return true
}

function runScriptText(analysis: Analysis, state: State, args: readonly Arg[], path: string, text: Value): void {
  const [command, ...rest] = args
  if (!command) return
  if (isRunning(analysis, state, path, text)) return
  if (typeof text === 'string') addInterpreter(analysis, state, args, text)
  const inner = childState(analysis, state)
  inner.via = [...state.via, command.text ?? '']
  setPositional(inner, rest, command.text ?? '')
  analysis.calls.during({ name: path, concurrency: state.concurrency, text }, () => runText(analysis, inner, text))
}

const isShell = (text: string): boolean => {
  if (!text.startsWith('#!')) return !/[\0-\x08\x0e-\x1a]/.test(text.slice(0, 256))
  return /^#!\s*\S*\/(?:env\s+(?:-\S+\s+)*)?(?:ba|da|k|z|a)?sh\b/.test(text)
}

/** Adds the interpreter in the first line of a shell script, and `env` before it. */
function addInterpreter(analysis: Analysis, state: State, args: readonly Arg[], text: string): void {
  const line = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(text)
  if (!line) return
  const words = [line[1] ?? '', ...(line[2]?.trim().split(/\s+/) ?? [])].filter((word) => word !== '')
  const argv = args.map((arg) => arg.text ?? arg.unknown ?? { unknown: 'an unknown value' })
  const env = words.findIndex((word) => !/(^|\/)env$|^-/.test(word))
  for (const start of new Set([0, Math.max(0, env)])) {
    const all = [...words.slice(start), ...argv]
    const program = baseName(words[start] ?? '')
    analysis.findings.invocation({ program, argv: all, span: analysis.location.here, via: state.via, implied: true })
  }
}

/** Runs the interpreter of `#!/usr/bin/python3 -u`. */
function runsInterpreter(analysis: Analysis, state: State, args: readonly Arg[], text: string): boolean {
  const [command] = args
  const line = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(text)
  if (!line || !command) return false
  analysis.budget.enter()
  const words = [line[1] ?? '', ...(line[2]?.trim() ? [line[2].trim()] : [])]
  const inner = state.fork()
  inner.via = [...state.via, command.text ?? '']
  runProgram(analysis, inner, [
    ...words.map((word) => ({ text: word, prefix: word, maySplit: false, span: command.span })),
    ...args,
  ])
  analysis.budget.exit()
  return true
}
