import { baseName } from '../../model/basics/path.js'
import type { Invocation } from '../../model/run/facts.js'
import type { Analysis } from '../analysis/analysis.js'
import { DECODERS, DOWNLOADERS } from '../programs/decoders.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { Inline } from '../state/script-files.js'
import type { State } from '../state/state.js'
import { scriptPath } from './physical-path.js'

/** Programs that follow instructions on their command line or input, including writing files. */
const INLINE =
  /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|wish|expect|[gmn]?awk|ed|red|ex|vi|vim|nvim|view|emacs|guile|racket|ocaml|Rscript|octave|julia|dc|m4|sqlite3|gdb|groovy|scala|elixir|erl|R|jshell|busybox|g?sed)[\d.]*$/

/** Programs that add a suffix to their file names, or to an x. */
const NUMBERING = new Set(['split', 'gsplit', 'csplit'])

/** Tells whether a program of this name writes the files that a text names. */
export const followsInstructions = (program: string): boolean => INLINE.test(program) || NUMBERING.has(program)

/** Addresses and commands of sed that print, delete or quit. */
const PRINTS = /^(?:[\d,$+~;!\spqd={}]|\/(?:[^/\\\n]|\\.)*\/)*$/

/** Tells whether sed only prints, as `sed -n '1,50p' FILE` does. */
const onlyPrints = (program: string, args: readonly Arg[]): boolean =>
  /^g?sed$/.test(program) &&
  args.every(
    ({ text, prefix }, i) => i === 0 || (!prefix.startsWith('-') && text !== null) || /^-[nErsz]+$/.test(text ?? ''),
  ) &&
  PRINTS.test(args.slice(1).find(({ prefix }) => !prefix.startsWith('-'))?.text ?? 'w')

const SCRIPTED = /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit)[\d.]*$/
const NAMES_ITSELF = /\b(?:argv|ARGV|__file__|__filename|PROGRAM_NAME|__FILE__)\b|\$0/

/** Tells whether the program runs a file whose text does not name the path. */
function runsItsFile(analysis: Analysis, state: State, program: string, args: readonly Arg[]): boolean {
  const file = args[1]?.text ?? ''
  if (!SCRIPTED.test(program) || !/^[\w./-]*\.\w+$/.test(file) || file.startsWith('-')) return false
  const written = analysis.files.texts.get(scriptPath(analysis, state, file))?.text
  if (written === undefined) return true
  return typeof written === 'string' && !NAMES_ITSELF.test(written) && !mentions(written, baseName(file))
}

/** Records a program that can write the files named in its text. */
export function noteInline(analysis: Analysis, state: State, program: string, args: readonly Arg[]): void {
  if (analysis.certainty.isUnreachable || onlyPrints(program, args)) return
  const input = state.descriptors.get(0)?.input?.peek()
  const words = args.slice(runsItsFile(analysis, state, program, args) ? 2 : 1).map((arg) => arg.text ?? arg.prefix)
  analysis.files.inline.push({ by: program, text: [...words, typeof input === 'string' ? input : ''].join('\n') })
}

/** Programs that unpack, apply or restore files and so replace their text. */
const REPLACING = new Set('tar gtar bsdtar unzip bsdunzip 7z 7za 7zr 7zz cpio pax unar unrar patch rsync'.split(' '))
const REPLACING_GIT = new Set(
  'apply am checkout checkout-index cherry-pick merge pull read-tree rebase reset restore revert stash switch'.split(
    ' ',
  ),
)

/** Tells whether a program can replace files that its command line does not name. */
export const replacesFiles = (program: string, args: readonly Arg[]): boolean =>
  REPLACING.has(program) || (program === 'git' && args.some(({ text }) => text !== null && REPLACING_GIT.has(text)))

/** Marks every file that the script wrote as possibly replaced. */
export function noteReplaced(analysis: Analysis, program: string): void {
  if (analysis.certainty.isUnreachable || analysis.certainty.isRemote) return
  for (const path of analysis.files.texts.keys()) analysis.files.writers.set(path, program)
}

