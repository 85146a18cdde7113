import type * as U from 'unbash'
import { parse } from 'unbash'
import { decodeAnsiC } from './ansi-c.js'
import { addParseError, type ConversionContext, span } from './conversion-context.js'
import { convertBody } from './convert-script.js'
import { addLiteral, type Mode } from './convert-text.js'
import type { Operation, Parameter, Part, Word } from './tree.js'

const PLAIN = /^[A-Za-z0-9_./:=,@%+^-]+$/

/** Converts a word of the parser to flat parts, each quoted or not. */
export function convertWord(context: ConversionContext, word: U.Word, mode: Mode = 'bare'): Word {
  const { pos, end } = word
  if (PLAIN.test(word.text) && end - pos === word.text.length) {
    const text = { kind: 'text', value: word.text, quoted: false } as const
    return { kind: 'word', parts: [text], span: span(context, pos, end) }
  }
  return fill(context, pos, end, word.parts, mode)
}

/** Adds the given parts from `pos` to `end`, with the text between them as literals. */
export function fill(
  context: ConversionContext,
  pos: number,
  end: number,
  inner: readonly U.WordPart[] | undefined,
  mode: Mode,
): Word {
  const parts: Part[] = []
  fillInto(context, parts, { pos, end }, inner ?? [], mode)
  return { kind: 'word', parts: parts, span: span(context, pos, end) }
}

function fillInto(
  context: ConversionContext,
  parts: Part[],
  { pos, end }: { readonly pos: number; readonly end: number },
  inner: readonly U.WordPart[],
  mode: Mode,
): void {
  let at = pos
  for (const part of inner) {
    addLiteral(context, parts, at, part.pos, mode)
    addPart(context, parts, part, mode)
    at = part.end
  }
  addLiteral(context, parts, at, end, mode)
}

function addPart(context: ConversionContext, parts: Part[], part: U.WordPart, mode: Mode): void {
  const quoted = mode === 'double' || mode === 'here'
  switch (part.type) {
    case 'Literal':
      addLiteral(context, parts, part.pos, part.end, mode)
      return
    case 'Glob':
      fillInto(context, parts, part, part.parts ?? [], mode === 'bare' ? 'pattern' : mode)
      return
    case 'SingleQuoted':
      parts.push({ kind: 'text', value: context.text.slice(part.pos + 1, part.end - 1), quoted: true })
      return
    case 'AnsiCQuoted':
      addAnsiC(context, parts, part)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      addDouble(context, parts, part)
      return
    case 'ExtendedGlob':
      fillInto(context, parts, part, part.parts ?? [], 'pattern')
      return
    case 'BraceExpansion':
      fillInto(context, parts, part, part.parts ?? [], mode)
      return
    case 'SimpleExpansion':
      parts.push(simple(context, part, quoted))
      return
    case 'ParameterExpansion':
      parts.push(convertParameter(context, part, quoted))
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      addScript(context, parts, part, quoted, mode)
      return
    case 'ArithmeticExpansion':
      parts.push({
        kind: 'arithmetic',
        expression: convertExpansion(context, part),
        quoted,
        span: span(context, part.pos, part.end),
      })
      return
    default:
      addParseError(context, 'an unsupported kind of word', (part as U.WordPart).pos, (part as U.WordPart).end)
  }
}

function addAnsiC(context: ConversionContext, parts: Part[], part: U.AnsiCQuotedPart): void {
  const body = context.text.slice(part.pos + 2, part.end - 1)
  if (body.includes('\\\n')) addParseError(context, "a line continuation inside $'…'", part.pos, part.end)
  parts.push({ kind: 'text', value: decodeAnsiC(body), quoted: true })
}

function addDouble(context: ConversionContext, parts: Part[], part: U.DoubleQuotedPart | U.LocaleStringPart): void {
  const open = part.type === 'DoubleQuoted' ? 1 : 2
  const before = parts.length
  fillInto(context, parts, { pos: part.pos + open, end: part.end - 1 }, part.parts, 'double')
  if (parts.length === before) parts.push({ kind: 'text', value: '', quoted: true })
}

const simple = (context: ConversionContext, part: U.SimpleExpansionPart, quoted: boolean): Parameter => ({
  kind: 'parameter',
  name: part.text.replaceAll('\\\n', '').slice(1),
  prefix: null,
  index: null,
  operation: null,
  quoted,
  span: span(context, part.pos, part.end),
})

