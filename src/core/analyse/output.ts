import { echoed, printfed } from './builtin-print.js'
import { ownOutput } from './own-output.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { fileSink, textOfFile } from './redirect.js'
import type { State } from './state.js'
import { FILTERS } from './text/filters.js'
import { concat, hole, type Value } from './value.js'

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

/** What a program prints: known when it only transforms known text. */
export function printed(reading: Reading, state: State, program: string, args: readonly Arg[]): Value {
  if (program === 'echo') return echoed(args)
  if (program === 'printf') return printfed(args[1]?.text === '--' ? args.slice(2) : args.slice(1))
  if (program === 'which')
    return args[1]?.text
      ? `/usr/bin/${args.findLast((arg) => !arg.head.startsWith('-'))?.text}\n`
      : hole('where a program is', 'output')
  if (program === 'tee') return tee(reading, state, args)
  if (program === 'mktemp')
    return { ...hole('the output of mktemp', 'output'), place: `/dev/cordon/mktemp-${reading.temporaries++}` }
  const own = ownOutput(reading, state, program, args)
  if (own !== null) return own
  const place = placeOf(reading, state, program, args)
  if (place !== null) return place
  const listed = program === 'ls' ? args.slice(1).filter((arg) => !arg.head.startsWith('-')) : []
  if (listed.length === 1 && listed[0]?.unknown?.glob)
    return { ...hole('a pattern for file names', 'files'), glob: listed[0].unknown.glob }
  const filter = FILTERS.get(program)
  const input = state.descriptors.get(0)?.input
  if (!filter) return external(program, args, input?.peek() ?? '')
  return filtered(reading, state, program, args, filter)
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
function isMadeUp(program: string, args: readonly Arg[], input: Value): boolean {
  const base = GENERATORS.has(program) ? program : program.replace(/[\d.]+$/, '')
  if (!GENERATORS.has(base)) return false
  if (typeof input === 'string' || SPEAKERS.has(base)) return true
  if (args.some((arg) => /^\/dev\/fd\/\d+$/.test(arg.text ?? ''))) return true
  if (base === 'jq' || base === 'yq') return args.some((arg) => /^(-[a-zA-Z]*n[a-zA-Z]*|--null-input)$/.test(arg.head))
  if (base === 'shuf') return args.some((arg) => /^(-[a-zA-Z]*e|--echo)$/.test(arg.head))
  return CODES.test(base) && args.some((arg) => CODE_OPTION.test(arg.head))
}

/** Programs for which an option holds a program of their own language. */
const CODES =
  /^(?:bash|sh|dash|zsh|ksh|awk|gawk|mawk|nawk|perl|python[23]?|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|dc|bc|guile|racket|ocaml|ghc|Rscript|octave|julia|sqlite3)$/

function external(program: string, args: readonly Arg[], input: Value): Value {
  const source: Source = DOWNLOADERS.has(program)
    ? 'download'
    : decodes(program, args) || isMadeUp(program, args, input)
      ? 'decoded'
      : typeof input === 'object' && (input.source === 'download' || input.source === 'decoded')
        ? input.source
        : 'output'
  return { ...hole(`the output of ${program}`, source), said: saidBy(args) }
}

/** Words on a command line, and what stands behind an equals sign in them. */
function saidBy(args: readonly Arg[]): readonly string[] {
  const words: string[] = []
  for (const arg of args.slice(1, 17)) {
    const text = arg.text ?? arg.unknown?.glob ?? ''
    if (text === '' || text.length > 4_096) continue
    words.push(text)
    const equals = text.indexOf('=')
    if (equals >= 0) words.push(text.slice(equals + 1))
  }
  return words
}

/** `realpath x`, `readlink -f x`, `ls /bin/x`, `find /bin -name x`: a path that stands on the command line. */
function placeOf(reading: Reading, state: State, program: string, args: readonly Arg[]): Value | null {
  const operands = args.slice(1).filter((arg) => !arg.head.startsWith('-'))
  const [only] = operands
  if (program === 'find') {
    const name = args[args.findIndex((arg) => arg.text === '-name') + 1]?.text
    return only?.text && name && args[0]?.text !== name
      ? { ...hole('files that are found', 'files'), glob: `${only.text}/${name}` }
      : null
  }
  if (operands.length !== 1 || !only?.text) return null
  if (program === 'ls') return only.text.includes('/') ? { ...hole('what is there', 'files'), glob: only.text } : null
  const resolves = program === 'realpath' || (program === 'readlink' && args.some((arg) => /^-[fem]/.test(arg.head)))
  const path = resolves ? reading.absolute(state, only.text) : null
  return path === null ? null : `${path}\n`
}

const decodes = (program: string, args: readonly Arg[]): boolean =>
  DECODERS.has(program) &&
  (/^(un|.*cat$|uudecode|bunzip2|gunzip)/.test(program) ||
    args.some((arg) => /^-([a-zA-Z]*[dDr]|-dec|-revert)/.test(arg.head)))

function filtered(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  filter: NonNullable<ReturnType<typeof FILTERS.get>>,
): Value {
  const unknownArg = args.find((arg) => arg.text === null && arg.unknown?.glob === undefined)
  const texts = args.slice(1).map((arg) => arg.text ?? '')
  const call = filter.read(texts)
  // Several files are read one by one, and what that does at their ends is not followed.
  if (call === null || (call.files.length > 1 && !call.identity))
    return external(program, args, state.descriptors.get(0)?.input?.peek() ?? '')
  const input = inputOf(reading, state, call.files, filter.usesInput)
  if (typeof input !== 'string') {
    if (call.identity) return input
    return external(program, args, input)
  }
  reading.work.chars(2 * input.length)
  const text = unknownArg ? null : call.change(input, reading.work)
  if (text === null) return external(program, args, input)
  if (decodes(program, args) && text.trim().length > 2) reading.decoded.push(text.trim())
  return text
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
  const path = reading.absolute(state, file)
  const fd = /^\/dev\/(?:stdin|fd\/(\d+))$/.exec(path ?? '')
  if (fd && !reading.files.has(path ?? '')) return state.descriptors.get(Number(fd[1] ?? 0))?.input?.drain() ?? ''
  return textOfFile(reading, path)
}

function tee(reading: Reading, state: State, args: readonly Arg[]): Value {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  const append = args.some((arg) => /^(-[a-z]*a|--app)/.test(arg.text ?? ''))
  for (const arg of args.slice(1)) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    fileSink(reading, reading.absolute(state, arg.text), append || /^\/dev\/fd\//.test(arg.text))?.write(input)
  }
  return input
}
