import { notKnown } from '../grammar/arguments.js'
import { after } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family } from '../grammar/roles.js'

const ONE_VALUE = new Set(
  '-D -maxdepth -mindepth -regextype -files0-from -amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -printf -Bmin -Bnewer -Btime -flags -f -since'.split(
    ' ',
  ),
)

/** `find` runs, writes and deletes by the actions of its expression. It rejects one with an unknown word. */
function findEffects(call: Call): readonly Effect[] {
  const { argv } = call
  const effects: Effect[] = []
  const starts = startingPoints(argv)
  let deletes = false
  let name: string | null = null
  for (let i = starts.after; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const word = arg.text
    if (word === null)
      effects.push({ does: 'unknown', reason: 'a part of the find expression is unknown', at: arg.span })
    else if (EXECUTES.has(word)) i = addExec(effects, argv, i, starts.paths, name)
    else if (word === '-delete') deletes = true
    else if (WRITES.has(word)) {
      const path = argv[++i]
      if (path) effects.push({ does: 'write', path, recursive: false })
      if (word === '-fprintf') i++
    } else if (ONE_VALUE.has(word) || /^-newer[aBcmt][aBcmt]$/.test(word)) {
      i++
      if (word === '-name' && /^[\w.-]+$/.test(argv[i]?.text ?? '')) name = argv[i]?.text ?? null
    }
  }
  for (const path of starts.paths) effects.push({ does: deletes ? 'delete' : 'read', path, recursive: true })
  return effects
}

const EXECUTES = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const WRITES = new Set(['-fprint', '-fprint0', '-fls', '-fprintf'])
/** Starts of the expression, besides words with a dash. */
const STARTS_EXPRESSION = new Set(['(', ')', '!', ','])

function startingPoints(argv: readonly Arg[]): { readonly paths: readonly Arg[]; readonly after: number } {
  const paths: Arg[] = []
  let i = 1
  for (; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const { prefix } = arg
    if (prefix.startsWith('-') && /^-([HLP]|O\d*)$/.test(prefix)) continue
    if (prefix === '-D') i++
    else if (
      (prefix.startsWith('-') ? prefix !== '-' : STARTS_EXPRESSION.has(prefix.charAt(0))) ||
      (arg.text === null && arg.prefix === '' && arg.maySplit && !arg.unknown?.glob)
    )
      break
    else paths.push(arg)
  }
  return { paths, after: i }
}

/** Adds the command of `-exec … ;`. Returns the index of its last word. */
function addExec(
  effects: Effect[],
  argv: readonly Arg[],
  at: number,
  starts: readonly Arg[],
  name: string | null,
): number {
  const words: Arg[] = []
  let i = at + 1
  for (; i < argv.length; i++) {
    const arg = argv[i] as Arg
    if (arg.text === ';' || (arg.text === '+' && words.at(-1)?.text === '{}')) break
    words.push(arg)
  }
  const via = `find ${argv[at]?.text}`
  if (words.length === 0) return i
  for (const start of words.some(isPlaceholder) ? outsideStarts(starts) : [null]) {
    for (const glob of found(start, name)) {
      const filled = words.map((arg, i): Arg => {
        if (!isPlaceholder(arg)) return arg
        const isScript =
          start !== null && SHELL.test(words[0]?.text ?? '') && /^-[a-z]*c$/.test(words[i - 1]?.text ?? '')
        // A shell command for all found files also applies to the starting point.
        return isScript
          ? { ...asFound(arg, glob), alternatives: [arg.text?.replaceAll('{}', start) ?? ''] }
          : asFound(arg, glob)
      })
      effects.push({ does: 'run', argv: filled, via })
    }
  }
  // A recursive removal of found files equals -delete.
  if (REMOVES.test(words[0]?.text ?? '') && words.some(isPlaceholder))
    for (const path of starts)
      if (outsideStarts([path])[0] !== null) effects.push({ does: 'delete', path, recursive: true })
  return i
}

const REMOVES = /^(?:\/\S*\/)?(?:rm|unlink|shred|srm|trash|trash-put)$/

const SHELL = /^(?:\/\S*\/)?(?:ba|da|k|z)?sh$/