function addScript(
  context: ConversionContext,
  parts: Part[],
  part: U.CommandExpansionPart | U.ProcessSubstitutionPart,
  quoted: boolean,
  mode: Mode,
): void {
  const { pos, end } = part
  const opener = context.text.slice(pos, pos + 2)
  if (part.script === undefined || opener === '${' || !isClosed(context.text.slice(pos, end))) {
    addParseError(context, 'a substitution that the parser did not parse', pos, end)
    return
  }
  const inner = opener.startsWith('`') ? ([pos + 1, end - 1] as const) : ([pos + 2, end - 1] as const)
  const body = convertBody(context, part.script, inner[0], inner[1], span(context, pos, end))
  if (part.type === 'CommandExpansion') {
    parts.push({ kind: 'substitution', body, quoted, span: span(context, pos, end) })
    return
  }
  const before = context.text[pos - 1] ?? ' '
  const after = context.text[end] ?? ' '
  if (mode !== 'bare' || !/[\s<>;&|(]/.test(before) || !/[\s;&|)<>]/.test(after))
    addParseError(context, 'a process substitution inside a word', pos, end)
  parts.push({ kind: 'process', direction: part.operator, body, span: span(context, pos, end) })
}

function convertExpansion(context: ConversionContext, part: U.ArithmeticExpansionPart): Word {
  const old = context.text.startsWith('$[', part.pos)
  return convertArithmetic(context, part.expression, part.pos + (old ? 2 : 3), part.end - (old ? 1 : 2))
}

/** Converts arithmetic to text with expansions, without recursion over the parser's deep tree. */
export function convertArithmetic(
  context: ConversionContext,
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
  return fill(context, pos, end, found, 'arithmetic')
}

function convertParameter(context: ConversionContext, part: U.ParameterExpansionPart, quoted: boolean): Parameter {
  if (
    part.parameter === '' ||
    part.index?.text === '' ||
    (part.prefix === '!' && part.operation?.type === 'Default' && !/^\w/.test(part.parameter))
  )
    addParseError(context, 'an expansion that the parser did not parse', part.pos, part.end)
  return {
    kind: 'parameter',
    name: part.parameter,
    prefix: part.prefix ?? null,
    index: part.index ? convertWord(context, part.index, 'arithmetic') : null,
    operation: part.operation ? convertOperation(context, part, part.operation, quoted) : null,
    quoted,
    span: span(context, part.pos, part.end),
  }
}

function convertOperation(
  context: ConversionContext,
  part: U.ParameterExpansionPart,
  operation: U.ParameterOperation,
  quoted: boolean,
): Operation | null {
  const operand = (word: U.Word): Word => convertWord(context, word, 'operand')
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
      return { kind: 'replace', operator: operation.operator, ...replaceOperands(context, operation) }
    case 'Slice':
      return {
        kind: 'slice',
        offset: convertWord(context, operation.offset, 'arithmetic'),
        length: operation.length ? convertWord(context, operation.length, 'arithmetic') : null,
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
      return { kind: 'names', joined: context.text.slice(part.pos, part.end).endsWith('*}') }
    case 'Unknown':
      if (operation.operator === '~' || operation.operator === '~~')
        return { kind: 'case', operator: operation.operator, operand: null }
      addParseError(context, 'an unsupported expansion', part.pos, part.end)
      return null
  }
}

/** Parses replacement operands again: the parser ends a pattern at a slash inside `$( … )`. */
function replaceOperands(
  context: ConversionContext,
  operation: U.ParameterReplaceOperation,
): { readonly pattern: Word; readonly replacement: Word } {
  const { pattern, replacement, operatorEnd, end } = operation
  const cut = pattern.parts?.at(-1)
  if (cut?.type !== 'CommandExpansion' || isClosed(context.text.slice(cut.pos, cut.end)))
    return {
      pattern: convertWord(context, pattern, 'operand'),
      replacement: convertWord(context, replacement, 'operand'),
    }
  const text = `${' '.repeat(operatorEnd - 4)}\${x#${context.text.slice(operatorEnd, end)}}`
  const again: ConversionContext = { ...context, text }
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

/** Quotes a default inside double quotes, where nothing splits. */
const inDouble = (word: Word): Word => ({
  ...word,
  parts: word.parts.map((part) => ('quoted' in part && !part.quoted ? { ...part, quoted: true } : part)),
})
