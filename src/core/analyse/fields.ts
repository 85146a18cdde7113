import type { Span } from '../model/span.js'
import { notKnown } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import { aroundOf, bothOf, type Hole, unknown, type Value } from './value.js'

/** What makes an unquoted text a pattern for file names, quoted characters being escaped. */
const GLOB = /[*?]|\[[^/]+\]|[@!+]\(/
const unescaped = (pattern: string): string => pattern.replace(/\\[\s\S]/g, '')
const quoteGlob = (text: string): string => text.replace(/[*?[\]\\@!+()]/g, '\\$&')

/** A pattern for file names. */
const patternArg = (text: string, span: Span): Arg =>
  notKnown(
    text.slice(0, text.search(/[*?[]|[@!+]\(/)),
    { unknown: 'a pattern for file names', glob: text },
    'files',
    true,
    span,
  )

/** A whole word of text outside quotes, with nothing in it but that to be expanded. */
export const unquotedArg = (text: string, span: Span): Arg =>
  GLOB.test(text) ? patternArg(text, span) : { text, head: text, several: false, span }

/** An argument with something in it that is not known. `head` is what is known to come first, `around` what stands about it. */
export function unknownArg(hole: Hole, head: string, around: string, several: boolean, span: Span): Arg {
  const { unknown, source, glob, place, options } = hole
  const what = glob === undefined ? { unknown } : { unknown, glob }
  return notKnown(head, what, source, several, span, { around, place, options })
}

/** A whole argument that is not split. */
export const wholeArg = (value: Value, several: boolean, span: Span): Arg =>
  typeof value === 'string'
    ? { text: value, head: value, several: false, span }
    : unknownArg(value, value.head, aroundOf(value), several, span)

/** Puts pieces of expanded words together into arguments, splitting where bash splits. */
export class Fields {
  readonly args: Arg[] = []
  readonly #span: Span
  readonly #ifs: Value
  #text: string | null = null
  /** Texts and whether each is quoted, for the few that are used as patterns. */
  #pieces: (readonly [string, boolean])[] = []
  #glob = false
  #hole: Hole | null = null
  #several = false
  /** What stands around what is not known in the argument being built. */
  #around = ''
  /** Characters that were put in. */
  chars = 0

  constructor(span: Span, ifs: Value) {
    this.#span = span
    this.#ifs = ifs
  }

  /** Text that is not split. */
  add(text: string, quoted: boolean): void {
    if (this.#hole) {
      if (text === '') return
      if (this.#hole.place !== undefined || this.#hole.options !== undefined) {
        const { unknown, source, head, place, options } = this.#hole
        this.#hole = {
          unknown,
          source,
          head,
          ...(place === undefined ? {} : { place: place + text }),
          ...(options === undefined ? {} : { options: options.map((option) => option + text) }),
        }
      }
      this.#around += text
      return
    }
    this.#text = (this.#text ?? '') + text
    this.chars += text.length
    if (!quoted && /[*?[@!+]/.test(text)) this.#glob = true
    this.#pieces.push([text, quoted])
  }

  /** Text that is not known. Unquoted, it can be any number of arguments. */
  addHole(hole: Hole, quoted: boolean): void {
    if (this.#hole) {
      this.#several ||= !quoted
      const { options: _, ...rest } = this.#hole
      this.#hole = { ...rest, ...bothOf(this.#hole, hole) }
      this.#around += aroundOf(hole)
      return
    }
    const before = this.#text
    this.#around = (before ?? '') + aroundOf(hole)
    this.add(hole.head, quoted)
    this.#hole = before === null ? hole : behind(before, hole)
    this.#several = !quoted
  }

  /** The result of an unquoted expansion. */
  split(value: Value): void {
    if (typeof value !== 'string') {
      this.addHole(value, false)
      return
    }
    const ifs = this.#ifs
    if (typeof ifs !== 'string') {
      this.addHole(unknown('output', 'split at characters that are not known'), false)
      return
    }
    if (ifs === '') {
      if (value !== '') this.add(value, false)
      return
    }
    this.#splitAt(value, ifs)
  }

  #splitAt(value: string, ifs: string): void {
    const blanks = [...ifs].filter((c) => c === ' ' || c === '\t' || c === '\n').join('')
    let i = 0
    while (i < value.length) {
      let end = i
      while (end < value.length && !ifs.includes(value[end] as string)) end++
      if (end > i) this.add(value.slice(i, end), false)
      if (end === value.length) return
      // One delimiter: blanks around at most one character that is not blank.
      let hard = false
      let next = end
      while (next < value.length && ifs.includes(value[next] as string)) {
        if (!blanks.includes(value[next] as string)) {
          if (hard) break
          hard = true
        }
        next++
      }
      if (hard && this.#text === null) this.#text = ''
      this.end()
      i = next
    }
  }

  /** Ends the argument being built, if there is one. */
  end(): void {
    if (this.#hole) this.args.push(unknownArg(this.#hole, this.#text ?? '', this.#around, this.#several, this.#span))
    else if (this.#text !== null) this.#pushText(this.#text)
    this.#text = null
    this.#pieces = []
    this.#glob = false
    this.#hole = null
    this.#several = false
  }

  #pushText(text: string): void {
    if (!this.#glob || !GLOB.test(unescaped(this.pattern))) {
      this.args.push({ text, head: text, several: false, span: this.#span })
      return
    }
    this.args.push(patternArg(text, this.#span))
  }

  /** The pattern of the argument being built, quoted characters escaped. */
  get pattern(): string {
    return this.#pieces.map(([text, quoted]) => (quoted ? quoteGlob(text) : text)).join('')
  }

  get hole(): Hole | null {
    return this.#hole
  }
}

/** What is not known of an argument that begins with a text. */
function behind(before: string, { unknown, source, place, options }: Hole): Hole {
  if (place === undefined && options === undefined) return { unknown, source, head: '' }
  return {
    unknown,
    source,
    head: '',
    ...(place === undefined ? {} : { place: before + place }),
    ...(options === undefined ? {} : { options: options.map((option) => before + option) }),
  }
}
