import type { Part, Redirect } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { assign } from '../expand/assign.js'
import { expandValue, expandWord } from '../expand/words.js'
import { fileSink, textOfFile } from '../files/file-text.js'
import { addHost, addPath } from '../files/path-facts.js'
import { physicalPath, scriptPath } from '../files/physical-path.js'
import { isComputed } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { Descriptors } from '../state/descriptors.js'
import { changesNothing, eitherLast, joinForks } from '../state/join-forks.js'
import type { State } from '../state/state.js'
import { type Descriptor, Input } from '../state/streams.js'
import { concat, unknown } from '../values/value.js'

const CLOSED: Descriptor = { input: new Input(''), sink: null }
const UNKNOWN_DESCRIPTOR: Descriptor = { input: new Input(unknown('input', 'an unknown file descriptor')), sink: null }
const STANDARD: ReadonlyMap<string, number> = new Map([
  ['/dev/stdin', 0],
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
])
/** Devices without stored content. */
const DEVICES = new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/tty', '/dev/ptmx', '/dev/random', '/dev/urandom'])

const always = (): boolean => true

/** Runs a function with redirections in force. `changes` tells whether it can change this shell. */
export function withRedirects(
  analysis: Analysis,
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
  analysis.processSubstitutions.flushAfter(() => {
    state.descriptors = redirected(analysis, state, redirects)
    const isOpen = redirects.some((one) => one.kind === 'file' && one.target.parts.some(isProcess))
    const runAll = redirects.some(mayFail)
      ? () => analysis.certainty.unlessFailed(() => runUnlessFailed(analysis, state, redirects, run, changes))
      : () => run(state)
    if (isOpen) analysis.processSubstitutions.withoutNumbers(runAll)
    else runAll()
    state.descriptors = state.keptDescriptors ?? before
    state.keptDescriptors = null
  })
}

/** Runs a command only if its redirections succeed. */
function runUnlessFailed(
  analysis: Analysis,
  state: State,
  redirects: readonly Redirect[],
  run: (state: State) => void,
  changes: () => boolean,
): void {
  const isOwn = redirects.every((redirect) => readsOwn(analysis, state, redirect))
  if (!isOwn && changes()) runUncertain(analysis, state, run)
  else {
    run(state)
    if (!isOwn) state.control.status = null
  }
}

const isProcess = ({ kind }: Part): boolean => kind === 'process'

function readsOwn(analysis: Analysis, state: State, redirect: Redirect): boolean {
  if (redirect.kind !== 'file' || redirect.operator !== '<' || !analysis.files.hasFiles) return false
  const [only, more] = redirect.target.parts
  const path = only?.kind === 'text' && more === undefined ? scriptPath(analysis, state, only.value) : null
  return path !== null && analysis.files.texts.has(path)
}

/** Runs a command whose changes may not happen. Its output is kept. */
function runUncertain(analysis: Analysis, state: State, run: (state: State) => void): void {
  const fork = state.fork()
  fork.descriptors = state.descriptors
  run(fork)
  state.keptDescriptors = fork.keptDescriptors
  fork.keptDescriptors = null
  if (changesNothing(fork, state)) {
    state.lastArg = eitherLast([fork, state])
    state.control.status = null
    return
  }
  joinForks(analysis.budget, state, [fork, state.fork()])
  state.control.status = null
}

/** Tells whether a redirection can fail: a missing input file or output directory. */
const mayFail = (redirect: Redirect): boolean => {
  if (redirect.kind !== 'file' || redirect.operator === '<&' || redirect.operator === '>&') return false
  const { parts } = redirect.target
  if (parts.some(isProcess)) return false
  return redirect.operator === '<' || parts.some(isInDirectory)
}

const isInDirectory = (part: Part): boolean =>
  part.kind === 'text' && part.value.includes('/') && /[^/]\//.test(part.value) && !part.value.startsWith('/dev/')

/** Returns the descriptors after the redirections, and records their facts. */
export function redirected(analysis: Analysis, state: State, redirects: readonly Redirect[]): Descriptors {
  let { descriptors } = state
  for (let i = 0; i < redirects.length; i++) {
    const redirect = redirects[i] as Redirect
    analysis.budget.add(2 * descriptors.size)
    const fd = number(analysis, state, redirect, descriptors)
    if (redirect.kind === 'text') {
      const body = expandValue(analysis, state, redirect.body)
      descriptors = descriptors.with(fd, { input: new Input(redirect.newline ? concat(body, '\n') : body), sink: null })
    } else descriptors = applyFile(analysis, state, redirect, fd, descriptors)
  }
  return descriptors
}

