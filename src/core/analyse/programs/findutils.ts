import { after } from './arg-parts.js'
import { notKnown } from './arguments.js'
import type { Arg, Call, Effect, Family } from './knowledge.js'

const ONE_VALUE = new Set(
  '-D -maxdepth -mindepth -regextype -files0-from -amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -printf -Bmin -Bnewer -Btime -flags -f -since'.split(
    ' ',
  ),
)

/**
 * `find` has a language of its own: starting points, then an expression whose actions run, write and delete. A word that it does not
 * know makes it refuse the whole expression before it does anything.
 */
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
      effects.push({ does: 'unknown', reason: 'a part of the expression of find is not known', at: arg.span })
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
/** Besides what begins with a dash. */
const STARTS_EXPRESSION = new Set(['(', ')', '!', ','])

function startingPoints(argv: readonly Arg[]): { readonly paths: readonly Arg[]; readonly after: number } {
  const paths: Arg[] = []
  let i = 1
  for (; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const { head } = arg
    if (head.startsWith('-') && /^-([HLP]|O\d*)$/.test(head)) continue
    if (head === '-D') i++
    else if (
      (head.startsWith('-') ? head !== '-' : STARTS_EXPRESSION.has(head.charAt(0))) ||
      (arg.text === null && arg.head === '' && arg.several && !arg.unknown?.glob)
    )
      break
    else paths.push(arg)
  }
  return { paths, after: i }
}

/** Adds what one `-exec … ;` runs, and returns the index of its last word. */
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
  for (const start of words.some(isPlaceholder) ? elsewhere(starts) : [null]) {
    for (const glob of found(start, name)) {
      const filled = words.map((arg, i): Arg => {
        if (!isPlaceholder(arg)) return arg
        const isScript =
          start !== null && SHELL.test(words[0]?.text ?? '') && /^-[a-z]*c$/.test(words[i - 1]?.text ?? '')
        // What a shell is told to do with all that is found it does with where the search begins.
        return isScript
          ? { ...asFound(arg, glob), options: [arg.text?.replaceAll('{}', start) ?? ''] }
          : asFound(arg, glob)
      })
      effects.push({ does: 'run', argv: filled, via })
    }
  }
  // It goes down the tree and removes what it finds, which is what -delete does.
  if (REMOVES.test(words[0]?.text ?? '') && words.some(isPlaceholder))
    for (const path of starts)
      if (elsewhere([path])[0] !== null) effects.push({ does: 'delete', path, recursive: true })
  return i
}

const REMOVES = /^(?:\/\S*\/)?(?:rm|unlink|shred|srm|trash|trash-put)$/

const SHELL = /^(?:\/\S*\/)?(?:ba|da|k|z)?sh$/

const isPlaceholder = (arg: Arg): boolean => arg.text?.includes('{}') ?? false

/** Starting points that may lie beyond the directory the command is run in, each once; null stands for all others. */
function elsewhere(starts: readonly Arg[]): readonly (string | null)[] {
  const places = new Set<string | null>()
  for (const { text } of starts) places.add(text !== null && /^(?:\/|\.\.(?:\/|$))/.test(text) ? text : null)
  return places.size === 0 ? [null] : [...places]
}

/** Names that lie in directories whose own names begin with a dot. */
const KEPT_SECRET = /^(?:id_\w+|authorized_keys|known_hosts|credentials(?:\.\w+)?|\S+\.(?:pem|key|gpg))$/

/** What may be found below a directory, as patterns, where anything is told of it. */
function found(start: string | null, name: string | null): readonly (string | null)[] {
  const below = start?.replace(/\/+$/, '') ?? '.'
  if (name === null) return [start === null ? null : `${below}/*`]
  return start !== null && KEPT_SECRET.test(name)
    ? [`${below}/*/${name}`, `${below}/.*/${name}`]
    : [`${below}/*/${name}`]
}

const IS_FOUND = { isFound: true } as const

/** A file that is found; one that a pattern stands for, where the word is nothing but the file. */
function asFound(arg: Arg, pattern: string | null): Arg {
  const text = arg.text ?? ''
  const unknown = 'a file that find found'
  const head = text.slice(0, Math.max(0, text.indexOf('{}')))
  const what = pattern !== null && text === '{}' ? { unknown, glob: pattern } : { unknown }
  return notKnown(head, what, undefined, false, arg.span, IS_FOUND)
}

/** `fd -x cmd`, `fd -X cmd`: everything after is the command; without `{}` the path is appended. */
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
  const places = searched(call.argv.slice(1, at))
  const removed = REMOVES.test(first.text ?? '') ? places.filter((path) => elsewhere([path])[0] !== null) : []
  return [
    ...elsewhere(places).map((start): Effect => {
      const [glob = null] = found(start, null)
      const argv = command.map((arg) => (isItem(arg) ? asFound(arg, glob) : arg))
      const item = asFound({ ...first, text: '{}', head: '{}' }, glob)
      return start !== null && !command.some(isItem)
        ? { does: 'run', argv: [...argv, item], via }
        : { does: 'run', argv, via, more: true }
    }),
    ...removed.map((path): Effect => ({ does: 'delete', path, recursive: true })),
  ]
}

/** The directories of `fd [OPTIONS] [PATTERN] [PATH…]`. */
function searched(words: readonly Arg[]): readonly Arg[] {
  const named = words.flatMap((arg) => after(arg, '--base-directory=') ?? after(arg, '--search-path=') ?? [])
  const operands = words.filter((arg, i) => !arg.head.startsWith('-') && !FD_VALUE.test(words[i - 1]?.text ?? ''))
  const places = words.filter((_, i) => /^(?:--base-directory|--search-path)$/.test(words[i - 1]?.text ?? ''))
  return [...named, ...places, ...operands.slice(1)]
}

const FD_VALUE =
  /^(?:-[a-zA-Z]*[tedESjcoC]|--(?:type|extension|max-depth|min-depth|exact-depth|exclude|size|threads|color|owner|changed-within|changed-before|max-results|base-directory|search-path|and|path-separator))$/

/** find, and what looks for files the way it does. */
export const findutils: Family = [
  { names: 'find gfind', unlisted: 'ignore', permute: false, contained: true, hook: findEffects },
  { names: 'fd fdfind', unlisted: 'ignore', contained: true, hook: fdEffects },
]
