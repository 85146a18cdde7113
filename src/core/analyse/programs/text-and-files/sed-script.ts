import { known, without } from '../grammar/arguments.js'
import type { Arg, Effect } from '../grammar/roles.js'

const NO_ARGUMENT = 'dDgGhHxnNpPzF='
const TO_LINE_END = 'rRwWeaic'

/** Parses a sed script in one pass. `at` only moves forward. Anything unknown ends the parse with `doubt`. */
class SedParser {
  readonly effects: Effect[] = []
  /** Text that the script inserts, with the pattern it replaces, if any. */
  readonly texts: { readonly text: string; readonly pattern?: string }[] = []
  isUnclear = false
  isAmbiguous = false
  #at = 0
  readonly script: Arg
  readonly text: string

  constructor(script: Arg) {
    this.script = script
    this.text = script.text ?? script.prefix
  }

  parse(): void {
    while (!this.isUnclear && this.#skip(/[\s;}]/y)) this.#command()
  }

  /** Skips matching text. Returns false at the end of the script. */
  #skip(pattern: RegExp): boolean {
    while (this.#at < this.text.length && this.#match(pattern) !== '');
    return this.#at < this.text.length
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #command(): void {
    this.#addresses()
    this.#skip(/[\s!]/y)
    const letter = this.text[this.#at++]
    if (letter === undefined || letter === '{' || letter === '}') return
    if (letter === '#' || letter === ':' || letter === 'v') this.#match(/[^\n]*/y)
    else if (NO_ARGUMENT.includes(letter)) return
    else if ('btT'.includes(letter)) this.#match(/[^;\n}]*/y)
    else if ('qQlL'.includes(letter)) this.#match(/\s*\d*/y)
    else if (letter === 's') this.#substitute()
    else if (letter === 'y') this.#insert(this.#delimited(2))
    else if (TO_LINE_END.includes(letter)) this.#lineArgument(letter)
    else this.isUnclear = true
  }

  #addresses(): void {
    for (let i = 0; i < 2; i++) {
      this.#skip(/\s/y)
      const c = this.text[this.#at]
      if (c === '/') this.#delimited(1)
      else if (c === '\\') {
        this.#at++
        this.#delimited(1)
      } else this.#match(/[+~]?\d+(?:~\d+)?|\$/y)
      this.#match(/[IM]*/y)
      this.#skip(/\s/y)
      if (this.text[this.#at] !== ',') return
      this.#at++
    }
  }

  /** Skips `count` parts. The first character is the delimiter. */
  #delimited(count: number): readonly string[] {
    const parts: string[] = []
    const end = this.text[this.#at++]
    if (end === undefined || end === '\n' || end === '\\') this.isUnclear = true
    for (let part = 0; part < count && !this.isUnclear; part++) {
      const from = this.#at
      let bracket = false
      for (; this.#at < this.text.length; this.#at++) {
        const c = this.text[this.#at]
        if (c === '\\') this.#at++
        else if (c === '[' && !bracket && part === 0) {
          bracket = true
          this.#match(/\[\^?\]?/y)
          this.#at--
        } else if (c === ']') bracket = false
        if (c !== end) continue
        if (!bracket) break
        // Versions of sed differ on a delimiter inside brackets.
        this.isAmbiguous = true
      }
      if (this.#at >= this.text.length) this.isUnclear = true
      parts.push(this.text.slice(from, this.#at))
      this.#at++
    }
    return parts
  }

  #insert([pattern, text]: readonly string[]): void {
    if (text !== undefined) this.texts.push(pattern === undefined ? { text } : { text, pattern })
  }

  #substitute(): void {
    this.#insert(this.#delimited(2))
    const flags = this.#match(/[gpiIemM0-9]*/y)
    if (flags.includes('e')) this.#addUnknown('the e flag of s runs the result of the substitution')
    if (this.text[this.#at] !== 'w') return
    this.#at++
    this.#lineArgument('w')
  }

  #lineArgument(letter: string): void {
    if ('aic'.includes(letter)) {
      this.texts.push({ text: this.#match(/(?:[^\\\n]|\\[\s\S])*/y).replace(/^\s*\\?\s*/, '') })
      return
    }
    this.#match(/[ \t]*/y)
    const from = this.#at
    this.#match(/[^\n]*/y)
    const open = this.script.text === null && this.#at >= this.text.length
    const word = open ? without(this.script, from) : known(this.text.slice(from, this.#at), this.script.span)
    if (letter === 'e' && word.prefix === '' && !open) this.#addUnknown('the e command runs the pattern space')
    else if (letter === 'e') this.effects.push({ does: 'shell', text: word, via: 'sed e' })
    else this.effects.push({ does: letter === 'r' || letter === 'R' ? 'read' : 'write', path: word, recursive: false })
  }

  #addUnknown(reason: string): void {
    this.effects.push({ does: 'unknown', reason, at: this.script.span })
  }
}

/** Returns what a sed script runs, reads and writes. An unknown script is foreign code. */
export function sedEffects(script: Arg): readonly Effect[] {
  const parser = new SedParser(script)
  parser.parse()
  if (script.text !== null && !parser.isUnclear && !parser.isAmbiguous) return parser.effects
  return [...parser.effects, { does: 'foreign', reason: 'a sed script that cannot be parsed', at: script.span }]
}

/** Returns the text that a sed script inserts into its output; the whole script if it is unknown. */
export function sedTexts(script: Arg): SedParser['texts'] {
  const parser = new SedParser(script)
  parser.parse()
  return parser.isUnclear || script.text === null ? [...parser.texts, { text: parser.text }] : parser.texts
}
