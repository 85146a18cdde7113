import { baseName } from '../model/path.js'
import type { Writer } from './memory.js'
import { DOWNLOADERS } from './printing.js'
import { knowledgeOf } from './programs/index.js'
import type { Arg, Effect } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** Programs that do what is written on their command line or given to them to read, files included. */
const INLINE =
  /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|wish|expect|[gmn]?awk|ed|red|ex|vi|vim|nvim|view|emacs|guile|racket|ocaml|Rscript|octave|julia|dc|m4|sqlite3|gdb|groovy|scala|elixir|erl|R|jshell|busybox|g?sed)[\d.]*$/
/** Writers that add something to the name they are given. */
const NUMBERING = new Set(['split', 'gsplit', 'csplit'])

/** Does a program of this name write what a text tells it? */
export const writesWhatItIsTold = (program: string): boolean =>
  INLINE.test(program) || NUMBERING.has(program) || program === 'script'

/** A program that did what a text told it. The text is put together when it is asked for. */
export class Inline {
  readonly by: string
  readonly #args: readonly Arg[]
  readonly #input: string
  #text: string | null = null

  constructor(by: string, args: readonly Arg[], input: string) {
    this.by = by
    this.#args = args
    this.#input = input
  }

  get text(): string {
    this.#text ??= [...this.#args.slice(1).map((arg) => arg.text ?? arg.head), this.#input].join('\n')
    return this.#text
  }
}

/** Notes a program that can write any file the text it is given names. */
export function noteInline(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (reading.dead > 0 || program === 'script') return
  if (NUMBERING.has(program)) reading.hasSplit = true
  const input = state.descriptors.get(0)?.input?.peek()
  reading.inline.push(new Inline(program, args, typeof input === 'string' ? input : ''))
}

/** An edit that puts no program into a file is somebody's daily work; one that does is a script in disguise. */
function namesProgram(args: readonly Arg[]): boolean {
  for (let i = 1; i < args.length; i++) {
    const words = args[i]?.text?.match(WORDS)
    if (words) for (const word of words) if (knowledgeOf(word) !== undefined) return true
  }
  return false
}

/** Everything that could be the name of a program. */
const WORDS = /[\w.+-]{2,}/g

const feedsText = (program: string, args: readonly Arg[]): boolean =>
  /^(?:g?sed|perl|ruby)[\d.]*$/.test(program) ? namesProgram(args) : !NUMBERING.has(program)

/** Does a program that writes put there what the script itself made: the text of a file of its own, or words on the command line? */
export function feedsOurs(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  effects: readonly Effect[],
  isInline: boolean,
): boolean {
  if (isInline && feedsText(program, args)) return true
  const input = isInline ? '' : (state.descriptors.get(0)?.input?.peek() ?? '')
  if (typeof input === 'string' && input !== '') return true
  if (!reading.memory.hasFiles) return false
  return effects.some((effect) => {
    if (effect.does !== 'read' || effect.path.text === null) return false
    const path = reading.owned(state, effect.path.text) ?? ''
    return reading.files.has(path) || reading.written.get(path)?.isOurs === true
  })
}

const COMPILERS =
  /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|c89|c99|gfortran|tcc|gdc|ldc2|dmd|rustc|ghc|go|swiftc|zig|nim|crystal|valac|fpc|ocamlopt|ocamlc|nvcc|ld|mcs|kotlinc)(?:-\d+)?$/
/** Options that make a compiler write text, or something nobody can tell. */
const WRITES_TEXT = /^(?:-[ESMPCx]|-save-temps|-dump|-wrapper|-fplugin|-T|@|--emit|--preprocess|--assemble|-emit)/

/** Is what it writes the code of a machine? That is a program like any other, whatever it was made of. */
const isBuilt = ({ findings }: Reading, by: string): boolean =>
  COMPILERS.test(by) &&
  !findings.invocations.some(
    ({ program, argv }) => program === by && argv.some((arg) => typeof arg !== 'string' || WRITES_TEXT.test(arg)),
  )

/** Says what is not known of a script that another program wrote, or may have. */
export function sayWriter(reading: Reading, path: string): void {
  const writer = writerOf(reading, path)
  if (writer === null) return
  if (isBuilt(reading, writer.by)) {
    reading.reportForeign(`${path} is a program that ${writer.by} builds`, null)
    return
  }
  reading.reportUnknown(`a script that ${writer.by} writes is not known`, null)
  if (DOWNLOADERS.has(writer.by)) reading.findings.shape('download-and-run', reading.here)
  else if (writer.isOurs) reading.findings.shape('decode-and-run', reading.here)
}

/** The program that writes a file with text that is not known, and whether it makes it of the script's own text. */
export function writerOf(reading: Reading, path: string): Writer | null {
  const written = reading.written.get(path)
  if (written) return written
  reading.work.add(reading.written.size)
  if (!reading.written.isEmpty)
    for (const [prefix, writer] of reading.written.all())
      if (NUMBERING.has(writer.by) && path.startsWith(prefix)) return writer
  if (reading.hasSplit && /\/x(?:x\d|[a-z]{2,})[^/]*$/.test(path)) return { by: 'split', isOurs: true }
  const name = baseName(path)
  for (const { text } of reading.inline) reading.work.add(2 + (text.length >> 4))
  const inline = name === '' ? undefined : reading.inline.find(({ text }) => mentions(text, name))
  return inline ? { by: inline.by, isOurs: true } : null
}

/** Does a text hold a name as a word of its own? */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? '') + (text[at + name.length] ?? '')
    if (!/[\w.-]/.test(around)) return true
  }
  return false
}
