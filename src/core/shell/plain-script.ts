import { END } from './plain-chars.js'
import { plainCompound } from './plain-compound.js'
import { Cursor } from './plain-cursor.js'
import { plainSimple } from './plain-simple.js'
import type { Node, Statement } from './tree.js'

const NEWLINE = 0x0a
const HASH = 0x23
const AMPERSAND = 0x26
const OPENING = 0x28
const CLOSING = 0x29
const SEMICOLON = 0x3b
const PIPE = 0x7c

/** Deeper ones are left to the parser, which has its bounds. */
const DEPTH = 32

/**
 * The statements of a script made of words, quotes, plain parameters and substitutions, pipes, lists, loops, conditions and redirections
 * to files, which is most of what is ever asked for; null for any other. It gives exactly the tree of the parser and its checks,
 * in a fraction of their time: one pass over characters that each have one meaning, and the first that could have another makes it null.
 */
export function plainStatements(text: string): readonly Statement[] | null {
  const cursor = new Cursor(text)
  const statements = plainList(cursor, NO_ENDS)
  return cursor.at < text.length || cursor.bodyAt >= 0 ? null : statements
}

const NO_ENDS: readonly string[] = []

/** Statements up to the end of the text, a closing parenthesis or one of these reserved words, which stay unread. */
export function plainList(cursor: Cursor, ends: readonly string[]): readonly Statement[] | null {
  let statements: Statement[] | null = null
  for (;;) {
    skipComments(cursor)
    if (isEnd(cursor, ends)) return statements ?? []
    const node = andOr(cursor)
    if (node === null) return null
    const c = cursor.here
    const statement: Statement = { node, background: c === AMPERSAND }
    // Most lists are of one, and an array that is pushed to makes room for many.
    if (statements === null) statements = [statement]
    else statements.push(statement)
    if (c === NEWLINE) cursor.endLine()
    else if (c === SEMICOLON || c === AMPERSAND) cursor.at++
    else if (c === CLOSING || c === END) return statements
    else return null
  }
}

/** Blanks, empty lines and lines that say nothing to the shell. Inside a substitution a comment is left to the parser. */
function skipComments(cursor: Cursor): void {
  cursor.skipLines()
  while (cursor.depth === 0 && cursor.here === HASH) {
    const end = cursor.text.indexOf('\n', cursor.at)
    cursor.at = end < 0 ? cursor.text.length : end
    cursor.skipLines()
  }
}

function isEnd(cursor: Cursor, ends: readonly string[]): boolean {
  const c = cursor.here
  if (c === CLOSING || c === END) return true
  if (ends.length === 0) return false
  const from = cursor.at
  for (const end of ends) {
    if (!cursor.takes(end)) continue
    cursor.at = from
    return true
  }
  return false
}

/**
 * What stands in `$( … )`; the cursor is at the dollar, and afterwards behind the parenthesis. A here-document whose body is outside
 * is left to the parser, and so is one whose body would be inside.
 */
export function substitutionBody(cursor: Cursor): readonly Statement[] | null {
  cursor.at++
  if (cursor.next === OPENING || cursor.bodyAt >= 0) return null
  cursor.substitutions++
  const body = parenthesised(cursor)
  cursor.substitutions--
  return cursor.bodyAt < 0 ? body : null
}

/** Statements in parentheses; the cursor is at the first. */
export function parenthesised(cursor: Cursor): readonly Statement[] | null {
  if (cursor.depth >= DEPTH) return null
  cursor.depth++
  cursor.at++
  const body = plainList(cursor, NO_ENDS)
  cursor.depth--
  if (body === null || body.length === 0 || cursor.here !== CLOSING) return null
  cursor.at++
  return body
}

function andOr(cursor: Cursor): Node | null {
  const first = pipeline(cursor)
  if (first === null || !isTwice(cursor)) return first
  const commands: Node[] = [first]
  const operators: ('&&' | '||')[] = []
  let last = first
  while (isTwice(cursor)) {
    operators.push(cursor.here === PIPE ? '||' : '&&')
    cursor.at += 2
    cursor.skipNewlines()
    const next = pipeline(cursor)
    if (next === null) return null
    commands.push(next)
    last = next
  }
  return { kind: 'and-or', commands, operators, span: [first.span[0], last.span[1]] }
}

/** Does `&&` or `||` stand here? */
function isTwice(cursor: Cursor): boolean {
  const c = cursor.here
  return (c === AMPERSAND || c === PIPE) && cursor.next === c
}

function pipeline(cursor: Cursor): Node | null {
  const first = command(cursor)
  if (first === null || !isPipe(cursor)) return first
  const commands: Node[] = [first]
  const both: boolean[] = []
  let last = first
  while (isPipe(cursor)) {
    cursor.at++
    cursor.skipNewlines()
    const next = command(cursor)
    if (next === null) return null
    commands.push(next)
    both.push(false)
    last = next
  }
  return { kind: 'pipeline', commands, both, negated: false, span: [first.span[0], last.span[1]] }
}

const isPipe = (cursor: Cursor): boolean => cursor.here === PIPE && cursor.next !== PIPE

function command(cursor: Cursor): Node | null {
  cursor.skipBlanks()
  const compound = plainCompound(cursor)
  return compound === undefined ? plainSimple(cursor) : compound
}
