import type { Analysis } from '../analysis/analysis.js'
import type { Builtin } from '../analysis/interpreter.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import type { Sink } from '../state/streams.js'
import { oneOf } from '../values/one-of.js'
import { concat, unknown, type Value } from '../values/value.js'
import { builtinNamed } from './registry.js'

/** Reserved words of bash, which come before commands. */
export const RESERVED: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac in select function time coproc { } ! [['.split(' '),
)

/** The kind of a name. It is unknown whether a program of that name exists. */
type Kind = 'alias' | 'keyword' | 'function' | 'builtin' | 'file'

function kindOf(state: State, name: string): Kind {
  if (state.definitions.alias(name) !== undefined) return 'alias'
  if (RESERVED.has(name)) return 'keyword'
  if (state.definitions.functionNamed(name) !== undefined) return 'function'
  return builtinNamed(name) ? 'builtin' : 'file'
}

/** The maximum number of PATH directories that are kept apart. */
const MAX_DIRECTORIES = 8

/** Returns the possible paths of a program: in the directories of PATH, or in the usual ones. */
function possiblePaths(state: State, name: string): readonly string[] {
  if (name.includes('/')) return [name]
  const path = state.variables.get('PATH')?.value
  const directories = typeof path === 'string' && path !== '' ? [...new Set(path.split(':'))] : USUAL
  return (directories.length > MAX_DIRECTORIES ? USUAL : directories).map((directory) => `${directory || '.'}/${name}`)
}

const USUAL = ['/usr/bin']
const STANDARD = ['/usr/bin/', '/bin/', '/usr/sbin/', '/sbin/']

/** Returns lines that are printed if the program exists. */
const linesIfFound = (lines: readonly string[]): Value => oneOf([...lines.map((line) => `${line}\n`), ''])

/** Returns the output of `command -v`: the path of a program, or the name itself for a builtin. */
function commandOutput(state: State, name: string): Value {
  const kind = kindOf(state, name)
  // It is unknown whether aliases are enabled.
  if (kind === 'alias') return unknown('decoded', 'the text of an alias')
  return kind === 'file' ? linesIfFound(possiblePaths(state, name)) : `${name}\n`
}

function typeOutput(state: State, name: string, how: string): Value {
  const kind = kindOf(state, name)
  if (kind === 'alias' && how !== 'P') return unknown('decoded', 'the output of type')
  if (how === 't') return kind === 'file' ? linesIfFound(['file']) : `${kind}\n`
  if (how === 'P' || (how === 'p' && kind === 'file')) return linesIfFound(possiblePaths(state, name))
  return how === 'p' ? '' : unknown('decoded', 'the output of type')
}

/** Prints a description of each name. */
function writeAll(analysis: Analysis, state: State, names: readonly Arg[], tell: (name: string) => Value): void {
  let text: Value = ''
  for (const name of names)
    text = concat(text, name.text === null ? unknown('output', 'the path of a program') : tell(name.text))
  const sink = state.descriptors.get(1)?.sink
  const before = sink?.text ?? ''
  sink?.write(text)
  const [only, more] = names
  const kind = only?.text && !more ? kindOf(state, only.text) : 'alias'
  state.control.status = kind === 'file' || kind === 'alias' ? null : 0
  if (sink && kind === 'file') noteConditional(analysis, sink, before, text)
}

/** Marks the last printed text as present only if the command succeeds. */
export function noteConditional({ budget }: Analysis, sink: Sink, before: Value, text: Value): void {
  if (typeof text === 'object' && text.alternatives?.[0] && text.alternatives.length === 2)
    sink.conditionalLine = { before, text: text.alternatives[0], after: sink.text, step: budget.steps }
}

/** Returns the output of `which`, which ignores names that the shell defines. */
export function whichOutput(state: State, args: readonly Arg[]): Value {
  const names = args.filter((arg) => !arg.prefix.startsWith('-'))
  let text: Value = ''
  for (const { text: name } of names)
    text = concat(
      text,
      name === null ? unknown('output', 'the path of a program') : linesIfFound(possiblePaths(state, name)),
    )
  return text
}

/** `command -v NAME…`, and `-V`, which prints a sentence. */
export function printCommands(analysis: Analysis, state: State, options: readonly Arg[], names: readonly Arg[]): void {
  const inWords = options.some((arg) => arg.text?.includes('V'))
  const isStandard = options.some((arg) => arg.text?.includes('p'))
  const tell = (name: string): Value => {
    if (inWords) return unknown('decoded', 'the output of command')
    // With -p, bash searches the standard directories.
    if (isStandard && !name.includes('/') && kindOf(state, name) === 'file')
      return linesIfFound(STANDARD.map((at) => at + name))
    return commandOutput(state, name)
  }
  writeAll(analysis, state, names, tell)
}

/** `type [-afptP] NAME…`. */
export const type: Builtin = (analysis, state, args) => {
  let i = 1
  let how = ''
  for (; args[i]?.text?.startsWith('-') && args[i]?.text !== '--'; i++) how += args[i]?.text?.slice(1)
  const names = args.slice(args[i]?.text === '--' ? i + 1 : i)
  writeAll(analysis, state, names, (name) => typeOutput(state, name, how))
}
