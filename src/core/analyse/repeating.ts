import type { Arg } from './programs/knowledge.js'
import { sedTexts } from './programs/sed-script.js'

/** Between the words of a text, whatever the language it is in. */
const BETWEEN = /[\s'"`=,;:|(){}[\]<>&!#\\]+/
/** The beginning of a path outside, of a hidden name, an option or a refspec; or a name of settings that are protected. */
const TELLING = /^(?:[/~]|[-+]+[\w./~]|-$|\.[\w.])|\/\.|\.\.|cordon|opencode/
/** `:main` deletes a branch when it is pushed. */
const REFSPEC = /(?:^|[\s'"])[+:]\w/
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/\//gi

/** Could a program that prints this text, or a part of it, name a path outside, a hidden file or an option? */
export const isTelling = (text: string): boolean =>
  REFSPEC.test(text) ||
  ESCAPES.test(text) ||
  text
    .replace(SCHEME, '')
    .split(BETWEEN)
    .some((word) => TELLING.test(word.replace(/^(?:\.\/)+(?![.])/, '')))

/** Characters by number. */
const ESCAPES = /\\(?:[0-7]{2}|[xuUod][0-9a-fA-F])|%x[0-9a-fA-F]|%\d*c/

/** The same of a text that others are put behind: a dot begins a name. */
const isPartTelling = (text: string): boolean => text === '.' || isTelling(text)

const OPTION = /^(?:-\w+|--?[\w-]+)(?:=|$)/

/** Is an argument more than the name of an option, and telling? What stands attached to a letter is looked at too. */
function tells({ text, head }: Arg): boolean {
  const all = text ?? head
  if (!all.startsWith('-') || /^-+\w*\s/.test(all)) return isTelling(all)
  if (OPTION.test(all)) return isTelling(all.replace(OPTION, ''))
  return isTelling(all.replace(/^--?\w*/, ''))
}

type Test = (args: readonly Arg[]) => boolean

const ALWAYS: Test = (args) => args.length > 0
const NEVER: Test = () => false
const BY_WORDS: Test = (args) => args.some(tells)

/** The strings in code, each by itself and all of them joined: `"/" "etc"`. */
function literals(code: string, cuts: RegExp): boolean {
  const all = [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/gs)].map(
    ([, double, single, back]) => double ?? single ?? back ?? '',
  )
  const joined = all.join('')
  return (
    all.some(isPartTelling) || isTelling(joined) || /\//.test(joined) || (cuts.test(code) && /[-.:+~]/.test(joined))
  )
}

const AWK_CUTS = /\b(?:substr|split|g?sub|gensub|match)\b/
const AWK_OUTSIDE = /\b(?:ENVIRON|ARGV|FS|PROCINFO|SYMTAB)\b/

const awk: Test = (args) => {
  if (args.some(({ head }) => /^\s*BEGIN\b/.test(head))) return true
  const code = args.map(({ text, head }) => text ?? head).filter((text) => /[{}]|^[A-Z]+$/.test(text))
  const given = args.filter(({ head }) => !code.includes(head) && /^(?:-v)?[A-Za-z_]\w*=/.test(head))
  const values = given.map(({ text, head }) => (text ?? head).replace(/^[^=]*=/, ''))
  return (
    code.some((text) => literals(text, AWK_CUTS) || ESCAPES.test(text) || AWK_OUTSIDE.test(text)) ||
    values.some(isPartTelling) ||
    isTelling(values.join(''))
  )
}

const JQ_CUTS = /\b(?:ltrimstr|rtrimstr|split|g?sub|capture|match)\b|\[\s*-?\d*\s*:/
const JQ_OUTSIDE = /\b(?:env|implode)\b|\$(?:ENV|ARGS|__)|@base64d|@uri|\binput_filename\b/

const jq: Test = (args) =>
  args.some(({ text, head }, i) => {
    const code = text ?? head
    if (/^(?:-[a-zA-Z]*n|--null-input)/.test(head)) return true
    if (/^--?(?:raw)?(?:args?|jsonargs|argjson|slurpfile|rawfile)$/.test(code)) return args.slice(i + 1).some(tells)
    return literals(code, JQ_CUTS) || JQ_OUTSIDE.test(code)
  })

const SQL = /\b(?:char|chr|unhex|decode|printf|format|replace|substr\w*|reverse)\s*\(|\bx'/i

const sql: Test = (args) =>
  args.some((arg) => tells(arg) || SQL.test(arg.text ?? arg.head) || literals(arg.text ?? arg.head, /\|\|/))

/** `s/\.ts$/.js/`: a suffix in place of another. */
const SUFFIX = /^\\\.[\w.\\]+\$?$/

const sed: Test = (args) =>
  args.some((arg) => {
    if (/^-(?:-\w|[a-zA-Z]$)/.test(arg.head)) return /^--expression=/.test(arg.head) && sed([after(arg)])
    const texts = sedTexts(arg).filter(
      ({ text, pattern }) => !(pattern !== undefined && SUFFIX.test(pattern) && /^\.[\w.]+$/.test(text)),
    )
    const plain = texts.map(({ text }) => text.replace(/\\[n0-9]|&/g, ' ').replace(/\\(\W)/g, '$1'))
    return (
      texts.some(({ text, pattern }) => ESCAPES.test(text) || /^[a-z]{13}/.test(pattern ?? '')) ||
      plain.some(isPartTelling) ||
      isTelling(plain.join(''))
    )
  })

const after = (arg: Arg): Arg => {
  const text = (arg.text ?? arg.head).replace(/^[^=]*=/, '')
  return { ...arg, text, head: text }
}

/** `tr _ /`: letters may become others, but nothing becomes a part of a path. */
const tr: Test = (args) =>
  /[/.~\\]/.test(args.findLast(({ head }) => !head.startsWith('-'))?.head.replace(/\\[nt]/, '') ?? '')

/** Options of searches that take a word which is never printed. */
const SEARCH_VALUE =
  /^(?:-\w*[gtTABCmfdEjM]|--(?:glob|iglob|type|type-not|include|exclude|exclude-dir|exclude-from|max-count|context|file|ignore|ignore-dir|max-depth))$/
const SEARCH_SPEAKS = /^(?:-\w*r|--(?:label|replace|output|[\w-]+-separator))$/

/** `grep`: the pattern is not printed, the files are. */
const search: Test = (args) => {
  let isPatternOver = args.some(({ head }) => /^(?:-\w*[ef]$|-e|--regexp|--file)/.test(head))
  return args.some((arg, i) => {
    const before = args[i - 1]?.head ?? ''
    if (arg.head.startsWith('-')) return /^--(?:label|replace|output)=/.test(arg.head) && tells(arg)
    if (SEARCH_VALUE.test(before) || /^(?:-\w*e|--regexp)$/.test(before)) return false
    if (SEARCH_SPEAKS.test(before) && tells(arg)) return true
    if (isPatternOver) return tells(arg)
    isPatternOver = true
    return false
  })
}

const FIND_DIRECTIVE = /%[-+ 0#]*\d*(?:\.\d+)?(?:[ABCT].|[a-zA-Z%])|\\[nt0]/g

/** Programs that print the words they are given. */
const PRINTING = /^(?:\/\S*\/)?(?:echo|printf|env|\w*sh)$/
/** More than what stands between the fields. */
const SPEAKING_FORMAT = /[\w~\\]|^\/|\.$|\//

const stat: Test = (args) =>
  BY_WORDS(args) ||
  args.some(({ text, head }, i) => {
    const format =
      /^(?:--format=|--printf=|-c)(.+)$/s.exec(text ?? head)?.[1] ??
      (/^(?:-c|--format)$/.test(args[i - 1]?.head ?? '') ? head : '')
    return SPEAKING_FORMAT.test(format.replace(FIND_DIRECTIVE, ''))
  })

/** `find -printf`; where a search begins is printed too. What -exec runs prints for itself. */
const find: Test = (args) => {
  const formats = args.filter((_, i) => args[i - 1]?.head === '-printf' || args[i - 2]?.head === '-fprintf')
  const start = args.findIndex(({ head }) => /^[-(!]/.test(head))
  return (
    formats.some(({ text }) => SPEAKING_FORMAT.test((text ?? 'x').replace(FIND_DIRECTIVE, ''))) ||
    (args.some(({ head }, i) => head === '0' && args[i - 1]?.head === '-maxdepth') &&
      args.slice(0, Math.max(0, start)).some(tells)) ||
    args.some(
      ({ head }, i) =>
        /^-(?:exec|ok)/.test(head) && (PRINTING.test(args[i + 1]?.head ?? '') || args.slice(i + 1).some(tells)),
    )
  )
}

const GIT_SPEAKS =
  /^--(?:format|pretty|trailer|dirty|broken|mark|prefix|suffix|\w+-prefix|default|output-indicator-\w+)(?:=|$)/
const GIT_REPEATS = new Set([
  'config',
  'var',
  'rev-parse',
  'check-ref-format',
  'interpret-trailers',
  'check-ignore',
  'check-attr',
  'check-mailmap',
])
const GIT_PLACEHOLDER = /%\([^)'"]*\)|%[a-zA-WY-Z]\w?/g
const REV_PARSE =
  /^--(?:show-\w+(?:-\w+)*|abbrev-ref(?:=\w+)?|short(?:=\d+)?|git-dir|git-common-dir|absolute-git-dir|is-[\w-]+|verify|quiet|symbolic\S*|git-path|path-format=\w+|local-env-vars)$|^-q$/

const git: Test = (args) => {
  const at = args.findIndex(({ head }, i) => !head.startsWith('-') && !/^-[cC]$/.test(args[i - 1]?.head ?? ''))
  const sub = args[at]?.text ?? ''
  if (GIT_REPEATS.has(sub) && args.some((arg) => tells(arg) && !/^-C$/.test(arg.head))) return true
  if (sub === 'var') return true
  const rest = args.slice(at + 1)
  if (sub === 'rev-parse' && rest.some(({ head }) => head.startsWith('-') && !REV_PARSE.test(head))) return true
  return rest.some(({ text, head }, i) => {
    const before = rest[i - 1]?.head ?? ''
    const value =
      GIT_SPEAKS.test(head) && head.includes('=') ? (text ?? head).replace(/^[^=]*=(?:format:|tformat:)?/, '') : null
    const given = value ?? (GIT_SPEAKS.test(before) && !before.includes('=') ? (text ?? head) : '')
    return ESCAPES.test(given) || isTelling(given.replace(GIT_PLACEHOLDER, 'x'))
  })
}

/** Programs that print fields by a template: text around the braces, and strings in them. */
const template: Test = (args) =>
  args.some(({ text, head }) => {
    const all = text ?? head
    if (!/[{'"`]/.test(all)) return false
    return (
      literals(all, /\bslice\b/) ||
      (all.includes('{{') && isTelling(all.replace(/\{+[^{}]*\}+/g, 'x').replace(OPTION, '')))
    )
  })

const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...entries('awk gawk mawk nawk original-awk goawk', awk),
  ...entries('jq gojq jaq yq', jq),
  ...entries('sqlite3 sqlite psql mysql mariadb duckdb clickhouse', sql),
  ...entries('sed gsed ssed', sed),
  ...entries('tr gtr', tr),
  ...entries('grep egrep fgrep rgrep ggrep zgrep rg ag ack ugrep pt sift', search),
  ...entries('find gfind', find),
  ...entries('git', git),
  ...entries('stat gstat', stat),
  ...entries('tar gtar bsdtar', (args) =>
    args.some((arg) => /^--(?:transform|xform)|^-s$/.test(arg.head) || tells(arg)),
  ),
  ...entries(
    'docker podman nerdctl kubectl oc helm gh glab go aws gcloud az terraform tofu nomad vault consul',
    template,
  ),
  ...entries(
    'getopt gettext ngettext systemd-escape envsubst column split date expr seq yes numfmt factor dc bc figlet toilet banner cowsay',
    ALWAYS,
  ),
  ...entries('shuf', (args) => args.some(({ head }) => /^(?:-[a-zA-Z]*e|--echo)/.test(head)) || BY_WORDS(args)),
  ...entries(
    'pgrep pidof lsof fuser nproc npm pnpm yarn npx node python python3 perl ruby php curl wget mktemp uuidgen pwgen ssh kill fd fdfind ghc cargo rustc pip pip3 uv poetry brew apt apt-get dpkg rpm pkg-config xargs parallel',
    NEVER,
  ),
])

function entries(names: string, test: Test): readonly (readonly [string, Test])[] {
  return names.split(' ').map((name) => [name, test] as const)
}

/** May a program print a part of its own command line that names a path outside, a hidden file or an option? */
export const mayRepeat = (program: string, args: readonly Arg[]): boolean =>
  (TESTS.get(program) ?? BY_WORDS)(args.slice(1))
