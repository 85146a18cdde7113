import type { Analysis } from '../analysis/analysis.js'
import { echoOutput, printfOutput } from '../builtins/echo-and-printf.js'
import { whichOutput } from '../builtins/type-and-command.js'
import { lookUp } from '../expand/variables.js'
import { fileSink, textOfFile } from '../files/file-text.js'
import { absolutePath, scriptPath } from '../files/physical-path.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { concat, PLAIN_TEMPORARY, unknown, type Value } from '../values/value.js'
import { commentFilter, withoutLines } from './comment-filter.js'
import { printedByProgram } from './print-traits.js'
import { mayHaveOwnOutput, ownOutput } from './settings-output.js'

/** Returns the output of a program, or null if it is not followed. */
export type Printer = (analysis: Analysis, state: State, args: readonly Arg[]) => Value | null

/** Returns the output of a program. It is known only if the program passes on known text. */
export const outputOf = (
  analysis: Analysis,
  state: State,
  program: string,
  args: readonly Arg[],
  printer: Printer | null,
): Value => printer?.(analysis, state, args) ?? printedByProgram(analysis, state, program, args)

/** `cat` prints its inputs in order. */
const cat: Printer = (analysis, state, args) => {
  const files: string[] = []
  for (const { text } of args.slice(1)) {
    if (text === null) return null
    if (text === '-' || !text.startsWith('-')) files.push(text)
    else if (text !== '-u' && text !== '--') return null
  }
  const input = (): Value => state.descriptors.get(0)?.input?.drain() ?? ''
  if (files.length === 0) return input()
  return files.reduce<Value>((all, file) => concat(all, file === '-' ? input() : textAt(analysis, state, file)), '')
}

function textAt(analysis: Analysis, state: State, file: string): Value {
  const path = scriptPath(analysis, state, file)
  const fd = path.startsWith('/dev/') ? /^\/dev\/(?:stdin|fd\/(\d+))$/.exec(path) : null
  if (fd && !analysis.files.texts.has(path)) return state.descriptors.get(Number(fd[1] ?? 0))?.input?.drain() ?? ''
  return textOfFile(analysis, path)
}

/** `grep -v '^#'` prints the lines of known text that are no comments. */
const grep: Printer = (analysis, state, [, option, pattern, file, more]) => {
  const isComment = more ? null : commentFilter(option?.text ?? '', pattern?.text ?? '')
  if (isComment === null || file?.text === null) return null
  return withoutLines(
    file ? textAt(analysis, state, file.text) : (state.descriptors.get(0)?.input?.peek() ?? ''),
    isComment,
  )
}

const tee: Printer = (analysis, state, args) => {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  const append = args.some((arg) => /^(-[a-z]*a|--app)/.test(arg.text ?? ''))
  for (const arg of args.slice(1)) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    fileSink(analysis, scriptPath(analysis, state, arg.text), append || /^\/dev\/fd\//.test(arg.text))?.write(input)
  }
  return input
}

