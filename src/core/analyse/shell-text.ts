import { parseScript } from '../shell/parse-script.js'
import { forkBranches } from './branch.js'
import { addPath } from './path-facts.js'
import { linkedPath } from './physical-path.js'
import { givePositional } from './positional.js'
import { type Arg, MARK } from './programs/knowledge.js'
import type { Reading, Unread } from './reading.js'
import { placeOf, textOfFile } from './redirect.js'
import { runStatements } from './run.js'
import { salvage } from './salvage.js'
import { SOMEWHERE, type State, scalar } from './state.js'
import { TooMuch } from './text/work.js'
import { aroundOf, headOf, PLAIN_PLACE, unknown, type Value } from './value.js'
import { reportWriter } from './writers.js'

/** Runs text as shell commands: `eval`, `sh -c`, a script, a pipe into a shell. What is not known of it is hidden. */
export function runText(reading: Reading, state: State, given: Value): void {
  if (typeof given !== 'string') {
    runUnknownText(reading, state, given)
    return
  }
  // A shell passes over them.
  const text = given.includes('\0') ? given.replaceAll('\0', '') : given
  if (text.trim() === '') return
  reading.work.spend(text.length)
  reading.work.enter()
  const script = parseScript(text)
  const [problem] = script.problems
  if (script.isTooMuch) throw new TooMuch(problem?.reason)
  if (problem) reading.reportUnknown(`a script inside the script cannot be read: ${problem.reason}`, null)
  reading.within(text, () => runStatements(reading, state, script.statements))
  if (problem) salvage(reading, state, text)
  reading.work.exit()
}

function runUnknownText(reading: Reading, state: State, text: Exclude<Value, string>): void {
  const known = aroundNumber(text)
  if (known !== null) {
    runText(reading, state, known)
    return
  }
  if (text.path !== undefined) {
    const { path, options, ...rest } = text
    if (!options || reading.files.has(path)) runFile(reading, state, path, 'asked')
    else {
      runFile(reading, state.fork(), path, 'asked')
      runUnknownText(reading, state, { ...rest, source: 'condition', options })
    }
    return
  }
  if (runAroundTemporary(reading, state, text)) return
  if (text.source === 'download') reading.findings.shape('download-and-run', reading.here)
  if (text.source === 'decoded' || text.source === 'unpacked') reading.findings.shape('decode-and-run', reading.here)
  const options = text.options ?? []
  if (options.length > 0)
    forkBranches(
      reading,
      state,
      options.map((option) => (fork) => runText(reading, fork, option)),
    )
  if (options.length === 0 || text.source !== 'condition')
    reading.reportUnknown(`a shell runs text that is not known: ${text.unknown}`, null)
  runAround(reading, state, text)
}

/** Stands for what is not known where the text around it is read. */
const UNKNOWN_PART = 'CORDON_UNKNOWN_PART'
const PLACEHOLDER = `\${${UNKNOWN_PART}}`

/** Runs what stands around the parts that are not known, each taken for a single word. */
function runAround(reading: Reading, state: State, text: Exclude<Value, string>): void {
  const all = aroundOf(text)
  // Of an argument like `--command=…` only the end is the text.
  const whole = all.slice(Math.max(0, all.indexOf(text.head))).replaceAll(MARK, PLACEHOLDER)
  reading.work.spend(whole.length)
  if (whole.trim() === '' || whole === PLACEHOLDER || parseScript(whole).problems.length > 0) return
  const fork = state.fork()
  fork.set(UNKNOWN_PART, scalar(unknown(text.source, text.unknown)))
  reading.undecided++
  runText(reading, fork, whole)
  reading.undecided--
}

/**
 * Text that is known but for the path that `mktemp` made (`trap "rm -rf $dir" EXIT`) says the same with a parameter in its place, since
 * there is nothing in such a path that a shell would take for more than a path.
 */
function runAroundTemporary(reading: Reading, state: State, text: Exclude<Value, string>): boolean {
  const path = TEMPORARY.exec(text.place ?? '')?.[0]
  const [before, after, more] = text.around?.split(MARK) ?? []
  if (path === undefined || before === undefined || after === undefined || more !== undefined) return false
  // Where mktemp fails there is nothing: what is glued to it would then be another word. What escapes is not followed through quotes.
  if (!/[\s'"=]$/.test(before) || !/^(?:$|[\s'"/;)&|])/.test(after) || ESCAPES.test(before + after)) return false
  const quote = /'/.test(before.replace(/'[^']*'/g, '')) ? `'"` : /"/.test(before.replace(/"[^"]*"/g, '')) ? '' : '"'
  const whole = `${before}${quote}${PLACEHOLDER}${[...quote].reverse().join('')}${after}`
  reading.work.spend(whole.length)
  if (parseScript(whole).problems.length > 0) return false
  state.set(UNKNOWN_PART, scalar({ ...unknown(text.source, text.unknown), place: path }))
  runText(reading, state, whole)
  return true
}