function number(analysis: Analysis, state: State, redirect: Redirect, descriptors: Descriptors): number {
  if (typeof redirect.descriptor === 'number') return redirect.descriptor
  if (typeof redirect.descriptor === 'string') {
    let free = 10
    while (descriptors.get(free)) free++
    assign(analysis, state, redirect.descriptor, String(free))
    return free
  }
  return redirect.kind === 'text' || redirect.operator.startsWith('<') ? 0 : 1
}

function applyFile(
  analysis: Analysis,
  state: State,
  redirect: Extract<Redirect, { kind: 'file' }>,
  fd: number,
  descriptors: Descriptors,
): Descriptors {
  const args: Arg[] = []
  expandWord(analysis, state, redirect.target, args)
  const arg = args[0]
  if (!arg) return descriptors
  const { operator } = redirect
  const duplicate = operator === '<&' || operator === '>&'
  const given = arg.text ?? arg.alternatives?.find((option) => /^\d+-?$/.test(option))
  if (duplicate && given !== undefined && /^(\d+-?|-)$/.test(given)) {
    const copied = given === '-' ? undefined : descriptors.get(Number.parseInt(given, 10))
    return noteErrors(state, fd, descriptors.with(fd, copied ?? CLOSED))
  }
  if (isComputed(arg))
    analysis.findings.reportUnknown('a program computes a file name from text in the script', arg.span)
  if (operator === '<&') return descriptors.with(fd, UNKNOWN_DESCRIPTOR)
  const both = operator === '&>' || operator === '&>>' || operator === '>&'
  const descriptor = open(analysis, state, arg, operator, descriptors)
  const changed = descriptors.with(fd, descriptor)
  return both ? noteErrors(state, 2, changed.with(2, descriptor)) : noteErrors(state, fd, changed)
}

/** Returns descriptors after a change of one. Collected error messages become unknown: they repeat words. */
export function noteErrors(state: State, fd: number, descriptors: Descriptors): Descriptors {
  if (fd === 2 || state.variables.get('BASH_XTRACEFD'))
    descriptors.get(fd)?.sink?.write(unknown('output', 'error messages'))
  return descriptors
}

const NETWORK = /^\/dev\/(tcp|udp)\/([^/]*)(?:\/(\d+))?/

/** Returns the path of an argument, or the name of an unknown path that is the same each time. */
export const pathNameOf = (analysis: Analysis, state: State, arg: Arg): string | null =>
  arg.pathName === undefined ? null : scriptPath(analysis, state, arg.pathName)

function open(analysis: Analysis, state: State, arg: Arg, operator: string, descriptors: Descriptors): Descriptor {
  const reads = operator === '<' || operator === '<>'
  const writes = operator !== '<'
  const text = arg.text ?? arg.prefix
  const network = text.startsWith('/dev/') ? NETWORK.exec(text) : null
  if (network) {
    addHost(analysis, network[2] ?? '', network[3] ? Number(network[3]) : null, arg.span, 'redirect')
    return { input: new Input(unknown('download', 'data from the network')), sink: null }
  }
  const path = arg.text === null ? pathNameOf(analysis, state, arg) : scriptPath(analysis, state, arg.text)
  let made = false
  if (path?.startsWith('/dev/') || path?.startsWith('/proc/')) {
    const standard = STANDARD.get(path) ?? /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1]
    if (standard !== undefined && !analysis.files.texts.has(path)) return descriptors.get(Number(standard)) ?? CLOSED
    if (DEVICES.has(path))
      return { input: new Input(path === '/dev/null' ? '' : unknown('input', 'a device')), sink: null }
    made = /^\/dev\/fd\/\d+$/.test(path)
  }
  if (!made && reads) addPath(analysis, state, { kind: 'reads', by: 'redirect' }, arg)
  if (!made && writes) addPath(analysis, state, { kind: 'writes', by: 'redirect' }, arg)
  if (writes && state.directory.possibleOldCwds.length > 0 && analysis.files.hasFiles)
    mayWriteElsewhere(analysis, state, arg.text, path)
  const isKept = operator === '>' && state.options.has('noclobber')
  return {
    input: reads ? new Input(textOfFile(analysis, path)) : null,
    sink: writes
      ? fileSink(analysis, path, operator.includes('>>') || operator === '<>', operator === '<>', isKept)
      : null,
  }
}

/** Writes to the file of the same name in a directory that a failed `cd` may have kept. */
function mayWriteElsewhere(analysis: Analysis, { directory }: State, name: string | null, path: string | null): void {
  if (name === null || name.startsWith('/') || analysis.certainty.isUnreachable) return
  for (const cwd of directory.possibleOldCwds) {
    const other = physicalPath(analysis, name, cwd)
    const file = other === path ? null : analysis.files.texts.get(other)
    file?.mayBegin()
    file?.write(unknown('output', 'output that may go to another file'))
  }
}
