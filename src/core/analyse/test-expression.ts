import type { TestExpression } from '../shell/tree.js'
import { doubt } from './again.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { expandPattern, expandValue } from './expand.js'
import { many } from './many-elements.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, scalar } from './state.js'
import { matchesPattern } from './text/pattern.js'
import { argValue, unknown, type Value, worse } from './value.js'
import { listOf } from './variables.js'

/** `[[ … ]]`: expands all operands and compares known text; null where the result is not known. */
export function testExpression(reading: Reading, state: State, node: TestExpression): boolean | null {
  switch (node.kind) {
    case 'unary':
      return unary(reading, state, node.operator, expandValue(reading, state, node.operand))
    case 'binary': {
      const left = expandValue(reading, state, node.left)
      if (/^(==?|!=)$/.test(node.operator)) {
        const pattern = expandPattern(reading, state, node.right)
        if (typeof left !== 'string' || pattern === null || state.options.has('nocasematch')) return null
        const matches = matchesPattern(left, pattern, reading.work)
        return matches === null ? null : matches === (node.operator !== '!=')
      }
      const right = expandValue(reading, state, node.right)
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator))
        for (const operand of [left, right]) evaluateValue(reading, state, operand)
      if (node.operator === '=~') forgetMatch(state, left)
      return null
    }
    case 'not': {
      const result = testExpression(reading, state, node.operand)
      return result === null ? null : !result
    }
    case 'all':
    case 'any': {
      const decides = node.kind === 'any'
      const results = node.operands.map((operand) => testExpression(reading, state, operand))
      if (results.includes(decides)) return decides
      return results.includes(null) ? null : !decides
    }
  }
}

/** A match is a part of the text, which the script may have put together to cut it out. */
function forgetMatch(state: State, text: Value): void {
  const source = typeof text === 'string' ? 'made' : worse(text.source, 'output')
  const match = unknown(source, 'what a regular expression matched')
  state.set('BASH_REMATCH', { ...scalar(match), items: listOf([many(match)]) })
}

function unary(reading: Reading, state: State, operator: string, value: Value): boolean | null {
  if (operator === '-v') {
    const names = typeof value === 'string' ? [value] : (value.options ?? [])
    if (typeof value !== 'string') doubt(reading, state, value)
    // Its subscript is evaluated: `-v 'a[$(cmd)]'`.
    for (const name of names) {
      const subscript = /^\w+\[(.*)\]$/s.exec(name)?.[1]
      if (subscript !== undefined) evaluateValue(reading, state, expandText(reading, state, subscript))
    }
    return null
  }
  const isEmpty = typeof value === 'string' ? value === '' : value.head !== '' ? false : null
  return operator === '-z' ? isEmpty : operator === '-n' && isEmpty !== null ? !isEmpty : null
}

/** `test` and `[`: compares known text where there are no more than three arguments. */
export function testWords(reading: Reading, state: State, words: readonly Arg[]): boolean | null {
  for (const [i, word] of words.entries()) {
    const operand = words[i + 1]
    if (word.text === '-v' && operand) unary(reading, state, '-v', argValue(operand))
  }
  const [a, b, c] = words
  if (words.some((word) => word.several)) return null
  if (a === undefined) return false
  if (b === undefined) return unary(reading, state, '-n', argValue(a))
  if (c === undefined) return unary(reading, state, a.text === '!' ? '-z' : (a.text ?? ''), argValue(b))
  if (words.length > 3 || a.text === null || c.text === null) return null
  if (b.text === '=' || b.text === '==') return a.text === c.text
  return b.text === '!=' ? a.text !== c.text : null
}
