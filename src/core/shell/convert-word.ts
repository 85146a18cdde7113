import type * as U from 'unbash'
import { parse } from 'unbash'
import { decodeAnsiC } from './ansi-c.js'
import { type Border, problem, span } from './border.js'
import { convertBody } from './convert-script.js'
import { addLiteral, type Mode } from './convert-text.js'
import type { Operation, Parameter, Part, Word } from './tree.js'

const PLAIN = /^[A-Za-z0-9_./:=,@%+^-]+$/

/** A word of the parser as ours: flat parts, each knowing whether it is quoted. */
export function convertWord(border: Border, word: U.Word, mode: Mode = 'bare'): Word {
  const { pos, end } = word
  if (PLAIN.test(word.text) && end - pos === word.text.length) {
    const text = { kind: 'text', value: word.text, quoted: false } as const
    return { kind: 'word', parts: [text], span: span(border, pos, end) }
  }
  return fill(border, pos, end, word.parts, mode)
}

/** Everything from `pos` to `end`: the given parts, and what lies between them as literal text. */
export function fill(
  border: Border,
  pos: number,
  end: number,
  inner: readonly U.WordPart[] | undefined,
  mode: Mode,
): Word {
  const parts: Part[] = []
  fillInto(border, parts, pos, end, inner ?? [], mode)
  return { kind: 'word', parts: parts, span: span(border, pos, end) }
}

function fillInto(
  border: Border,
  parts: Part[],
  pos: number,
  end: number,
  inner: readonly U.WordPart[],
  mode: Mode,
): void {
  let at = pos
  for (const part of inner) {
    addLiteral(border, parts, at, part.pos, mode)
    addPart(border, parts, part, mode)
    at = part.end
  }
  addLiteral(border, parts, at, end, mode)
}

function addPart(border: Border, parts: Part[], part: U.WordPart, mode: Mode): void {
  const quoted = mode === 'double' || mode === 'here'
  switch (part.type) {
    case 'Literal':
      addLiteral(border, parts, part.pos, part.end, mode)
      return
    case 'Glob':
      fillInto(border, parts, part.pos, part.end, part.parts ?? [], mode === 'bare' ? 'pattern' : mode)
      return
    case 'SingleQuoted':
      parts.push({ kind: 'text', value: border.text.slice(part.pos + 1, part.end - 1), quoted: true })
      return
    case 'AnsiCQuoted':
      addAnsiC(border, parts, part)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      addDouble(border, parts, part)
      return
    case 'ExtendedGlob':
      fillInto(border, parts, part.pos, part.end, part.parts ?? [], 'pattern')
      return
    case 'BraceExpansion':
      fillInto(border, parts, part.pos, part.end, part.parts ?? [], mode)
      return
    case 'SimpleExpansion':
      parts.push(simple(border, part, quoted))
      return
    case 'ParameterExpansion':
      parts.push(convertParameter(border, part, quoted))
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      addScript(border, parts, part, quoted, mode)
      return
    case 'ArithmeticExpansion':
      parts.push({
        kind: 'arithmetic',
        expression: convertExpansion(border, part),
        quoted,
        span: span(border, part.pos, part.end),
      })
      return
    default:
      problem(border, 'a kind of word the analyser does not know', (part as U.WordPart).pos, (part as U.WordPart).end)
  }
}

function addAnsiC(border: Border, parts: Part[], part: U.AnsiCQuotedPart): void {
  const body = border.text.slice(part.pos + 2, part.end - 1)
  if (body.includes('\\\n')) problem(border, "a line continuation inside $'…'", part.pos, part.end)
  parts.push({ kind: 'text', value: decodeAnsiC(body), quoted: true })
}

function addDouble(border: Border, parts: Part[], part: U.DoubleQuotedPart | U.LocaleStringPart): void {
  const open = part.type === 'DoubleQuoted' ? 1 : 2
  const before = parts.length
  fillInto(border, parts, part.pos + open, part.end - 1, part.parts, 'double')
  if (parts.length === before) parts.push({ kind: 'text', value: '', quoted: true })
}

const simple = (border: Border, part: U.SimpleExpansionPart, quoted: boolean): Parameter => ({
  kind: 'parameter',
  name: part.text.replaceAll('\\\n', '').slice(1),
  prefix: null,
  index: null,
  operation: null,
  quoted,
  span: span(border, part.pos, part.end),
})

function addScript(
  border: Border,
  parts: Part[],
  part: U.CommandExpansionPart | U.ProcessSubstitutionPart,
  quoted: boolean,
  mode: Mode,
): void {
  const { pos, end } = part
  const opener = border.text.slice(pos, pos + 2)
  if (part.script === undefined || opener === '${' || !isClosed(border.text.slice(pos, end))) {
    problem(border, 'a substitution the analyser cannot see into', pos, end)
    return
  }
  const inner = opener.startsWith('`') ? ([pos + 1, end - 1] as const) : ([pos + 2, end - 1] as const)
  const body = convertBody(border, part.script, inner[0], inner[1], span(border, pos, end))
  if (part.type === 'CommandExpansion') {
    parts.push({ kind: 'substitution', body, quoted, span: span(border, pos, end) })
    return
  }
  const before = border.text[pos - 1] ?? ' '
  const after = border.text[end] ?? ' '
  if (mode !== 'bare' || !/[\s<>;&|(]/.test(before) || !/[\s;&|)<>]/.test(after))
    problem(border, 'a process substitution glued to a word', pos, end)
  parts.push({ kind: 'process', direction: part.operator, body, span: span(border, pos, end) })
}

