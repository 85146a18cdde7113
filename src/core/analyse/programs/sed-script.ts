import { known, without } from './arguments.js'
import type { Arg, Effect } from './knowledge.js'

const NO_ARGUMENT = 'dDgGhHxnNpPzF='
const TO_LINE_END = 'rRwWeaic'

/** One pass over a sed script. `at` only moves forward; anything not understood ends the reading with `doubt`. */
class SedReader {
  readonly effects: Effect[] = []
  /** What it puts into the text, and the pattern in whose place where there is one. */
  readonly texts: { readonly text: string; readonly pattern?: string }[] = []
  doubt = false
  ambiguous = false
  #at = 0
  readonly script: Arg
  readonly text: string

  constructor(script: Arg) {
    this.script = script
    this.text = script.text ?? script.head
  }

  read(): void {
    while (!this.doubt && this.#skip(/[\s;}]/y)) this.#command()
  }

  /** Moves over what matches; false at the end of the script. */
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
    else if (letter === 'y') this.#putting(this.#delimited(2))
    else if (TO_LINE_END.includes(letter)) this.#lineArgument(letter)
    else this.doubt = true
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

  /** Moves over `count` parts, each ended by the character the first one starts with. */
  #delimited(count: number): readonly string[] {
    const parts: string[] = []
    const end = this.text[this.#at++]
    if (end === undefined || end === '\n' || end === '\\') this.doubt = true
    for (let part = 0; part < count && !this.doubt; part++) {
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
        // Versions of sed differ on a delimiter in brackets.
        this.ambiguous = true
      }
      if (this.#at >= this.text.length) this.doubt = true
      parts.push(this.text.slice(from, this.#at))
      this.#at++
    }
    return parts
  }

  #putting([pattern, text]: readonly string[]): void {
    if (text !== undefined) this.texts.push(pattern === undefined ? { text } : { text, pattern })
  }

  #substitute(): void {
    this.#putting(this.#delimited(2))
    const flags = this.#match(/[gpiIemM0-9]*/y)
    if (flags.includes('e')) this.#hidden('the e flag of s runs what the substitution made')
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
    if (letter === 'e' && word.head === '' && !open) this.#hidden('the e command runs the pattern space')
    else if (letter === 'e') this.effects.push({ does: 'shell', text: word, via: 'sed e' })
    else this.effects.push({ does: letter === 'r' || letter === 'R' ? 'read' : 'write', path: word, recursive: false })
  }

  #hidden(reason: string): void {
    this.effects.push({ does: 'unknown', reason, at: this.script.span })
  }
}

/** What a sed script runs, reads and writes. A script that is not known, or not understood, is foreign code. */
export function sedEffects(script: Arg): readonly Effect[] {
  const reader = new SedReader(script)
  reader.read()
  if (script.text !== null && !reader.doubt && !reader.ambiguous) return reader.effects
  return [...reader.effects, { does: 'foreign', reason: 'a sed script that cannot be read', at: script.span }]
}

/** The texts that a sed script puts into what it prints; all of it where the script is not understood. */
export function sedTexts(script: Arg): SedReader['texts'] {
  const reader = new SedReader(script)
  reader.read()
  return reader.doubt || script.text === null ? [...reader.texts, { text: reader.text }] : reader.texts
}
