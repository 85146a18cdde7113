import { isDisguise, saidBy } from './disguise.js'
import { mayTell } from './own-output.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { Filter } from './text/filter.js'
import { FILTERS } from './text/filters.js'
import { unknown, type Value } from './value.js'

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
/** Programs that may print a path that stands on their command line. */
export const PLACED = new Set('find ls realpath readlink'.split(' '))

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

/** What a program prints of which no more is known than where it comes from. */
export const external = (
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

const UNREAD: Value = unknown('files', 'not read')

/** Does a decoder decode, and not encode? */
export const decodes = (program: string, args: readonly Arg[]): boolean =>
  /^(un|.*cat$|uudecode|bunzip2|gunzip)/.test(program) ||
  args.some((arg) => /^-([a-zA-Z]*[dDr]|-dec|-revert)/.test(arg.head))
