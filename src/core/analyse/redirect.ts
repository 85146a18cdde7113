import type { Part, Redirect } from '../shell/tree.js'
import { assign } from './assigning.js'
import type { Descriptors } from './descriptors.js'
import { expandValue, expandWord } from './expand.js'
import { changesNothing, eitherLast, joinForks } from './join.js'
import { holdsOwnText } from './mentioned.js'
import { oneOf } from './one-of.js'
import { addHost, addPath } from './path-facts.js'
import { linkedPath } from './physical-path.js'
import { isMade } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { type Descriptor, Input, Sink } from './streams.js'
import { concat, unknown, type Value } from './value.js'
import { isWritten } from './writable.js'

const CLOSED: Descriptor = { input: new Input(''), sink: null }
const NOT_KNOWN: Descriptor = { input: new Input(unknown('input', 'a descriptor that is not known')), sink: null }
const STANDARD: ReadonlyMap<string, number> = new Map([
  ['/dev/stdin', 0],
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
])
/** Writing there changes nothing. */
const NOWHERE = new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/tty', '/dev/ptmx', '/dev/random', '/dev/urandom'])

const always = (): boolean => true

/** Runs something with redirections in force, then takes them back. `changes`: may what it runs change this shell? */
export function withRedirects(
  reading: Reading,
  state: State,
  redirects: readonly Redirect[],
  run: (state: State) => void,
  changes: () => boolean = always,
): void {
  if (redirects.length === 0) {
    run(state)
    return
  }
  const before = state.descriptors
  const waiting = reading.later.length
  state.descriptors = redirected(reading, state, redirects)
  const unsure = redirects.some(mayFail)
  const isOpen = redirects.some((one) => one.kind === 'file' && one.target.parts.some(isProcess))
  if (isOpen) reading.unnumbered++
  if (unsure) reading.unsure++
  const isOwn = unsure && redirects.every((redirect) => readsOwn(reading, state, redirect))
  const isLeft = unsure && !isOwn && changes()
  if (isLeft) runUnsure(reading, state, run)
  else {
    run(state)
    // Without the file it fails, whatever it is.
    if (unsure && !isOwn) state.status = null
  }
  if (unsure) reading.unsure--
  if (isOpen) reading.unnumbered--
  state.descriptors = state.keptDescriptors ?? before
  state.keptDescriptors = null
  flushLater(reading, waiting)
}

const isProcess = ({ kind }: Part): boolean => kind === 'process'

/** Does it read a file that the script wrote? */
function readsOwn(reading: Reading, state: State, redirect: Redirect): boolean {
  if (redirect.kind !== 'file' || redirect.operator !== '<' || !reading.memory.hasFiles) return false
  const [only, more] = redirect.target.parts
  const path = only?.kind === 'text' && more === undefined ? reading.owned(state, only.value) : null
  return path !== null && reading.files.has(path)
}

/** What it changes may stay what it was; what it writes is written where it runs. */
function runUnsure(reading: Reading, state: State, run: (state: State) => void): void {
  const fork = state.fork()
  fork.descriptors = state.descriptors
  run(fork)
  state.keptDescriptors = fork.keptDescriptors
  fork.keptDescriptors = null
  if (changesNothing(fork, state)) {
    state.last = eitherLast([fork, state])
    state.status = null
    return
  }
  reading.hasChoices ||= fork.changed.size > 0
  joinForks(reading.work, state, [fork, state.fork()])
  state.status = null
}

/** A file to read need not be there, nor the directory of one to write: nothing runs then. */
const mayFail = (redirect: Redirect): boolean => {
  if (redirect.kind !== 'file' || redirect.operator === '<&' || redirect.operator === '>&') return false
  const { parts } = redirect.target
  if (parts.some(isProcess)) return false
  return redirect.operator === '<' || parts.some(isInDirectory)
}

const isInDirectory = (part: Part): boolean =>
  part.kind === 'text' && part.value.includes('/') && /[^/]\//.test(part.value) && !part.value.startsWith('/dev/')

/** Process substitutions that were written to are run once the writing is over. */
export function flushLater(reading: Reading, from: number): void {
  if (reading.later.length === from) return
  for (const { path, run } of reading.later.splice(from)) run(reading.files.get(path)?.text ?? '')
}

