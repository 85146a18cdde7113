import type { Invocation } from '../../model/run/facts.js'
import type { Analysis } from '../analysis/analysis.js'
import { textOfFile } from '../files/file-text.js'
import { holdsOwnText } from '../files/mentioned-words.js'
import { scriptPath } from '../files/physical-path.js'
import { DECODERS, DOWNLOADERS } from '../programs/decoders.js'
import type { Arg, Origin } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { isSensitive, mayRepeat } from '../values/repeating-text.js'
import { unknown, type Value, worse } from '../values/value.js'

/** Programs that print facts about text, not the text. Code in another language is reported where it runs. */
const COUNTERS =
  /^(?:wc|stat|du|file|cksum|md5sum|sha\d+sum|(?:python|perl|ruby|node|nodejs|bun|deno|php|lua|Rscript|julia)[\d.]*)$/
/** git commands that print a hash: no part of it is a path or an option. */
const HASHES = /^(?:hash-object|commit-tree|write-tree|mktree|mktag)$/
const PARTIAL_PRINTERS: ReadonlySet<string> = new Set('cut head tail sort uniq grep sed'.split(' '))
const WORDS = /^(?!.*\.\.)[\w,.:*?\s]*$/s
/** A hidden name within a word. */
const HIDES = /\.(?:env|git|ssh|aws|gnupg|bash|zsh|z?profile|np?mrc|netrc|claude|codex|cursor|vscode|kube|docker|mcp)/

const isPlainText = (text: string): boolean => WORDS.test(text) && !HIDES.test(text) && !isSensitive(text)

/** Returns the alternatives of a value, or a harmless text if they are unknown. */
const textsOf = (value: Value): readonly string[] =>
  typeof value === 'string' ? [value] : CARRIED.has(value.origin) ? ['/'] : (value.alternatives ?? [])

/** Returns the output of a program of which only the origin is known. */
export const printedByProgram = (analysis: Analysis, state: State, program: string, args: readonly Arg[]): Value =>
  unknown(originOf(analysis, state, program, args), `the output of ${program}`)

function originOf(analysis: Analysis, state: State, program: string, args: readonly Arg[]): Origin {
  if (DOWNLOADERS.has(program)) return 'download'
  let source: Origin = repeats(analysis, state, program, args) ? 'made' : 'output'
  const add = (value: Value): void => {
    const isPlain =
      COUNTERS.test(program) ||
      (program === 'git' && HASHES.test(args[1]?.text ?? '')) ||
      (PARTIAL_PRINTERS.has(program) && textsOf(value).every(isPlainText))
    const carried = carriedBy(value)
    if (!(isPlain && carried === 'made')) source = worse(source, carried)
  }
  add(state.descriptors.get(0)?.input?.peek() ?? '')
  for (let i = 1; i < args.length; i++) {
    const { text, prefix, origin: from, unknown: unknownText } = args[i] as Arg
    if (text === null) {
      if (from !== undefined) add(unknown(from, ''))
      // A glob can match a file of the script.
      if (unknownText?.glob !== undefined && analysis.files.hasFiles) add(prefix + unknownText.glob)
    } else if (analysis.files.hasFiles) add(ownTextAt(analysis, state, text))
  }
  if (!(DECODERS.has(program) && decodes(program, args))) return source
  return source === 'made' ? 'decoded' : worse(source, 'unpacked')
}

const repeats = (analysis: Analysis, state: State, program: string, args: readonly Arg[]): boolean =>
  mayRepeat(program, args) ||
  isStored(analysis, program) ||
  (/^(?:env|printenv)$/.test(program) && printsOwn(analysis, state)) ||
  (analysis.files.hasFiles && (UNPACKERS.test(program) || showsObject(program, args))) ||
  args.some(
    ({ text }, i) =>
      i > 0 && text !== null && FILE.test(text) && holdsOwnText(analysis, scriptPath(analysis, state, text)),
  )

