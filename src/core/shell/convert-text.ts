import { type Border, problem, span } from './border.js'
import type { Part } from './tree.js'

/**
 * How bash reads the characters around it.
 * `bare`: outside quotes. `double`: inside double quotes. `here`: an unquoted here-document. `operand`: inside `${x:-…}`, outside quotes.
 * `arithmetic`: an expression or subscript. `pattern`: inside an extended glob.
 */
export type Mode = 'bare' | 'double' | 'here' | 'operand' | 'arithmetic' | 'pattern' | 'regex'

/** An expansion or operator standing in text that the parser calls literal: the tree would hide what it runs. */
const UNSEEN = /\$[A-Za-z_0-9@*#?$!({[-]|`/
const UNSEEN_IN_ARITHMETIC = /\$[({[]|`/
const PARAMETER = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/
const METACHARACTER = /[<>()|&; \t\n]/
const PROCESS = /[<>]\(/

/** Adds literal source text as parts: escapes resolved, quoted and unquoted runs apart. */
export function addLiteral(border: Border, parts: Part[], from: number, to: number, mode: Mode): void {
  if (from >= to) return
  const source = border.text.slice(from, to)
  const escaped = source.includes('\\')
  const visible = escaped ? source.replace(/\\[\s\S]/g, '') : source
  if (mode === 'arithmetic' && PARAMETER.test(visible)) {
    addArithmetic(border, parts, from, source)
    return
  }
  if ((mode === 'arithmetic' ? UNSEEN_IN_ARITHMETIC : UNSEEN).test(visible) && mode !== 'regex')
    problem(border, 'an expansion the analyser cannot see', from, to)
  if (mode === 'bare' && METACHARACTER.test(visible)) problem(border, 'an operator inside a word', from, to)
  if ((mode === 'operand' || mode === 'pattern') && PROCESS.test(visible))
    problem(border, 'a process substitution inside a word', from, to)
  if (!escaped) {
    addText(parts, source, mode === 'double' || mode === 'here')
    return
  }
  if (mode === 'double' || mode === 'here')
    addQuoted(parts, source, mode === 'double' ? /\\([$`"\\\n])/g : /\\([$`\\\n])/g)
  else if (mode === 'arithmetic') addQuoted(parts, source, /\\([$`"\\\n])/g)
  else addBare(parts, source)
}

/** Text outside quotes is one part, however many pieces the parser makes of it. */
function addText(parts: Part[], value: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (!quoted && last?.kind === 'text' && !last.quoted) parts[parts.length - 1] = { ...last, value: last.value + value }
  else parts.push({ kind: 'text', value, quoted })
}

/** In arithmetic the parser leaves `$x` in the text. */
function addArithmetic(border: Border, parts: Part[], from: number, source: string): void {
  let at = 0
  for (const match of source.matchAll(/\\[\s\S]|\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/g)) {
    if (match[0].startsWith('\\')) continue
    addLiteral(border, parts, from + at, from + match.index, 'arithmetic')
    at = match.index + match[0].length
    const name = match[0].slice(1)
    const place = span(border, from + match.index, from + at)
    parts.push({ kind: 'parameter', name, prefix: null, index: null, operation: null, quoted: true, span: place })
  }
  addLiteral(border, parts, from + at, from + source.length, 'arithmetic')
}

function addQuoted(parts: Part[], source: string, escapes: RegExp): void {
  const value = source.replace(escapes, (_, c: string) => (c === '\n' ? '' : c))
  parts.push({ kind: 'text', value, quoted: true })
}

/** Outside quotes a backslash quotes the next character, and takes a newline away. */
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
