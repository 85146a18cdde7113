import { codeAt, END, isNameChar, isPlainChar } from './plain-chars.js'
import type { Cursor } from './plain-cursor.js'
import { substitutionBody } from './plain-script.js'
import type { Part, Word } from './tree.js'

const NEWLINE = 0x0a
const DOUBLE = 0x22
const DOLLAR = 0x24
const SINGLE = 0x27
const OPENING = 0x28
const BACKSLASH = 0x5c
const BACKTICK = 0x60
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** A word of characters that stand for themselves, quotes, plain parameters and substitutions; null for any other. */
export function plainWord(cursor: Cursor): Word | null {
  const { text, at: from } = cursor
  let end = from
  while (isPlainChar(codeAt(text, end))) end++
  if (end > from && !goesOn(codeAt(text, end))) {
    cursor.at = end
    return { kind: 'word', parts: [{ kind: 'text', value: text.slice(from, end), quoted: false }], span: [from, end] }
  }
  return partedWord(cursor, from)
}

/** Quotes and expansions, which belong to the word they touch. */
const goesOn = (c: number): boolean => c === SINGLE || c === DOUBLE || c === DOLLAR || c === BACKSLASH

/** A word that has more to it than characters that stand for themselves. */
function partedWord(cursor: Cursor, from: number): Word | null {
  const { text } = cursor
  const parts: Part[] = []
  for (;;) {
    const start = cursor.at
    let at = start
    while (isPlainChar(codeAt(text, at))) at++
    cursor.at = at
    if (at > start) parts.push({ kind: 'text', value: text.slice(start, at), quoted: false })
    const c = codeAt(text, at)
    if (c === SINGLE) {
      if (!addSingle(cursor, parts)) return null
    } else if (c === DOUBLE) {
      if (!addDouble(cursor, parts)) return null
    } else if (c === DOLLAR) {
      if (!addDollar(cursor, parts, false)) return null
    } else if (c === BACKSLASH) {
      if (!addEscaped(cursor, parts)) return null
    } else return parts.length === 0 ? null : { kind: 'word', parts, span: [from, at] }
  }
}

function addSingle(cursor: Cursor, parts: Part[]): boolean {
  const from = cursor.at + 1
  const end = cursor.text.indexOf("'", from)
  if (end < 0) return false
  parts.push({ kind: 'text', value: cursor.text.slice(from, end), quoted: true })
  cursor.at = end + 1
  return true
}

/** A character behind a backslash, outside quotes. A line that goes on is left to the parser. */
function addEscaped(cursor: Cursor, parts: Part[]): boolean {
  const at = cursor.at + 1
  const c = codeAt(cursor.text, at)
  // Of a character made of two halves each would be one.
  if (c === END || c === NEWLINE || c > 0x7f) return false
  parts.push({ kind: 'text', value: cursor.text.charAt(at), quoted: true })
  cursor.at = at + 1
  return true
}

function addDouble(cursor: Cursor, parts: Part[]): boolean {
  const { text } = cursor
  const before = parts.length
  let from = cursor.at + 1
  let escaped = false
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === BACKTICK) return false
    if (c === BACKSLASH) {
      escaped = true
      i++
      continue
    }
    if (c !== DOUBLE && c !== DOLLAR) continue
    if (i > from) parts.push({ kind: 'text', value: doubleQuoted(text.slice(from, i), escaped), quoted: true })
    cursor.at = i
    if (c === DOUBLE) {
      if (parts.length === before) parts.push({ kind: 'text', value: '', quoted: true })
      cursor.at = i + 1
      return true
    }
    if (!addDollar(cursor, parts, true)) return false
    from = cursor.at
    escaped = false
    i = from - 1
  }
  return false
}

/** In double quotes a backslash quotes only what would mean something there, and takes a newline away. */
const doubleQuoted = (text: string, escaped: boolean): string =>
  escaped ? text.replace(/\\([$`"\\\n])/g, (_, c: string) => (c === '\n' ? '' : c)) : text

/** `$x`, `$1`, `${x}` and `$( … )`. */
function addDollar(cursor: Cursor, parts: Part[], quoted: boolean): boolean {
  const { text, at: from } = cursor
  const c = codeAt(text, from + 1)
  if (c === OPENING) {
    const body = substitutionBody(cursor)
    if (body === null) return false
    parts.push({ kind: 'substitution', body, quoted, span: [from, cursor.at] })
    return true
  }
  const braced = c === OPENING_BRACE
  const start = from + (braced ? 2 : 1)
  const end = parameterEnd(text, start)
  if (end === start || (braced && codeAt(text, end) !== CLOSING_BRACE)) return false
  cursor.at = braced ? end + 1 : end
  parts.push({
    kind: 'parameter',
    name: text.slice(start, end),
    prefix: null,
    index: null,
    operation: null,
    quoted,
    span: [from, cursor.at],
  })
  return true
}

/** `$?`, `$#`, `$!`, `$*` and `$-`; in braces they are left to the parser. */
const isSpecial = (c: number): boolean => c === 0x3f || c === 0x23 || c === 0x21 || c === 0x2a || c === 0x2d

/** Where the name of the parameter ends that starts here: a variable, a digit, `@` or a special one. */
function parameterEnd(text: string, start: number): number {
  const c = codeAt(text, start)
  if ((c >= 0x30 && c <= 0x39) || c === 0x40) return start + 1
  if (isSpecial(c) && text.charCodeAt(start - 1) === DOLLAR) return start + 1
  let end = start
  while (isNameChar(codeAt(text, end), end > start)) end++
  return end
}
