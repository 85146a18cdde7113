import { type Builtin, builtinNamed } from './builtins.js'
import { oneOf } from './one-of.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import type { Sink } from './streams.js'
import { concat, unknown, type Value } from './value.js'

/** Words that bash reads as its own before it looks for a command. */
export const RESERVED: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac in select function time coproc { } ! [['.split(' '),
)

/** What a name is to bash; whether there is a program of that name is not known. */
type Kind = 'alias' | 'keyword' | 'function' | 'builtin' | 'file'

function kindOf(state: State, name: string): Kind {
  if (state.alias(name) !== undefined) return 'alias'
  if (RESERVED.has(name)) return 'keyword'
  if (state.functionNamed(name) !== undefined) return 'function'
  return builtinNamed(name) ? 'builtin' : 'file'
}

/** So many directories of PATH are told apart. */
const PLACES = 8

/** Where the program of a name is found: in one of the directories there are to look, or where most are. */
function placesOf(state: State, name: string): readonly string[] {
  if (name.includes('/')) return [name]
  const path = state.get('PATH')?.value
  const directories = typeof path === 'string' && path !== '' ? [...new Set(path.split(':'))] : USUAL
  return (directories.length > PLACES ? USUAL : directories).map((directory) => `${directory || '.'}/${name}`)
}

const USUAL = ['/usr/bin']
const STANDARD = ['/usr/bin/', '/bin/', '/usr/sbin/', '/sbin/']

/** A line that is printed if there is a program of that name. */
const perhaps = (lines: readonly string[]): Value => oneOf([...lines.map((line) => `${line}\n`), ''])

/** What `command -v` prints for a name: where the program is, or the name itself where bash does it. */
function found(state: State, name: string): Value {
  const kind = kindOf(state, name)
  // Whether aliases are in force is not known.
  if (kind === 'alias') return unknown('decoded', 'what an alias stands for')
  return kind === 'file' ? perhaps(placesOf(state, name)) : `${name}\n`
}

/** What `type` prints for a name. */
function told(state: State, name: string, how: string): Value {
  const kind = kindOf(state, name)
  if (kind === 'alias' && how !== 'P') return unknown('decoded', 'the output of type')
  if (how === 't') return kind === 'file' ? perhaps(['file']) : `${kind}\n`
  if (how === 'P' || (how === 'p' && kind === 'file')) return perhaps(placesOf(state, name))
  return how === 'p' ? '' : unknown('decoded', 'the output of type')
}

/** Writes what each of the names is, as far as it is known. */
function writeAll(reading: Reading, state: State, names: readonly Arg[], tell: (name: string) => Value): void {
  let text: Value = ''
  for (const name of names)
    text = concat(text, name.text === null ? unknown('output', 'where a program is') : tell(name.text))
  const sink = state.descriptors.get(1)?.sink
  const before = sink?.text ?? ''
  sink?.write(text)
  const [only, more] = names
  const kind = only?.text && !more ? kindOf(state, only.text) : 'alias'
  state.status = kind === 'file' || kind === 'alias' ? null : 0
  if (sink && kind === 'file') noteTold(reading, sink, before, text)
}

/** Notes that what was just printed is there only where the command succeeds. */
export function noteTold(reading: Reading, sink: Sink, before: Value, text: Value): void {
  if (typeof text === 'object' && text.options?.[0] && text.options.length === 2)
    reading.told = { sink, before, line: text.options[0], after: sink.text }
}

/** What `which` prints: where programs are, whatever the shell has by their names. */
export function wherePrograms(state: State, args: readonly Arg[]): Value {
  const names = args.filter((arg) => !arg.head.startsWith('-'))
  let text: Value = ''
  for (const { text: name } of names)
    text = concat(text, name === null ? unknown('output', 'where a program is') : perhaps(placesOf(state, name)))
  return text
}

/** `command -v NAME…`, and `-V`, which says the same in words. */
export function tellCommands(reading: Reading, state: State, options: readonly Arg[], names: readonly Arg[]): void {
  const inWords = options.some((arg) => arg.text?.includes('V'))
  const isStandard = options.some((arg) => arg.text?.includes('p'))
  const tell = (name: string): Value => {
    if (inWords) return unknown('decoded', 'the output of command')
    // With -p it looks where all the usual programs are.
    if (isStandard && !name.includes('/') && kindOf(state, name) === 'file')
      return perhaps(STANDARD.map((at) => at + name))
    return found(state, name)
  }
  writeAll(reading, state, names, tell)
}

/** `type [-afptP] NAME…`. */
export const type: Builtin = (reading, state, args) => {
  let i = 1
  let how = ''
  for (; args[i]?.text?.startsWith('-') && args[i]?.text !== '--'; i++) how += args[i]?.text?.slice(1)
  const names = args.slice(args[i]?.text === '--' ? i + 1 : i)
  writeAll(reading, state, names, (name) => told(state, name, how))
}
