import type * as U from 'unbash'
import { addParseError, type ConversionContext, cover, span } from './conversion-context.js'
import { convertRedirects } from './convert-redirect.js'
import { convertStatements } from './convert-script.js'
import { convertTest } from './convert-test.js'
import { convertArithmetic, convertWord } from './convert-word.js'
import type { ArithmeticFor, Assignment, Block, Case, For, If, Node, Pipeline, Redirect, Simple, Word } from './tree.js'

type Any = U.PipelineNode | U.AndOr | U.CompoundList

/** Converts a command of the parser. An unsupported kind is a parse error. */
export function convertNode(context: ConversionContext, node: Any): Node {
  switch (node.type) {
    case 'Command':
      return convertSimple(context, node)
    case 'Pipeline':
      return convertPipeline(context, node)
    case 'AndOr':
      return {
        kind: 'and-or',
        commands: node.commands.map((command) => convertNode(context, command)),
        operators: [...node.operators],
        span: span(context, node.pos, node.end),
      }
    case 'Redirected':
      return convertRedirected(context, node)
    case 'BraceGroup':
    case 'Subshell':
      return block(context, node, node.body, [])
    case 'CompoundList':
      addParseError(context, 'a part of the script that bash rejects', node.pos, node.end)
      return block(context, node, node, [])
    case 'If':
      return convertIf(context, node)
    case 'For':
    case 'Select':
      return convertFor(context, node)
    case 'ArithmeticFor':
      return convertArithmeticFor(context, node)
    case 'While':
      return {
        kind: 'while',
        until: node.kind === 'until',
        test: convertStatements(context, node.clause.commands),
        body: convertStatements(context, node.body.commands),
        span: span(context, node.pos, node.end),
      }
    case 'Case':
      return convertCase(context, node)
    case 'Function':
    case 'Coproc':
      return convertNamed(context, node)
    case 'TestCommand':
      return {
        kind: 'test',
        expression: convertTest(context, node.expression),
        span: span(context, node.pos, node.end),
      }
    case 'ArithmeticCommand':
      cover(context, node.pos, node.end)
      return {
        kind: 'arithmetic',
        expression: convertArithmetic(context, node.expression, node.pos + 2, node.end - 2),
        span: span(context, node.pos, node.end),
      }
  }
  const unknown = node as Any
  addParseError(context, 'an unsupported kind of command', unknown.pos, unknown.end)
  return { kind: 'group', body: [], redirects: [], span: span(context, unknown.pos, unknown.end) }
}

function block(context: ConversionContext, node: Any, body: U.CompoundList, redirects: readonly Redirect[]): Block {
  return {
    kind: node.type === 'Subshell' ? 'subshell' : 'group',
    body: convertStatements(context, body.commands),
    redirects,
    span: span(context, node.pos, node.end),
  }
}

function convertRedirected(context: ConversionContext, node: U.Redirected): Block {
  const inner = node.command
  const plain = inner.type === 'BraceGroup' || inner.type === 'Subshell'
  const body = plain
    ? convertStatements(context, inner.body.commands)
    : [{ node: convertNode(context, inner), background: false }]
  return {
    kind: inner.type === 'Subshell' ? 'subshell' : 'group',
    body,
    redirects: convertRedirects(context, node.redirects),
    span: span(context, node.pos, node.end),
  }
}

function convertSimple(context: ConversionContext, node: U.Command): Simple {
  const assignments: Assignment[] = []
  const words: (Word | Assignment)[] = []
  const redirects: Redirect[] = []
  for (const item of node.prefix) {
    if (item.type === 'Assignment') assignments.push(convertAssignment(context, item))
    else redirects.push(...convertRedirects(context, [item]))
  }
  if (node.name) words.push(coveredBlock(context, node.name))
  for (const item of node.suffix) {
    if (item.type === 'Word') words.push(coveredBlock(context, item))
    else if (item.type === 'Assignment') words.push(convertAssignment(context, item))
    else redirects.push(...convertRedirects(context, [item]))
  }
  return {
    kind: 'simple',
    assignments,
    words,
    redirects,
    span: span(context, node.pos, node.end),
  }
}

function coveredBlock(context: ConversionContext, word: U.Word): Word {
  cover(context, word.pos, word.end)
  return convertWord(context, word)
}

