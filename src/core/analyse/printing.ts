import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import type { State } from './state.js'
import { unknown, type Value, worse } from './value.js'

/** Programs that bring text from elsewhere. */
export const DOWNLOADERS: ReadonlySet<string> = new Set(
  'curl wget wget2 fetch aria2c axel http https httpie xh lynx links elinks w3m nc ncat netcat socat telnet ftp sftp scp rsync gsutil aws s3cmd lwp-request GET dig nslookup host rclone ssh'.split(
    ' ',
  ),
)
/** Programs that decode, decompress or decrypt what they read. */
export const DECODERS: ReadonlySet<string> = new Set(
  'base64 base32 basenc xxd openssl uudecode gunzip zcat gzip bzip2 bunzip2 bzcat xz unxz xzcat zstd zstdcat unzstd lz4 lz4cat gpg gpg2 age ccrypt ascii85 base58 uncompress brotli'.split(
    ' ',
  ),
)
/** Programs that print what their command line says, and the argument that makes them do so where it takes one. */
const SPEAKERS: ReadonlyMap<string, RegExp> = new Map([
  ...'date expr seq yes numfmt factor dc bc figlet toilet banner cowsay'.split(' ').map((name) => [name, /^/] as const),
  ...'awk gawk mawk nawk'.split(' ').map((name) => [name, /^\s*BEGIN\b/] as const),
  ...'jq yq'.split(' ').map((name) => [name, /^(?:-[a-zA-Z]*n|--null-input)/] as const),
  ['shuf', /^(?:-[a-zA-Z]*e|--echo)/],
])

/** Programs that print what they find out about text, not the text. Code in another language is reported where it runs. */
const COUNTERS =
  /^(?:wc|stat|du|file|cksum|md5sum|sha\d+sum|(?:python|perl|ruby|node|nodejs|bun|deno|php|lua|Rscript|julia)[\d.]*)$/
/** Programs that print parts of what they read: parts of plain words are neither paths nor options. */
const PICKERS: ReadonlySet<string> = new Set('cut head tail sort uniq grep'.split(' '))
const WORDS = /^(?!.*\.\.)[\w,.:\s]*$/s

/** Says what a program prints of which no more is known than where it comes from. */
export const printedByProgram = (reading: Reading, state: State, program: string, args: readonly Arg[]): Value =>
  unknown(sourceOf(reading, state, program, args), `the output of ${program}`)

function sourceOf(reading: Reading, state: State, program: string, args: readonly Arg[]): Source {
  if (DOWNLOADERS.has(program)) return 'download'
  let source: Source = speaks(program, args) ? 'made' : 'output'
  const add = (value: Value): void => {
    const isPlain = COUNTERS.test(program) || (PICKERS.has(program) && typeof value === 'string' && WORDS.test(value))
    const carried = carriedBy(value)
    if (!(isPlain && carried === 'made')) source = worse(source, carried)
  }
  add(state.descriptors.get(0)?.input?.peek() ?? '')
  for (let i = 1; i < args.length; i++) {
    const { text, head, source: from, unknown: hole } = args[i] as Arg
    if (text === null) {
      if (from !== undefined) add(unknown(from, ''))
      // A pattern may match a file of the script's own.
      if (hole?.glob !== undefined && reading.memory.hasFiles) add(head + hole.glob)
    } else if (reading.memory.hasFiles) add(ownTextAt(reading, state, text))
  }
  if (!(DECODERS.has(program) && decodes(program, args))) return source
  return source === 'made' ? 'decoded' : worse(source, 'unpacked')
}

const speaks = (program: string, args: readonly Arg[]): boolean => {
  const telling = SPEAKERS.get(program)
  return telling !== undefined && args.some((arg) => telling.test(arg.head))
}

/** Where the output of a program comes from that reads this. */
function carriedBy(value: Value): Source {
  if (typeof value === 'string') return value === '' ? 'output' : 'made'
  if (CARRIED.has(value.source)) return value.source
  return value.options?.length ? 'made' : 'output'
}

/** Sources that what is made of a text has too. */
export const CARRIED: ReadonlySet<Source> = new Set<Source>(['unpacked', 'made', 'decoded', 'download'])

/** The text of a file the script wrote, where an argument names one. */
function ownTextAt(reading: Reading, state: State, text: string): Value {
  const name = text.slice(text.indexOf('=') + 1)
  return name === '' || name.startsWith('-') ? '' : textOfFile(reading, reading.owned(state, name))
}

/** Does a decoder decode, and not encode? */
const decodes = (program: string, args: readonly Arg[]): boolean =>
  /^(un|.*cat$|uudecode|bunzip2|gunzip)/.test(program) ||
  args.some((arg) => /^-([a-zA-Z]*[dDr]|-dec|-revert)/.test(arg.head))
