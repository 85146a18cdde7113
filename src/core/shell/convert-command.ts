import type * as U from 'unbash'
import { type Border, claim, problem, span } from './border.js'
import { convertRedirects } from './convert-redirect.js'
import { convertStatements } from './convert-script.js'
import { convertTest } from './convert-test.js'
import { convertArithmetic, convertWord } from './convert-word.js'
import type { ArithmeticFor, Assignment, Block, Case, For, If, Node, Pipeline, Redirect, Simple, Word } from './tree.js'

type Any = U.PipelineNode | U.AndOr | U.CompoundList

/** Any command of the parser as ours. Kinds not listed make the tree untrustworthy. */
export function convertNode(border: Border, node: Any): Node {
  switch (node.type) {
    case 'Command':
      return convertSimple(border, node)
    case 'Pipeline':
      return convertPipeline(border, node)
    case 'AndOr':
      return {
        kind: 'and-or',
        commands: node.commands.map((command) => convertNode(border, command)),
        operators: [...node.operators],
        span: span(border, node.pos, node.end),
      }
    case 'Redirected':
      return convertRedirected(border, node)
    case 'BraceGroup':
    case 'Subshell':
      return block(border, node, node.body, [])
    case 'CompoundList':
      problem(border, 'a part of the script that bash would not accept', node.pos, node.end)
      return block(border, node, node, [])
    case 'If':
      return convertIf(border, node)
    case 'For':
    case 'Select':
      return convertFor(border, node)
    case 'ArithmeticFor':
      return convertArithmeticFor(border, node)
    case 'While':
      return {
        kind: 'while',
        until: node.kind === 'until',
        test: convertStatements(border, node.clause.commands),
        body: convertStatements(border, node.body.commands),
        span: span(border, node.pos, node.end),
      }
    case 'Case':
      return convertCase(border, node)
    case 'Function':
    case 'Coproc':
      return convertNamed(border, node)
    case 'TestCommand':
      return {
        kind: 'test',
        expression: convertTest(border, node.expression),
        span: span(border, node.pos, node.end),
      }
    case 'ArithmeticCommand':
      claim(border, node.pos, node.end)
      return {
        kind: 'arithmetic',
        expression: convertArithmetic(border, node.expression, node.pos + 2, node.end - 2),
        span: span(border, node.pos, node.end),
      }
  }
  const unknown = node as Any
  problem(border, 'a kind of command the analyser does not know', unknown.pos, unknown.end)
  return { kind: 'group', body: [], redirects: [], span: span(border, unknown.pos, unknown.end) }
}

function block(border: Border, node: Any, body: U.CompoundList, redirects: readonly Redirect[]): Block {
  return {
    kind: node.type === 'Subshell' ? 'subshell' : 'group',
    body: convertStatements(border, body.commands),
    redirects,
    span: span(border, node.pos, node.end),
  }
}

function convertRedirected(border: Border, node: U.Redirected): Block {
  const inner = node.command
  const plain = inner.type === 'BraceGroup' || inner.type === 'Subshell'
  const body = plain
    ? convertStatements(border, inner.body.commands)
    : [{ node: convertNode(border, inner), background: false }]
  return {
    kind: inner.type === 'Subshell' ? 'subshell' : 'group',
    body,
    redirects: convertRedirects(border, node.redirects),
    span: span(border, node.pos, node.end),
  }
}

function convertSimple(border: Border, node: U.Command): Simple {
  const assignments: Assignment[] = []
  const words: (Word | Assignment)[] = []
  const redirects: Redirect[] = []
  for (const item of node.prefix) {
    if (item.type === 'Assignment') assignments.push(convertAssignment(border, item))
    else redirects.push(...convertRedirects(border, [item]))
  }
  if (node.name) words.push(claimed(border, node.name))
  for (const item of node.suffix) {
    if (item.type === 'Word') words.push(claimed(border, item))
    else if (item.type === 'Assignment') words.push(convertAssignment(border, item))
    else redirects.push(...convertRedirects(border, [item]))
  }
  return {
    kind: 'simple',
    assignments,
    words,
    redirects,
    span: span(border, node.pos, node.end),
  }
}

function claimed(border: Border, word: U.Word): Word {
  claim(border, word.pos, word.end)
  return convertWord(border, word)
}

