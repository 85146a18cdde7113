import type { Invocation } from '../../model/facts.js'
import type { Arg } from './knowledge.js'

type Argv = Invocation['argv']

/** A program that another starts by itself. */
export interface Started {
  readonly argv: Argv
  /** Only in some cases: when the archive is there, when the file is compressed. */
  readonly conditional?: boolean
}

export type Starts = (args: readonly Arg[]) => readonly Started[]

/** Arguments that the program makes up. */
const OWN = { unknown: 'arguments the program makes up' }
const NOT_KNOWN = { unknown: 'not known' }

const passed = (args: readonly Arg[]): Argv => args.map((arg) => arg.text ?? arg.unknown ?? NOT_KNOWN)
const always = (...argvs: readonly Argv[]): Starts => {
  const started = argvs.map((argv) => ({ argv }))
  return () => started
}
const sometimes = (argv: Argv): Started => ({ argv, conditional: true })
/** `zcat x` is `gzip -cd x`. */
const stands =
  (...words: readonly string[]): Starts =>
  (args) => [{ argv: [...words, ...passed(args)] }]

/** The scripts around a compressor that look into compressed files: `zgrep`, `xzdiff`, `bzmore`. */
function lookInto(
  compressor: string,
  prefixes: readonly string[],
  extra: readonly Argv[] = [],
): readonly (readonly [string, Starts])[] {
  const looks = (tool: string): Starts => {
    const unpack: Argv = [compressor, OWN]
    const started = [{ argv: [tool, OWN] }, sometimes(unpack), ...extra.map((argv) => ({ argv }))]
    return () => started
  }
  const tools = {
    grep: 'grep',
    egrep: 'grep',
    fgrep: 'grep',
    diff: 'diff',
    cmp: 'cmp',
    less: 'less',
    more: 'more',
  } as const
  return prefixes.flatMap((prefix) =>
    Object.entries(tools).map(([name, tool]) => [`${prefix}${name}`, looks(tool)] as const),
  )
}

/** The packers of tar, and the letters, options and endings of names that stand for them; the first one counts. */
const PACKERS: readonly (readonly [packer: string, letter: string, options: readonly string[], endings: string])[] = [
  ['gzip', 'z', ['--gzip', '--gunzip', '--ungzip'], 'tgz taz gz'],
  ['bzip2', 'j', ['--bzip2'], 'tbz tbz2 tz2 bz2'],
  ['xz', 'J', ['--xz'], 'txz xz'],
  ['zstd', '', ['--zstd'], 'tzst zst'],
  ['lzma', '', ['--lzma'], 'tlz lzma'],
  ['lzip', '', ['--lzip'], 'lz'],
]
const BY_ENDING: ReadonlyMap<string, number> = new Map(
  PACKERS.flatMap(([, , , endings], i) => endings.split(' ').map((ending) => [ending, i] as const)),
)
const NO_PACKER = PACKERS.length

/** The letters of a word of options; none where it is an option of several letters, or none at all. */
const lettersOf = (word: string, isFirst: boolean): string => {
  const letters = word.startsWith('-') ? word.slice(1) : isFirst ? word : ''
  return /^[A-Za-z]*$/.test(letters) ? letters : ''
}

/** tar pipes what it packs through a shell, and what it unpacks through the packer itself. */
function packedBy(args: readonly Arg[]): readonly Started[] {
  let packs = false
  let byName = false
  let named = NO_PACKER
  let guessed = NO_PACKER
  for (let i = 0; i < args.length; i++) {
    const word = args[i]?.text ?? ''
    const dot = word.lastIndexOf('.')
    if (dot >= 0) guessed = Math.min(guessed, BY_ENDING.get(word.slice(dot + 1)) ?? NO_PACKER)
    const letters = lettersOf(word, i === 0)
    packs ||= /[cru]/.test(letters) || word === '--create' || word === '--append' || word === '--update'
    byName ||= letters.includes('a') || word === '--auto-compress'
    if (letters !== '' || word.startsWith('--')) named = Math.min(named, packerIn(word, letters))
  }
  if (packs && !byName) guessed = NO_PACKER
  const packer = PACKERS[named === NO_PACKER ? guessed : named]?.[0]
  if (packer === undefined) return []
  return packs ? [{ argv: ['/bin/sh', '-c', packer] }, { argv: [packer] }] : [sometimes([packer, '-d'])]
}

function packerIn(word: string, letters: string): number {
  const at = PACKERS.findIndex(
    ([, letter, options]) => (letter !== '' && letters.includes(letter)) || options.includes(word),
  )
  return at < 0 ? NO_PACKER : at
}