const basename: Printer = (_analysis, _state, [, path, suffix, more]) => {
  const text = path?.text ?? ''
  if (more || suffix?.text === null || text.startsWith('-') || /^\/*$/.test(text)) return null
  const base = text.replace(/\/+$/, '').replace(/^.*\//s, '')
  const end = suffix?.text ?? ''
  return `${base.endsWith(end) && base !== end ? base.slice(0, base.length - end.length) : base}\n`
}

const dirname: Printer = (_analysis, _state, [, path, more]) => {
  const text = path?.text ?? ''
  if (more || text === '' || text.startsWith('-')) return null
  const clean = text.replace(/(?<=.)\/+$/, '')
  const slash = clean.lastIndexOf('/')
  return `${slash < 0 ? '.' : clean.slice(0, slash).replace(/\/+$/, '') || '/'}\n`
}

/** The maximum number of values of `seq`. */
const MAX_NUMBERS = 4_096

const seq: Printer = (_analysis, _state, [, ...args]) => {
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

/** Date formats that print numbers, and the separators between them. */
const FIGURES = /^\+(?:%-?[sYmdHMSNjuUVWyGgwFT]|[\d.:_ T-])+$/

/** `date`: a number counts as one everywhere. A format without conversions prints itself. */
const date: Printer = (_analysis, _state, args) => {
  const format = args.find((arg) => arg.prefix.startsWith('+'))
  return format === undefined || (format.text?.includes('%') && FIGURES.test(format.text))
    ? unknown('number', 'the time')
    : null
}

const expr: Printer = (_analysis, _state, [, ...args]) =>
  args.every(({ text, origin }) => (text === null ? origin === 'number' : /^(?:\d+|[-+*/%<>=!&|()]+)$/.test(text)))
    ? unknown('number', 'a number')
    : null

const printenv: Printer = (analysis, state, [, name, more]) => {
  if (!name) return null
  const variable = name.text && !more ? lookUp(analysis, state, name.text) : null
  return variable?.exported && variable.isSet ? concat(variable.value, '\n') : unknown('environment', 'a variable')
}

/** Templates below the temporary directories or the working directory. */
const TEMPLATE = /^(?:-[\w-]+(?:=.*)?|\/(?:var\/)?tmp(?:\/[\w-][\w.-]*)*\/?|(?:\.\/)?\w[\w.-]*(?:\/\w[\w.-]*)*\/?)$/

function isTemplate({ input }: Analysis, text: string): boolean {
  const own = text.startsWith(`${input.cwd}/`) ? text.slice(input.cwd.length + 1) : text
  return TEMPLATE.test(own) && !/cordon|opencode/.test(own)
}

const mktemp: Printer = (analysis, state, args) => ({
  ...unknown(
    args.every(({ text }) => text === null || isTemplate(analysis, text)) ? 'output' : 'made',
    'the output of mktemp',
  ),
  pathName: `/dev/cordon/${isPlainName(analysis, state, args) ? PLAIN_TEMPORARY : 'mktemp'}-${analysis.files.nextName()}`,
})

/** Tells whether mktemp prints a path in a temporary directory with a generated name only. */
function isPlainName(analysis: Analysis, state: State, [program, ...args]: readonly Arg[]): boolean {
  if (program?.text !== 'mktemp' || state.variables.get('TMPDIR') !== undefined) return false
  if (!args.every(({ text }) => text !== null && /^(?:-[dq]+|--directory|--quiet)$/.test(text))) return false
  const { value, isSet } = lookUp(analysis, state, 'TMPDIR')
  return !isSet || typeof value !== 'string' || /^[\w./-]*$/.test(value)
}

/** `realpath x`, `readlink -f x`: prints the path of the argument. */
const realpath: Printer = (analysis, state, args) => {
  const [only, more] = args.slice(1).filter((arg) => !arg.prefix.startsWith('-'))
  const resolves = args[0]?.text !== 'readlink' || args.some((arg) => /^-[fem]/.test(arg.prefix))
  const path = resolves && only?.text && !more ? absolutePath(analysis, state, only.text) : null
  return path === null ? null : `${path}\n`
}

/** `find dir -name x`: prints the files that match a glob. */
const find: Printer = (_analysis, _state, args) => {
  if (
    args.some(
      ({ text }, i) =>
        /^-(?:f?printf|exec|execdir|ok|okdir)$/.test(text ?? '') || (text === '0' && args[i - 1]?.text === '-maxdepth'),
    )
  )
    return null
  const directory = args.slice(1).find((arg) => !arg.prefix.startsWith('-'))?.text
  const at = args.findIndex((arg) => arg.text === '-name')
  const name = at < 0 ? '*' : args[at + 1]?.text
  if (!directory || !name || (at < 0 && !/^(?:\/|\.\.(?:\/|$))/.test(directory))) return null
  const glob = `${directory.replace(/(?<=.)\/+$/, '')}/${name}`.replace('//', '/')
  return { ...unknown('files', 'file names that find prints'), glob }
}

const ls: Printer = (_analysis, _state, args) => {
  const [only, more] = args.slice(1).filter((arg) => !arg.prefix.startsWith('-'))
  const glob = only?.unknown?.glob ?? (only?.text?.includes('/') ? only.text : undefined)
  const isSelf = args.some(({ prefix }) => /^-[a-zA-Z]*d|^--(?:directory|time-style)/.test(prefix))
  return more || glob === undefined || isSelf ? null : { ...unknown('files', 'file names that ls prints'), glob }
}

/** Prints nothing, unless it is verbose. */
const silent: Printer = (_analysis, _state, args) =>
  args.some((arg) => /^-(?:[a-zA-Z]*v|-(?:ver|help))/.test(arg.prefix)) ? null : ''

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['echo', (_analysis, _state, args) => echoOutput(args)],
  ['printf', (_analysis, _state, args) => printfOutput(args[1]?.text === '--' ? args.slice(2) : args.slice(1))],
  ['which', (_analysis, state, args) => whichOutput(state, args.slice(1))],
  ['cat', cat],
  ['grep', grep],
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

export const printerOf = (program: string): Printer | null =>
  PRINTERS.get(program) ??
  (mayHaveOwnOutput(program) ? (analysis, state, args) => ownOutput(analysis, state, program, args) : null)
