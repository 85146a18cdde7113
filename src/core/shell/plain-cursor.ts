import { codeAt, END, isBlank, isNameChar, isPlainChar } from './plain-chars.js'

const SINGLE = 0x27
const DOUBLE = 0x22
const DOLLAR = 0x24
const BACKSLASH = 0x5c
const NEWLINE = 0x0a

/** A text and the place in it that is read next. */
export class Cursor {
  readonly text: string
  at = 0
  /** Substitutions and compound commands around this place. */
  depth = 0
  /** Of those, the substitutions. */
  substitutions = 0
  /** The newline behind which the body of a here-document begins that is still ahead; -1 where none is. */
  bodyAt = -1
  /** Where its closing line ends. */
  bodyEnd = 0

  constructor(text: string) {
    this.text = text
  }

  /** The character here. */
  get here(): number {
    return codeAt(this.text, this.at)
  }

  get next(): number {
    return codeAt(this.text, this.at + 1)
  }

  /** Blanks, and lines that go on behind a backslash. */
  skipBlanks(): void {
    const { text } = this
    for (;;) {
      while (isBlank(codeAt(text, this.at), false)) this.at++
      if (codeAt(text, this.at) !== BACKSLASH || codeAt(text, this.at + 1) !== NEWLINE) return
      if (!isBlank(text.charCodeAt(this.at - 1), true)) return
      this.at += 2
    }
  }

  skipLines(): void {
    while (isBlank(codeAt(this.text, this.at), true)) this.at++
  }

  /** Behind an operator that wants another command lines may end, unless a here-document begins there. */
  skipNewlines(): void {
    this.skipBlanks()
    if (this.bodyAt < 0) this.skipLines()
  }

  /** Goes past the end of a line, and the here-document that begins there. */
  endLine(): void {
    if (this.at === this.bodyAt) {
      this.at = this.bodyEnd
      this.bodyAt = -1
    }
    if (this.at < this.text.length) this.at++
  }

  /** Does a word begin here? */
  get isWord(): boolean {
    const c = codeAt(this.text, this.at)
    return isPlainChar(c) || c === SINGLE || c === DOUBLE || c === DOLLAR || c === BACKSLASH
  }

  /** How many characters of a name stand here. */
  nameLength(): number {
    let at = this.at
    while (isNameChar(codeAt(this.text, at), at > this.at)) at++
    return at - this.at
  }

  /** Goes past a reserved word, where that is what stands here. */
  takes(reserved: string): boolean {
    const end = this.at + reserved.length
    if (!this.text.startsWith(reserved, this.at) || !endsWord(codeAt(this.text, end))) return false
    this.at = end
    return true
  }
}

/** Could no character of a word stand here? Blanks, newlines, operators and the end of the text. */
const endsWord = (c: number): boolean =>
  c === END || isBlank(c, true) || c === 0x3b || c === 0x26 || c === 0x7c || c === 0x29