const GROFF_FILTERS = {
  s: 'soelim',
  R: 'refer',
  g: 'grn',
  j: 'chem',
  p: 'pic',
  t: 'tbl',
  e: 'eqn',
  k: 'preconv',
} as const
const GROFF_DEVICES: ReadonlyMap<string, string> = new Map([
  ['pdf', 'gropdf'],
  ['dvi', 'grodvi'],
  ['lj4', 'grolj4'],
  ['lbp', 'grolbp'],
  ['html', 'post-grohtml'],
  ['xhtml', 'post-grohtml'],
  ...['ascii', 'utf8', 'latin1', 'cp1047'].map((name) => [name, 'grotty'] as const),
])
const GROFF_VALUES = /^-[abcegijklpstzCEGNRSUVXZ]*[dDfFIKLmMnoPrTwW]$/

/** groff runs a pipeline: the filters it is told, troff, and what prints for the device. */
function groffPipeline(args: readonly Arg[]): readonly Started[] {
  const words = args.map((arg) => arg.text ?? '')
  const flags = words.filter((word, i) => /^-[A-Za-z]/.test(word) && !GROFF_VALUES.test(words[i - 1] ?? ''))
  const letters = flags.map((flag) => (/^-[dDfFIKLmMnoPrTwW]/.test(flag) ? '' : flag.slice(1))).join('')
  const at = words.findLastIndex((word) => word.startsWith('-T'))
  const device = at < 0 ? 'ps' : (words[at] === '-T' ? words[at + 1] : words[at]?.slice(2)) || 'ps'
  const filters = Object.entries(GROFF_FILTERS).flatMap(([letter, filter]) =>
    letters.includes(letter) ? [{ argv: [filter, OWN] }] : [],
  )
  const output = /[zZ]/.test(letters) ? [] : [{ argv: [GROFF_DEVICES.get(device) ?? 'grops', OWN] }]
  return [...filters, { argv: ['troff', OWN] }, ...output]
}

const COMPILED_BY: readonly (readonly [source: RegExp, pass: string])[] = [
  [/\.(?:cc|cpp|cxx|c\+\+|CPP|C|ii)$/, 'cc1plus'],
  [/\.(?:c|i)$/, 'cc1'],
]

/** The first pass of gcc over each source; whether others follow depends on how it ends. */
const passes =
  (always: string | null): Starts =>
  (args) => {
    const sources = args.map((arg) => arg.text ?? '').filter((word) => !word.startsWith('-'))
    const used = COMPILED_BY.filter(([source]) => sources.some((word) => source.test(word))).map(([, pass]) => pass)
    return [...new Set(used.length > 0 && always ? [always] : used)].map((pass) => ({ argv: [pass, OWN] }))
  }

const STARTS: ReadonlyMap<string, Starts> = new Map<string, Starts>([
  ['zcat', stands('gzip', '-cd')],
  ['gunzip', stands('gzip', '-d')],
  ['uncompress', stands('gzip', '-d')],
  ['egrep', stands('grep', '-E')],
  ['fgrep', stands('grep', '-F')],
  ['c89', stands('gcc', '-std=c89')],
  ['c99', stands('gcc', '-std=c99')],
  ...lookInto('gzip', ['z']),
  ...lookInto('bzip2', ['bz'], [['sed', OWN]]),
  ...lookInto('xz', ['xz', 'lz']),
  ...lookInto('zstd', ['zstd']),
  ['zipgrep', always(['sed', OWN], ['unzip', OWN])],
  ['sdiff', always(['diff', OWN])],
  ['diff3', always(['diff', OWN])],
  [
    'script',
    (args) => (args.some((arg) => /^(?:-[a-zA-Z]*c|--command)/.test(arg.head)) ? [] : [{ argv: ['bash', '-i'] }]),
  ],
  ['tar', packedBy],
  ['gcc', passes(null)],
  ['cc', passes(null)],
  ['g++', passes('cc1plus')],
  ['c++', passes('cc1plus')],
  ['groff', groffPipeline],
  ['nroff', always(['locale', 'charmap'], ['groff', OWN], ['troff', OWN], ['grotty'])],
  ['gem', (args) => [{ argv: ['ruby', OWN, ...passed(args)] }]],
  ...['apt', 'apt-get', 'apt-cache', 'apt-mark'].map(
    (name) => [name, always(['/usr/bin/dpkg', '--print-foreign-architectures'])] as const,
  ),
  [
    'ag',
    always(
      ['sh', '-c', 'git config -z --path --get core.excludesfile 2>/dev/null'],
      ['git', 'config', '-z', '--path', '--get', 'core.excludesfile'],
    ),
  ],
])

const ABOUT_ITSELF = /^(?:--help|--version)$/

/** How a program of this name starts others by itself; null where nothing is known to be started. */
export const startsOf = (name: string): Starts | null => STARTS.get(name) ?? null

const NOTHING: readonly Started[] = []

/** What is started when the program is given these arguments, the program first. */
export const startedBy = (starts: Starts, argv: readonly Arg[]): readonly Started[] =>
  argv.length === 2 && ABOUT_ITSELF.test(argv[1]?.text ?? '') ? NOTHING : starts(argv.slice(1))
