import { escapeArg } from '../model/display.js'
import { assignItems } from './assignments.js'
import { forkBranches } from './branch.js'
import { inputOf, type Options, options } from './builtin-read.js'
import type { Builtin } from './builtins.js'
import { many } from './many-elements.js'
import type { Reading } from './reading.js'
import { runText } from './shell-text.js'
import type { State } from './state.js'
import { upToNul } from './text/items.js'
import { argValue, concat, type Value } from './value.js'

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
    callBack(reading, inner, values, origin, taken)
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

/** Lines that `-C` is followed for. */
const CALLED = 64

/** `-C` evaluates its text with the number of the element and the line, for every line or, with `-c`, for every so many. */
function callBack(
  reading: Reading,
  state: State,
  values: Options['values'],
  origin: number,
  lines: readonly Value[],
): void {
  const callback = values.get('C')
  if (!callback) return
  const command = argValue(callback)
  const every = Number(values.get('c')?.text ?? 5_000) || 1
  const { via } = state
  state.via = [...via, 'mapfile -C']
  const call = (inner: State, i: number, line: Value): void =>
    runText(reading, inner, concat(command, concat(` ${origin + i} `, quotedValue(line))))
  let calls = 0
  lines.forEach((line, i) => {
    if ((i + 1) % every === 0 && calls++ < CALLED) call(state, i, line)
  })
  // Whether it is called at all may depend on more than is known here.
  if (calls === 0) call(state.fork(), 0, lines[0] ?? '')
  state.via = via
}

const quotedValue = (line: Value): Value =>
  typeof line === 'string' ? escapeArg(line) : concat(concat('"', line), '"')

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
