import type { Cursor } from './plain-cursor.js'
import { plainWord } from './plain-word.js'
import type { Assignment, Redirect, Simple, Word } from './tree.js'

/** Words that mean something to the grammar where a command is named, or that make assignments of their arguments. */
const NOT_PLAIN = new Set(
  'if then elif else fi for while until do done case esac in select function coproc time local alias export declare typeset readonly'.split(
    ' ',
  ),
)

const AMPERSAND = 0x26
const ZERO = 0x30
const NINE = 0x39
const LESS = 0x3c
const EQUALS = 0x3d
const GREATER = 0x3e
const CLOSING_BRACE = 0x7d

const NO_REDIRECTS: readonly Redirect[] = Object.freeze([])
const NO_ASSIGNMENTS: Simple['assignments'] = Object.freeze([])

/** A command and its arguments, up to the operator behind it; null where one of them is not plain. */
export function plainSimple(cursor: Cursor): Simple | null {
  const from = cursor.at
  const assignments = plainAssignments(cursor)
  if (assignments === null) return null
  let end = cursor.at
  const words: Word[] = []
  if (assignments.length === 0 || cursor.isWord) {
    const first = plainWord(cursor)
    if (first === null || !isPlainName(first)) return null
    words.push(first)
    end = cursor.at
  } else end = assignments[assignments.length - 1]?.span[1] ?? from
  let redirects: Redirect[] | null = null
  for (;;) {
    cursor.skipBlanks()
    const c = cursor.here
    if (c === LESS || c === GREATER) {
      const redirect = words.length === 0 ? null : plainRedirect(cursor, words, end)
      if (redirect === null) return null
      redirects ??= []
      redirects.push(redirect)
    } else if (cursor.isWord) {
      const word = plainWord(cursor)
      if (word === null) return null
      words.push(word)
    } else break
    end = cursor.at
  }
  return { kind: 'simple', assignments, words, redirects: redirects ?? NO_REDIRECTS, span: [from, end] }
}

/** `A=b C=d` before the command. */
function plainAssignments(cursor: Cursor): readonly Assignment[] | null {
  let found: Assignment[] | null = null
  for (;;) {
    const from = cursor.at
    const length = cursor.nameLength()
    if (length === 0 || cursor.text.charCodeAt(from + length) !== EQUALS) return found ?? NO_ASSIGNMENTS
    cursor.at += length + 1
    const name = cursor.text.slice(from, from + length)
    const value = cursor.isWord ? plainWord(cursor) : emptyAt(cursor.at)
    if (value === null) return null
    found ??= []
    found.push({ kind: 'assignment', name, index: null, append: false, value, span: [from, cursor.at] })
    cursor.skipBlanks()
  }
}

const emptyAt = (at: number): Word => ({ kind: 'word', parts: [], span: [at, at] })

/** Is this word in the place of a command a name, and no assignment, reserved word or declaration? */
function isPlainName({ parts }: Word): boolean {
  const only = parts[0]
  if (parts.length !== 1 || only?.kind !== 'text') return false
  return !NOT_PLAIN.has(only.value) && (only.quoted || only.value === '[' || !/[=[\]{}!]/.test(only.value))
}

/** `>f`, `>>f`, `<f`, with a digit before it that is its descriptor, and `>&1`. */
function plainRedirect(cursor: Cursor, words: Word[], end: number): Redirect | null {
  const { text } = cursor
  const glued = cursor.at === end && isNumber(words.at(-1), text)
  // A longer number, one where the command is named, and `{name}` are left to the parser.
  if (cursor.at === end && text.charCodeAt(end - 1) === CLOSING_BRACE) return null
  if (glued && (words.length === 1 || words.at(-1)?.span[0] !== end - 1)) return null
  const descriptor = glued ? text.charCodeAt(end - 1) - ZERO : null
  if (glued) words.pop()
  const from = glued ? end - 1 : cursor.at
  const reads = text.charCodeAt(cursor.at++) === LESS
  let operator: '<' | '>' | '>>' | '>&' = reads ? '<' : '>'
  const next = cursor.here
  if (!reads && (next === GREATER || next === AMPERSAND)) {
    operator = next === GREATER ? '>>' : '>&'
    cursor.at++
  }
  cursor.skipBlanks()
  const target = plainWord(cursor)
  if (target === null || (operator === '>&' && !isNumber(target, text))) return null
  return { kind: 'file', operator, descriptor, target, span: [from, cursor.at] }
}

/** Is it written with digits and nothing else? */
function isNumber(word: Word | undefined, text: string): boolean {
  const [from, to] = word?.span ?? [0, 0]
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c < ZERO || c > NINE) return false
  }
  return true
}
