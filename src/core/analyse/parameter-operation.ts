import { decodeAnsiC } from '../shell/ansi-c.js'
import type { Operation, Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { evaluateWord } from './evaluate.js'
import { expandPrompt } from './evaluate-text.js'
import { expandPattern, expandValue } from './expand.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { isExtended } from './text/extended-pattern.js'
import { matchesPattern, removePattern, replacePattern } from './text/pattern.js'
import type { Work } from './text/work.js'
import { type Hole, unknown, type Value } from './value.js'
import { quoted } from './written-out.js'

/** `${x:1:2}`, `${x#y}`, `${x/y/z}`, `${x^^}`, `${x@Q}`: what an operation makes of one value. */
export function transform(
  reading: Reading,
  state: State,
  operation: Exclude<Operation, { kind: 'default' }>,
  value: Value,
): Value {
  switch (operation.kind) {
    case 'slice':
      return slice(reading, state, operation, value)
    case 'remove': {
      const pattern = expandPattern(reading, state, operation.operand)
      return apply(value, pattern, (text, p) =>
        byOption(state, p, text, removePattern(text, p, operation.operator, reading.work)),
      )
    }
    case 'replace': {
      const pattern = expandPattern(reading, state, operation.pattern)
      const replacement = replacementOf(reading, state, operation.replacement)
      if (typeof replacement !== 'string') return unknown('output', 'a replacement that is not known')
      return apply(value, pattern, (text, p) =>
        byOption(state, p, text, replacePattern(text, p, replacement, operation.operator, reading.work)),
      )
    }
    case 'case': {
      const pattern = operation.operand ? expandPattern(reading, state, operation.operand) : '?'
      return apply(value, pattern, (text, p) => changeCase(text, p, operation.operator, reading.work))
    }
    case 'transform':
      if (typeof value === 'string') reading.work.add(value.length)
      else if (operation.operator === 'P') doubt(reading, state, value)
      return apply(value, '', (text) => transformed(reading, state, operation.operator, text))
    case 'names':
      return value
  }
}

/** An extended pattern is one only where the option says so. Whether it did when the line was read cannot always be told. */
const byOption = (state: State, pattern: string, text: string, changed: string | null): Value | null =>
  changed === null || changed === text || state.options.has('extglob') || !isExtended(pattern)
    ? changed
    : { ...unknown('decoded', 'a pattern that is not followed'), options: [changed, text] }

/** A quoted `&` in a replacement is itself; an unquoted one is the match. */
function replacementOf(reading: Reading, state: State, word: Word): Value {
  if (!word.parts.some((part) => part.kind !== 'text' || part.quoted || part.value.includes('\\')))
    return expandValue(reading, state, word)
  let value: Value = ''
  for (const part of word.parts) {
    const piece = expandValue(reading, state, { ...word, parts: [part] })
    if (typeof piece !== 'string') return piece
    const literal = part.kind === 'text' ? part.quoted : part.kind !== 'process' && part.quoted
    value += literal ? piece.replace(/[\\&]/g, '\\$&') : piece
  }
  return value
}

function apply(value: Value, pattern: string | null, change: (text: string, pattern: string) => Value | null): Value {
  if (typeof value !== 'string')
    return changedHole(value, (text) => {
      const changed = pattern === null ? null : change(text, pattern)
      return typeof changed === 'string' ? changed : null
    })
  // What is taken away may be nothing of it.
  if (pattern === null) return { ...unknown('output', 'a pattern that is not known'), around: value }
  return change(value, pattern) ?? unknown('decoded', 'a pattern that is not followed')
}

/** What PATH is where nobody tells: letters are cut out of it. */
const COMMON_PATHS: readonly string[] = [
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  '/usr/local/bin:/usr/bin:/bin',
  '/usr/bin:/bin',
]

/** Of what is not known the words it was made of stay, and what it may be is changed as it would be. */
function changedHole(value: Hole, change: (text: string) => string | null): Hole {
  const options = value.options?.map(change)
  return {
    unknown: value.unknown,
    source: value.source,
    head: '',
    ...(value.around === undefined ? {} : { around: value.around }),
    ...(options ? { options: [...new Set(options.filter((option) => option !== null))] } : {}),
  }
}

function slice(reading: Reading, state: State, operation: Extract<Operation, { kind: 'slice' }>, value: Value): Value {
  const offset = evaluateWord(reading, state, operation.offset)
  const length = operation.length ? evaluateWord(reading, state, operation.length) : undefined
  if (offset === null || length === null) return unknown('output', 'a part that is not known')
  if (typeof value !== 'string') {
    const end = length === undefined ? undefined : Number(offset + length)
    const inHead = offset >= 0n && end !== undefined && length !== undefined && length >= 0n && end <= value.head.length
    if (inHead) return value.head.slice(Number(offset), end)
    const part = changedHole(value.unknown === 'PATH' ? { ...value, options: COMMON_PATHS } : value, (text) =>
      cut(text, Number(offset), length === undefined ? undefined : Number(length)),
    )
    // Single letters that are cut out of what every shell has are put together to something else.
    const isLetter = length !== undefined && length >= 0n && length <= 2n
    return isLetter && (value.source === 'environment' || value.unknown === 'where bash is')
      ? { ...part, source: 'decoded' }
      : part
  }
  reading.work.chars(value.length)
  // Whether bytes or characters are counted depends on the language that is set.
  if (/[^\0-\x7f]/.test(value)) return unknown('decoded', 'a part of text that is not plain')
  const from = offset < 0n ? value.length + Number(offset) : Number(offset)
  if (length !== undefined && length < 0n && value.length + Number(length) < from) reading.fails()
  return cut(value, Number(offset), length === undefined ? undefined : Number(length))
}

function cut(text: string, offset: number, length: number | undefined): string {
  const from = offset < 0 ? text.length + offset : offset
  if (from < 0) return ''
  const end = length === undefined ? text.length : length < 0 ? text.length + length : from + length
  return text.slice(from, Math.max(0, end))
}

const swap = (c: string): string => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())

function changeCase(text: string, pattern: string, operator: string, work: Work): string {
  work.chars(2 * text.length)
  const change = operator.startsWith('^')
    ? (c: string) => c.toUpperCase()
    : operator.startsWith(',')
      ? (c: string) => c.toLowerCase()
      : swap
  const chars = [...text]
  const upTo = operator.length === 2 ? chars.length : Math.min(1, chars.length)
  return chars
    .map((c, i) => (i < upTo && (pattern === '?' || matchesPattern(c, pattern, work)) ? change(c) : c))
    .join('')
}

function transformed(reading: Reading, state: State, operator: string, text: string): Value | null {
  switch (operator) {
    case 'U':
      return text.toUpperCase()
    case 'L':
      return text.toLowerCase()
    case 'u':
      return text.charAt(0).toUpperCase() + text.slice(1)
    case 'Q':
      return quoted(text)
    case 'E':
      return decodeAnsiC(text)
    case 'P':
      return expandPrompt(reading, state, text)
    default:
      return unknown('decoded', 'a variable written out again')
  }
}
