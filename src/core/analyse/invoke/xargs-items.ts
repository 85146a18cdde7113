import type { Analysis } from '../analysis/analysis.js'
import { childState } from '../analysis/child-process.js'
import { forkBranches } from '../analysis/fork-branches.js'
import { textOfFile } from '../files/file-text.js'
import { scriptPath } from '../files/physical-path.js'
import { CARRIED } from '../printing/print-traits.js'
import { known, notKnown } from '../programs/grammar/arguments.js'
import { withArgument } from '../programs/grammar/quoted-items.js'
import type { Arg, Origin, StdinStyle } from '../programs/grammar/roles.js'
import { runText } from '../run/shell-text.js'
import { runArguments } from '../run/simple-command.js'
import type { State } from '../state/state.js'
import { scalar } from '../state/variable.js'
import { splitItems, splitLines } from '../text/split-items.js'
import { type UnknownValue, unknown, type Value } from '../values/value.js'

const ADDED = { unknown: 'arguments from the input of the program' }

/** Returns the argument for words that a program adds to a command. */
export const addedArgument = (argv: readonly Arg[], from: Origin = 'files', glob?: string): Arg =>
  notKnown('', glob === undefined ? ADDED : { unknown: ADDED.unknown, glob }, true, argv[0]?.span ?? [0, 0], {
    origin: CARRIED.has(from) ? from : 'files',
  })

/** Applies `xargs`: appends the words of its input or file to the command, or inserts them. */
export function runItems(analysis: Analysis, state: State, argv: readonly Arg[], style: StdinStyle): void {
  const input: Value = style.file
    ? textOfFile(analysis, style.file.text === null ? null : scriptPath(analysis, state, style.file.text))
    : (state.descriptors.get(0)?.input?.drain() ?? '')
  if (typeof input === 'object' && input.alternatives) {
    const texts: readonly Value[] =
      input.origin === 'condition' ? input.alternatives : [...input.alternatives, without(input)]
    forkBranches(
      analysis,
      state,
      texts.map((text) => (fork) => runKnownItems(analysis, fork, argv, style, text)),
    )
    return
  }
  runKnownItems(analysis, state, argv, style, input)
}

const without = ({ alternatives: _, ...rest }: UnknownValue): UnknownValue => rest

function runKnownItems(analysis: Analysis, state: State, argv: readonly Arg[], style: StdinStyle, input: Value): void {
  const [command] = argv
  if (!command) return
  const items = typeof input === 'string' ? itemsOf(input, style) : null
  if (items === null || items.length > 2_000) {
    if (typeof input === 'string') runUnknownItems(analysis, state, argv, style, { origin: 'made' })
    else runUnknownItems(analysis, state, argv, style, input)
    return
  }
  const size = style.perCommand ?? Math.max(1, items.length)
  const groups = Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
  for (const group of groups) {
    if (style.replace === null)
      runArguments(analysis, state.fork(), [
        ...argv,
        ...group.map((text) => ({ text, prefix: text, maySplit: false, span: command.span })),
      ])
    else if (group.length > 0)
      runArguments(
        analysis,
        state.fork(),
        argv.map((arg) => replaced(arg, style.replace ?? '', group[0] ?? '')),
      )
  }
}

/** Returns the items of a text, or null if they are not followed: groups of lines, and items up to an end mark. */
function itemsOf(text: string, { delimiter, end, areLines, perLines }: StdinStyle): readonly string[] | null {
  if (perLines || end) return null
  return areLines ? splitLines(text) : splitItems(text, delimiter)
}

const replaced = (arg: Arg, marker: string, item: string): Arg => {
  if (arg.text === null || !arg.text.includes(marker)) return arg
  const text = arg.text.replaceAll(marker, () => item)
  return { ...arg, text, prefix: text }
}

function runUnknownItems(
  analysis: Analysis,
  state: State,
  argv: readonly Arg[],
  style: StdinStyle,
  item: Pick<UnknownValue, 'origin' | 'glob'>,
): void {
  analysis.certainty.maybe(() => {
    if (!(style.isQuoted && style.replace === '{}' && runQuotedItem(analysis, state, argv, item.origin)))
      runEachItem(analysis, state, argv, style.replace, item)
  })
}

/** Runs `parallel gzip {}` with one quoted argument. False if the template is more than words. */
function runQuotedItem(analysis: Analysis, state: State, [, , template]: readonly Arg[], origin: Origin): boolean {
  const text = template?.text ? withArgument(template.text, '{}') : null
  if (text === null) return false
  const inner = childState(analysis, state)
  inner.arguments = { ...inner.arguments, positional: [unknown(origin, 'arguments from the input of the program')] }
  runText(analysis, inner, text)
  return true
}

function runEachItem(
  analysis: Analysis,
  state: State,
  argv: readonly Arg[],
  marker: string | null,
  { origin, glob }: Pick<UnknownValue, 'origin' | 'glob'>,
): void {
  if (marker === null) {
    runArguments(analysis, state, [...argv, addedArgument(argv, origin, glob)])
    return
  }
  if (origin === 'files' && runTextWithNames(analysis, state, argv, marker)) return
  runArguments(
    analysis,
    state,
    argv.map((arg) =>
      arg.text?.includes(marker)
        ? {
            ...addedArgument([arg], origin, arg.text === marker ? glob : undefined),
            prefix: arg.text.split(marker)[0] ?? '',
            maySplit: false,
          }
        : arg,
    ),
  )
}

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/
const NAME = 'CORDON_FILE_NAME'

/**
 * Runs the text of `ls | xargs -I{} sh -c 'wc -l {} | head'` with a variable in place of the file names.
 * A name as the command is unknown. Returns false if the script may have created the files.
 */
function runTextWithNames(analysis: Analysis, state: State, argv: readonly Arg[], marker: string): boolean {
  const [shell, option, text, ...rest] = argv
  const isText = SHELL.test(shell?.text ?? '') && /^-[eux]*c$/.test(option?.text ?? '')
  const { findings } = analysis
  if (!isText || text?.text == null || findings.hasWrites || findings.changesAnything) return false
  if (!text.text.includes(marker) || rest.some((arg) => arg.text?.includes(marker))) return false
  const inner = state.fork()
  inner.variables.set(NAME, { ...scalar(unknown('files', 'names of files')), exported: true })
  findings.reportForeign('a shell runs text that contains file names', text.span)
  const replaced = text.text.replaceAll(marker, `\${${NAME}}`)
  runArguments(analysis, inner, argv.with(2, known(replaced, text.span)))
  return true
}
