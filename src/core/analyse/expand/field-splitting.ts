import type { Span } from '../../model/basics/span.js'
import { notKnown } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { joinOrigins, templateOf, type UnknownValue, unknown, type Value } from '../values/value.js'

/** Characters that make unquoted text a glob. */
const GLOB = /[*?]|\[[^/]+\]|[@!+]\(/
const unescaped = (pattern: string): string => pattern.replace(/\\[\s\S]/g, '')
const quoteGlob = (text: string): string => text.replace(/[*?[\]\\@!+()]/g, '\\$&')

/** Returns an argument for a glob. */
const patternArg = (text: string, span: Span): Arg =>
  notKnown(text.slice(0, text.search(/[*?[]|[@!+]\(/)), { unknown: 'file names from a glob', glob: text }, true, span, {
    origin: 'files',
  })

/** Returns an argument for a whole unquoted word of plain text. */
export const unquotedArg = (text: string, span: Span): Arg =>
  GLOB.test(text) ? patternArg(text, span) : { text, prefix: text, maySplit: false, span }

/** Returns an argument with an unknown part. `prefix` is its known start. */
export function unknownArg(value: UnknownValue, prefix: string, template: string, maySplit: boolean, span: Span): Arg {
  const { unknown, origin, glob, pathName, alternatives } = value
  const what = glob === undefined ? { unknown } : { unknown, glob }
  return notKnown(prefix, what, maySplit, span, { origin, template, pathName, alternatives })
}

/** Returns an argument that does not split. */
export const wholeArg = (value: Value, maySplit: boolean, span: Span): Arg =>
  typeof value === 'string'
    ? { text: value, prefix: value, maySplit: false, span }
    : unknownArg(value, value.prefix, templateOf(value), maySplit, span)

/** Joins pieces of expanded words to arguments, and splits where bash splits. */
export class Fields {
  readonly args: Arg[] = []
  readonly #span: Span
  readonly #ifs: Value
  #text: string | null = null
  /** The texts of the argument and whether each is quoted. Only globs need them. */
  #pieces: (readonly [string, boolean])[] = []
  #glob = false
  #unknown: UnknownValue | null = null
  #maySplit = false
  /** The template of the current argument. */
  #template = ''
  /** The number of characters added. */
  chars = 0

  constructor(span: Span, ifs: Value) {
    this.#span = span
    this.#ifs = ifs
  }

  /** Adds text that does not split. */
  add(text: string, quoted: boolean): void {
    if (this.#unknown) {
      if (text === '') return
      if (this.#unknown.pathName !== undefined || this.#unknown.alternatives !== undefined) {
        const { unknown, origin, prefix, pathName, alternatives } = this.#unknown
        this.#unknown = {
          unknown,
          origin,
          prefix,
          ...(pathName === undefined ? {} : { pathName: pathName + text }),
          ...(alternatives === undefined ? {} : { alternatives: alternatives.map((option) => option + text) }),
        }
      }
      this.#template += text
      return
    }
    this.#text = (this.#text ?? '') + text
    this.chars += text.length
    if (!quoted && /[*?[@!+]/.test(text)) this.#glob = true
    this.#pieces.push([text, quoted])
  }

  /** Adds an unknown value. Unquoted, it can become any number of arguments. */
  addUnknown(value: UnknownValue, quoted: boolean): void {
    if (this.#unknown) {
      this.#maySplit ||= !quoted
      const { alternatives: _, ...rest } = this.#unknown
      this.#unknown = { ...rest, ...joinOrigins(this.#unknown, value) }
      this.#template += templateOf(value)
      return
    }
    const before = this.#text
    this.#template = (before ?? '') + templateOf(value)
    this.add(value.prefix, quoted)
    this.#unknown = before === null ? value : unknownAfter(before, value)
    this.#maySplit = !quoted
  }

  /** Adds the result of an unquoted expansion. */
  split(value: Value): void {
    if (typeof value !== 'string') {
      this.addUnknown(value, false)
      return
    }
    const ifs = this.#ifs
    if (typeof ifs !== 'string') {
      this.addUnknown(unknown('output', 'text split at unknown characters'), false)
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
      // A delimiter is blanks around at most one other character.
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

  end(): void {
    if (this.#unknown)
      this.args.push(unknownArg(this.#unknown, this.#text ?? '', this.#template, this.#maySplit, this.#span))
    else if (this.#text !== null) this.#pushText(this.#text)
    this.#text = null
    this.#pieces = []
    this.#glob = false
    this.#unknown = null
    this.#maySplit = false
  }

  #pushText(text: string): void {
    if (!this.#glob || !GLOB.test(unescaped(this.pattern))) {
      this.args.push({ text, prefix: text, maySplit: false, span: this.#span })
      return
    }
    this.args.push(patternArg(text, this.#span))
  }

  /** Returns the current argument as a glob with quoted characters escaped. */
  get pattern(): string {
    return this.#pieces.map(([text, quoted]) => (quoted ? quoteGlob(text) : text)).join('')
  }

  get unknown(): UnknownValue | null {
    return this.#unknown
  }
}

/** Returns the unknown part of an argument that starts with known text. */
function unknownAfter(before: string, { unknown, origin, pathName, alternatives }: UnknownValue): UnknownValue {
  if (pathName === undefined && alternatives === undefined) return { unknown, origin, prefix: '' }
  return {
    unknown,
    origin,
    prefix: '',
    ...(pathName === undefined ? {} : { pathName: before + pathName }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map((option) => before + option) }),
  }
}