const isPlaceholder = (arg: Arg): boolean => arg.text?.includes('{}') ?? false

/** Returns the starting points that can lie outside the working directory. Null stands for all others. */
function outsideStarts(starts: readonly Arg[]): readonly (string | null)[] {
  const directories = new Set<string | null>()
  for (const { text } of starts) directories.add(text !== null && /^(?:\/|\.\.(?:\/|$))/.test(text) ? text : null)
  return directories.size === 0 ? [null] : [...directories]
}

/** Names of secret files in hidden directories. */
const SECRET_FILE = /^(?:id_\w+|authorized_keys|known_hosts|credentials(?:\.\w+)?|\S+\.(?:pem|key|gpg))$/

/** Returns globs for the files that a search below a directory can find and that matter. */
function found(start: string | null, name: string | null): readonly (string | null)[] {
  const below = start?.replace(/\/+$/, '') ?? '.'
  if (name === null) return [start === null ? null : `${below}/*`]
  return start !== null && SECRET_FILE.test(name)
    ? [`${below}/*/${name}`, `${below}/.*/${name}`]
    : [`${below}/*/${name}`]
}

const IS_FOUND = { isFound: true } as const

/** Returns an argument for a found file. If the word is nothing but the file, it has the glob. */
function asFound(arg: Arg, pattern: string | null): Arg {
  const text = arg.text ?? ''
  const unknown = 'a file that find found'
  const prefix = text.slice(0, Math.max(0, text.indexOf('{}')))
  const what = pattern !== null && text === '{}' ? { unknown, glob: pattern } : { unknown }
  return notKnown(prefix, what, false, arg.span, IS_FOUND)
}

/** `fd -x cmd`, `fd -X cmd`: all later words are the command; without `{}` the path is appended. */
function fdEffects(call: Call): readonly Effect[] {
  const at = call.argv.findIndex((arg) => /^(-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(arg.text ?? ''))
  if (at < 0) return []
  const words = call.argv.slice(at + 1)
  const end = words.findIndex((arg) => arg.text === ';')
  const command = end < 0 ? words : words.slice(0, end)
  const [first] = command
  if (!first) return []
  const via = `fd ${call.argv[at]?.text}`
  const isItem = (arg: Arg): boolean => /\{(|\.|\/|\/\/|\/\.)\}/.test(arg.text ?? '')
  const directories = searched(call.argv.slice(1, at))
  const removed = REMOVES.test(first.text ?? '') ? directories.filter((path) => outsideStarts([path])[0] !== null) : []
  return [
    ...outsideStarts(directories).map((start): Effect => {
      const [glob = null] = found(start, null)
      const argv = command.map((arg) => (isItem(arg) ? asFound(arg, glob) : arg))
      const item = asFound({ ...first, text: '{}', prefix: '{}' }, glob)
      return start !== null && !command.some(isItem)
        ? { does: 'run', argv: [...argv, item], via }
        : { does: 'run', argv, via, more: true }
    }),
    ...removed.map((path): Effect => ({ does: 'delete', path, recursive: true })),
  ]
}

/** Returns the directories of `fd [OPTIONS] [PATTERN] [PATH…]`. */
function searched(words: readonly Arg[]): readonly Arg[] {
  const named = words.flatMap((arg) => after(arg, '--base-directory=') ?? after(arg, '--search-path=') ?? [])
  const operands = words.filter((arg, i) => !arg.prefix.startsWith('-') && !FD_VALUE.test(words[i - 1]?.text ?? ''))
  const directories = words.filter((_, i) => /^(?:--base-directory|--search-path)$/.test(words[i - 1]?.text ?? ''))
  return [...named, ...directories, ...operands.slice(1)]
}

const FD_VALUE =
  /^(?:-[a-zA-Z]*[tedESjcoC]|--(?:type|extension|max-depth|min-depth|exact-depth|exclude|size|threads|color|owner|changed-within|changed-before|max-results|base-directory|search-path|and|path-separator))$/

/** find and similar programs. */
export const findutils: Family = [
  { names: 'find gfind', permute: false, writesOnlyNamedPaths: true, effects: findEffects },
  { names: 'fd fdfind', writesOnlyNamedPaths: true, effects: fdEffects },
]
