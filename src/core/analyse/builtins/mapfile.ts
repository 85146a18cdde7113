import type { Analysis } from '../analysis/analysis.js'
import { forkBranches } from '../analysis/fork-branches.js'
import type { Builtin } from '../analysis/interpreter.js'
import { assignItems } from '../expand/assignment-words.js'
import type { Arg } from '../programs/grammar/roles.js'
import { runText } from '../run/shell-text.js'
import type { State } from '../state/state.js'
import { upToNul } from '../text/split-items.js'
import { uncounted } from '../values/uncounted-elements.js'
import { argValue, concat, unknown, type Value } from '../values/value.js'
import { inputOf, type Options, options } from './read.js'

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

/** `mapfile` reads lines into an array; `-C` runs a command for them. */
export const mapfile: Builtin = (analysis, state, args) => {
  const { flags, values, operands } = options(args, 'CcdnOsu')
  const text = inputOf(state, values.get('u')).drain()
  const name = operands[0]?.text ?? 'MAPFILE'
  const delimiter = values.has('d') ? values.get('d')?.text || '\0' : '\n'
  state.control.status = typeof text === 'string' ? 0 : null
  const origin = Number(values.get('O')?.text ?? 0)
  const before = values.has('O') ? (state.variables.get(name)?.items ?? NO_ITEMS) : NO_ITEMS
  eachText(analysis, state, text, (inner, one) => {
    const taken = typeof one === 'string' ? linesOf(one, delimiter, flags, values) : [uncounted(one)]
    const items = new Map(before)
    for (const [i, line] of taken.entries()) items.set(String(origin + i), line)
    analysis.budget.add(items.size)
    runCallback(analysis, inner, values.get('C'))
    assignItems(analysis, inner, name, items)
  })
}

function linesOf(text: string, delimiter: string, flags: string, values: Options['values']): readonly string[] {
  const lines = text.split(delimiter)
  const last = lines.pop()
  const kept = lines.map((line) => (flags.includes('t') || line.includes('\0') ? upToNul(line) : line + delimiter))
  if (last !== undefined && last !== '') kept.push(upToNul(last))
  const from = Number(values.get('s')?.text ?? 0)
  const count = Number(values.get('n')?.text ?? 0)
  return kept.slice(from, count > 0 ? from + count : undefined)
}

/** Runs the text of `-C`, to which bash adds an index and a line. */
function runCallback(analysis: Analysis, state: State, callback: Arg | undefined): void {
  if (!callback) return
  const { via } = state
  state.via = [...via, 'mapfile -C']
  runText(analysis, state, concat(argValue(callback), concat(' ', unknown('made', 'a line of input'))))
  state.via = via
}

function eachText(analysis: Analysis, state: State, text: Value, run: (state: State, text: Value) => void): void {
  if (typeof text === 'string' || !text.alternatives?.length) {
    run(state, text)
    return
  }
  const { alternatives, ...rest } = text
  const texts: readonly Value[] = text.origin === 'condition' ? alternatives : [...alternatives, rest]
  const { status } = state.control
  forkBranches(
    analysis,
    state,
    texts.map((one) => (fork) => run(fork, typeof one === 'string' ? one.replace(/\n$/, '') : one)),
  )
  state.control.status = status
}