function convertExpansion(border: Border, part: U.ArithmeticExpansionPart): Word {
  const old = border.text.startsWith('$[', part.pos)
  return convertArithmetic(border, part.expression, part.pos + (old ? 2 : 3), part.end - (old ? 1 : 2))
}

/** Arithmetic is text with expansions in it. The parser's tree is only asked where those are, without recursion: it can be very deep. */
export function convertArithmetic(
  border: Border,
  expression: U.ArithmeticExpression | undefined,
  pos: number,
  end: number,
): Word {
  const found: U.WordPart[] = []
  const stack: U.ArithmeticExpression[] = expression ? [expression] : []
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'ArithmeticBinary') stack.push(node.left, node.right)
    else if (node.type === 'ArithmeticUnary') stack.push(node.operand)
    else if (node.type === 'ArithmeticTernary') stack.push(node.test, node.consequent, node.alternate)
    else if (node.type === 'ArithmeticGroup') stack.push(node.expression)
    else if (node.type === 'ArithmeticCommandExpansion')
      found.push({ type: 'CommandExpansion', pos: node.pos, end: node.end, text: node.text, script: node.script })
    else if (node.parts) found.push(...node.parts.filter((part) => part.type !== 'Literal' && part.type !== 'Glob'))
  }
  found.sort((a, b) => a.pos - b.pos)
  return fill(border, pos, end, found, 'arithmetic')
}

function convertParameter(border: Border, part: U.ParameterExpansionPart, quoted: boolean): Parameter {
  if (
    part.parameter === '' ||
    part.index?.text === '' ||
    (part.prefix === '!' && part.operation?.type === 'Default' && !/^\w/.test(part.parameter))
  )
    problem(border, 'an expansion the analyser cannot read', part.pos, part.end)
  return {
    kind: 'parameter',
    name: part.parameter,
    prefix: part.prefix ?? null,
    index: part.index ? convertWord(border, part.index, 'arithmetic') : null,
    operation: part.operation ? convertOperation(border, part, part.operation, quoted) : null,
    quoted,
    span: span(border, part.pos, part.end),
  }
}

function convertOperation(
  border: Border,
  part: U.ParameterExpansionPart,
  operation: U.ParameterOperation,
  quoted: boolean,
): Operation | null {
  const operand = (word: U.Word): Word => convertWord(border, word, 'operand')
  switch (operation.type) {
    case 'Default':
      return {
        kind: 'default',
        operator: operation.operator,
        operand: quoted ? inDouble(operand(operation.operand)) : operand(operation.operand),
      }
    case 'Remove':
      return { kind: 'remove', operator: operation.operator, operand: operand(operation.operand) }
    case 'Replace':
      return { kind: 'replace', operator: operation.operator, ...replaceOperands(border, operation) }
    case 'Slice':
      return {
        kind: 'slice',
        offset: convertWord(border, operation.offset, 'arithmetic'),
        length: operation.length ? convertWord(border, operation.length, 'arithmetic') : null,
      }
    case 'CaseModification':
      return {
        kind: 'case',
        operator: operation.operator,
        operand: operation.operand ? operand(operation.operand) : null,
      }
    case 'Transform':
      return { kind: 'transform', operator: operation.operand.text }
    case 'Names':
      return { kind: 'names', joined: border.text.slice(part.pos, part.end).endsWith('*}') }
    case 'Unknown':
      if (operation.operator === '~' || operation.operator === '~~')
        return { kind: 'case', operator: operation.operator, operand: null }
      problem(border, 'an expansion the analyser does not know', part.pos, part.end)
      return null
  }
}

/** The parser takes a slash inside `$( … )` for the one that ends the pattern: such operands are parsed again, as one. */
function replaceOperands(
  border: Border,
  operation: U.ParameterReplaceOperation,
): { readonly pattern: Word; readonly replacement: Word } {
  const { pattern, replacement, operatorEnd, end } = operation
  const cut = pattern.parts?.at(-1)
  if (cut?.type !== 'CommandExpansion' || isClosed(border.text.slice(cut.pos, cut.end)))
    return {
      pattern: convertWord(border, pattern, 'operand'),
      replacement: convertWord(border, replacement, 'operand'),
    }
  const text = `${' '.repeat(operatorEnd - 4)}\${x#${border.text.slice(operatorEnd, end)}}`
  const again: Border = { ...border, text }
  const parts = operandParts(text)
  let slash = operatorEnd
  while (slash < end && (text[slash] !== '/' || parts.some((part) => part.pos <= slash && slash < part.end))) slash++
  const before = parts.filter((part) => part.end <= slash)
  const after = parts.filter((part) => part.pos > slash)
  return {
    pattern: fill(again, operatorEnd, slash, before, 'operand'),
    replacement: fill(again, Math.min(slash + 1, end), end, after, 'operand'),
  }
}

function operandParts(text: string): readonly U.WordPart[] {
  const command = parse(text).commands[0]?.command
  const part = command?.type === 'Command' ? command.name?.parts?.[0] : undefined
  const operation = part?.type === 'ParameterExpansion' ? part.operation : undefined
  const parts = operation?.type === 'Remove' ? operation.operand.parts : undefined
  return (parts ?? []).filter((inner) => inner.type !== 'Literal' && inner.type !== 'Glob')
}

const isClosed = (text: string): boolean =>
  text.startsWith('`') ? text.length > 1 && text.endsWith('`') : text.endsWith(')')

/** Inside double quotes nothing of the default is split. */
const inDouble = (word: Word): Word => ({
  ...word,
  parts: word.parts.map((part) => ('quoted' in part && !part.quoted ? { ...part, quoted: true } : part)),
})
