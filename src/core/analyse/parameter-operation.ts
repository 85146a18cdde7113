import { decodeAnsiC } from '../shell/ansi-c.js'
import type { Operation } from '../shell/tree.js'
import { doubt } from './again.js'
import { evaluateWord } from './evaluate.js'
import { runPrompt } from './evaluate-text.js'
import { expandPattern, expandValue } from './expand.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { removePattern, replacePattern } from './text/pattern.js'
import { unknown, type Value, worse } from './value.js'

/** What an operation makes of one value, as far as it is followed: plain patterns that are removed or replaced. */
export type Change = (value: Value) => Value

/** Expands the operands of an operation, which runs what they substitute, and gives what it does to each value. */
export function changeOf(reading: Reading, state: State, operation: Exclude<Operation, { kind: 'default' }>): Change {
  switch (operation.kind) {
    case 'remove': {
      const pattern = expandPattern(reading, state, operation.operand)
      return (value) =>
        changed(value, (text) =>
          pattern === null ? null : removePattern(text, pattern, operation.operator, reading.work),
        )
    }
    case 'replace': {
      const pattern = expandPattern(reading, state, operation.pattern)
      const replacement = expandValue(reading, state, operation.replacement)
      return (value) =>
        changed(value, (text) =>
          pattern === null || typeof replacement !== 'string'
            ? null
            : replacePattern(text, pattern, replacement, operation.operator, reading.work),
        )
    }
    case 'slice': {
      const offset = evaluateWord(reading, state, operation.offset)
      const length = operation.length ? evaluateWord(reading, state, operation.length) : Number.POSITIVE_INFINITY
      return (value) => sliced(reading, value, offset, length)
    }
    case 'case': {
      const pattern = operation.operand ? expandPattern(reading, state, operation.operand) : '?'
      const letter = CASES[operation.operator]
      return (value) => changed(value, (text) => (pattern === '?' && letter ? changeLetters(text, letter) : null))
    }
    case 'transform': {
      const { operator } = operation
      if (operator !== 'P') return (value) => changed(value, (text) => changeLetters(text, operator))
      return (value) => {
        if (typeof value === 'string') runPrompt(reading, state, value)
        else doubt(reading, state, value)
        return notFollowed(value)
      }
    }
    case 'names':
      return notFollowed
  }
}

/** What becomes of a value that the script changes in a way that is not followed. */
export function notFollowed(value: Value): Value {
  const isOurs = typeof value === 'string' || value.source === 'environment'
  return unknown(isOurs ? 'made' : worse(value.source, 'output'), 'text that the script changes')
}

/** Changes known text, and each text that a value may be. */
function changed(value: Value, change: (text: string) => string | null): Value {
  if (typeof value === 'string') return change(value) ?? notFollowed(value)
  const options = value.options?.map(change)
  if (!options) return unknown(worse(value.source, 'output'), value.unknown)
  if (options.includes(null)) return notFollowed(value)
  return { ...unknown(value.source, value.unknown), options: options.filter((one) => one !== null) }
}

/** The operators of `${x^^}` and `${x@U}` that do the same. */
const CASES: Readonly<Record<string, string>> = { '^^': 'U', ',,': 'L', '^': 'u', ',': 'l' }

function changeLetters(text: string, letter: string): string | null {
  switch (letter) {
    case 'U':
      return text.toUpperCase()
    case 'L':
      return text.toLowerCase()
    case 'u':
      return text.slice(0, 1).toUpperCase() + text.slice(1)
    case 'l':
      return text.slice(0, 1).toLowerCase() + text.slice(1)
    case 'E':
      return decodeAnsiC(text)
    case 'Q':
      return /[\0-\x1f\x7f]/.test(text) ? null : `'${text.replaceAll("'", String.raw`'\''`)}'`
    default:
      return null
  }
}

/** `${x:1:2}` with numbers that are known. Whether bytes or characters are counted depends on the locale. */
function sliced(reading: Reading, value: Value, offset: number | null, length: number | null): Value {
  const isOpen = typeof value !== 'string' && value.options === undefined
  if (offset === null || length === null || isOpen) return notFollowed(value)
  return changed(value, (text) => {
    if (/[^\0-\x7f]/.test(text)) return null
    const from = offset < 0 ? text.length + offset : offset
    const end = length < 0 ? text.length + length : from + length
    // bash takes nothing before the beginning, and fails where the end comes first.
    if (end < from) reading.fails()
    return from < 0 ? '' : text.slice(from, Math.max(from, end))
  })
}