/** The descriptors after the redirections; their facts are noted on the way. */
export function redirected(reading: Reading, state: State, redirects: readonly Redirect[]): Descriptors {
  let { descriptors } = state
  for (let i = 0; i < redirects.length; i++) {
    const redirect = redirects[i] as Redirect
    reading.work.add(2 * descriptors.size)
    const fd = number(reading, state, redirect, descriptors)
    if (redirect.kind === 'text') {
      const body = expandValue(reading, state, redirect.body)
      descriptors = descriptors.with(fd, { input: new Input(redirect.newline ? concat(body, '\n') : body), sink: null })
    } else descriptors = applyFile(reading, state, redirect, fd, descriptors)
  }
  return descriptors
}

function number(reading: Reading, state: State, redirect: Redirect, descriptors: Descriptors): number {
  if (typeof redirect.descriptor === 'number') return redirect.descriptor
  if (typeof redirect.descriptor === 'string') {
    let free = 10
    while (descriptors.get(free)) free++
    assign(reading, state, redirect.descriptor, String(free))
    return free
  }
  return redirect.kind === 'text' || redirect.operator.startsWith('<') ? 0 : 1
}

function applyFile(
  reading: Reading,
  state: State,
  redirect: Extract<Redirect, { kind: 'file' }>,
  fd: number,
  descriptors: Descriptors,
): Descriptors {
  const args: Arg[] = []
  expandWord(reading, state, redirect.target, args)
  const arg = args[0]
  if (!arg) return descriptors
  const { operator } = redirect
  const duplicate = operator === '<&' || operator === '>&'
  const given = arg.text ?? arg.options?.find((option) => /^\d+-?$/.test(option))
  if (duplicate && given !== undefined && /^(\d+-?|-)$/.test(given)) {
    const copied = given === '-' ? undefined : descriptors.get(Number.parseInt(given, 10))
    return noteErrors(state, fd, descriptors.with(fd, copied ?? CLOSED))
  }
  if (isMade(arg)) reading.reportUnknown('a file name is made by a program of text in the script', arg.span)
  if (operator === '<&') return descriptors.with(fd, NOT_KNOWN)
  const both = operator === '&>' || operator === '&>>' || operator === '>&'
  const descriptor = open(reading, state, arg, operator, descriptors)
  const opened = descriptors.with(fd, descriptor)
  return both ? noteErrors(state, 2, opened.with(2, descriptor)) : noteErrors(state, fd, opened)
}

/**
 * Descriptors of which one was just given another end. Error messages and traces repeat words of the script: what collects them is not
 * known.
 */
export function noteErrors(state: State, fd: number, descriptors: Descriptors): Descriptors {
  if (fd === 2 || state.get('BASH_XTRACEFD')) descriptors.get(fd)?.sink?.write(unknown('output', 'error messages'))
  return descriptors
}

const NETWORK = /^\/dev\/(tcp|udp)\/([^/]*)(?:\/(\d+))?/

/** What stands for a path that is not known but the same each time. */
export const placeOf = (reading: Reading, state: State, arg: Arg): string | null =>
  arg.place === undefined ? null : reading.owned(state, arg.place)

/** What a descriptor is that was opened on a path. */
function open(reading: Reading, state: State, arg: Arg, operator: string, descriptors: Descriptors): Descriptor {
  const reads = operator === '<' || operator === '<>'
  const writes = operator !== '<'
  const text = arg.text ?? arg.head
  const network = text.startsWith('/dev/') ? NETWORK.exec(text) : null
  if (network) {
    addHost(reading, network[2] ?? '', network[3] ? Number(network[3]) : null, arg.span, 'redirect')
    return { input: new Input(unknown('download', 'what comes over the network')), sink: null }
  }
  const path = arg.text === null ? placeOf(reading, state, arg) : reading.owned(state, arg.text)
  let made = false
  if (path?.startsWith('/dev/') || path?.startsWith('/proc/')) {
    const standard = STANDARD.get(path) ?? /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1]
    if (standard !== undefined && !reading.files.has(path)) return descriptors.get(Number(standard)) ?? CLOSED
    if (NOWHERE.has(path))
      return { input: new Input(path === '/dev/null' ? '' : unknown('input', 'a device')), sink: null }
    made = /^\/dev\/fd\/\d+$/.test(path)
  }
  if (!made && reads) addPath(reading, state, 'reads', arg, 'redirect', false)
  if (!made && writes) addPath(reading, state, 'writes', arg, 'redirect', false)
  if (writes && state.stays.length > 0 && reading.memory.hasFiles) mayWriteElsewhere(reading, state, arg.text, path)
  const isKept = operator === '>' && state.options.has('noclobber')
  return {
    input: reads ? new Input(textOfFile(reading, path)) : null,
    sink: writes
      ? fileSink(reading, path, operator.includes('>>') || operator === '<>', operator === '<>', isKept)
      : null,
  }
}

