import { isBlank, isNameChar, isPlainChar } from './plain-chars.js'
import type { Assignment, Node, Part, Redirect, Simple, Statement, Word } from './tree.js'

/** Words that mean something to the grammar where a command is named, or that make assignments of their arguments. */
const NOT_PLAIN = new Set(
  'if then elif else fi for while until do done case esac in select function coproc time local alias export declare typeset readonly'.split(
    ' ',
  ),
)

/**
 * The statements of a script made of nothing but words, constant quotes, pipes, lists and redirections to files, which is most of what
 * is ever asked for; null for any other. It gives exactly the tree of the parser and its checks, in a fraction of their time: one pass over
 * characters that each have one meaning, and the first that could have another makes it null.
 */
export function plainStatements(text: string): readonly Statement[] | null {
  return new PlainReader(text).statements()
}

const NEWLINE = 0x0a
const DOUBLE = 0x22
const AMPERSAND = 0x26
const SINGLE = 0x27
const SEMICOLON = 0x3b
const LESS = 0x3c
const GREATER = 0x3e
const EQUALS = 0x3d
const PIPE = 0x7c
const CLOSING_BRACE = 0x7d
const DOLLAR = 0x24
const BACKTICK = 0x60
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39

const NO_REDIRECTS: readonly Redirect[] = Object.freeze([])
const NO_ASSIGNMENTS: Simple['assignments'] = Object.freeze([])

class PlainReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  statements(): readonly Statement[] | null {
    const statements: Statement[] = []
    const { length } = this.#text
    for (;;) {
      while (this.#at < length && isBlank(this.#text.charCodeAt(this.#at), true)) this.#at++
      if (this.#at >= length) return statements
      const node = this.#andOr()
      if (node === null) return null
      const c = this.#text.charCodeAt(this.#at)
      if (this.#at < length && c !== SEMICOLON && c !== NEWLINE && c !== AMPERSAND) return null
      this.#at++
      statements.push({ node, background: c === AMPERSAND })
    }
  }

  #andOr(): Node | null {
    const first = this.#pipeline()
    if (first === null || !this.#isTwice(AMPERSAND, PIPE)) return first
    const commands: Node[] = [first]
    const operators: ('&&' | '||')[] = []
    let last = first
    while (this.#isTwice(AMPERSAND, PIPE)) {
      operators.push(this.#text.charCodeAt(this.#at) === PIPE ? '||' : '&&')
      this.#at += 2
      const next = this.#pipeline()
      if (next === null) return null
      commands.push(next)
      last = next
    }
    return { kind: 'and-or', commands, operators, span: [first.span[0], last.span[1]] }
  }

  /** Does one of these characters stand here, and once more behind itself? */
  #isTwice(one: number, other: number): boolean {
    const c = this.#text.charCodeAt(this.#at)
    return (c === one || c === other) && this.#text.charCodeAt(this.#at + 1) === c
  }

  #pipeline(): Node | null {
    const first = this.#simple()
    if (first === null || !this.#isPipe()) return first
    const commands: Node[] = [first]
    const both: boolean[] = []
    let last = first
    while (this.#isPipe()) {
      this.#at++
      const next = this.#simple()
      if (next === null) return null
      commands.push(next)
      both.push(false)
      last = next
    }
    return { kind: 'pipeline', commands, both, negated: false, span: [first.span[0], last.span[1]] }
  }

  #isPipe(): boolean {
    return this.#text.charCodeAt(this.#at) === PIPE && this.#text.charCodeAt(this.#at + 1) !== PIPE
  }

  /** A command and its arguments, up to the operator behind it. */
  #simple(): Simple | null {
    this.#skipBlanks()
    const from = this.#at
    const assignments = this.#assignments()
    if (assignments === null) return null
    const words: Word[] = []
    if (assignments === NO_ASSIGNMENTS || this.#isWord()) {
      const first = this.#word()
      if (first === null || !isPlainName(first)) return null
      words.push(first)
    }
    let redirects: Redirect[] | null = null
    let end = words.at(-1)?.span[1] ?? assignments.at(-1)?.span[1] ?? from
    for (;;) {
      this.#skipBlanks()
      const c = this.#text.charCodeAt(this.#at)
      if (c === LESS || c === GREATER) {
        const redirect = words.length === 0 ? null : this.#redirect(words, end)
        if (redirect === null) return null
        redirects ??= []
        redirects.push(redirect)
      } else if (this.#isWord()) {
        const word = this.#word()
        if (word === null) return null
        words.push(word)
      } else break
      end = this.#at
    }
    return {
      kind: 'simple',
      assignments,
      words,
      redirects: redirects ?? NO_REDIRECTS,
      span: [from, end],
    }
  }

