import { assignItems } from './assignments.js'
import { forkBranches } from './branch.js'
import { inputOf, type Options, options } from './builtin-read.js'
import type { Builtin } from './builtins.js'
import { many } from './many-elements.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runText } from './shell-text.js'
import type { State } from './state.js'
import { upToNul } from './text/items.js'
import { argValue, concat, unknown, type Value } from './value.js'

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

/** `mapfile`: lines of input into an array; `-C` runs a command for them. */
export const mapfile: Builtin = (reading, state, args) => {
  const { flags, values, operands } = options(args, 'CcdnOsu')
  const text = inputOf(state, values.get('u')).drain()
  const name = operands[0]?.text ?? 'MAPFILE'
  const delimiter = values.has('d') ? values.get('d')?.text || '\0' : '\n'
  state.status = typeof text === 'string' ? 0 : null
  const origin = Number(values.get('O')?.text ?? 0)
  const before = values.has('O') ? (state.get(name)?.items ?? NO_ITEMS) : NO_ITEMS
  eachText(reading, state, text, (inner, one) => {
    const taken = typeof one === 'string' ? linesOf(one, delimiter, flags, values) : [many(one)]
    const items = new Map(before)
    for (const [i, line] of taken.entries()) items.set(String(origin + i), line)
    reading.work.add(items.size)
    callBack(reading, inner, values.get('C'))
    assignItems(reading, inner, name, items)
  })
}

/** The lines that are asked for. */
function linesOf(text: string, delimiter: string, flags: string, values: Options['values']): readonly string[] {
  const lines = text.split(delimiter)
  const last = lines.pop()
  const kept = lines.map((line) => (flags.includes('t') || line.includes('\0') ? upToNul(line) : line + delimiter))
  if (last !== undefined && last !== '') kept.push(upToNul(last))
  const from = Number(values.get('s')?.text ?? 0)
  const count = Number(values.get('n')?.text ?? 0)
  return kept.slice(from, count > 0 ? from + count : undefined)
}

/** `-C` evaluates its text with the number of an element and a line: what follows the text is not known. */
function callBack(reading: Reading, state: State, callback: Arg | undefined): void {
  if (!callback) return
  const { via } = state
  state.via = [...via, 'mapfile -C']
  runText(reading, state, concat(argValue(callback), concat(' ', unknown('made', 'a line of input'))))
  state.via = via
}

/** Text that can be one of several is taken apart for each of them. */
function eachText(reading: Reading, state: State, text: Value, run: (state: State, text: Value) => void): void {
  if (typeof text === 'string' || !text.options?.length) {
    run(state, text)
    return
  }
  const { options, ...rest } = text
  const texts: readonly Value[] = text.source === 'condition' ? options : [...options, rest]
  const { status } = state
  forkBranches(
    reading,
    state,
    texts.map((one) => (fork) => run(fork, typeof one === 'string' ? one.replace(/\n$/, '') : one)),
  )
  state.status = status
}
