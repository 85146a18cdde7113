import type { Cursor } from './plain-cursor.js'
import { hereDocument } from './plain-here.js'
import { plainWord } from './plain-word.js'
import type { Assignment, Redirect, Word } from './tree.js'

const AMPERSAND = 0x26
const ZERO = 0x30
const NINE = 0x39
const LESS = 0x3c
const GREATER = 0x3e
const CLOSING_BRACE = 0x7d

/** Does a redirection begin here? */
export function isRedirect(cursor: Cursor): boolean {
  const c = cursor.here
  return c === LESS || c === GREATER || (c === AMPERSAND && cursor.next === GREATER)
}

/**
 * `>f`, `>>f`, `<f`, `&>f`, `<<<f`, `>&1` and here-documents, with a digit before it that is its descriptor, which was read as the last
 * of the words. `end` is where they end.
 */
export function plainRedirect(cursor: Cursor, words: (Word | Assignment)[], end: number): Redirect | null {
  const { text } = cursor
  const isGlued = cursor.at === end
  // A longer number, one where the command is named, and `{name}` are left to the parser.
  if (isGlued && text.charCodeAt(end - 1) === CLOSING_BRACE) return null
  const last = words[words.length - 1]
  const isNumbered = isGlued && last !== undefined && isNumber(last, text)
  if (isNumbered && (words.length === 1 || last.span[0] !== end - 1 || cursor.here === AMPERSAND)) return null
  if (isNumbered) words.pop()
  return operation(cursor, isNumbered ? text.charCodeAt(end - 1) - ZERO : null, isNumbered ? end - 1 : cursor.at)
}

/** The operator here, and what stands behind it. */
function operation(cursor: Cursor, descriptor: number | null, from: number): Redirect | null {
  const c = cursor.here
  const { next } = cursor
  cursor.at++
  if (c === AMPERSAND) {
    cursor.at++
    return cursor.here === GREATER ? null : toFile(cursor, '&>', descriptor, from)
  }
  if (c === LESS) {
    if (next === LESS) return text(cursor, descriptor, from)
    return toFile(cursor, '<', descriptor, from)
  }
  if (next !== GREATER && next !== AMPERSAND) return toFile(cursor, '>', descriptor, from)
  cursor.at++
  return toFile(cursor, next === GREATER ? '>>' : '>&', descriptor, from)
}

function toFile(
  cursor: Cursor,
  operator: '<' | '>' | '>>' | '>&' | '&>',
  descriptor: number | null,
  from: number,
): Redirect | null {
  cursor.skipBlanks()
  const target = plainWord(cursor)
  if (target === null || (operator === '>&' && !isNumber(target, cursor.text))) return null
  return { kind: 'file', operator, descriptor, target, span: [from, cursor.at] }
}

/** `<<<word` and `<<word`; the cursor is at the second character. */
function text(cursor: Cursor, descriptor: number | null, from: number): Redirect | null {
  if (cursor.next !== LESS) {
    cursor.at++
    return hereDocument(cursor, descriptor, from)
  }
  cursor.at += 2
  cursor.skipBlanks()
  const body = plainWord(cursor)
  return body && { kind: 'text', descriptor, body, newline: true, span: [from, cursor.at] }
}

/** Is it written with digits and nothing else? */
function isNumber({ span }: Pick<Word, 'span'>, text: string): boolean {
  const to = span[1]
  for (let i = span[0]; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c < ZERO || c > NINE) return false
  }
  return true
}
