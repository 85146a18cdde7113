import type { TestExpression, Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { assignArray, numberedKey } from './assigning.js'
import { forkBranches } from './branch.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { expandPattern, expandValue } from './expand.js'
import { isMany, many } from './many-elements.js'
import type { Arg, Source } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, scalar } from './state.js'
import { matchesPattern } from './text/pattern.js'
import { costOf, LINE_COST } from './text/regex-cost.js'
import { argValue, concat, unknown, type Value, worse } from './value.js'
import { listOf, lookUp } from './variables.js'

const ARITHMETIC = /^-(eq|ne|lt|le|gt|ge)$/

/** `[[ … ]]`. Null when it is not known. What it evaluates again is run. */
export function testExpression(reading: Reading, state: State, node: TestExpression): boolean | null {
  switch (node.kind) {
    case 'unary':
      return unary(reading, state, node.operator, expandValue(reading, state, node.operand))
    case 'binary': {
      const left = expandValue(reading, state, node.left)
      if (ARITHMETIC.test(node.operator))
        return compared(reading, state, node.operator, left, expandValue(reading, state, node.right))
      if (node.operator === '=~') return matchesRegex(reading, state, left, expandRegex(reading, state, node.right))
      if (node.operator === '==' || node.operator === '=' || node.operator === '!=') {
        const pattern = expandPattern(reading, state, node.right)
        const result =
          typeof left === 'string' && pattern !== null
            ? matchesPattern(left, pattern, reading.work, state.options.has('nocasematch'))
            : null
        return result === null ? null : result === (node.operator !== '!=')
      }
      return binary(left, node.operator, expandValue(reading, state, node.right))
    }
    case 'not': {
      const result = testExpression(reading, state, node.operand)
      return result === null ? null : !result
    }
    case 'all':
    case 'any':
      return logical(
        node.operands.map((operand) => testExpression(reading, state, operand)),
        node.kind === 'all',
      )
  }
}

function logical(results: readonly (boolean | null)[], all: boolean): boolean | null {
  if (results.some((result) => result === !all)) return !all
  return results.includes(null) ? null : all
}

/** Only its subscript is dangerous: `-v 'a[$(cmd)]'`. */
function unary(reading: Reading, state: State, operator: string, value: Value): boolean | null {
  if (operator === '-v') {
    if (typeof value !== 'string') {
      doubt(reading, state, value)
      for (const option of value.options ?? []) unary(reading, state, operator, option)
      return null
    }
    const element = /^(\w+)\[(.*)\]$/s.exec(value)
    if (element) {
      const key = expandText(reading, state, element[2] ?? '')
      const number = evaluateValue(reading, state, key)
      const variable = lookUp(reading, state, element[1] ?? '')
      const isNamed = variable.attributes.includes('A')
      const place = isNamed ? key : number === null ? null : numberedKey(variable, String(number))
      if (typeof place !== 'string' || /^[@*]$/.test(place) || !variable.items) return null
      return [...variable.items.values()].some(isMany) ? null : variable.items.has(place)
    }
    const variable = lookUp(reading, state, value)
    if (variable.mayBeUnset || (variable.items && [...variable.items.values()].some(isMany))) return null
    return variable.items ? variable.items.has('0') : variable.isSet
  }
  if (operator === '-n') return typeof value === 'string' ? value !== '' : value.head !== '' ? true : null
  if (operator === '-z') return typeof value === 'string' ? value === '' : value.head !== '' ? false : null
  return null
}

function compared(reading: Reading, state: State, operator: string, left: Value, right: Value): boolean | null {
  const a = evaluateValue(reading, state, left)
  const b = evaluateValue(reading, state, right)
  if (a === null || b === null) return null
  return { '-eq': a === b, '-ne': a !== b, '-lt': a < b, '-le': a <= b, '-gt': a > b, '-ge': a >= b }[operator] ?? null
}