function convertAssignment(context: ConversionContext, node: U.Assignment): Assignment {
  cover(context, node.pos, node.end)
  if (/^[^=]*\[[^\]$`'"]*[<>()|&;\s]/.test(node.text.split('=', 1)[0] ?? ''))
    addParseError(context, 'an operator inside a subscript', node.pos, node.end)
  const value = node.value
  if (value.type === 'Word' && /^[<>]\(/.test(value.text))
    addParseError(context, 'a process substitution in an assignment', node.pos, node.end)
  return {
    kind: 'assignment',
    name: node.name,
    index: node.index ? convertWord(context, node.index, 'arithmetic') : null,
    append: node.append === true,
    value:
      value.type === 'Word'
        ? convertWord(context, value)
        : {
            kind: 'array',
            elements: value.elements.map((element) => convertWord(context, element)),
          },
    span: span(context, node.pos, node.end),
  }
}

function convertPipeline(context: ConversionContext, node: U.Pipeline): Pipeline {
  for (const prefix of node.prefixes) cover(context, prefix.pos, prefix.end)
  return {
    kind: 'pipeline',
    commands: node.commands.map((command) => convertNode(context, command)),
    both: node.operators.map((operator) => operator === '|&'),
    negated: node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1,
    ...(node.prefixes.some((prefix) => prefix.type !== 'Negation') ? { isTimed: true as const } : {}),
    span: span(context, node.pos, node.end),
  }
}

function convertIf(context: ConversionContext, node: U.If): If {
  const arm = (clause: U.CompoundList, body: U.CompoundList): If['arms'][number] => ({
    test: convertStatements(context, clause.commands),
    body: convertStatements(context, body.commands),
  })
  const arms = [arm(node.clause, node.then), ...node.elif.map((elif) => arm(elif.clause, elif.then))]
  return {
    kind: 'if',
    arms,
    otherwise: node.else ? convertStatements(context, node.else.commands) : null,
    span: span(context, node.pos, node.end),
  }
}

function convertFor(context: ConversionContext, node: U.For | U.Select): For {
  cover(context, node.name.pos, node.name.end)
  return {
    kind: node.type === 'For' ? 'for' : 'select',
    name: node.name.text,
    words: node.wordlist ? node.wordlist.map((word) => coveredBlock(context, word)) : null,
    body: convertStatements(context, node.body.commands),
    span: span(context, node.pos, node.end),
  }
}

function convertArithmeticFor(context: ConversionContext, node: U.ArithmeticFor): ArithmeticFor {
  const open = context.text.indexOf('((', node.pos)
  const bodyStart = node.body.commands[0]?.pos ?? node.end
  const parts = [node.initialize, node.test, node.update]
  const [initialise, test, update] = parts.map((part) =>
    part ? convertArithmetic(context, part, part.pos, part.end) : null,
  )
  const last = parts.findLast((part) => part !== undefined)
  const close = context.text.indexOf('))', last?.end ?? open)
  cover(context, node.pos, close >= 0 && close < bodyStart ? close + 2 : open + 2)
  const between = parts.reduce(
    (text, part) => (part ? text.replace(context.text.slice(part.pos, part.end), '') : text),
    context.text.slice(open + 2, Math.max(open + 2, close)),
  )
  if (/[$`]/.test(between)) addParseError(context, 'the parser skipped a part of a loop head', node.pos, bodyStart)
  return {
    kind: 'arithmetic-for',
    initialise: initialise ?? null,
    test: test ?? null,
    update: update ?? null,
    body: convertStatements(context, node.body.commands),
    span: span(context, node.pos, node.end),
  }
}

function convertCase(context: ConversionContext, node: U.Case): Case {
  const word = coveredBlock(context, node.word)
  const items = node.items.map((item) => ({
    patterns: item.pattern.map((pattern) => {
      cover(context, pattern.pos, pattern.end)
      return convertWord(context, pattern, 'pattern')
    }),
    body: convertStatements(context, item.body.commands),
    ending: item.terminator ?? ';;',
  }))
  return { kind: 'case', word, items, span: span(context, node.pos, node.end) }
}

function convertNamed(context: ConversionContext, node: U.Function | U.Coproc): Node {
  if (node.name) cover(context, node.name.pos, node.name.end)
  const body = convertNode(context, node.body)
  const kind = node.type === 'Function' ? 'function' : 'coproc'
  if (kind === 'function' && /^[^\s()]*=/.test(context.text.slice(node.pos, node.end)))
    addParseError(context, 'a function definition that bash parses differently', node.pos, node.end)
  return { kind, name: node.name?.text ?? 'COPROC', body, span: span(context, node.pos, node.end) }
}
