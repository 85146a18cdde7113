import { isBlank, isNameChar, isPlainChar } from './plain-chars.js'

const SINGLE = 0x27
const DOUBLE = 0x22
const DOLLAR = 0x24

/** A text and the place in it that is read next. */
export class Cursor {
  readonly text: string
  at = 0
  /** Substitutions and compound commands around this place. */
  depth = 0

  constructor(text: string) {
    this.text = text
  }

  /** The character here; NaN at the end. */
  get here(): number {
    return this.text.charCodeAt(this.at)
  }

  get next(): number {
    return this.text.charCodeAt(this.at + 1)
  }

  skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at), false)) this.at++
  }

  skipLines(): void {
    while (isBlank(this.text.charCodeAt(this.at), true)) this.at++
  }

  /** Does a word begin here? */
  get isWord(): boolean {
    const c = this.text.charCodeAt(this.at)
    return isPlainChar(c) || c === SINGLE || c === DOUBLE || c === DOLLAR
  }

  /** How many characters of a name stand here. */
  nameLength(): number {
    let at = this.at
    while (isNameChar(this.text.charCodeAt(at), at > this.at)) at++
    return at - this.at
  }

  /** Goes past a reserved word, where that is what stands here. */
  takes(reserved: string): boolean {
    const end = this.at + reserved.length
    if (!this.text.startsWith(reserved, this.at) || !endsWord(this.text.charCodeAt(end))) return false
    this.at = end
    return true
  }
}

/** Could no character of a word stand here? Blanks, newlines, operators and the end of the text. */
const endsWord = (c: number): boolean =>
  Number.isNaN(c) || isBlank(c, true) || c === 0x3b || c === 0x26 || c === 0x7c || c === 0x29
