import type { ProcessSubstitution, Statement } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { textOfFile } from '../files/file-text.js'
import { scriptPath } from '../files/physical-path.js'
import type { Descriptors } from '../state/descriptors.js'
import type { State } from '../state/state.js'
import { Input, Sink } from '../state/streams.js'
import { unknown, type Value } from '../values/value.js'
import { expandWords } from './words.js'

/** Returns the output of `$( … )` without trailing newlines. */
export function substitute(analysis: Analysis, state: State, body: readonly Statement[]): Value {
  if (body.length === 0) return ''
  analysis.budget.enter()
  const short = readsFile(analysis, state, body)
  const sink = new Sink()
  const inner = subshell(state, state.descriptors.with(1, { input: null, sink }))
  inner.waits++
  analysis.interpreter.runStatements(analysis, inner, body)
  state.control.status = inner.control.status
  state.control.substitutions++
  analysis.budget.exit()
  const text = short ?? sink.text
  if (typeof text === 'string') return trimmed(text)
  const { alternatives, template, pathName } = text
  if (alternatives === undefined && template === undefined && pathName === undefined) return text
  return {
    ...text,
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(trimmed) }),
    ...(template === undefined ? {} : { template: trimmed(template) }),
    ...(pathName === undefined ? {} : { pathName: trimmed(pathName) }),
  }
}

function trimmed(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  let end = whole.length
  while (end > 0 && whole.charCodeAt(end - 1) === NEWLINE) end--
  return end === whole.length ? whole : whole.slice(0, end)
}

const NEWLINE = 0x0a

/** Returns the text of `$(<file)`. */
function readsFile(analysis: Analysis, state: State, body: readonly Statement[]): Value | null {
  const node = body[0]?.node
  if (body.length !== 1 || node?.kind !== 'simple' || node.words.length > 0 || node.assignments.length > 0) return null
  const [redirect] = node.redirects
  if (node.redirects.length !== 1 || redirect?.kind !== 'file' || redirect.operator !== '<') return null
  const [target] = expandWords(analysis, state, [redirect.target])
  const path = target?.text ? scriptPath(analysis, state, target.text) : null
  return textOfFile(analysis, path)
}

/** Returns a fork for commands that run beside or below this shell. */
export function subshell(state: State, descriptors: Descriptors): State {
  const inner = state.fork()
  inner.descriptors = descriptors
  inner.concurrency = state.concurrency + 1
  return inner
}

/** Returns the /dev/fd path of `<( … )` or `>( … )`. Its text is the output of the commands. */
export function processSubstitution(analysis: Analysis, state: State, part: ProcessSubstitution): Value {
  const { processSubstitutions } = analysis
  const path = processSubstitutions.open()
  state.history.hasBackground = true
  analysis.budget.enter()
  const sink = new Sink()
  const input = part.direction === '>' ? new Input(unknown('output', 'input of a process substitution')) : null
  const descriptors =
    part.direction === '<'
      ? state.descriptors.with(1, { input: null, sink })
      : state.descriptors.with(0, { input, sink: null })
  const inner = subshell(state, descriptors)
  // The commands inside start with none of them open.
  if (part.direction === '<')
    processSubstitutions.during(() => analysis.interpreter.runStatements(analysis, inner, part.body), 0)
  else
    processSubstitutions.addPending(() => runPending(analysis, inner, part, analysis.files.texts.get(path)?.text ?? ''))
  analysis.budget.exit()
  analysis.files.hasFiles = true
  analysis.files.texts.set(path, part.direction === '<' ? sink : new Sink())
  return processSubstitutions.isNumbered
    ? path
    : { ...unknown('number', 'a process substitution', '/dev/fd/'), pathName: path }
}

/** Runs the commands of `>( … )` after the command that writes to it. */
function runPending(analysis: Analysis, state: State, part: ProcessSubstitution, text: Value): void {
  state.descriptors = state.descriptors.with(0, { input: new Input(text), sink: null })
  analysis.interpreter.runStatements(analysis, state, part.body)
}