const COMPILERS =
  /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|c89|c99|gfortran|tcc|gdc|ldc2|dmd|rustc|ghc|go|swiftc|zig|nim|crystal|valac|fpc|ocamlopt|ocamlc|nvcc|ld|mcs|kotlinc)(?:-\d+)?$/
/** Options that make a compiler write text or unknown output. */
const WRITES_TEXT = /^(?:-[ESMPCx]|-save-temps|-dump|-wrapper|-fplugin|-T|@|--emit|--preprocess|--assemble|-emit)/

/** Tells whether the compiler prints its result, as in `gcc -E -P -` and `gcc -MM x.c`. */
const printsToOutput = (argv: Invocation['argv']): boolean =>
  argv.some((arg) => typeof arg === 'string' && /^-(?:E|MM?)$/.test(arg)) &&
  argv.every(
    (arg) => typeof arg === 'string' && !/^(?:-o|-MF|-MM?D|-save-temps|-dump|-wrapper|-fplugin|-T|@)/.test(arg),
  )

/** Tells whether the compiler writes assembly code to a file of that kind: `gcc -S x.c`, `gcc -S x.c -o -`. */
function writesAssembly(argv: Invocation['argv']): boolean {
  const words = argv.filter((arg) => typeof arg === 'string')
  const at = words.indexOf('-o')
  return (
    words.length === argv.length &&
    words.includes('-S') &&
    (at < 0 || /^-$|\.s$/.test(words[at + 1] ?? '')) &&
    words.every((word) => word === '-S' || !(WRITES_TEXT.test(word) || /^-o./.test(word)))
  )
}

/** Tells whether the writer produces machine code, which is foreign code. */
function isBuilt({ findings: { invocations } }: Analysis, by: string, path: string): boolean {
  // A symlink can give assembly code the name of the program.
  const isSafe = !path.endsWith('.s') && !invocations.some(({ program }) => program === 'ln')
  return (
    COMPILERS.test(by) &&
    !invocations.some(
      ({ program, argv }) =>
        program === by &&
        !printsToOutput(argv) &&
        !(isSafe && writesAssembly(argv)) &&
        argv.some((arg) => typeof arg !== 'string' || (WRITES_TEXT.test(arg) && !/^-xc(?:\+\+)?$/.test(arg))),
    )
  )
}

/** Reports a script that another program wrote, or can have written. */
export function reportWriter(analysis: Analysis, path: string): void {
  const writer = analysis.files.writers.get(path) ?? inlineWriter(analysis, baseName(path))
  if (writer === undefined) return
  if (isBuilt(analysis, writer, path)) {
    analysis.findings.reportForeign(`${writer} builds the program ${path}`, null)
    return
  }
  analysis.findings.reportUnknown(`${writer} writes a script with unknown text`, null)
  if (DOWNLOADERS.has(writer)) analysis.findings.shape('download-and-run', analysis.location.here)
  else if (DECODERS.has(writer)) analysis.findings.shape('decode-and-run', analysis.location.here)
}

/** Returns the program whose text contains the name of a file. */
function inlineWriter(analysis: Analysis, name: string): string | undefined {
  for (const { text } of analysis.files.inline) analysis.budget.add(2 + (text.length >> 4))
  return name === '' ? undefined : analysis.files.inline.find((one) => isNamedOutput(one, name))?.by
}

/** Tells whether a program can have written a file of this name by its instructions. */
export const isNamedOutput = ({ by, text }: Inline, name: string): boolean =>
  NUMBERING.has(by)
    ? `x\n${text}`.split('\n').some((word) => word !== '' && name.startsWith(word))
    : mentions(text, name)

/** Tells whether a text contains a name as a separate word. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? '') + (text[at + name.length] ?? '')
    if (!/[\w.-]/.test(around)) return true
  }
  return false
}
