import { wherePrograms } from './builtin-lookup.js'
import { echoed, printfed } from './builtin-print.js'
import { mayTell, ownOutput } from './own-output.js'
import { printedByProgram } from './printing.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { fileSink, textOfFile } from './redirect.js'
import type { State } from './state.js'
import { concat, PLAIN_PLACE, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** Tells what a program prints; null where that is not followed. */
export type Printer = (reading: Reading, state: State, args: readonly Arg[]) => Value | null

/** What a program prints: known where it only passes on known text. */
export const printed = (
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  printer: Printer | null,
): Value => printer?.(reading, state, args) ?? printedByProgram(reading, state, program, args)

/** `cat`: everything it reads, one after the other. */
const cat: Printer = (reading, state, args) => {
  const files: string[] = []
  for (const { text } of args.slice(1)) {
    if (text === null) return null
    if (text === '-' || !text.startsWith('-')) files.push(text)
    else if (text !== '-u' && text !== '--') return null
  }
  const input = (): Value => state.descriptors.get(0)?.input?.drain() ?? ''
  if (files.length === 0) return input()
  return files.reduce<Value>((all, file) => concat(all, file === '-' ? input() : textAt(reading, state, file)), '')
}

function textAt(reading: Reading, state: State, file: string): Value {
  const path = reading.owned(state, file)
  const fd = path.startsWith('/dev/') ? /^\/dev\/(?:stdin|fd\/(\d+))$/.exec(path) : null
  if (fd && !reading.files.has(path)) return state.descriptors.get(Number(fd[1] ?? 0))?.input?.drain() ?? ''
  return textOfFile(reading, path)
}

const tee: Printer = (reading, state, args) => {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  const append = args.some((arg) => /^(-[a-z]*a|--app)/.test(arg.text ?? ''))
  for (const arg of args.slice(1)) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    fileSink(reading, reading.owned(state, arg.text), append || /^\/dev\/fd\//.test(arg.text))?.write(input)
  }
  return input
}

const basename: Printer = (_reading, _state, [, path, suffix, more]) => {
  const text = path?.text ?? ''
  if (more || suffix?.text === null || text.startsWith('-') || /^\/*$/.test(text)) return null
  const base = text.replace(/\/+$/, '').replace(/^.*\//s, '')
  const end = suffix?.text ?? ''
  return `${base.endsWith(end) && base !== end ? base.slice(0, base.length - end.length) : base}\n`
}

const dirname: Printer = (_reading, _state, [, path, more]) => {
  const text = path?.text ?? ''
  if (more || text === '' || text.startsWith('-')) return null
  const clean = text.replace(/(?<=.)\/+$/, '')
  const slash = clean.lastIndexOf('/')
  return `${slash < 0 ? '.' : clean.slice(0, slash).replace(/\/+$/, '') || '/'}\n`
}

/** Numbers that `seq` is followed for. */
const MAX_NUMBERS = 4_096

const seq: Printer = (_reading, _state, [, ...args]) => {
  if (args.length === 0 || args.length > 3 || args.some(({ text }) => !/^-?\d+$/.test(text ?? ''))) return null
  const numbers = args.map(({ text }) => Number(text))
  const from = args.length === 1 ? 1 : (numbers[0] as number)
  const step = args.length === 3 ? (numbers[1] as number) : 1
  const to = numbers.at(-1) as number
  if (step === 0) return null
  if (Math.abs((to - from) / step) > MAX_NUMBERS) return unknown('number', 'numbers')
  let out = ''
  for (let i = from; step > 0 ? i <= to : i >= to; i += step) out += `${i}\n`
  return out
}

/** Letters of the figures that `date` prints, and what may stand between them. */
const FIGURES = /^\+(?:%-?[sYmdHMSNjuUVWyGgwFT]|[\d.:_ T-])+$/

/** A time: figures are a number wherever they are used. A format without any is what it says. */
const date: Printer = (_reading, _state, args) => {
  const format = args.find((arg) => arg.head.startsWith('+'))
  return format === undefined || (format.text?.includes('%') && FIGURES.test(format.text))
    ? unknown('number', 'the time')
    : null
}

const expr: Printer = (_reading, _state, [, ...args]) =>
  args.every(({ text, source }) => (text === null ? source === 'number' : /^(?:\d+|[-+*/%<>=!&|()]+)$/.test(text)))
    ? unknown('number', 'a number')
    : null

const printenv: Printer = (reading, state, [, name, more]) => {
  if (!name) return null
  const variable = name.text && !more ? lookUp(reading, state, name.text) : null
  return variable?.exported && variable.isSet ? concat(variable.value, '\n') : unknown('environment', 'a variable')
}

/** Templates in the directories for temporary files, or below this one. */
const TEMPLATE = /^(?:-[\w-]+(?:=.*)?|\/(?:var\/)?tmp(?:\/[\w-][\w.-]*)*\/?|(?:\.\/)?\w[\w.-]*)$/

const mktemp: Printer = (reading, state, args) => ({
  ...unknown(
    args.every(({ text }) => text === null || (TEMPLATE.test(text) && !/cordon|opencode/.test(text)))
      ? 'output'
      : 'made',
    'the output of mktemp',
  ),
  place: `/dev/cordon/${isPlainName(reading, state, args) ? PLAIN_PLACE : 'mktemp'}-${reading.temporaries++}`,
})

/** Is it where temporary files are, by a name that only mktemp makes up? */
function isPlainName(reading: Reading, state: State, [program, ...args]: readonly Arg[]): boolean {
  if (program?.text !== 'mktemp' || state.get('TMPDIR') !== undefined) return false
  if (!args.every(({ text }) => text !== null && /^(?:-[dq]+|--directory|--quiet)$/.test(text))) return false
  const { value, isSet } = lookUp(reading, state, 'TMPDIR')
  return !isSet || typeof value !== 'string' || /^[\w./-]*$/.test(value)
}

/** `realpath x`, `readlink -f x`: the path that stands on the command line. */
const realpath: Printer = (reading, state, args) => {
  const [only, more] = args.slice(1).filter((arg) => !arg.head.startsWith('-'))
  const resolves = args[0]?.text !== 'readlink' || args.some((arg) => /^-[fem]/.test(arg.head))
  const path = resolves && only?.text && !more ? reading.absolute(state, only.text) : null
  return path === null ? null : `${path}\n`
}

/** `find dir -name x`: files that a pattern matches. */
const find: Printer = (_reading, _state, args) => {
  if (
    args.some(
      ({ text }, i) =>
        /^-(?:f?printf|exec|execdir|ok|okdir)$/.test(text ?? '') || (text === '0' && args[i - 1]?.text === '-maxdepth'),
    )
  )
    return null
  const directory = args.slice(1).find((arg) => !arg.head.startsWith('-'))?.text
  const at = args.findIndex((arg) => arg.text === '-name')
  const name = at < 0 ? '*' : args[at + 1]?.text
  if (!directory || !name || (at < 0 && !/^(?:\/|\.\.(?:\/|$))/.test(directory))) return null
  const glob = `${directory.replace(/(?<=.)\/+$/, '')}/${name}`.replace('//', '/')
  return { ...unknown('files', 'files that are found'), glob }
}

const ls: Printer = (_reading, _state, args) => {
  const [only, more] = args.slice(1).filter((arg) => !arg.head.startsWith('-'))
  const glob = only?.unknown?.glob ?? (only?.text?.includes('/') ? only.text : undefined)
  const isSelf = args.some(({ head }) => /^-[a-zA-Z]*d|^--(?:directory|time-style)/.test(head))
  return more || glob === undefined || isSelf ? null : { ...unknown('files', 'what is there'), glob }
}

/** Nothing, unless it is asked to tell what it does. */
const silent: Printer = (_reading, _state, args) =>
  args.some((arg) => /^-(?:[a-zA-Z]*v|-(?:ver|help))/.test(arg.head)) ? null : ''

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['echo', (_reading, _state, args) => echoed(args)],
  ['printf', (_reading, _state, args) => printfed(args[1]?.text === '--' ? args.slice(2) : args.slice(1))],
  ['which', (_reading, state, args) => wherePrograms(state, args.slice(1))],
  ['cat', cat],
  ['tee', tee],
  ['basename', basename],
  ['dirname', dirname],
  ['seq', seq],
  ['date', date],
  ['expr', expr],
  ['printenv', printenv],
  ['mktemp', mktemp],
  ['realpath', realpath],
  ['readlink', realpath],
  ['find', find],
  ['ls', ls],
  ...'true sleep mkdir touch chmod rm cp mv ln'.split(' ').map((name) => [name, silent] as const),
])

/** Found once for each name of a program. */
export const printerOf = (program: string): Printer | null =>
  PRINTERS.get(program) ??
  (mayTell(program) ? (reading, state, args) => ownOutput(reading, state, program, args) : null)
