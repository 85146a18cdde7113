import type { ProcessSubstitution, Statement } from '../shell/tree.js'
import type { Descriptors } from './descriptors.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import { runStatements } from './run.js'
import type { State } from './state.js'
import { Input, Sink } from './streams.js'
import { unknown, type Value } from './value.js'

/** The output of `$( … )`, trailing newlines taken off; what it runs is found on the way. */
export function substitute(reading: Reading, state: State, body: readonly Statement[]): Value {
  if (body.length === 0) return ''
  reading.work.enter()
  const short = readsFile(reading, state, body)
  const sink = new Sink()
  const inner = subshell(state, state.descriptors.with(1, { input: null, sink }))
  inner.waits++
  runStatements(reading, inner, body)
  state.status = inner.status
  reading.substitutions++
  reading.work.exit()
  const text = short ?? sink.text
  if (typeof text === 'string') return trimmed(text)
  const { options, around, place } = text
  if (options === undefined && around === undefined && place === undefined) return text
  return {
    ...text,
    ...(options === undefined ? {} : { options: options.map(trimmed) }),
    ...(around === undefined ? {} : { around: trimmed(around) }),
    ...(place === undefined ? {} : { place: trimmed(place) }),
  }
}

function trimmed(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  let end = whole.length
  while (end > 0 && whole.charCodeAt(end - 1) === NEWLINE) end--
  return end === whole.length ? whole : whole.slice(0, end)
}

const NEWLINE = 0x0a

/** `$(<file)` is the file's text. */
function readsFile(reading: Reading, state: State, body: readonly Statement[]): Value | null {
  const node = body[0]?.node
  if (body.length !== 1 || node?.kind !== 'simple' || node.words.length > 0 || node.assignments.length > 0) return null
  const [redirect] = node.redirects
  if (node.redirects.length !== 1 || redirect?.kind !== 'file' || redirect.operator !== '<') return null
  const [target] = reading.expandSplit(state, redirect.target)
  const path = target?.text ? reading.owned(state, target.text) : null
  return textOfFile(reading, path)
}

/** A fork for commands that run beside or below this shell. */
export function subshell(state: State, descriptors: Descriptors): State {
  const inner = state.fork()
  inner.descriptors = descriptors
  inner.concurrency = state.concurrency + 1
  return inner
}

/** `<( … )` and `>( … )`: a path under /dev/fd whose text is what the commands print. */
export function processSubstitution(reading: Reading, state: State, part: ProcessSubstitution): Value {
  const path = `/dev/fd/${63 - (reading.opened++ % 32)}`
  reading.background = true
  // The commands in it start with none of them open.
  const { opened } = reading
  reading.opened = 0
  reading.work.enter()
  const sink = new Sink()
  const input =
    part.direction === '>' ? new Input(unknown('output', 'what is written to a process substitution')) : null
  const descriptors =
    part.direction === '<'
      ? state.descriptors.with(1, { input: null, sink })
      : state.descriptors.with(0, { input, sink: null })
  const inner = subshell(state, descriptors)
  if (part.direction === '<') runStatements(reading, inner, part.body)
  else reading.later.push({ path, run: (text) => runWritten(reading, inner, part, text) })
  reading.work.exit()
  reading.opened = opened
  reading.memory.hasFiles = true
  reading.files.set(path, part.direction === '<' ? sink : new Sink())
  return reading.unnumbered > 0 ? { ...unknown('number', 'a process substitution', '/dev/fd/'), place: path } : path
}

/** `>( … )` is run when the command that writes to it has been read. */
function runWritten(reading: Reading, state: State, part: ProcessSubstitution, text: Value): void {
  state.descriptors = state.descriptors.with(0, { input: new Input(text), sink: null })
  runStatements(reading, state, part.body)
}
