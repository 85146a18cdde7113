import type { Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { assign, assignSomewhere } from './assigning.js'
import { expandText } from './evaluate-text.js'
import { expandValue } from './expand.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { A_NUMBER, aroundOf, type Value } from './value.js'
import { lookUp } from './variables.js'

/** Evaluates `(( … ))`, `$(( … ))` or a subscript. See `evaluateValue`. */
export function evaluateWord(reading: Reading, state: State, word: Word): number | null {
  const [first, ...rest] = word.parts
  // A tilde is an operator there.
  const isTilde = first?.kind === 'text' && first.value.startsWith('~')
  const plain = isTilde ? { ...word, parts: [{ ...first, quoted: true }, ...rest] } : word
  return evaluateValue(reading, state, expandValue(reading, state, plain))
}

/**
 * Evaluates text as arithmetic. Gives the number where the text is one, or names a variable that holds one; else null, since nothing is
 * computed. Runs the substitutions that bash would find in subscripts, also in those of variables: `x='a[$(cmd)]'; ((x))`.
 */
export function evaluateValue(reading: Reading, state: State, value: Value): number | null {
  return evaluate(reading, state, value, new Set())
}

const INTEGER = /^\s*(-?(?:0|[1-9]\d{0,14}))\s*$/
const NAME = /(?<![\w#@])[A-Za-z_]\w*/g
const ONE_NAME = /^\s*[A-Za-z_]\w*\s*$/
const ASSIGNS = /\s*(\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/y
const OPERAND = String.raw`(?:[-+!~(])*(?:\d[\w#@]*|[A-Za-z_]\w*(?:\[[^\]]*\])?)(?:\+\+|--)?\)*`
const OPERATOR = String.raw`(?:[-+*/%&|^<>=!]=|(?:<<|>>)=?|\*\*|&&|\|\||[-+*/%&|^<>=?:,])`
/** An expression that bash can read, parentheses aside. */
const WELL_FORMED = new RegExp(`^${OPERAND}(?:${OPERATOR}${OPERAND})*$`)
const DIVIDES_BY_ZERO = /[/%]=?\(*0(?![\w.])/

/** `seen` holds the texts evaluated before, since variables can name each other. */
function evaluate(reading: Reading, state: State, value: Value, seen: Set<string>): number | null {
  if (typeof value !== 'string') {
    doubt(reading, state, value)
    for (const option of value.options ?? []) evaluate(reading, state, option, seen)
    evaluateNames(reading, state, aroundOf(value), seen)
    return null
  }
  const integer = INTEGER.exec(value)
  if (integer) return Number(integer[1])
  if (value.trim() === '') return 0
  if (seen.has(value)) return null
  seen.add(value)
  reading.work.add(4 + (value.length >> 2))
  if (/[$`]/.test(value)) {
    const expanded = expandText(reading, state, value)
    return expanded === value ? null : evaluate(reading, state, expanded, seen)
  }
  const text = value.replaceAll(/["']/g, '')
  const compact = text.replaceAll(/\s*([^\w\s])\s*/g, '$1').trim()
  if (!WELL_FORMED.test(compact) || DIVIDES_BY_ZERO.test(compact)) reading.fails()
  const held = ONE_NAME.test(text) ? lookUp(reading, state, text.trim()) : null
  if (held?.items === null && held.choices === null) return evaluate(reading, state, held.value, seen)
  evaluateNames(reading, state, text, seen)
  return null
}

/** Evaluates the variables an expression names, and takes those it sets for numbers that are not known. */
function evaluateNames(reading: Reading, state: State, text: string, seen: Set<string>): void {
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const end = endOfSubscript(text, index + name.length)
    reading.work.add(4 + ((end - index) >> 2))
    ASSIGNS.lastIndex = end
    const assigns = ASSIGNS.exec(text)?.[1] ?? /(\+\+|--)\s*$/.exec(text.slice(Math.max(0, index - 8), index))?.[1]
    if (assigns !== '=') {
      const { value, choices, items } = lookUp(reading, state, name)
      reading.work.add(items?.size ?? 0)
      for (const held of [value, ...(choices ?? []), ...(items?.values() ?? [])]) evaluate(reading, state, held, seen)
    }
    if (assigns === undefined) continue
    if (text[index + name.length] === '[') assignSomewhere(reading, state, name, A_NUMBER)
    else assign(reading, state, name, A_NUMBER)
  }
}

/** Where the subscript that begins here ends; the same place where none does. */
function endOfSubscript(text: string, from: number): number {
  if (text[from] !== '[') return from
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return at + 1
  }
  return text.length
}