function convertAssignment(border: Border, node: U.Assignment): Assignment {
  claim(border, node.pos, node.end)
  if (/^[^=]*\[[^\]$`'"]*[<>()|&;\s]/.test(node.text.split('=', 1)[0] ?? ''))
    problem(border, 'an operator inside a subscript', node.pos, node.end)
  const value = node.value
  if (value.type === 'Word' && /^[<>]\(/.test(value.text))
    problem(border, 'a process substitution assigned', node.pos, node.end)
  return {
    kind: 'assignment',
    name: node.name,
    index: node.index ? convertWord(border, node.index, 'arithmetic') : null,
    append: node.append === true,
    value:
      value.type === 'Word'
        ? convertWord(border, value)
        : {
            kind: 'array',
            elements: value.elements.map((element) => convertWord(border, element)),
          },
    span: span(border, node.pos, node.end),
  }
}

function convertPipeline(border: Border, node: U.Pipeline): Pipeline {
  for (const prefix of node.prefixes) claim(border, prefix.pos, prefix.end)
  return {
    kind: 'pipeline',
    commands: node.commands.map((command) => convertNode(border, command)),
    both: node.operators.map((operator) => operator === '|&'),
    negated: node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1,
    ...(node.prefixes.some((prefix) => prefix.type !== 'Negation') ? { isTimed: true as const } : {}),
    span: span(border, node.pos, node.end),
  }
}

function convertIf(border: Border, node: U.If): If {
  const arm = (clause: U.CompoundList, body: U.CompoundList): If['arms'][number] => ({
    test: convertStatements(border, clause.commands),
    body: convertStatements(border, body.commands),
  })
  const arms = [arm(node.clause, node.then), ...node.elif.map((elif) => arm(elif.clause, elif.then))]
  return {
    kind: 'if',
    arms,
    otherwise: node.else ? convertStatements(border, node.else.commands) : null,
    span: span(border, node.pos, node.end),
  }
}

function convertFor(border: Border, node: U.For | U.Select): For {
  claim(border, node.name.pos, node.name.end)
  return {
    kind: node.type === 'For' ? 'for' : 'select',
    name: node.name.text,
    words: node.wordlist ? node.wordlist.map((word) => claimed(border, word)) : null,
    body: convertStatements(border, node.body.commands),
    span: span(border, node.pos, node.end),
  }
}

function convertArithmeticFor(border: Border, node: U.ArithmeticFor): ArithmeticFor {
  const open = border.text.indexOf('((', node.pos)
  const bodyStart = node.body.commands[0]?.pos ?? node.end
  const parts = [node.initialize, node.test, node.update]
  const [initialise, test, update] = parts.map((part) =>
    part ? convertArithmetic(border, part, part.pos, part.end) : null,
  )
  const last = parts.findLast((part) => part !== undefined)
  const close = border.text.indexOf('))', last?.end ?? open)
  claim(border, node.pos, close >= 0 && close < bodyStart ? close + 2 : open + 2)
  const between = parts.reduce(
    (text, part) => (part ? text.replace(border.text.slice(part.pos, part.end), '') : text),
    border.text.slice(open + 2, Math.max(open + 2, close)),
  )
  if (/[$`]/.test(between)) problem(border, 'a part of a loop head is not accounted for', node.pos, bodyStart)
  return {
    kind: 'arithmetic-for',
    initialise: initialise ?? null,
    test: test ?? null,
    update: update ?? null,
    body: convertStatements(border, node.body.commands),
    span: span(border, node.pos, node.end),
  }
}

function convertCase(border: Border, node: U.Case): Case {
  const word = claimed(border, node.word)
  const items = node.items.map((item) => ({
    patterns: item.pattern.map((pattern) => {
      claim(border, pattern.pos, pattern.end)
      return convertWord(border, pattern, 'pattern')
    }),
    body: convertStatements(border, item.body.commands),
    ending: item.terminator ?? ';;',
  }))
  return { kind: 'case', word, items, span: span(border, node.pos, node.end) }
}

function convertNamed(border: Border, node: U.Function | U.Coproc): Node {
  if (node.name) claim(border, node.name.pos, node.name.end)
  const body = convertNode(border, node.body)
  const kind = node.type === 'Function' ? 'function' : 'coproc'
  if (kind === 'function' && /^[^\s()]*=/.test(border.text.slice(node.pos, node.end)))
    problem(border, 'a function definition bash reads otherwise', node.pos, node.end)
  return { kind, name: node.name?.text ?? 'COPROC', body, span: span(border, node.pos, node.end) }
}
