import type { TestExpression } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { scalar } from '../state/variable.js'
import { matchesPattern } from '../text/pattern.js'
import { uncounted } from '../values/uncounted-elements.js'
import { argValue, unknown, type Value, worse } from '../values/value.js'
import { evaluateValue } from './arithmetic.js'
import { expandText } from './reexpansion.js'
import { reportReexpansion } from './unknown-reexpansion.js'
import { listOf } from './variables.js'
import { expandPattern, expandValue } from './words.js'

/** Evaluates `[[ … ]]`: expands all operands and compares known text. Null for an unknown result. */
export function testExpression(analysis: Analysis, state: State, node: TestExpression): boolean | null {
  switch (node.kind) {
    case 'unary':
      return unary(analysis, state, node.operator, expandValue(analysis, state, node.operand))
    case 'binary': {
      const left = expandValue(analysis, state, node.left)
      if (/^(==?|!=)$/.test(node.operator)) {
        const pattern = expandPattern(analysis, state, node.right)
        if (typeof left !== 'string' || pattern === null || state.options.has('nocasematch')) return null
        const matches = matchesPattern(left, pattern, analysis.budget)
        return matches === null ? null : matches === (node.operator !== '!=')
      }
      const right = expandValue(analysis, state, node.right)
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator))
        for (const operand of [left, right]) evaluateValue(analysis, state, operand)
      if (node.operator === '=~') forgetMatch(state, left)
      return null
    }
    case 'not': {
      const result = testExpression(analysis, state, node.operand)
      return result === null ? null : !result
    }
    case 'all':
    case 'any': {
      const decides = node.kind === 'any'
      const results = node.operands.map((operand) => testExpression(analysis, state, operand))
      if (results.includes(decides)) return decides
      return results.includes(null) ? null : !decides
    }
  }
}

/** Makes the match unknown: it is a part of the text, which a script can use for obfuscation. */
function forgetMatch(state: State, text: Value): void {
  const source = typeof text === 'string' ? 'made' : worse(text.origin, 'output')
  const match = unknown(source, 'a match of a regular expression')
  state.variables.set('BASH_REMATCH', { ...scalar(match), items: listOf([uncounted(match)]) })
}

function unary(analysis: Analysis, state: State, operator: string, value: Value): boolean | null {
  if (operator === '-v') {
    const names = typeof value === 'string' ? [value] : (value.alternatives ?? [])
    if (typeof value !== 'string') reportReexpansion(analysis, state, value)
    // bash evaluates the subscript of `-v 'a[$(cmd)]'`.
    for (const name of names) {
      const subscript = /^\w+\[(.*)\]$/s.exec(name)?.[1]
      if (subscript !== undefined) evaluateValue(analysis, state, expandText(analysis, state, subscript))
    }
    return null
  }
  const isEmpty = typeof value === 'string' ? value === '' : value.prefix !== '' ? false : null
  return operator === '-z' ? isEmpty : operator === '-n' && isEmpty !== null ? !isEmpty : null
}

/** Evaluates `test` and `[`: compares known text with at most three arguments. */
export function testWords(analysis: Analysis, state: State, words: readonly Arg[]): boolean | null {
  for (const [i, word] of words.entries()) {
    const operand = words[i + 1]
    if (word.text === '-v' && operand) unary(analysis, state, '-v', argValue(operand))
  }
  const [a, b, c] = words
  if (words.some((word) => word.maySplit)) return null
  if (a === undefined) return false
  if (b === undefined) return unary(analysis, state, '-n', argValue(a))
  if (c === undefined) return unary(analysis, state, a.text === '!' ? '-z' : (a.text ?? ''), argValue(b))
  if (words.length > 3 || a.text === null || c.text === null) return null
  if (b.text === '=' || b.text === '==') return a.text === c.text
  return b.text === '!=' ? a.text !== c.text : null
}