const ESCAPES = /[\\`]|\$['"]|<</
const TEMPORARY = new RegExp(`/dev/cordon/${PLAIN_PLACE}-\\d+`)

/** Text that is known but for the number of a process (`trap "kill $!" EXIT`) says the same with the parameter in its place. */
function aroundNumber({ source, place }: Exclude<Value, string>): string | null {
  if (source !== 'number' || place === undefined) return null
  const [before, after, more] = place.split('\u0001')
  return before === undefined || !/^[$!]/.test(after ?? '') || more !== undefined ? null : `${before}$${after}`
}

/** Runs a shell script by its path. `unread` says what it is while it is not read. */
export function runScript(reading: Reading, state: State, path: Arg, args: readonly Arg[], unread: Unread): void {
  givePositional(state, args)
  if (path.text === null) {
    const place = placeOf(reading, state, path)
    if (place !== null && reading.files.has(place)) runFile(reading, state, place, unread)
    else {
      reading.reportUnknown('a shell runs a script whose path is not known', path.span)
    }
    return
  }
  const inPath = path.text.includes('/') ? null : writtenInPath(reading, state, path.text)
  if (inPath !== null) {
    runFile(reading, state, inPath, unread)
    return
  }
  const absolute = reading.absolute(state, path.text)
  if (absolute === null) {
    runSomewhere(reading, state, path, path.text, unread)
    return
  }
  const fd = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|(stdin))$/.exec(absolute)
  if (fd && !reading.files.has(absolute)) {
    const input = state.descriptors.get(Number(fd[1] ?? 0))?.input
    reading.evaluates()
    runText(reading, state, input ? input.drain() : '')
    return
  }
  if (fd) reading.evaluates()
  else addPath(reading, state, 'reads', path, 'bash', false)
  const linked = linkedPath(reading, absolute, '/', true)
  if (linked !== null) runFile(reading, state.fork(), linked, unread)
  for (const other of ownElsewhere(reading, state, path.text, absolute)) runFile(reading, state.fork(), other, unread)
  // Where there is a file already, no link is made unless by force.
  if (linked === null || isThere(reading, absolute) || reading.files.has(absolute))
    runFile(reading, state, absolute, unread)
}

/** Files of the script's own that a path leads to where `cd` did not go well. */
function ownElsewhere(reading: Reading, { stays }: State, path: string, found: string): readonly string[] {
  if (stays.length === 0 || !reading.memory.hasFiles || path.startsWith('/')) return []
  return stays
    .map((cwd) => reading.owned({ cwd, place: cwd }, path))
    .filter((file) => file !== found && reading.files.has(file))
}

/** A script in a directory that is not known: one that the script wrote there is read. */
function runSomewhere(reading: Reading, state: State, arg: Arg, path: string, unread: Unread): void {
  const own = ownFileHere(reading, state, path)
  if (own === null) reading.reportUnknown('a shell runs a script in a directory that is not known', arg.span)
  else runFile(reading, state, own, unread)
}

/** The file of the script's own that a relative path leads to where the directory is not known but has a name. */
export function ownFileHere(reading: Reading, state: State, path: string): string | null {
  if (state.place === SOMEWHERE) return null
  const file = reading.owned({ cwd: state.place, place: state.place }, path)
  return reading.files.has(file) || reading.copies.has(file) || reading.written.has(file) ? file : null
}

/** A bare name is looked for in the directories of PATH too: files of the script's own that are there. */
export function writtenInPath(reading: Reading, state: State, name: string): string | null {
  const path = state.get('PATH')?.value
  if (path === undefined) return null
  // Where the directories are not all known, a file of that name may be in one of them.
  if (typeof path !== 'string' && reading.files.size > 0) {
    reading.work.add(reading.files.size)
    for (const [file] of reading.files) if (file.endsWith(`/${name}`)) return file
  }
  for (const directory of headOf(path).split(':')) {
    const candidate = reading.owned(state, `${directory === '' ? '.' : directory}/${name}`)
    if (reading.files.has(candidate) || reading.copies.has(candidate)) return candidate
  }
  return null
}

/** Is it known to be there beside what a link of the script's puts there? */
const isThere = (reading: Reading, path: string): boolean =>
  (reading.answers.paths.get(path)?.kind ?? 'missing') !== 'missing'

/** Is this script being run already? One that was written anew meanwhile is another. */
export function isRunning(reading: Reading, state: State, path: string, text: Value): boolean {
  const running = reading.calls.find((call) => call.name === path && call.text === text)
  if (!running) return false
  if (state.concurrency > running.concurrency) reading.findings.shape('fork-bomb', reading.here)
  return true
}

/** Is a file known to be missing that nothing before can have made? Bash says so, and runs nothing. */
export const isMissing = (reading: Reading, path: string): boolean =>
  reading.answers.paths.get(path)?.kind === 'missing' && !reading.findings.mayHaveMade(path)

function runFile(reading: Reading, state: State, path: string, unread: Unread): void {
  const written = reading.files.get(path)
  const text = written !== undefined && written !== null ? written.text : reading.answers.scripts.get(path)
  if (isRunning(reading, state, path, text ?? '')) return
  reading.calls.push({ name: path, concurrency: state.concurrency, text: text ?? '' })
  reportWriter(reading, path)
  if (written === null) reading.reportUnknown('a script that the same command writes is not known', null)
  // What was there before it was written may still be there, or stand before that.
  const isKept = written?.continues || (written && written.undecided > reading.undecided)
  if (written === undefined || isKept) reading.ask({ ask: 'script', path })
  if (isKept) runText(reading, state.fork(), reading.answers.scripts.get(path) ?? '')
  if (isKept && !written.continues && !reading.answers.scripts.has(path)) reading.unread(path, unread)
  if (text === undefined) {
    if (written !== null) reading.unread(path, unread)
  } else if (text === null) {
    if (isMissing(reading, path)) state.status = 127
    else if (unread !== 'program') reading.reportUnknown(`the script ${path} cannot be read`, null)
    else reading.reportForeign(`${path} is a program of its own`, null)
  } else runText(reading, state, text)
  reading.calls.pop()
}

/** Is this file known to hold shell commands? */
export function shellTextAt(reading: Reading, path: string): Value | null | undefined {
  if (reading.files.has(path)) return textOfFile(reading, path)
  return reading.answers.scripts.get(path)
}
