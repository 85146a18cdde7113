import type { Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { A_NUMBER, templateOf, type Value } from '../values/value.js'
import { assign, assignToUnknownName } from './assign.js'
import { expandText } from './reexpansion.js'
import { reportReexpansion } from './unknown-reexpansion.js'
import { lookUp } from './variables.js'
import { expandValue } from './words.js'

/** Evaluates `(( … ))`, `$(( … ))` or a subscript, like `evaluateValue`. */
export function evaluateWord(analysis: Analysis, state: State, word: Word): number | null {
  const [first, ...rest] = word.parts
  // A tilde is an operator in arithmetic.
  const isTilde = first?.kind === 'text' && first.value.startsWith('~')
  const plain = isTilde ? { ...word, parts: [{ ...first, quoted: true }, ...rest] } : word
  return evaluateValue(analysis, state, expandValue(analysis, state, plain))
}

/**
 * Evaluates text as arithmetic. Returns a literal number or a variable that holds one; else null. Runs the
 * substitutions in subscripts, including those in variables: `x='a[$(cmd)]'; ((x))`.
 */
export function evaluateValue(analysis: Analysis, state: State, value: Value): number | null {
  return evaluate(analysis, state, value, new Set())
}

const INTEGER = /^\s*(-?(?:0|[1-9]\d{0,14}))\s*$/
const NAME = /(?<![\w#@])[A-Za-z_]\w*/g
const ONE_NAME = /^\s*[A-Za-z_]\w*\s*$/
const ASSIGNS = /^\s*(\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/
const OPERAND = String.raw`(?:[-+!~(])*(?:\d[\w#@]*|[A-Za-z_]\w*(?:\[[^\]]*\])?)(?:\+\+|--)?\)*`
const OPERATOR = String.raw`(?:[-+*/%&|^<>=!]=|(?:<<|>>)=?|\*\*|&&|\|\||[-+*/%&|^<>=?:,])`
/** A valid expression without parentheses. */
const WELL_FORMED = new RegExp(`^${OPERAND}(?:${OPERATOR}${OPERAND})*$`)
const DIVIDES_BY_ZERO = /[/%]=?\(*0(?![\w.])/

/** Evaluates a value. `seen` holds the texts on the way, since variables can name each other. */
function evaluate(analysis: Analysis, state: State, value: Value, seen: Set<string>): number | null {
  if (typeof value !== 'string') {
    reportReexpansion(analysis, state, value)
    for (const option of value.alternatives ?? []) evaluate(analysis, state, option, seen)
    evaluateNames(analysis, state, templateOf(value), seen)
    return null
  }
  const integer = INTEGER.exec(value)
  if (integer) return Number(integer[1])
  if (value.trim() === '') return 0
  if (seen.has(value)) return null
  seen.add(value)
  analysis.budget.add(4 + (value.length >> 2))
  if (/[$`]/.test(value)) {
    const expanded = expandText(analysis, state, value)
    return expanded === value ? null : evaluate(analysis, state, expanded, seen)
  }
  const text = value.replaceAll(/["']/g, '')
  const compact = text.replaceAll(/\s*([^\w\s])\s*/g, '$1').trim()
  if (!WELL_FORMED.test(compact) || DIVIDES_BY_ZERO.test(compact)) analysis.findings.reportFailure()
  const held = ONE_NAME.test(text) ? lookUp(analysis, state, text.trim()) : null
  if (held?.items === null && held.choices === null) return evaluate(analysis, state, held.value, seen)
  evaluateNames(analysis, state, text, seen)
  return null
}

/** Evaluates the variables in an expression. The variables that it sets become unknown numbers. */
function evaluateNames(analysis: Analysis, state: State, text: string, seen: Set<string>): void {
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const end = endOfSubscript(text, index + name.length)
    analysis.budget.add(4 + ((end - index) >> 2))
    const assigns =
      ASSIGNS.exec(text.slice(end))?.[1] ?? /(\+\+|--)\s*$/.exec(text.slice(Math.max(0, index - 8), index))?.[1]
    if (assigns !== '=') {
      const { value, choices, items } = lookUp(analysis, state, name)
      analysis.budget.add(items?.size ?? 0)
      for (const held of [value, ...(choices ?? []), ...(items?.values() ?? [])]) evaluate(analysis, state, held, seen)
    }
    if (assigns === undefined) continue
    if (text[index + name.length] === '[') assignToUnknownName(analysis, state, name, A_NUMBER)
    else assign(analysis, state, name, A_NUMBER)
  }
}

/** Returns the end of the subscript at `from`, or `from` if there is none. */
function endOfSubscript(text: string, from: number): number {
  if (text[from] !== '[') return from
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return at + 1
  }
  return text.length
}