/** A word as a regular expression: what is quoted in it stands for itself. */
function expandRegex(reading: Reading, state: State, word: Word): Value {
  let value: Value = ''
  for (const part of word.parts) {
    const piece = expandValue(reading, state, { ...word, parts: [part] })
    const isQuoted = part.kind !== 'process' && part.quoted
    value = concat(value, isQuoted && typeof piece === 'string' ? piece.replace(/[\\^$.|+()[\]{}*?/]/g, '\\$&') : piece)
  }
  return value
}

function matchesRegex(reading: Reading, state: State, left: Value, right: Value): boolean | null {
  const forget = (source: Source, options?: readonly string[]): null => {
    const value = { ...unknown(source, 'what a regular expression matched'), ...(options ? { options } : {}) }
    state.set('BASH_REMATCH', { ...scalar(value), items: listOf([many(value)]) })
    return null
  }
  if (typeof left === 'object' && left.options && typeof right === 'string') {
    const texts: readonly Value[] =
      left.source === 'condition' ? left.options : [...left.options, unknown(left.source, left.unknown)]
    forkBranches(
      reading,
      state,
      texts.map((text) => (fork) => void matchesRegex(reading, fork, text, right)),
    )
    return null
  }
  if (typeof left !== 'string' || typeof right !== 'string' || left.length > 4_096 || right.length > 256)
    return forget(typeof left === 'object' ? worse(left.source, 'condition') : 'condition')
  const cost = costOf(right, 1 / 4)(left.length)
  if (cost > LINE_COST) return forget('lost')
  reading.work.add(cost)
  const source = javaScriptRegex(right)
  if (source === null) return forget('decoded')
  try {
    const match = new RegExp(source, state.options.has('nocasematch') ? 'isu' : 'su').exec(left)
    // Of several alternatives bash takes the longest, wherever it stands.
    if (match !== null && source.includes('|')) {
      forget('decoded', [...new Set([...match, ...right.split(/[|()]/)])].filter((text) => text !== '').slice(0, 16))
      return true
    }
    assignArray(state, 'BASH_REMATCH', new Map((match ?? []).map((text, i) => [String(i), text ?? ''])))
    return match !== null
  } catch {
    return forget('decoded')
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  xdigit: '0-9a-fA-F',
}

/** The same in the other language; null where it has no words for it, or a group is repeated. */
function javaScriptRegex(regex: string): string | null {
  const named = regex.replace(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all)
  return /\[\[|\[:|\\[<>bBwWsS]|\(\?|\)[*+{]/.test(named) ? null : named
}

function binary(left: Value, operator: string, right: Value): boolean | null {
  if (typeof left !== 'string' || typeof right !== 'string') return null
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  return null
}

/** `test` and `[`, by the number of their arguments as POSIX has it; longer ones are not evaluated, only followed. */
export function testWords(reading: Reading, state: State, words: readonly Arg[]): boolean | null {
  for (const [i, word] of words.entries()) {
    if (word.text === '-v' && words[i + 1]) unary(reading, state, '-v', argValue(words[i + 1] as Arg))
  }
  const [a, b, c] = words
  if (words.some((word) => word.several)) return null
  if (words.length === 0) return false
  if (words.length === 1 && a) return a.text === null ? null : a.text !== ''
  if (words.length === 2 && a && b) {
    if (a.text === '!') return b.text === null ? null : b.text === ''
    return unary(reading, state, a.text ?? '', argValue(b))
  }
  if (words.length === 3 && a && b && c) return three(a, b, c)
  return null
}

function three(a: Arg, b: Arg, c: Arg): boolean | null {
  if (a.text === null || c.text === null) return null
  if (b.text === '=' || b.text === '==') return a.text === c.text
  if (b.text === '!=') return a.text !== c.text
  if (ARITHMETIC.test(b.text ?? '') && /^-?\d{1,15}$/.test(a.text) && /^-?\d{1,15}$/.test(c.text)) {
    const [x, y] = [Number(a.text), Number(c.text)]
    return (
      { '-eq': x === y, '-ne': x !== y, '-lt': x < y, '-le': x <= y, '-gt': x > y, '-ge': x >= y }[b.text ?? ''] ?? null
    )
  }
  return null
}
