import { decodes, external, type Printing } from './printing.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import type { State } from './state.js'
import type { Filter } from './text/filter.js'
import { concat, type Hole, type Value } from './value.js'

/** A program that makes text of text, and how it was called. */
interface Filtering {
  readonly program: string
  readonly args: readonly Arg[]
  readonly filter: Filter
  readonly printing: Printing
}

/** What a filter prints: known when what it reads is, and how. */
export function filtered(reading: Reading, state: State, filtering: Filtering): Value {
  const { program, args, filter, printing } = filtering
  if (args.some(isPattern)) return filteredMatches(reading, state, filtering)
  const unknownArg = args.find((arg) => arg.text === null)
  const texts = args.slice(1).map((arg) => arg.text ?? '')
  const call = filter.read(texts)
  // Several files are read one by one, and what that does at their ends is not followed.
  if (call === null || (call.files.length > 1 && !call.identity))
    return external(reading, program, args, state.descriptors.get(0)?.input?.peek() ?? '', printing)
  const input = inputOf(reading, state, call.files, filter.usesInput)
  if (typeof input !== 'string') {
    if (call.identity) return input
    return external(reading, program, args, input, printing)
  }
  reading.work.chars(2 * input.length)
  const text = unknownArg ? null : call.change(input, reading.work)
  if (text === null) return external(reading, program, args, input, printing)
  if (printing.isDecoder && decodes(program, args) && text.trim().length > 2) reading.decoded.push(text.trim())
  return text
}

/** So many are followed through a filter. */
const OPTIONS = 16

/** What a filter makes of all that its input may be; null where it reads something else. */
export function eachFiltered(
  reading: Reading,
  args: readonly Arg[],
  filter: Filter,
  { options = [] }: Hole,
): { readonly texts: readonly string[]; readonly isWhole: boolean } | null {
  const texts = args.slice(1).flatMap(({ text }) => (text === null ? [] : [text]))
  const call = filter.usesInput && texts.length === args.length - 1 ? filter.read(texts) : null
  if (!call || call.files.length > 0 || options.length > OPTIONS) return null
  const changed = options.map((option) => call.change(option, reading.work)).filter((text) => text !== null)
  return changed.length === 0 ? null : { texts: [...new Set(changed)], isWhole: changed.length === options.length }
}

const isPattern = (arg: Arg): boolean => arg.text === null && arg.unknown?.glob !== undefined

/** Of the files that a pattern matches only those of the script's own are known, and others may be there. */
function filteredMatches(reading: Reading, state: State, filtering: Filtering): Value {
  const { program, args, printing } = filtering
  const own = args.flatMap((arg): readonly Arg[] =>
    isPattern(arg) ? (arg.options ?? []).map((text) => ({ text, head: text, several: false, span: arg.span })) : [arg],
  )
  const input = state.descriptors.get(0)?.input?.peek() ?? ''
  const hasOwn = args.some((arg) => isPattern(arg) && arg.options?.length)
  const unknown = external(reading, program, hasOwn ? own : args, input, printing)
  if (!hasOwn) return unknown
  const text = filtered(reading, state, { ...filtering, args: own })
  return typeof text === 'string' && typeof unknown === 'object' ? { ...unknown, options: [text] } : unknown
}

function inputOf(reading: Reading, state: State, files: readonly string[], usesInput: boolean): Value {
  if (!usesInput) return ''
  if (files.length === 0) return state.descriptors.get(0)?.input?.drain() ?? ''
  let value: Value = ''
  for (const file of files)
    value = concat(
      value,
      file === '-' ? (state.descriptors.get(0)?.input?.drain() ?? '') : textAt(reading, state, file),
    )
  return value
}

function textAt(reading: Reading, state: State, file: string): Value {
  const path = reading.owned(state, file)
  const fd = path?.startsWith('/dev/') ? /^\/dev\/(?:stdin|fd\/(\d+))$/.exec(path) : null
  if (fd && !reading.files.has(path ?? '')) return state.descriptors.get(Number(fd[1] ?? 0))?.input?.drain() ?? ''
  return textOfFile(reading, path)
}