  /** Does a word begin here? */
  #isWord(): boolean {
    const c = this.#text.charCodeAt(this.#at)
    return isPlainChar(c) || c === SINGLE || c === DOUBLE
  }

  /** `A=b C=d` before the command. */
  #assignments(): readonly Assignment[] | null {
    let found: Assignment[] | null = null
    for (;;) {
      const from = this.#at
      const length = assignedName(this.#text, from)
      if (length === 0) return found ?? NO_ASSIGNMENTS
      this.#at += length + 1
      const name = this.#text.slice(from, from + length)
      const value = this.#isWord() ? this.#word() : emptyAt(this.#at)
      if (value === null) return null
      found ??= []
      found.push({ kind: 'assignment', name, index: null, append: false, value, span: [from, this.#at] })
      this.#skipBlanks()
    }
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at), false)) this.#at++
  }

  #word(): Word | null {
    const text = this.#text
    const from = this.#at
    let parts: Part[] | null = null
    for (;;) {
      const start = this.#at
      while (isPlainChar(text.charCodeAt(this.#at))) this.#at++
      const run = this.#at > start ? text.slice(start, this.#at) : ''
      const c = text.charCodeAt(this.#at)
      if (c !== SINGLE && c !== DOUBLE) {
        if (run !== '') parts = added(parts, run, false)
        return parts === null ? null : { kind: 'word', parts, span: [from, this.#at] }
      }
      if (run !== '') parts = added(parts, run, false)
      const value = this.#quoted(c)
      if (value === null) return null
      parts = added(parts, value, true)
    }
  }

  /** The text up to the closing quote; null where it holds what double quotes do not make literal. */
  #quoted(quote: number): string | null {
    const from = this.#at + 1
    for (let i = from; i < this.#text.length; i++) {
      const c = this.#text.charCodeAt(i)
      if (c === quote) {
        this.#at = i + 1
        return this.#text.slice(from, i)
      }
      if (quote === DOUBLE && (c === DOLLAR || c === BACKTICK || c === BACKSLASH)) return null
    }
    return null
  }

  /** `>f`, `>>f`, `<f`, with a digit before it that is its descriptor, and `>&1`. */
  #redirect(words: Word[], end: number): Redirect | null {
    const text = this.#text
    const glued = this.#at === end && isNumber(words.at(-1), text)
    // A longer number, one where the command is named, and `{name}` are left to the parser.
    if (this.#at === end && text.charCodeAt(end - 1) === CLOSING_BRACE) return null
    if (glued && (words.length === 1 || words.at(-1)?.span[0] !== end - 1)) return null
    const descriptor = glued ? text.charCodeAt(end - 1) - ZERO : null
    if (glued) words.pop()
    const from = glued ? end - 1 : this.#at
    const reads = text.charCodeAt(this.#at++) === LESS
    let operator: '<' | '>' | '>>' | '>&' = reads ? '<' : '>'
    const next = text.charCodeAt(this.#at)
    if (!reads && (next === GREATER || next === AMPERSAND)) {
      operator = next === GREATER ? '>>' : '>&'
      this.#at++
    }
    this.#skipBlanks()
    const target = this.#word()
    if (target === null || (operator === '>&' && !isNumber(target, text))) return null
    return { kind: 'file', operator, descriptor, target, span: [from, this.#at] }
  }
}

function added(parts: Part[] | null, value: string, quoted: boolean): Part[] {
  const part: Part = { kind: 'text', value, quoted }
  if (parts === null) return [part]
  parts.push(part)
  return parts
}

/** Is this word in the place of a command a name, and no assignment, reserved word or declaration? */
function isPlainName({ parts }: Word): boolean {
  const [only] = parts
  if (parts.length !== 1 || only?.kind !== 'text') return false
  return !NOT_PLAIN.has(only.value) && (only.quoted || only.value === '[' || !/[=[\]{}!]/.test(only.value))
}

const emptyAt = (at: number): Word => ({ kind: 'word', parts: [], span: [at, at] })

/** How long the name of the variable is that is assigned here; 0 where none is. */
function assignedName(text: string, from: number): number {
  let at = from
  while (isNameChar(text.charCodeAt(at), at > from)) at++
  return text.charCodeAt(at) === EQUALS ? at - from : 0
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
