import { addParseError, type ConversionContext, span } from './conversion-context.js'
import type { Part } from './tree.js'

/**
 * The context of a text. `bare`: outside quotes. `double`: inside double quotes. `here`: an unquoted here-document.
 * `operand`: inside `${x:-…}`, outside quotes. `arithmetic`: an expression or subscript. `pattern`: inside an extended
 * glob.
 */
export type Mode = 'bare' | 'double' | 'here' | 'operand' | 'arithmetic' | 'pattern' | 'regex'

/** An expansion or operator that the parser left in literal text. The tree would hide it. */
const MISSED_EXPANSION = /\$[A-Za-z_0-9@*#?$!({[-]|`/
const MISSED_IN_ARITHMETIC = /\$[({[]|`/
const PARAMETER = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/
const METACHARACTER = /[<>()|&; \t\n]/
const PROCESS = /[<>]\(/

/** Adds literal source text as parts: resolves escapes, separates quoted and unquoted text. */
export function addLiteral(context: ConversionContext, parts: Part[], from: number, to: number, mode: Mode): void {
  if (from >= to) return
  const source = context.text.slice(from, to)
  const escaped = source.includes('\\')
  const visible = escaped ? source.replace(/\\[\s\S]/g, '') : source
  if (mode === 'arithmetic' && PARAMETER.test(visible)) {
    addArithmetic(context, parts, from, source)
    return
  }
  if ((mode === 'arithmetic' ? MISSED_IN_ARITHMETIC : MISSED_EXPANSION).test(visible) && mode !== 'regex')
    addParseError(context, 'an expansion that the parser missed', from, to)
  if (mode === 'bare' && METACHARACTER.test(visible)) addParseError(context, 'an operator inside a word', from, to)
  if ((mode === 'operand' || mode === 'pattern') && PROCESS.test(visible))
    addParseError(context, 'a process substitution inside a word', from, to)
  if (!escaped) {
    addText(parts, source, mode === 'double' || mode === 'here')
    return
  }
  if (mode === 'double' || mode === 'here')
    addQuoted(parts, source, mode === 'double' ? /\\([$`"\\\n])/g : /\\([$`\\\n])/g)
  else if (mode === 'arithmetic') addQuoted(parts, source, /\\([$`"\\\n])/g)
  else addBare(parts, source)
}

/** Adds unquoted text to the previous part, because the parser may split it. */
function addText(parts: Part[], value: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (!quoted && last?.kind === 'text' && !last.quoted) parts[parts.length - 1] = { ...last, value: last.value + value }
  else parts.push({ kind: 'text', value, quoted })
}

/** Adds text of an arithmetic expression, where the parser leaves `$x`. */
function addArithmetic(context: ConversionContext, parts: Part[], from: number, source: string): void {
  let at = 0
  for (const match of source.matchAll(/\\[\s\S]|\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/g)) {
    if (match[0].startsWith('\\')) continue
    addLiteral(context, parts, from + at, from + match.index, 'arithmetic')
    at = match.index + match[0].length
    const name = match[0].slice(1)
    const missedSpan = span(context, from + match.index, from + at)
    parts.push({ kind: 'parameter', name, prefix: null, index: null, operation: null, quoted: true, span: missedSpan })
  }
  addLiteral(context, parts, from + at, from + source.length, 'arithmetic')
}

function addQuoted(parts: Part[], source: string, escapes: RegExp): void {
  const value = source.replace(escapes, (_, c: string) => (c === '\n' ? '' : c))
  parts.push({ kind: 'text', value, quoted: true })
}

/** Adds unquoted text. A backslash quotes the next character and removes a newline. */
function addBare(parts: Part[], source: string): void {
  let run = ''
  for (let i = 0; i < source.length; i++) {
    const c = source[i] as string
    if (c !== '\\') run += c
    else {
      const next = source[++i]
      if (next === '\n' || next === undefined) continue
      if (run !== '') addText(parts, run, false)
      run = ''
      parts.push({ kind: 'text', value: next, quoted: true })
    }
  }
  if (run !== '') addText(parts, run, false)
}
