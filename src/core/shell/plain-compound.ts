import { codeAt, isBlank } from './plain-chars.js'
import type { Cursor } from './plain-cursor.js'
import { isRedirect, plainRedirect } from './plain-redirect.js'
import { parenthesised, plainList } from './plain-script.js'
import { plainWord } from './plain-word.js'
import type { If, Node, Redirect, Statement, Word } from './tree.js'

const NEWLINE = 0x0a
const OPENING = 0x28
const SEMICOLON = 0x3b
const LESS = 0x3c
const GREATER = 0x3e

const OPENING_BRACE = 0x7b

const DEPTH = 32
const GROUP_END = ['}']
const THEN = ['then']
const DO = ['do']
const DONE = ['done']
const ARM_ENDS = ['elif', 'else', 'fi']
const FI = ['fi']

/** A loop, a condition or a subshell; undefined where none begins, null where one does that is not plain. */
export function plainCompound(cursor: Cursor): Node | null | undefined {
  const read = readerAt(cursor)
  if (read === undefined) return undefined
  if (cursor.depth >= DEPTH) return null
  const from = cursor.at
  cursor.depth++
  const node = read(cursor, from)
  cursor.depth--
  if (node === null) return null
  cursor.skipBlanks()
  const around = isRedirect(cursor) ? redirected(cursor, node, from) : node
  // Words bash would not accept there.
  return cursor.isWord || cursor.here === OPENING ? null : around
}

/** A compound command with redirections behind it. */
function redirected(cursor: Cursor, node: Node, from: number): Node | null {
  const redirects: Redirect[] = []
  let end = cursor.at
  for (; isRedirectOrNumber(cursor); cursor.skipBlanks()) {
    const word = isRedirect(cursor) ? null : plainWord(cursor)
    // The first of the words is for the command, which has none here.
    const redirect = plainRedirect(cursor, word ? [NO_WORD, word] : [], word ? cursor.at : -1)
    if (redirect === null) return null
    redirects.push(redirect)
    end = cursor.at
  }
  const isBlock = node.kind === 'subshell' || node.kind === 'group'
  const body = isBlock ? node.body : [{ node, background: false }]
  return { kind: node.kind === 'subshell' ? 'subshell' : 'group', body, redirects, span: [from, end] }
}

const NO_WORD: Word = { kind: 'word', parts: [], span: [0, 0] }

/** Does a redirection begin here, or a digit right before one? */
function isRedirectOrNumber(cursor: Cursor): boolean {
  const c = cursor.here
  return isRedirect(cursor) || (c >= 0x30 && c <= 0x39 && (cursor.next === LESS || cursor.next === GREATER))
}

type Read = (cursor: Cursor, from: number) => Node | null

/** By the first letters: nearly every command is none of these. */
function readerAt({ text, at }: Cursor): Read | undefined {
  switch (codeAt(text, at)) {
    case OPENING:
      return readSubshell
    case 0x66:
      return text.startsWith('for ', at) ? readFor : undefined
    case 0x69:
      return text.startsWith('if ', at) ? readIf : undefined
    case 0x75:
      return text.startsWith('until ', at) ? readWhile : undefined
    case OPENING_BRACE:
      return isBlank(codeAt(text, at + 1), true) ? readGroup : undefined
    case 0x77:
      return text.startsWith('while ', at) ? readWhile : undefined
    default:
      return undefined
  }
}

function readSubshell(cursor: Cursor, from: number): Node | null {
  if (cursor.next === OPENING) return null
  const body = parenthesised(cursor)
  return body && { kind: 'subshell', body, redirects: [], span: [from, cursor.at] }
}

function readGroup(cursor: Cursor, from: number): Node | null {
  cursor.at++
  const body = filled(cursor, GROUP_END)
  return body !== null && cursor.takes('}') ? { kind: 'group', body, redirects: [], span: [from, cursor.at] } : null
}

/** Statements up to one of these words, which must be there, and at least one of them. */
function filled(cursor: Cursor, ends: readonly string[]): readonly Statement[] | null {
  const statements = plainList(cursor, ends)
  return statements === null || statements.length === 0 ? null : statements
}

/** `do …; done`. */
function readBody(cursor: Cursor): readonly Statement[] | null {
  if (!cursor.takes('do')) return null
  const body = filled(cursor, DONE)
  return body !== null && cursor.takes('done') ? body : null
}

function readFor(cursor: Cursor, from: number): Node | null {
  cursor.at += 3
  cursor.skipBlanks()
  const length = cursor.nameLength()
  if (length === 0) return null
  const name = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length
  cursor.skipBlanks()
  if (!cursor.takes('in')) return null
  const words: Word[] = []
  for (cursor.skipBlanks(); cursor.isWord; cursor.skipBlanks()) {
    const word = plainWord(cursor)
    if (word === null) return null
    words.push(word)
  }
  if (cursor.here !== SEMICOLON && cursor.here !== NEWLINE) return null
  cursor.at++
  cursor.skipLines()
  const body = readBody(cursor)
  return body && { kind: 'for', name, words, body, span: [from, cursor.at] }
}

function readWhile(cursor: Cursor, from: number): Node | null {
  cursor.at += 5
  const test = filled(cursor, DO)
  const body = test && readBody(cursor)
  return body && { kind: 'while', until: codeAt(cursor.text, from) === 0x75, test, body, span: [from, cursor.at] }
}

function readIf(cursor: Cursor, from: number): Node | null {
  const arms: If['arms'][number][] = []
  cursor.at += 2
  do {
    const test = filled(cursor, THEN)
    if (test === null || !cursor.takes('then')) return null
    const body = filled(cursor, ARM_ENDS)
    if (body === null) return null
    arms.push({ test, body })
  } while (cursor.takes('elif'))
  const hasElse = cursor.takes('else')
  const otherwise = hasElse ? filled(cursor, FI) : null
  if ((hasElse && otherwise === null) || !cursor.takes('fi')) return null
  return { kind: 'if', arms, otherwise, span: [from, cursor.at] }
}
