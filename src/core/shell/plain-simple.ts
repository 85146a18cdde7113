import { codeAt } from './plain-chars.js'
import type { Cursor } from './plain-cursor.js'
import { isRedirect, plainRedirect } from './plain-redirect.js'
import { plainWord } from './plain-word.js'
import type { Assignment, Redirect, Simple, Word } from './tree.js'

/** Words that mean something to the grammar where a command is named, or that make assignments of their arguments. */
const NOT_PLAIN = new Set(
  'if then elif else fi for while until do done case esac in select function coproc time local alias declare typeset readonly'.split(
    ' ',
  ),
)

/** How long they are, by the character they begin with, one bit for each length: of most names that says that they are none. */
const LENGTHS: Uint16Array = (() => {
  const lengths = new Uint16Array(128)
  for (const word of NOT_PLAIN) lengths[word.charCodeAt(0)] = (lengths[word.charCodeAt(0)] ?? 0) | (1 << word.length)
  return lengths
})()
const LONGEST = 8

function isReserved(name: string): boolean {
  if (name.length > LONGEST || name === '') return false
  return (((LENGTHS[name.charCodeAt(0)] ?? 0) >> name.length) & 1) === 1 && NOT_PLAIN.has(name)
}

const EQUALS = 0x3d

const NO_REDIRECTS: readonly Redirect[] = Object.freeze([])
const NO_ASSIGNMENTS: Simple['assignments'] = Object.freeze([])

/** A command and its arguments, up to the operator behind it; null where one of them is not plain. */
export function plainSimple(cursor: Cursor): Simple | null {
  const from = cursor.at
  const assignments = plainAssignments(cursor)
  if (assignments === null) return null
  let end = cursor.at
  const words: (Word | Assignment)[] = []
  let declares = false
  if (assignments.length === 0 || cursor.isWord) {
    const first = plainWord(cursor)
    if (first === null || !isPlainName(first)) return null
    declares = cursor.at - first.span[0] === 6 && cursor.text.startsWith('export', first.span[0])
    words.push(first)
    end = cursor.at
  } else end = assignments[assignments.length - 1]?.span[1] ?? from
  let redirects: Redirect[] | null = null
  for (;;) {
    cursor.skipBlanks()
    if (isRedirect(cursor)) {
      const redirect = words.length === 0 || declares ? null : plainRedirect(cursor, words, end)
      if (redirect === null) return null
      redirects ??= []
      redirects.push(redirect)
    } else if (cursor.isWord) {
      const word = declares ? declared(cursor) : plainWord(cursor)
      if (word === null) return null
      words.push(word)
    } else break
    end = cursor.at
  }
  return { kind: 'simple', assignments, words, redirects: redirects ?? NO_REDIRECTS, span: [from, end] }
}

/** An argument of `export`: an assignment, or a word that has nothing of one. */
function declared(cursor: Cursor): Assignment | Word | null {
  const from = cursor.at
  const length = cursor.nameLength()
  if (length > 0 && codeAt(cursor.text, from + length) === EQUALS) return plainAssignment(cursor, length)
  const word = plainWord(cursor)
  return word === null || /[=[+]/.test(cursor.text.slice(from, cursor.at)) ? null : word
}

/** `A=b C=d` before the command. */
function plainAssignments(cursor: Cursor): readonly Assignment[] | null {
  let found: Assignment[] | null = null
  for (;;) {
    const from = cursor.at
    const length = cursor.nameLength()
    if (length === 0 || codeAt(cursor.text, from + length) !== EQUALS) return found ?? NO_ASSIGNMENTS
    const assignment = plainAssignment(cursor, length)
    if (assignment === null) return null
    found ??= []
    found.push(assignment)
    cursor.skipBlanks()
  }
}

/** `A=b`, of whose name the length is known. */
function plainAssignment(cursor: Cursor, length: number): Assignment | null {
  const from = cursor.at
  cursor.at += length + 1
  const name = cursor.text.slice(from, from + length)
  const value = cursor.isWord ? plainWord(cursor) : emptyAt(cursor.at)
  return value && { kind: 'assignment', name, index: null, append: false, value, span: [from, cursor.at] }
}

const emptyAt = (at: number): Word => ({ kind: 'word', parts: [], span: [at, at] })

/** Is this word in the place of a command a name, and no assignment, reserved word or declaration? */
function isPlainName({ parts }: Word): boolean {
  const only = parts[0]
  if (parts.length !== 1 || only?.kind !== 'text') return false
  return !isReserved(only.value) && (only.quoted || only.value === '[' || !hasMeaning(only.value))
}

/** Is there a character in it that makes an assignment, a pattern or something of the grammar of a name? */
function hasMeaning(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i)
    if (c === EQUALS || c === 0x5b || c === 0x5d || c === 0x7b || c === 0x7d || c === 0x21) return true
  }
  return false
}
