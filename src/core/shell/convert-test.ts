import type * as U from 'unbash'
import { type Border, claim } from './border.js'
import { convertWord } from './convert-word.js'
import type { TestExpression, Word } from './tree.js'

/** The expression of `[[ … ]]`. */
export function convertTest(border: Border, node: U.TestExpression): TestExpression {
  const word = (inner: U.Word, regex = false): Word => {
    claim(border, inner.pos, inner.end)
    return convertWord(border, inner, regex ? 'regex' : 'pattern')
  }
  switch (node.type) {
    case 'TestUnary':
      return { kind: 'unary', operator: node.operator, operand: word(node.operand) }
    case 'TestBinary':
      return {
        kind: 'binary',
        operator: node.operator,
        left: word(node.left),
        right: word(node.right, node.operator === '=~'),
      }
    case 'TestLogical':
      return {
        kind: node.operator === '&&' ? 'all' : 'any',
        operands: node.operands.map((operand) => convertTest(border, operand)),
      }
    case 'TestNot': {
      const operand = convertTest(border, node.operand)
      return node.negations.length % 2 === 1 ? { kind: 'not', operand } : operand
    }
    case 'TestGroup':
      return convertTest(border, node.expression)
  }
}
