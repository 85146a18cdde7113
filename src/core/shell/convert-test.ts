import type * as U from 'unbash'
import { type ConversionContext, cover } from './conversion-context.js'
import { convertWord } from './convert-word.js'
import type { TestExpression, Word } from './tree.js'

/** Converts the expression of `[[ … ]]`. */
export function convertTest(context: ConversionContext, node: U.TestExpression): TestExpression {
  const word = (inner: U.Word, regex = false): Word => {
    cover(context, inner.pos, inner.end)
    return convertWord(context, inner, regex ? 'regex' : 'pattern')
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
        operands: node.operands.map((operand) => convertTest(context, operand)),
      }
    case 'TestNot': {
      const operand = convertTest(context, node.operand)
      return node.negations.length % 2 === 1 ? { kind: 'not', operand } : operand
    }
    case 'TestGroup':
      return convertTest(context, node.expression)
  }
}
