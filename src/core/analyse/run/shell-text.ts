import { parseScript } from '../../shell/parse-script.js'
import type { Analysis } from '../analysis/analysis.js'
import { forkBranches } from '../analysis/fork-branches.js'
import type { Unread } from '../analysis/interpreter.js'
import { linesBeforeError, mayChangeGrammar, shellOfText } from '../analysis/lines-before-error.js'
import { textOfFile } from '../files/file-text.js'
import { reportWriter } from '../files/indirect-writers.js'
import { addPath } from '../files/path-facts.js'
import { absolutePath, linkedPath, physicalPath, scriptPath } from '../files/physical-path.js'
import { type Arg, MARK } from '../programs/grammar/roles.js'
import { setPositional } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { scalar } from '../state/variable.js'
import { SOMEWHERE } from '../state/working-directory.js'
import { OverBudget } from '../text/cost-meter.js'
import { PLAIN_TEMPORARY, prefixOf, templateOf, unknown, type Value } from '../values/value.js'
import { recoverStatements } from './parse-recovery.js'
import { pathNameOf } from './redirections.js'
import { runStatements } from './statements.js'

/** Runs text as shell commands: `eval`, `sh -c`, a script, a pipe into a shell. Reports its unknown parts. */
export function runText(analysis: Analysis, state: State, given: Value): void {
  if (typeof given !== 'string') {
    runUnknownText(analysis, state, given)
    return
  }
  // A shell skips NUL bytes.
  const text = given.includes('\0') ? given.replaceAll('\0', '') : given
  if (text.trim() === '') return
  analysis.budget.spend(text.length)
  analysis.budget.enter()
  const script = parseScript(text)
  const [problem] = script.parseErrors
  if (script.isTooLarge) throw new OverBudget(problem?.reason)
  const shell = problem ? shellOfText(analysis, state, text) : null
  const begun = shell === null ? null : linesBeforeError(analysis, text, shell)
  analysis.location.within(text, () => runStatements(analysis, state, (begun ?? script).statements))
  if (begun !== null && !mayChangeGrammar(analysis, state)) state.control.status = null
  else if (problem) {
    analysis.findings.reportUnknown(`a script inside the script has a syntax error: ${problem.reason}`, null)
    recoverStatements(analysis, state, text)
  }
  analysis.budget.exit()
}

function runUnknownText(analysis: Analysis, state: State, text: Exclude<Value, string>): void {
  const known = withPidParameter(text)
  if (known !== null) {
    runText(analysis, state, known)
    return
  }
  if (text.path !== undefined) {
    const { path, alternatives, ...rest } = text
    if (!alternatives || analysis.files.texts.has(path)) runFile(analysis, state, path, 'asked')
    else {
      runFile(analysis, state.fork(), path, 'asked')
      runUnknownText(analysis, state, { ...rest, origin: 'condition', alternatives })
    }
    return
  }
  if (runAroundTemporary(analysis, state, text)) return
  if (text.origin === 'download') analysis.findings.shape('download-and-run', analysis.location.here)
  if (text.origin === 'decoded' || text.origin === 'unpacked')
    analysis.findings.shape('decode-and-run', analysis.location.here)
  const options = text.alternatives ?? []
  if (options.length > 0)
    forkBranches(
      analysis,
      state,
      options.map((option) => (fork) => runText(analysis, fork, option)),
    )
  if (options.length === 0 || text.origin !== 'condition')
    analysis.findings.reportUnknown(`the shell evaluates ${text.unknown}`, null)
  runKnownParts(analysis, state, text)
}

/** The variable that replaces unknown parts when the rest of a text is parsed. */
const UNKNOWN_PART = 'CORDON_UNKNOWN_PART'
const PLACEHOLDER = `\${${UNKNOWN_PART}}`

/** Runs the known parts of a text. Each unknown part counts as a single word. */
function runKnownParts(analysis: Analysis, state: State, text: Exclude<Value, string>): void {
  const all = templateOf(text)
  // Only the end of an argument such as `--command=…` is the text.
  const whole = all.slice(Math.max(0, all.indexOf(text.prefix))).replaceAll(MARK, PLACEHOLDER)
  analysis.budget.spend(whole.length)
  if (whole.trim() === '' || whole === PLACEHOLDER || parseScript(whole).parseErrors.length > 0) return
  const fork = state.fork()
  fork.variables.set(UNKNOWN_PART, scalar(unknown(text.origin, text.unknown)))
  analysis.certainty.maybe(() => runText(analysis, fork, whole))
}

