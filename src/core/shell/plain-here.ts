import { codeAt, isNameChar } from './plain-chars.js'
import type { Cursor } from './plain-cursor.js'
import type { Redirect, Text, Word } from './tree.js'

const NEWLINE = 0x0a
const DOUBLE = 0x22
const SINGLE = 0x27

/** What makes more of an unquoted here-document than text. */
const EXPANDED = /[$`\\]/

/**
 * `<<EOF`, `<<'EOF'` and `<<"EOF"`, with a body that is only text; the cursor is behind the operator. The body begins where the line
 * ends that this stands on: whoever gets there goes past it. One line has one at most.
 */
export function hereDocument(cursor: Cursor, descriptor: number | null, from: number): Redirect | null {
  const { text } = cursor
  // In a substitution in something else the parser reads quotes in the body as quotes.
  if (cursor.substitutions > 0 && cursor.depth > 1) return null
  cursor.skipBlanks()
  const quote = cursor.here
  const isQuoted = quote === SINGLE || quote === DOUBLE
  if (isQuoted) cursor.at++
  const start = cursor.at
  while (isNameChar(cursor.here, true)) cursor.at++
  const delimiter = text.slice(start, cursor.at)
  if (delimiter === '' || (isQuoted && cursor.here !== quote)) return null
  if (isQuoted) cursor.at++
  const end = cursor.at
  const line = text.indexOf('\n', end)
  const closing = line < 0 ? -1 : closingLine(text, delimiter, line, cursor.substitutions > 0)
  if (closing < 0 || cursor.isWord || cursor.bodyAt >= 0) return null
  const value = text.slice(line + 1, closing)
  if (!isQuoted && EXPANDED.test(value)) return null
  cursor.bodyAt = line
  cursor.bodyEnd = closing + delimiter.length
  const body = bodyOf(value, isQuoted, line + 1)
  return { kind: 'text', descriptor, body, newline: false, span: [from, end] }
}

function bodyOf(value: string, isQuoted: boolean, from: number): Word {
  const parts: Text[] = value === '' && !isQuoted ? [] : [{ kind: 'text', value, quoted: true }]
  return { kind: 'word', parts, span: [from, from + value.length] }
}

/**
 * Where the line begins that ends the body; -1 where none does. `line` is the newline before its first. In a substitution a line
 * that only begins like it may be taken for it.
 */
function closingLine(text: string, delimiter: string, line: number, isSubstituted: boolean): number {
  const wanted = `\n${delimiter}`
  for (let at = text.indexOf(wanted, line); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (end === text.length || codeAt(text, end) === NEWLINE) return at + 1
    if (isSubstituted) return -1
  }
  return -1
}