/** Where it is not known whether `cd` went well, a file of the script's own may be written that has the same name where it was before. */
function mayWriteElsewhere(reading: Reading, { stays }: State, name: string | null, path: string | null): void {
  if (name === null || name.startsWith('/') || reading.dead > 0) return
  for (const cwd of stays) {
    const other = reading.owned({ cwd, place: cwd }, name)
    const file = other === path ? null : reading.files.get(other)
    file?.mayBegin()
    file?.write(unknown('output', 'what may be written elsewhere'))
  }
}

/** Programs that write what they read into a file that an option or an operand names. */
const COPIES_INPUT = /^(?:sort|uniq|iconv|xxd|dd|ed|ex|vi|vim|openssl|gpg|base64)$/

/** What is known of a file's text: what the script itself wrote there, or a hole that remembers the file. */
export function textOfFile(reading: Reading, path: string | null): ReturnType<Input['peek']> {
  if (path === null) return unknown('input', 'the text of a file')
  if (path === '/dev/null') return ''
  if (reading.memory.hasFiles) {
    const written = reading.files.get(path) ?? reading.files.get(linkedPath(reading, path, '/', true) ?? '')
    if (written?.isMixed) return { ...unknown('made', 'the text of a file'), path, options: textsOf(written.text) }
    if (written?.isPartial && written.text !== '' && reading.answers.paths.get(path)?.kind !== 'missing')
      reading.reportUnknown('a file that was written from its start on may have had more in it', null)
    if (written && !written.continues && !(written.isPartial && written.text === ''))
      return asWritten(reading, path, written)
    // There may have been nothing before what the script wrote at its end.
    if (typeof written?.text === 'string' && written.text !== '')
      return { ...unknown('input', 'the text of a file'), path, options: [written.text] }
  }
  const isWrittenHere = reading.findings.hasWrites && reading.written.has(path)
  const isOwn = holdsOwnText(reading, path) || (isWrittenHere && COPIES_INPUT.test(reading.written.get(path) ?? ''))
  const source = isOwn ? 'made' : isWrittenHere ? 'output' : 'input'
  return { ...unknown(source, 'the text of a file'), path }
}

const textsOf = (text: Value): readonly string[] => (typeof text === 'string' ? [text] : (text.options ?? []))

/** A file whose directory is not there, or refuses to be written to, does not hold what was written. */
function asWritten(reading: Reading, path: string, { text, undecided }: Sink): Value {
  const isSure = undecided <= reading.undecided || reading.answers.paths.get(path)?.kind === 'missing'
  // What was there before may still be.
  if (!isSure) return oneOf([text, '', { ...unknown('input', 'the text of a file'), path }])
  if (typeof text !== 'string' || text === '') return text
  const how = undecided > reading.undecided ? 'unless missing' : isWritten(reading, path)
  if (how === 'surely') return text
  if (how === 'unless missing') return oneOf([text, ''])
  return { ...unknown('input', 'the text of a file'), path, options: [text, ''] }
}

/** The sink of a file that is being written. In code that may not run, earlier text stays too; so it does where what is there is kept. */
export function fileSink(
  reading: Reading,
  path: string | null,
  append: boolean,
  partial = false,
  isKept = false,
): Sink | null {
  if (path === null || reading.dead > 0) return path === null ? null : new Sink()
  if (reading.calls.some((call) => call.name === path))
    reading.reportUnknown('a script changes itself while it runs', null)
  const before = reading.files.get(path)
  const isSure = reading.undecided === 0 && !isKept
  if (before && (append || !isSure)) {
    if (!append) before.mayBegin()
    else if (isSure) before.grow()
    else if (before.branch !== reading.branch) before.mayGrow()
    before.branch = reading.branch
    return before
  }
  const sink = new Sink()
  sink.branch = reading.branch
  sink.continues = append && !partial
  sink.isPartial = partial
  sink.undecided = isKept ? Number.POSITIVE_INFINITY : reading.undecided
  const linked = linkedPath(reading, path, '/', true)
  reading.memory.hasFiles = true
  overwrite(reading, path, sink)
  if (linked !== null) overwrite(reading, linked, sink)
  return sink
}

function overwrite(reading: Reading, path: string, sink: Sink): void {
  reading.files.set(path, sink)
  reading.copies.delete(path)
  reading.written.delete(path)
}
