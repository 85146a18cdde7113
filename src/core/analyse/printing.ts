import type { Invocation } from '../model/facts.js'
import { holdsOwnText } from './mentioned.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import { isTelling, mayRepeat } from './repeating.js'
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
/** Programs that print what they find out about text, not the text. Code in another language is reported where it runs. */
const COUNTERS =
  /^(?:wc|stat|du|file|cksum|md5sum|sha\d+sum|(?:python|perl|ruby|node|nodejs|bun|deno|php|lua|Rscript|julia)[\d.]*)$/
/** Programs that print parts of what they read: parts of plain words are neither paths nor options. */
const PICKERS: ReadonlySet<string> = new Set('cut head tail sort uniq grep sed'.split(' '))
const WORDS = /^(?!.*\.\.)[\w,.:*?\s]*$/s
/** A part of the word is a hidden name. */
const HIDES = /\.(?:env|git|ssh|aws|gnupg|bash|zsh|z?profile|np?mrc|netrc|claude|codex|cursor|vscode|kube|docker|mcp)/

const isPlainText = (text: string): boolean => WORDS.test(text) && !HIDES.test(text) && !isTelling(text)

/** All that a value can be; a text that is no path where more is not known. */
const textsOf = (value: Value): readonly string[] =>
  typeof value === 'string' ? [value] : CARRIED.has(value.source) ? ['/'] : (value.options ?? [])

/** Says what a program prints of which no more is known than where it comes from. */
export const printedByProgram = (reading: Reading, state: State, program: string, args: readonly Arg[]): Value =>
  unknown(sourceOf(reading, state, program, args), `the output of ${program}`)

function sourceOf(reading: Reading, state: State, program: string, args: readonly Arg[]): Source {
  if (DOWNLOADERS.has(program)) return 'download'
  let source: Source = repeats(reading, state, program, args) ? 'made' : 'output'
  const add = (value: Value): void => {
    const isPlain = COUNTERS.test(program) || (PICKERS.has(program) && textsOf(value).every(isPlainText))
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

const repeats = (reading: Reading, state: State, program: string, args: readonly Arg[]): boolean =>
  mayRepeat(program, args) ||
  isKept(reading, program) ||
  (/^(?:env|printenv)$/.test(program) && printsOwn(reading, state)) ||
  (reading.memory.hasFiles && (UNPACKERS.test(program) || showsObject(program, args))) ||
  args.some(
    ({ text }, i) => i > 0 && text !== null && FILE.test(text) && holdsOwnText(reading, reading.owned(state, text)),
  )

/** `git show :f`, `git cat-file -p HEAD:f`: the text of a file that the script may have written and added. */
const showsObject = (program: string, args: readonly Arg[]): boolean =>
  program === 'git' && args.some(({ text }) => text === 'show' || text === 'cat-file')

/** What can be the name of a file and is no code. */
const FILE = /^[\w./~+@%:,][\w./~+@%:=,-]*$/

const UNPACKERS = /^(?:tar|gtar|bsdtar|unzip|zipinfo|ar|cpio|7z|7za|pax|split)$/

/** Does the environment hold telling text of the script's own? */
const printsOwn = ({ context }: Reading, state: State): boolean =>
  state.names().some((name) => {
    const variable = state.get(name)
    if (!variable?.exported || name === 'PATH' || context.env.some(([given]) => given === name)) return false
    return typeof variable.value !== 'string' || isTelling(variable.value)
  })

/** Programs that show what a file, a link or a repository holds, and those that put words of their command line there. */
const KEEPERS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:readlink|ls|find|stat|tree|fd|fdfind|realpath|file|namei|tar|bsdtar|zipinfo|unzip|ar)$/,
    /^(?:ln|mkdir|touch|mkfifo)$/,
  ],
  [/^git$/, /^git$/],
]
const KEEPING_GIT = /^(?:config|tag|notes|commit|hash-object|update-ref|symbolic-ref|stash)$/
const SHOWING_GIT = /^(?:config|tag|notes|log|show|cat-file|for-each-ref|var|symbolic-ref|stash)$/

/** Did the script put telling words there before, where this program may show them? */
function isKept({ findings }: Reading, program: string): boolean {
  const put = KEEPERS.find(([shows]) => shows.test(program))?.[1]
  if (put === undefined) return false
  const words = findings.invocations.filter((one) => one.program !== null && put.test(one.program))
  if (program !== 'git')
    return words.some(
      (one) => one.program === 'ln' || one.program === 'zip' || tellsOf(one.argv) || one.argv.some(isOutside),
    )
  const last = words.at(-1)
  return (
    last?.argv.some((arg) => typeof arg === 'string' && SHOWING_GIT.test(arg)) === true &&
    words.some(({ argv }) => argv.some((arg) => typeof arg === 'string' && KEEPING_GIT.test(arg)) && tellsOf(argv))
  )
}

/** `mkdir -p d/etc/x`: behind its beginning a name is a path outside. */
const isOutside = (arg: Invocation['argv'][number]): boolean =>
  typeof arg === 'string' && /\/(?:etc|home|dev|root|usr|var|proc|boot|opt)\//.test(arg)

const tellsOf = (argv: Invocation['argv']): boolean =>
  argv.slice(1).some((arg) => typeof arg === 'string' && !/^-\w*$/.test(arg) && isTelling(arg))

/** Where the output of a program comes from that reads this. */
function carriedBy(value: Value): Source {
  if (typeof value === 'string') return value === '' ? 'output' : 'made'
  if (CARRIED.has(value.source)) return value.source
  if (value.glob !== undefined && isTelling(value.glob) && !/^\/tmp\//.test(value.glob)) return 'made'
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
