import { baseName } from '../model/path.js'
import { DECODERS, DOWNLOADERS } from './printing.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** Programs that do what is written on their command line or given to them to read, files included. */
const INLINE =
  /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|wish|expect|[gmn]?awk|ed|red|ex|vi|vim|nvim|view|emacs|guile|racket|ocaml|Rscript|octave|julia|dc|m4|sqlite3|gdb|groovy|scala|elixir|erl|R|jshell|busybox|g?sed)[\d.]*$/

/** Programs that add something to the names they are given, or to an x. */
const NUMBERING = new Set(['split', 'gsplit', 'csplit'])

/** Does a program of this name write what a text tells it? */
export const writesWhatItIsTold = (program: string): boolean => INLINE.test(program) || NUMBERING.has(program)

/** A program that did what a text told it. */
export interface Inline {
  readonly by: string
  readonly text: string
}

/** Notes a program that can write any file the text it is given names. */
export function noteInline(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (reading.dead > 0) return
  const input = state.descriptors.get(0)?.input?.peek()
  const words = args.slice(1).map((arg) => arg.text ?? arg.head)
  reading.inline.push({ by: program, text: [...words, typeof input === 'string' ? input : ''].join('\n') })
}

/** Programs that unpack, apply or bring back files, and so put other text in their place. */
const REPLACING = new Set('tar gtar bsdtar unzip bsdunzip 7z 7za 7zr 7zz cpio pax unar unrar patch rsync'.split(' '))
const REPLACING_GIT = new Set(
  'apply am checkout checkout-index cherry-pick merge pull read-tree rebase reset restore revert stash switch'.split(
    ' ',
  ),
)

/** Tells whether a program may replace files that its command line does not name. */
export const replacesFiles = (program: string, args: readonly Arg[]): boolean =>
  REPLACING.has(program) || (program === 'git' && args.some(({ text }) => text !== null && REPLACING_GIT.has(text)))

/** Notes that every file the script wrote may hold other text now. */
export function noteReplaced(reading: Reading, program: string): void {
  if (reading.dead > 0 || reading.remote > 0) return
  for (const path of reading.files.keys()) reading.written.set(path, program)
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

/** Reports a script that another program wrote, or may have: its text is not known. */
export function reportWriter(reading: Reading, path: string): void {
  const writer = reading.written.get(path) ?? inlineWriter(reading, baseName(path))
  if (writer === undefined) return
  if (isBuilt(reading, writer)) {
    reading.reportForeign(`${path} is a program that ${writer} builds`, null)
    return
  }
  reading.reportUnknown(`a script that ${writer} writes is not known`, null)
  if (DOWNLOADERS.has(writer)) reading.findings.shape('download-and-run', reading.here)
  else if (DECODERS.has(writer)) reading.findings.shape('decode-and-run', reading.here)
}

/** The program that was given a text with the name of a file in it. */
function inlineWriter(reading: Reading, name: string): string | undefined {
  for (const { text } of reading.inline) reading.work.add(2 + (text.length >> 4))
  return name === '' ? undefined : reading.inline.find((one) => isTold(one, name))?.by
}

/** May a program have written a file of this name as it was told? */
export const isTold = ({ by, text }: Inline, name: string): boolean =>
  NUMBERING.has(by)
    ? `x\n${text}`.split('\n').some((word) => word !== '' && name.startsWith(word))
    : mentions(text, name)

/** Does a text hold a name as a word of its own? */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? '') + (text[at + name.length] ?? '')
    if (!/[\w.-]/.test(around)) return true
  }
  return false
}
