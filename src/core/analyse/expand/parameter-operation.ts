import { decodeAnsiC } from '../../shell/ansi-c.js'
import type { Operation } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { removePattern, replacePattern } from '../text/pattern.js'
import { unknown, type Value, worse } from '../values/value.js'
import { evaluateWord } from './arithmetic.js'
import { runPrompt } from './reexpansion.js'
import { reportReexpansion } from './unknown-reexpansion.js'
import { expandPattern, expandValue } from './words.js'

/** The effect of an operation on one value. Only plain patterns are followed. */
export type Change = (value: Value) => Value

/** Expands the operands of an operation, which runs their substitutions, and returns its effect on a value. */
export function changeOf(analysis: Analysis, state: State, operation: Exclude<Operation, { kind: 'default' }>): Change {
  switch (operation.kind) {
    case 'remove': {
      const pattern = expandPattern(analysis, state, operation.operand)
      return (value) =>
        changed(value, (text) =>
          pattern === null ? null : removePattern(text, pattern, operation.operator, analysis.budget),
        )
    }
    case 'replace': {
      const pattern = expandPattern(analysis, state, operation.pattern)
      const replacement = expandValue(analysis, state, operation.replacement)
      return (value) =>
        changed(value, (text) =>
          pattern === null || typeof replacement !== 'string'
            ? null
            : replacePattern(text, pattern, replacement, operation.operator, analysis.budget),
        )
    }
    case 'slice': {
      const offset = evaluateWord(analysis, state, operation.offset)
      const length = operation.length ? evaluateWord(analysis, state, operation.length) : Number.POSITIVE_INFINITY
      return (value) => sliced(analysis, value, offset, length)
    }
    case 'case': {
      const pattern = operation.operand ? expandPattern(analysis, state, operation.operand) : '?'
      const letter = CASES[operation.operator]
      return (value) => changed(value, (text) => (pattern === '?' && letter ? changeLetters(text, letter) : null))
    }
    case 'transform': {
      const { operator } = operation
      if (operator !== 'P') return (value) => changed(value, (text) => changeLetters(text, operator))
      return (value) => {
        if (typeof value === 'string') runPrompt(analysis, state, value)
        else reportReexpansion(analysis, state, value)
        return notFollowed(value)
      }
    }
    case 'names':
      return notFollowed
  }
}

/** Returns the result of an operation that is not followed. */
export function notFollowed(value: Value): Value {
  const usesScriptText = typeof value === 'string' || value.origin === 'environment'
  return unknown(usesScriptText ? 'made' : worse(value.origin, 'output'), 'text changed by a parameter operation')
}

/** Changes known text, and each alternative of an unknown value. */
function changed(value: Value, change: (text: string) => string | null): Value {
  if (typeof value === 'string') return change(value) ?? notFollowed(value)
  const options = value.alternatives?.map(change)
  if (!options) return unknown(worse(value.origin, 'output'), value.unknown)
  if (options.includes(null)) return notFollowed(value)
  return { ...unknown(value.origin, value.unknown), alternatives: options.filter((one) => one !== null) }
}

/** Operators of `${x^^}` and the equal ones of `${x@U}`. */
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

/** Applies `${x:1:2}` with known numbers. The locale decides whether bash counts bytes or characters. */
function sliced(analysis: Analysis, value: Value, offset: number | null, length: number | null): Value {
  const isOpen = typeof value !== 'string' && value.alternatives === undefined
  if (offset === null || length === null || isOpen) return notFollowed(value)
  return changed(value, (text) => {
    if (/[^\0-\x7f]/.test(text)) return null
    const from = offset < 0 ? text.length + offset : offset
    const end = length < 0 ? text.length + length : from + length
    // bash returns nothing before the start, and fails if the end precedes the offset.
    if (end < from) analysis.findings.reportFailure()
    return from < 0 ? '' : text.slice(from, Math.max(from, end))
  })
}