/** Runs text with a path from `mktemp` (`trap "rm -rf $dir" EXIT`) with a parameter in its place. */
function runAroundTemporary(analysis: Analysis, state: State, text: Exclude<Value, string>): boolean {
  const path = TEMPORARY.exec(text.pathName ?? '')?.[0]
  const [before, after, more] = text.template?.split(MARK) ?? []
  if (path === undefined || before === undefined || after === undefined || more !== undefined) return false
  // If mktemp fails, the path is empty and adjacent text becomes a word. Escapes in quotes are not followed.
  if (!/[\s'"=]$/.test(before) || !/^(?:$|[\s'"/;)&|])/.test(after) || ESCAPES.test(before + after)) return false
  const quote = /'/.test(before.replace(/'[^']*'/g, '')) ? `'"` : /"/.test(before.replace(/"[^"]*"/g, '')) ? '' : '"'
  const whole = `${before}${quote}${PLACEHOLDER}${[...quote].reverse().join('')}${after}`
  analysis.budget.spend(whole.length)
  if (parseScript(whole).parseErrors.length > 0) return false
  state.variables.set(UNKNOWN_PART, scalar({ ...unknown(text.origin, text.unknown), pathName: path }))
  runText(analysis, state, whole)
  return true
}

const ESCAPES = /[\\`]|\$['"]|<</
const TEMPORARY = new RegExp(`/dev/cordon/${PLAIN_TEMPORARY}-\\d+`)

/** Returns text with a process id (`trap "kill $!" EXIT`) with the parameter in its place. */
function withPidParameter({ origin, pathName }: Exclude<Value, string>): string | null {
  if (origin !== 'number' || pathName === undefined) return null
  const [before, after, more] = pathName.split('\u0001')
  return before === undefined || !/^[$!]/.test(after ?? '') || more !== undefined ? null : `${before}$${after}`
}

/** Scripts that the system's own `/etc/profile` and `/etc/bash.bashrc` run. Commands cannot write there. */
const SYSTEM_SCRIPTS = /^\/etc\/(?:profile|bash_completion|bashrc)\.d\/[\w.*-]+$/

/** Runs a shell script by its path. `unread` describes the script until the host answers. */
export function runScript(analysis: Analysis, state: State, path: Arg, args: readonly Arg[], unread: Unread): void {
  setPositional(state, args)
  if (path.text === null) {
    const pathName = pathNameOf(analysis, state, path)
    if (pathName !== null && analysis.files.texts.has(pathName)) runFile(analysis, state, pathName, unread)
    else if (SYSTEM_SCRIPTS.test(path.unknown?.glob ?? '') && !analysis.files.hasFiles)
      analysis.findings.reportForeign('a shell runs scripts of the system', path.span)
    else analysis.findings.reportUnknown('a shell runs a script with an unknown path', path.span)
    return
  }
  const inPath = path.text.includes('/') ? null : writtenInPath(analysis, state, path.text)
  if (inPath !== null) {
    runFile(analysis, state, inPath, unread)
    return
  }
  const absolute = absolutePath(analysis, state, path.text)
  if (absolute === null) {
    runInUnknownCwd(analysis, state, path, path.text, unread)
    return
  }
  const fd = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|(stdin))$/.exec(absolute)
  if (fd && !analysis.files.texts.has(absolute)) {
    const input = state.descriptors.get(Number(fd[1] ?? 0))?.input
    analysis.unset.reportEvaluation()
    runText(analysis, state, input ? input.drain() : '')
    return
  }
  if (fd) analysis.unset.reportEvaluation()
  else addPath(analysis, state, { kind: 'reads', by: 'bash' }, path)
  const linked = linkedPath(analysis, absolute, '/', true)
  if (linked !== null) runFile(analysis, state.fork(), linked, unread)
  for (const other of ownFilesInOldCwds(analysis, state, path.text, absolute))
    runFile(analysis, state.fork(), other, unread)
  // A link does not replace an existing file, unless forced.
  if (linked === null || existsOnHost(analysis, absolute) || analysis.files.texts.has(absolute))
    runFile(analysis, state, absolute, unread)
}

/** Returns the script's files of this path in directories that a failed `cd` would have kept. */
function ownFilesInOldCwds(analysis: Analysis, { directory }: State, path: string, found: string): readonly string[] {
  if (!analysis.files.hasFiles || path.startsWith('/')) return []
  return directory.possibleOldCwds
    .map((cwd) => physicalPath(analysis, path, cwd))
    .filter((file) => file !== found && analysis.files.texts.has(file))
}

/** Runs a script in an unknown directory if the script wrote it there. */
function runInUnknownCwd(analysis: Analysis, state: State, arg: Arg, path: string, unread: Unread): void {
  const own = ownFileInCwd(analysis, state, path)
  if (own === null) analysis.findings.reportUnknown('a shell runs a script in an unknown directory', arg.span)
  else runFile(analysis, state, own, unread)
}

/** Returns the script's file at a relative path in an unknown directory that has a name. */
export function ownFileInCwd(analysis: Analysis, state: State, path: string): string | null {
  if (state.directory.unknownCwdName === SOMEWHERE) return null
  const file = physicalPath(analysis, path, path.startsWith('/') ? '/' : state.directory.unknownCwdName)
  return analysis.files.texts.has(file) || analysis.files.copies.has(file) || analysis.files.writers.has(file)
    ? file
    : null
}

/** Returns the script's file of this name in a directory of PATH. */
export function writtenInPath(analysis: Analysis, state: State, name: string): string | null {
  const path = state.variables.get('PATH')?.value
  if (path === undefined) return null
  // With unknown directories in PATH, a file of that name can be in any of them.
  if (typeof path !== 'string' && analysis.files.texts.size > 0) {
    analysis.budget.add(analysis.files.texts.size)
    for (const [file] of analysis.files.texts) if (file.endsWith(`/${name}`)) return file
  }
  for (const directory of prefixOf(path).split(':')) {
    const candidate = scriptPath(analysis, state, `${directory === '' ? '.' : directory}/${name}`)
    if (analysis.files.texts.has(candidate) || analysis.files.copies.has(candidate)) return candidate
  }
  return null
}

/** Tells whether the file exists independently of the script's link. */
const existsOnHost = (analysis: Analysis, path: string): boolean =>
  (analysis.answers.paths.get(path)?.kind ?? 'missing') !== 'missing'

/** Tells whether this script is running. A rewritten script counts as another. */
export function isRunning(analysis: Analysis, state: State, path: string, text: Value): boolean {
  const running = analysis.calls.running.find((call) => call.name === path && call.text === text)
  if (!running) return false
  if (state.concurrency > running.concurrency) analysis.findings.shape('fork-bomb', analysis.location.here)
  return true
}

/** Tells whether a file is missing and no earlier command can have created it. bash then runs nothing. */
export const isMissing = (analysis: Analysis, path: string): boolean =>
  analysis.answers.paths.get(path)?.kind === 'missing' && !analysis.findings.mayHaveMade(path)

/** Reports a script that the host has not read. */
function reportUnread({ findings, questions }: Analysis, path: string, unread: Unread): void {
  if (unread === 'program') findings.reportForeign(`${path} is a program file`, null)
  else if (unread === 'asked' && questions.list.some((one) => one.ask === 'script' && one.path === path))
    findings.reportForeign(`Cordon has not read the script ${path}`, null)
  else findings.reportUnknown(`Cordon has not read the script ${path}`, null)
}

function runFile(analysis: Analysis, state: State, path: string, unread: Unread): void {
  const written = analysis.files.texts.get(path)
  const text = written !== undefined && written !== null ? written.text : analysis.answers.scripts.get(path)
  if (isRunning(analysis, state, path, text ?? '')) return
  analysis.calls.during({ name: path, concurrency: state.concurrency, text: text ?? '' }, () => {
    reportWriter(analysis, path)
    if (written === null) analysis.findings.reportUnknown('the command writes this script with unknown text', null)
    // The earlier text can still be there, or precede the new text.
    const isKept =
      written?.hasEarlierText || (written && written.conditionalDepth > analysis.certainty.conditionalDepth)
    if (written === undefined || isKept) analysis.questions.add({ ask: 'script', path })
    if (isKept) runText(analysis, state.fork(), analysis.answers.scripts.get(path) ?? '')
    if (isKept && !written.hasEarlierText && !analysis.answers.scripts.has(path)) reportUnread(analysis, path, unread)
    if (text === undefined) {
      if (written !== null) reportUnread(analysis, path, unread)
    } else if (text === null) {
      if (isMissing(analysis, path)) state.control.status = 127
      else if (unread !== 'program') analysis.findings.reportUnknown(`the script ${path} is not readable text`, null)
      else analysis.findings.reportForeign(`${path} is a program file`, null)
    } else runText(analysis, state, text)
  })
}

/** Returns the shell text of a file, if it is known to have any. */
export function shellTextAt(analysis: Analysis, path: string): Value | null | undefined {
  if (analysis.files.texts.has(path)) return textOfFile(analysis, path)
  return analysis.answers.scripts.get(path)
}
