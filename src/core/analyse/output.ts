import { echoed, printfed } from './builtin-print.js'
import { dated, isDisguise, saidBy } from './disguise.js'
import { oneOf } from './one-of.js'
import { mayTell, ownOutput } from './own-output.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { fileSink, textOfFile } from './redirect.js'
import type { State } from './state.js'
import type { Filter } from './text/filter.js'
import { FILTERS } from './text/filters.js'
import { concat, type Hole, hole, type Value } from './value.js'
import { lookUp } from './variables.js'

/** Programs that bring text from elsewhere. */
export const DOWNLOADERS: ReadonlySet<string> = new Set(
  'curl wget wget2 fetch aria2c axel http https httpie xh lynx links elinks w3m nc ncat netcat socat telnet ftp sftp scp rsync gsutil aws s3cmd lwp-request GET dig nslookup host rclone ssh'.split(
    ' ',
  ),
)
/** Programs that turn text into other text so that nobody can read it before. */
const DECODERS: ReadonlySet<string> = new Set(
  'base64 base32 basenc xxd openssl uudecode gunzip zcat gzip bzip2 bunzip2 bzcat xz unxz xzcat zstd zstdcat unzstd lz4 lz4cat gpg gpg2 age ccrypt ascii85 base58 uncompress brotli'.split(
    ' ',
  ),
)

/** How a program of some name prints, found once for each name. */
export interface Printing {
  /** In a way of its own, for which nothing below is asked. */
  readonly isSpecial: boolean
  /** It may print settings for the shell, or where something is. */
  readonly isTelling: boolean
  readonly filter: Filter | null
  /** What is said of text that is not known. */
  readonly unknown: string
  readonly isDownloader: boolean
  readonly isDecoder: boolean
  /** The name by which it makes text of what it is told; null where it does not. */
  readonly generator: string | null
}

const SPECIAL = new Set('echo printf which tee mktemp date printenv'.split(' '))
const PLACED = new Set('find ls realpath readlink'.split(' '))

export function printingOf(program: string): Printing {
  const base = GENERATORS.has(program) ? program : program.replace(/[\d.]+$/, '')
  return {
    isSpecial: SPECIAL.has(program),
    isTelling: PLACED.has(program) || mayTell(program),
    filter: FILTERS.get(program) ?? null,
    unknown: `the output of ${program}`,
    isDownloader: DOWNLOADERS.has(program),
    isDecoder: DECODERS.has(program),
    generator: GENERATORS.has(base) ? base : null,
  }
}

/** What a program prints: known when it only transforms known text. */
export function printed(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  printing: Printing,
): Value {
  if (printing.isSpecial) return printedSpecially(reading, state, program, args, printing)
  if (printing.isTelling) {
    const told = ownOutput(reading, state, program, args) ?? placeOf(reading, state, program, args)
    if (told !== null) return told
  }
  const value = printedFrom(reading, state, program, args, printing)
  return reading.memory.hasFiles && typeof value === 'object' ? withOwnTexts(reading, state, args, value) : value
}

/** A program that is given files of the script's own may print what is in them. */
function withOwnTexts(reading: Reading, state: State, args: readonly Arg[], value: Hole): Value {
  const texts = args.slice(1).flatMap(({ text, span }): readonly Arg[] => {
    const path = text === null || text.startsWith('-') ? null : reading.owned(state, text)
    const own = path === null ? '' : textOfFile(reading, path)
    const known = typeof own === 'string' ? own : own.options?.[0]
    return known ? [{ text: known, head: known, several: false, span }] : []
  })
  return texts.length === 0 ? value : { ...value, said: [...(value.said ?? args), ...texts] }
}

