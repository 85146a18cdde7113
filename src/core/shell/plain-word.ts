import { isNameChar, isPlainChar } from './plain-chars.js'
import type { Cursor } from './plain-cursor.js'
import { substitutionBody } from './plain-script.js'
import type { Part, Word } from './tree.js'

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
  const parts: Part[] = []
  for (;;) {
    const start = cursor.at
    let at = start
    while (isPlainChar(text.charCodeAt(at))) at++
    cursor.at = at
    if (at > start) parts.push({ kind: 'text', value: text.slice(start, at), quoted: false })
    const c = text.charCodeAt(at)
    if (c === SINGLE) {
      if (!addSingle(cursor, parts)) return null
    } else if (c === DOUBLE) {
      if (!addDouble(cursor, parts)) return null
    } else if (c === DOLLAR) {
      if (!addDollar(cursor, parts, false)) return null
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

function addDouble(cursor: Cursor, parts: Part[]): boolean {
  const { text } = cursor
  const before = parts.length
  let from = cursor.at + 1
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === BACKTICK || c === BACKSLASH) return false
    if (c !== DOUBLE && c !== DOLLAR) continue
    if (i > from) parts.push({ kind: 'text', value: text.slice(from, i), quoted: true })
    cursor.at = i
    if (c === DOUBLE) {
      if (parts.length === before) parts.push({ kind: 'text', value: '', quoted: true })
      cursor.at = i + 1
      return true
    }
    if (!addDollar(cursor, parts, true)) return false
    from = cursor.at
    i = from - 1
  }
  return false
}

/** `$x`, `$1`, `${x}` and `$( … )`. */
function addDollar(cursor: Cursor, parts: Part[], quoted: boolean): boolean {
  const { text, at: from } = cursor
  const c = text.charCodeAt(from + 1)
  if (c === OPENING) {
    const body = substitutionBody(cursor)
    if (body === null) return false
    parts.push({ kind: 'substitution', body, quoted, span: [from, cursor.at] })
    return true
  }
  const braced = c === OPENING_BRACE
  const start = from + (braced ? 2 : 1)
  const end = parameterEnd(text, start)
  if (end === start || (braced && text.charCodeAt(end) !== CLOSING_BRACE)) return false
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

/** Where the name of the parameter ends that starts here: a variable, a digit or `@`. */
function parameterEnd(text: string, start: number): number {
  const c = text.charCodeAt(start)
  if ((c >= 0x30 && c <= 0x39) || c === 0x40) return start + 1
  let end = start
  while (isNameChar(text.charCodeAt(end), end > start)) end++
  return end
}
