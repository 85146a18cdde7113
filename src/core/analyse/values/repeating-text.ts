import type { Arg } from '../programs/grammar/roles.js'
import { sedTexts } from '../programs/text-and-files/sed-script.js'

/** Separators between words in any language. */
const BETWEEN = /[\s'"`=,;:|(){}[\]<>&!#\\]+/
/** The start of an outside path, hidden name, option or refspec, or the name of protected settings. */
const SENSITIVE = /^(?:[/~]|[-+]+[\w./~]|-$|\.[\w.])|\/\.|\.\.|cordon|opencode/
/** A refspec such as `:main`, which deletes a branch when pushed. */
const REFSPEC = /(?:^|[\s'"])[+:]\w/
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/\//gi

/** Tells whether printed text can name an outside path, a hidden file or an option. */
export const isSensitive = (text: string): boolean =>
  REFSPEC.test(text) ||
  ESCAPES.test(text) ||
  text
    .replace(SCHEME, '')
    .split(BETWEEN)
    .some((word) => SENSITIVE.test(word.replace(/^(?:\.\/)+(?![.])/, '')))

/** Escapes that stand for a character by its number. */
const ESCAPES = /\\(?:[0-7]{2}|[xuUod][0-9a-fA-F])|%x[0-9a-fA-F]|%\d*c/

/** Tells the same about a text that others follow. A dot starts a hidden name. */
const isPartSensitive = (text: string): boolean => text === '.' || isSensitive(text)

const OPTION = /^(?:-\w+|--?[\w-]+)(?:=|$)/

/** Tells whether an argument contains such text beyond an option's name. Text attached to an option letter counts. */
function isSensitiveArg({ text, prefix }: Arg): boolean {
  const all = text ?? prefix
  if (!all.startsWith('-') || /^-+\w*\s/.test(all)) return isSensitive(all)
  if (OPTION.test(all)) return isSensitive(all.replace(OPTION, ''))
  return isSensitive(all.replace(/^--?\w*/, ''))
}

/** A number of lines or bytes: `tail -n +6`. */
const COUNT = /^[-+]?\d+[a-zA-Z]?$/

type Test = (args: readonly Arg[]) => boolean

const ALWAYS: Test = (args) => args.length > 0
const NEVER: Test = () => false
const BY_WORDS: Test = (args) => args.some(isSensitiveArg)

/** Checks the string literals in code, each alone and all joined: `"/" "etc"`. */
function literals(code: string, cuts: RegExp): boolean {
  const all = [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/gs)].map(
    ([, double, single, back]) => double ?? single ?? back ?? '',
  )
  const joined = all.join('')
  return (
    all.some(isPartSensitive) || isSensitive(joined) || /\//.test(joined) || (cuts.test(code) && /[-.:+~]/.test(joined))
  )
}

const AWK_CUTS = /\b(?:substr|split|g?sub|gensub|match)\b/
const AWK_OUTSIDE = /\b(?:ENVIRON|ARGV|FS|PROCINFO|SYMTAB)\b/

const awk: Test = (args) => {
  if (args.some(({ prefix }) => /^\s*BEGIN\b/.test(prefix))) return true
  const code = args.map(({ text, prefix }) => text ?? prefix).filter((text) => /[{}]|^[A-Z]+$/.test(text))
  const given = args.filter(({ prefix }) => !code.includes(prefix) && /^(?:-v)?[A-Za-z_]\w*=/.test(prefix))
  const values = given.map(({ text, prefix }) => (text ?? prefix).replace(/^[^=]*=/, ''))
  return (
    code.some((text) => literals(text, AWK_CUTS) || ESCAPES.test(text) || AWK_OUTSIDE.test(text)) ||
    values.some(isPartSensitive) ||
    isSensitive(values.join(''))
  )
}

const JQ_CUTS = /\b(?:ltrimstr|rtrimstr|split|g?sub|capture|match)\b|\[\s*-?\d*\s*:/
const JQ_OUTSIDE = /\b(?:env|implode)\b|\$(?:ENV|ARGS|__)|@base64d|@uri|\binput_filename\b/

const jq: Test = (args) =>
  args.some(({ text, prefix }, i) => {
    const code = text ?? prefix
    if (/^(?:-[a-zA-Z]*n|--null-input)/.test(prefix)) return true
    if (/^--?(?:raw)?(?:args?|jsonargs|argjson|slurpfile|rawfile)$/.test(code))
      return args.slice(i + 1).some(isSensitiveArg)
    return literals(code, JQ_CUTS) || JQ_OUTSIDE.test(code)
  })

const SQL = /\b(?:char|chr|unhex|decode|printf|format|replace|substr\w*|reverse)\s*\(|\bx'/i

const sql: Test = (args) =>
  args.some(
    (arg) => isSensitiveArg(arg) || SQL.test(arg.text ?? arg.prefix) || literals(arg.text ?? arg.prefix, /\|\|/),
  )

/** A replaced suffix: `s/\.ts$/.js/`. */
const SUFFIX = /^\\\.[\w.\\]+\$?$/

const sed: Test = (args) =>
  args.some((arg) => {
    if (/^-(?:-\w|[a-zA-Z]$)/.test(arg.prefix)) return /^--expression=/.test(arg.prefix) && sed([after(arg)])
    const texts = sedTexts(arg).filter(
      ({ text, pattern }) => !(pattern !== undefined && SUFFIX.test(pattern) && /^\.[\w.]+$/.test(text)),
    )
    const plain = texts.map(({ text }) => text.replace(/\\[n0-9]|&/g, ' ').replace(/\\(\W)/g, '$1'))
    return (
      texts.some(({ text, pattern }) => ESCAPES.test(text) || /^[a-z]{13}/.test(pattern ?? '')) ||
      plain.some(isPartSensitive) ||
      isSensitive(plain.join(''))
    )
  })

const after = (arg: Arg): Arg => {
  const text = (arg.text ?? arg.prefix).replace(/^[^=]*=/, '')
  return { ...arg, text, prefix: text }
}

/** `tr _ /`: tr can change letters but must not produce a part of a path. */
const tr: Test = (args) =>
  /[/.~\\]/.test(args.findLast(({ prefix }) => !prefix.startsWith('-'))?.prefix.replace(/\\[nt]/, '') ?? '')

/** Search options whose value is never printed. */
const SEARCH_VALUE =
  /^(?:-\w*[gtTABCmfdEjM]|--(?:glob|iglob|type|type-not|include|exclude|exclude-dir|exclude-from|max-count|context|file|ignore|ignore-dir|max-depth))$/
const SEARCH_PRINTS = /^(?:-\w*r|--(?:label|replace|output|[\w-]+-separator))$/

/** Options with which a search of one file prints its name, or that hold the pattern. */
const PRINTS_NAMES = /^-\w*(?:[HrRlL]|[ef]\w)|^--(?:files?|with-filename|recursive|dereference|label|regexp)/

/** `grep` prints the names of files, unless it searches one only, but not its pattern. */
const search: Test = (args) => {
  const isNamed =
    args.some(({ text, prefix }) => text === null || PRINTS_NAMES.test(prefix)) ||
    args.filter(({ prefix }) => !prefix.startsWith('-')).length > 2
  let isPatternOver = args.some(({ prefix }) => /^(?:-\w*[ef]$|-e|--regexp|--file)/.test(prefix))
  return args.some((arg, i) => {
    const before = args[i - 1]?.prefix ?? ''
    if (arg.prefix.startsWith('-')) return /^--(?:label|replace|output)=/.test(arg.prefix) && isSensitiveArg(arg)
    if (SEARCH_VALUE.test(before) || /^(?:-\w*e|--regexp)$/.test(before)) return false
    if (SEARCH_PRINTS.test(before) && isSensitiveArg(arg)) return true
    if (isPatternOver) return isNamed && isSensitiveArg(arg)
    isPatternOver = true
    return false
  })
}

const FIND_DIRECTIVE = /%[-+ 0#]*\d*(?:\.\d+)?(?:[ABCT].|[a-zA-Z%])|\\[nt0]/g

/** Programs that print their arguments. */
const PRINTING = /^(?:\/\S*\/)?(?:echo|printf|env|\w*sh)$/
/** A format with more than separators between fields. */
const TEXT_FORMAT = /[\w~\\]|^\/|\.$|\//

const stat: Test = (args) =>
  BY_WORDS(args) ||
  args.some(({ text, prefix }, i) => {
    const format =
      /^(?:--format=|--printf=|-c)(.+)$/s.exec(text ?? prefix)?.[1] ??
      (/^(?:-c|--format)$/.test(args[i - 1]?.prefix ?? '') ? prefix : '')
    return TEXT_FORMAT.test(format.replace(FIND_DIRECTIVE, ''))
  })

/** `find -printf`; find also prints its starting points. Commands after -exec print for themselves. */
const find: Test = (args) => {
  const formats = args.filter((_, i) => args[i - 1]?.prefix === '-printf' || args[i - 2]?.prefix === '-fprintf')
  const start = args.findIndex(({ prefix }) => /^[-(!]/.test(prefix))
  return (
    formats.some(({ text }) => TEXT_FORMAT.test((text ?? 'x').replace(FIND_DIRECTIVE, ''))) ||
    (args.some(({ prefix }, i) => prefix === '0' && args[i - 1]?.prefix === '-maxdepth') &&
      args.slice(0, Math.max(0, start)).some(isSensitiveArg)) ||
    args.some(
      ({ prefix }, i) =>
        /^-(?:exec|ok)/.test(prefix) &&
        (PRINTING.test(args[i + 1]?.prefix ?? '') || args.slice(i + 1).some(isSensitiveArg)),
    )
  )
}

const GIT_PRINTS =
  /^--(?:format|pretty|trailer|dirty|broken|mark|prefix|suffix|\w+-prefix|default|output-indicator-\w+)(?:=|$)/
const GIT_REPEATS = new Set(
  'config var rev-parse check-ref-format interpret-trailers check-ignore check-attr check-mailmap'.split(' '),
)
const GIT_PLACEHOLDER = /%\([^)'"]*\)|%[a-zA-WY-Z]\w?/g
const REV_PARSE =
  /^--(?:show-\w+(?:-\w+)*|abbrev-ref(?:=\w+)?|short(?:=\d+)?|git-dir|git-common-dir|absolute-git-dir|is-[\w-]+|verify|quiet|symbolic\S*|git-path|path-format=\w+|local-env-vars)$|^-q$/

const git: Test = (args) => {
  const at = args.findIndex(({ prefix }, i) => !prefix.startsWith('-') && !/^-[cC]$/.test(args[i - 1]?.prefix ?? ''))
  const sub = args[at]?.text ?? ''
  if (GIT_REPEATS.has(sub) && args.some((arg) => isSensitiveArg(arg) && !/^-C$/.test(arg.prefix))) return true
  if (sub === 'var') return true
  const rest = args.slice(at + 1)
  if (sub === 'rev-parse' && rest.some(({ prefix }) => prefix.startsWith('-') && !REV_PARSE.test(prefix))) return true
  return rest.some(({ text, prefix }, i) => {
    const before = rest[i - 1]?.prefix ?? ''
    const value =
      GIT_PRINTS.test(prefix) && prefix.includes('=')
        ? (text ?? prefix).replace(/^[^=]*=(?:format:|tformat:)?/, '')
        : null
    const given = value ?? (GIT_PRINTS.test(before) && !before.includes('=') ? (text ?? prefix) : '')
    return ESCAPES.test(given) || isSensitive(given.replace(GIT_PLACEHOLDER, 'x'))
  })
}

/** Programs that print fields by a template: text around the braces, and strings inside them. */
const template: Test = (args) =>
  args.some(({ text, prefix }) => {
    const all = text ?? prefix
    if (!/[{'"`]/.test(all)) return false
    return (
      literals(all, /\bslice\b/) ||
      (all.includes('{{') && isSensitive(all.replace(/\{+[^{}]*\}+/g, 'x').replace(OPTION, '')))
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
    args.some((arg) => /^--(?:transform|xform)|^-s$/.test(arg.prefix) || isSensitiveArg(arg)),
  ),
  ...entries(
    'docker podman nerdctl kubectl oc helm gh glab go aws gcloud az terraform tofu nomad vault consul',
    template,
  ),
  ...entries(
    'getopt gettext ngettext systemd-escape envsubst column split date expr seq yes numfmt factor dc bc figlet toilet banner cowsay',
    ALWAYS,
  ),
  ...entries('head tail ghead gtail', (args) => BY_WORDS(args.filter(({ prefix }) => !COUNT.test(prefix)))),
  ...entries('shuf', (args) => args.some(({ prefix }) => /^(?:-[a-zA-Z]*e|--echo)/.test(prefix)) || BY_WORDS(args)),
  ...entries(
    'pgrep pidof lsof fuser nproc npm pnpm yarn npx node python python3 perl ruby php curl wget mktemp uuidgen pwgen ssh kill fd fdfind ghc cargo rustc pip pip3 uv poetry brew apt apt-get dpkg rpm pkg-config xargs parallel',
    NEVER,
  ),
])

function entries(names: string, test: Test): readonly (readonly [string, Test])[] {
  return names.split(' ').map((name) => [name, test] as const)
}

/** Tells whether a program can print words of its command line that name such a path, file or option. */
export const mayRepeat = (program: string, args: readonly Arg[]): boolean =>
  (TESTS.get(program) ?? BY_WORDS)(args.slice(1))