function printedFrom(reading: Reading, state: State, program: string, args: readonly Arg[], printing: Printing): Value {
  const { filter } = printing
  const input = state.descriptors.get(0)?.input?.peek() ?? ''
  const each = filter && typeof input === 'object' && input.options ? eachFiltered(reading, args, filter, input) : null
  if (each !== null && typeof input === 'object') {
    // A condition alone decides which of them it is.
    if (input.source === 'condition' && each.isWhole) return oneOf(each.texts)
    const rest = external(reading, program, args, input, printing)
    return typeof rest === 'string' ? rest : { ...rest, options: each.texts }
  }
  // A filter of what is not known, which is told nothing but how: that is most of them.
  if (filter === null || (typeof input === 'object' && filter.usesInput && program !== 'cat' && hasOnlyOptions(args)))
    return external(reading, program, args, input, printing)
  return filtered(reading, state, program, args, filter, printing)
}

/** What a filter makes of all that its input may be; null where it reads something else. */
function eachFiltered(
  reading: Reading,
  args: readonly Arg[],
  filter: Filter,
  { options = [] }: Hole,
): { readonly texts: readonly string[]; readonly isWhole: boolean } | null {
  const texts = args.slice(1).flatMap(({ text }) => (text === null ? [] : [text]))
  const call = filter.usesInput && texts.length === args.length - 1 ? filter.read(texts) : null
  if (!call || call.files.length > 0 || options.length > OPTIONS) return null
  const changed = options.map((option) => call.change(option, reading.work)).filter((text) => text !== null)
  return changed.length === 0 ? null : { texts: [...new Set(changed)], isWhole: changed.length === options.length }
}

/** So many are followed through a filter. */
const OPTIONS = 16

function printedSpecially(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  printing: Printing,
): Value {
  if (program === 'echo') return echoed(args)
  if (program === 'printf') return printfed(args[1]?.text === '--' ? args.slice(2) : args.slice(1))
  if (program === 'date') {
    const text = dated(args)
    if (typeof text === 'string') reading.decoded.push(text.trim())
    return text ?? external(reading, program, args, '', printing)
  }
  if (program === 'printenv') {
    const variable = args.length === 2 && args[1]?.text ? lookUp(reading, state, args[1].text) : null
    return variable?.exported && variable.isSet
      ? concat(variable.value, '\n')
      : external(reading, program, args, '', printing)
  }
  if (program === 'tee') return tee(reading, state, args)
  if (program === 'mktemp')
    return { ...hole('the output of mktemp', 'output'), place: `/dev/cordon/mktemp-${reading.temporaries++}` }
  return args[1]?.text
    ? `/usr/bin/${args.findLast((arg) => !arg.head.startsWith('-'))?.text}\n`
    : hole('where a program is', 'output')
}

function hasOnlyOptions(args: readonly Arg[]): boolean {
  for (let i = 1; i < args.length; i++) if (!args[i]?.text?.startsWith('-')) return false
  return true
}

