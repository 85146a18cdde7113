import { forkBranches } from './branch.js'
import { inherited } from './inherit.js'
import { CARRIED } from './printing.js'
import { notKnown } from './programs/arguments.js'
import type { Arg, Source, StdinStyle } from './programs/knowledge.js'
import { withArgument } from './programs/quoted-items.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import { runText } from './shell-text.js'
import { runArguments } from './simple.js'
import type { State } from './state.js'
import { splitItems, splitLines } from './text/items.js'
import { type Hole, unknown, type Value } from './value.js'

const ADDED = { unknown: 'arguments the program adds' }

/** What a program adds to the arguments it was given. */
export const added = (argv: readonly Arg[], from: Source = 'files', glob?: string): Arg =>
  notKnown(
    '',
    glob === undefined ? ADDED : { unknown: ADDED.unknown, glob },
    CARRIED.has(from) ? from : 'files',
    true,
    argv[0]?.span ?? [0, 0],
  )

/** `xargs`: the words of standard input, or of a file, appended to or put into the command. */
export function runItems(reading: Reading, state: State, argv: readonly Arg[], style: StdinStyle): void {
  const input: Value = style.file
    ? textOfFile(reading, style.file.text === null ? null : reading.owned(state, style.file.text))
    : (state.descriptors.get(0)?.input?.drain() ?? '')
  if (typeof input === 'object' && input.options) {
    const texts: readonly Value[] = input.source === 'condition' ? input.options : [...input.options, without(input)]
    forkBranches(
      reading,
      state,
      texts.map((text) => (fork) => runKnownItems(reading, fork, argv, style, text)),
    )
    return
  }
  runKnownItems(reading, state, argv, style, input)
}

const without = ({ options: _, ...rest }: Hole): Hole => rest

function runKnownItems(reading: Reading, state: State, argv: readonly Arg[], style: StdinStyle, input: Value): void {
  const [command] = argv
  if (!command) return
  const items = typeof input === 'string' ? itemsOf(input, style) : null
  if (items === null || items.length > 2_000) {
    if (typeof input === 'string') runUnknownItems(reading, state, argv, style, 'made', undefined)
    else runUnknownItems(reading, state, argv, style, input.source, input.glob)
    return
  }
  const size = style.perCommand ?? Math.max(1, items.length)
  const groups = Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
  for (const group of groups) {
    if (style.replace === null)
      runArguments(reading, state.fork(), [
        ...argv,
        ...group.map((text) => ({ text, head: text, several: false, span: command.span })),
      ])
    else if (group.length > 0)
      runArguments(
        reading,
        state.fork(),
        argv.map((arg) => replaced(arg, style.replace ?? '', group[0] ?? '')),
      )
  }
}

/** The items of a text; null where they are not followed: those of so many lines, and those up to one that ends them. */
function itemsOf(text: string, { delimiter, end, areLines, perLines }: StdinStyle): readonly string[] | null {
  if (perLines || end) return null
  return areLines ? splitLines(text) : splitItems(text, delimiter)
}

const replaced = (arg: Arg, marker: string, item: string): Arg => {
  if (arg.text === null || !arg.text.includes(marker)) return arg
  const text = arg.text.replaceAll(marker, () => item)
  return { ...arg, text, head: text }
}

function runUnknownItems(
  reading: Reading,
  state: State,
  argv: readonly Arg[],
  style: StdinStyle,
  source: Source,
  glob: string | undefined,
): void {
  reading.undecided++
  if (!(style.isQuoted && style.replace === '{}' && runQuotedItem(reading, state, argv, source)))
    runEachItem(reading, state, argv, style.replace, source, glob)
  reading.undecided--
}

/** `parallel gzip {}`: one argument, quoted, in a text that is nothing but words. False where the text is more than that. */
function runQuotedItem(reading: Reading, state: State, [, , template]: readonly Arg[], source: Source): boolean {
  const text = template?.text ? withArgument(template.text, '{}') : null
  if (text === null) return false
  const inner = inherited(reading, state)
  inner.positional = [unknown(source, 'arguments the program adds')]
  runText(reading, inner, text)
  return true
}

function runEachItem(
  reading: Reading,
  state: State,
  argv: readonly Arg[],
  marker: string | null,
  source: Source,
  glob: string | undefined,
): void {
  if (marker === null) {
    runArguments(reading, state, [...argv, added(argv, source, glob)])
    return
  }
  runArguments(
    reading,
    state,
    argv.map((arg) =>
      arg.text?.includes(marker)
        ? {
            ...added([arg], source, arg.text === marker ? glob : undefined),
            head: arg.text.split(marker)[0] ?? '',
            several: false,
          }
        : arg,
    ),
  )
}