/** Tells whether git prints a file that the script may have added: `git show :f`, `git cat-file -p HEAD:f`. */
const showsObject = (program: string, args: readonly Arg[]): boolean =>
  program === 'git' && args.some(({ text }) => text === 'show' || text === 'cat-file')

/** A word that can be a file name and is not code. */
const FILE = /^[\w./~+@%:,][\w./~+@%:=,-]*$/

const UNPACKERS = /^(?:tar|gtar|bsdtar|unzip|zipinfo|ar|cpio|7z|7za|pax|split)$/

/** Tells whether the environment contains dangerous text of the script. */
const printsOwn = ({ input }: Analysis, state: State): boolean =>
  state.variables.names().some((name) => {
    const variable = state.variables.get(name)
    if (!variable?.exported || name === 'PATH' || input.env.some(([given]) => given === name)) return false
    return typeof variable.value !== 'string' || isSensitive(variable.value)
  })

/** Programs that show stored text (files, links, repositories), and the programs that store words there. */
const STORES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:readlink|ls|find|stat|tree|fd|fdfind|realpath|file|namei|tar|bsdtar|zipinfo|unzip|ar)$/,
    /^(?:ln|mkdir|touch|mkfifo)$/,
  ],
  [/^git$/, /^git$/],
]
const STORING_GIT = /^(?:config|tag|notes|commit|hash-object|update-ref|symbolic-ref|stash)$/
const SHOWING_GIT = /^(?:config|tag|notes|log|show|cat-file|for-each-ref|var|symbolic-ref|stash)$/

/** Tells whether an earlier command stored dangerous words that this program can show. */
function isStored({ findings }: Analysis, program: string): boolean {
  const put = STORES.find(([shows]) => shows.test(program))?.[1]
  if (put === undefined) return false
  const words = findings.invocations.filter((one) => one.program !== null && put.test(one.program))
  if (program !== 'git')
    return words.some(
      (one) => one.program === 'ln' || one.program === 'zip' || tellsOf(one.argv) || one.argv.some(isOutside),
    )
  const last = words.at(-1)
  return (
    last?.argv.some((arg) => typeof arg === 'string' && SHOWING_GIT.test(arg)) === true &&
    words.some(({ argv }) => argv.some((arg) => typeof arg === 'string' && STORING_GIT.test(arg)) && tellsOf(argv))
  )
}

/** Tells whether a path contains an outside path, as `mkdir -p d/etc/x` does. */
const isOutside = (arg: Invocation['argv'][number]): boolean =>
  typeof arg === 'string' && /\/(?:etc|home|dev|root|usr|var|proc|boot|opt)\//.test(arg)

const tellsOf = (argv: Invocation['argv']): boolean =>
  argv.slice(1).some((arg) => typeof arg === 'string' && !/^-\w*$/.test(arg) && isSensitive(arg))

/** Returns the origin of output derived from this value. */
function carriedBy(value: Value): Origin {
  if (typeof value === 'string') return value === '' ? 'output' : 'made'
  if (CARRIED.has(value.origin)) return value.origin
  if (value.glob !== undefined && isSensitive(value.glob) && !/^\/tmp\//.test(value.glob)) return 'made'
  return value.alternatives?.length ? 'made' : 'output'
}

/** Origins that derived text keeps. */
export const CARRIED: ReadonlySet<Origin> = new Set<Origin>(['unpacked', 'made', 'decoded', 'download'])

/** Returns the text of a file that the script wrote, if an argument names one. */
function ownTextAt(analysis: Analysis, state: State, text: string): Value {
  const name = text.slice(text.indexOf('=') + 1)
  return name === '' || name.startsWith('-') ? '' : textOfFile(analysis, scriptPath(analysis, state, name))
}

/** Tells whether a decoder decodes rather than encodes. */
const decodes = (program: string, args: readonly Arg[]): boolean =>
  /^(un|.*cat$|uudecode|bunzip2|gunzip)/.test(program) ||
  args.some((arg) => /^-([a-zA-Z]*[dDr]|-dec|-revert)/.test(arg.prefix))