/** Programs that print what they are told, or make other text of what they read. */
const GENERATORS: ReadonlySet<string> = new Set(
  'bash sh dash zsh ksh dc bc jq yq iconv recode md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum awk gawk mawk nawk perl python python2 python3 ruby node nodejs bun deno php lua luajit tclsh m4 sed gsed tr cut fold fmt od hexdump hd xxd strings nl pr column expand unexpand join comm shuf numfmt envsubst printf dd split csplit factor expr uuencode qprint rot13 figlet toilet xmllint xmlstarlet xsltproc sqlite3 gdb guile racket ocaml ghc Rscript octave julia grep egrep fgrep rg sort uniq head tail tac rev paste cat diff sdiff look more less most tsort date yes seq cpp gcc logger col colrm ul xargs cowsay lolcat base64 base32 basenc gzip compgen type hash alias declare typeset set export readonly trap bind printenv env basename dirname pathchk stat ts ptx crypt rename nroff groff troff caesar morse banner banner6 konwert ascii2uni uni2ascii unrot13'.split(
    ' ',
  ),
)
/** Of those, the ones that need no input to print what stands on their command line. */
const SPEAKERS: ReadonlySet<string> = new Set(
  'date yes seq expr numfmt factor figlet toilet banner cowsay compgen type hash alias declare typeset set export readonly trap bind printenv env printf logger basename dirname pathchk gdb'.split(
    ' ',
  ),
)
const CODE_OPTION =
  /^(?:-[a-zA-Z]*[eEcp]|--eval(?:=.*)?|--print(?:=.*)?|--expression(?:=.*)?|--command(?:=.*)?|BEGIN\b.*|\s*BEGIN\s*\{.*)$/s

/** Text made from nothing but what stands in the script itself: run by a shell, it is the script in disguise. */
function isMadeUp(base: string, args: readonly Arg[], input: Value): boolean {
  if (typeof input === 'string' || SPEAKERS.has(base)) return true
  for (const { text } of args) if (text?.startsWith('/dev/fd/') && /^\/dev\/fd\/\d+$/.test(text)) return true
  if (base === 'jq' || base === 'yq') return args.some((arg) => /^(-[a-zA-Z]*n[a-zA-Z]*|--null-input)$/.test(arg.head))
  if (base === 'shuf') return args.some((arg) => /^(-[a-zA-Z]*e|--echo)$/.test(arg.head))
  return CODES.has(base) && args.some((arg) => CODE_OPTION.test(arg.head))
}

/** Programs for which an option holds a program of their own language. */
const CODES: ReadonlySet<string> = new Set(
  'bash sh dash zsh ksh awk gawk mawk nawk perl python python2 python3 ruby node nodejs bun deno php lua luajit tclsh dc bc guile racket ocaml ghc Rscript octave julia sqlite3'.split(
    ' ',
  ),
)

const external = (
  reading: Reading,
  program: string,
  args: readonly Arg[],
  input: Value,
  printing: Printing,
): Value => ({
  unknown: printing.unknown,
  source: sourceOf(reading, program, args, input, printing),
  head: '',
  said: saidBy(reading, args, input),
})

function sourceOf(reading: Reading, program: string, args: readonly Arg[], input: Value, printing: Printing): Source {
  if (printing.isDownloader) return 'download'
  if (typeof input === 'object' && input.source === 'disguised') return 'disguised'
  const isDecoded = printing.isDecoder && decodes(program, args)
  if (isDecoded || (printing.generator !== null && isMadeUp(printing.generator, args, input)))
    return isConstant(printing.generator, args, input) &&
      isDisguise(args, typeof input === 'string' ? input : '', reading)
      ? 'disguised'
      : 'decoded'
  return typeof input === 'object' && (input.source === 'download' || input.source === 'decoded')
    ? input.source
    : 'output'
}

/** Does it read nothing but what stands in the script? A program without input may read files. */
const isConstant = (generator: string | null, args: readonly Arg[], input: Value): boolean =>
  (typeof input === 'string' && input !== '') || (generator !== null && isMadeUp(generator, args, UNREAD))

const UNREAD: Value = hole('not read', 'files')

/** `realpath x`, `readlink -f x`, `ls /bin/x`, `find /bin -name x`: a path that stands on the command line. */
function placeOf(reading: Reading, state: State, program: string, args: readonly Arg[]): Value | null {
  if (!PLACED.has(program)) return null
  let only: Arg | undefined
  let count = 0
  for (let i = 1; i < args.length; i++) {
    if (args[i]?.head.startsWith('-')) continue
    only ??= args[i]
    count++
  }
  if (program === 'find') {
    const at = args.findIndex((arg) => arg.text === '-name')
    const name = at < 0 ? '*' : args[at + 1]?.text
    return only?.text && name && (at >= 0 || /^(?:\/|\.\.(?:\/|$))/.test(only.text))
      ? {
          unknown: 'files that are found',
          source: 'files',
          head: '',
          glob: `${only.text.replace(/(?<=.)\/+$/, '')}/${name}`.replace('//', '/'),
        }
      : null
  }
  if (count !== 1) return null
  if (program === 'ls' && only?.unknown?.glob)
    return { unknown: 'a pattern for file names', source: 'files', head: '', glob: only.unknown.glob }
  if (!only?.text) return null
  if (program === 'ls')
    return only.text.includes('/') ? { unknown: 'what is there', source: 'files', head: '', glob: only.text } : null
  const resolves = program === 'realpath' || (program === 'readlink' && args.some((arg) => /^-[fem]/.test(arg.head)))
  const path = resolves ? reading.absolute(state, only.text) : null
  return path === null ? null : `${path}\n`
}

/** Does a decoder decode, and not encode? */
const decodes = (program: string, args: readonly Arg[]): boolean =>
  /^(un|.*cat$|uudecode|bunzip2|gunzip)/.test(program) ||
  args.some((arg) => /^-([a-zA-Z]*[dDr]|-dec|-revert)/.test(arg.head))

function filtered(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  filter: Filter,
  printing: Printing,
): Value {
  if (args.some(isPattern)) return filteredMatches(reading, state, program, args, filter, printing)
  const unknownArg = args.find((arg) => arg.text === null)
  const texts = args.slice(1).map((arg) => arg.text ?? '')
  const call = filter.read(texts)
  // Several files are read one by one, and what that does at their ends is not followed.
  if (call === null || (call.files.length > 1 && !call.identity))
    return external(reading, program, args, state.descriptors.get(0)?.input?.peek() ?? '', printing)
  const input = inputOf(reading, state, call.files, filter.usesInput)
  if (typeof input !== 'string') {
    if (call.identity) return input
    return external(reading, program, args, input, printing)
  }
  reading.work.chars(2 * input.length)
  const text = unknownArg ? null : call.change(input, reading.work)
  if (text === null) return external(reading, program, args, input, printing)
  if (printing.isDecoder && decodes(program, args) && text.trim().length > 2) reading.decoded.push(text.trim())
  return text
}

const isPattern = (arg: Arg): boolean => arg.text === null && arg.unknown?.glob !== undefined

/** Of the files that a pattern matches only those of the script's own are known, and others may be there. */
function filteredMatches(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  filter: Filter,
  printing: Printing,
): Value {
  const own = args.flatMap((arg): readonly Arg[] =>
    isPattern(arg) ? (arg.options ?? []).map((text) => ({ text, head: text, several: false, span: arg.span })) : [arg],
  )
  const input = state.descriptors.get(0)?.input?.peek() ?? ''
  const hasOwn = args.some((arg) => isPattern(arg) && arg.options?.length)
  const unknown = external(reading, program, hasOwn ? own : args, input, printing)
  if (!hasOwn) return unknown
  const text = filtered(reading, state, program, own, filter, printing)
  return typeof text === 'string' && typeof unknown === 'object' ? { ...unknown, options: [text] } : unknown
}

function inputOf(reading: Reading, state: State, files: readonly string[], usesInput: boolean): Value {
  if (!usesInput) return ''
  if (files.length === 0) return state.descriptors.get(0)?.input?.drain() ?? ''
  let value: Value = ''
  for (const file of files)
    value = concat(
      value,
      file === '-' ? (state.descriptors.get(0)?.input?.drain() ?? '') : textAt(reading, state, file),
    )
  return value
}

function textAt(reading: Reading, state: State, file: string): Value {
  const path = reading.owned(state, file)
  const fd = path?.startsWith('/dev/') ? /^\/dev\/(?:stdin|fd\/(\d+))$/.exec(path) : null
  if (fd && !reading.files.has(path ?? '')) return state.descriptors.get(Number(fd[1] ?? 0))?.input?.drain() ?? ''
  return textOfFile(reading, path)
}

function tee(reading: Reading, state: State, args: readonly Arg[]): Value {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  const append = args.some((arg) => /^(-[a-z]*a|--app)/.test(arg.text ?? ''))
  for (const arg of args.slice(1)) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    fileSink(reading, reading.owned(state, arg.text), append || /^\/dev\/fd\//.test(arg.text))?.write(input)
  }
  return input
}
