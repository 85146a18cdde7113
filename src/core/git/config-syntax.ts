/** A line of a git configuration. */
export interface Setting {
  /** `section.subsection.name` in lower case, except the subsection. */
  readonly key: string
  /** Null for a name without `=`, which means true. */
  readonly value: string | null
  /** The start and end of the line in the text, without the section header. */
  readonly from: number
  readonly to: number
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }

/** Thrown for a text that git refuses. */
class InvalidConfig extends Error {}

/** Reads a text of one character per byte, as git's config.c does. */
class Lexer {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
    // A UTF-8 byte order mark, read byte by byte.
    if (text.startsWith('\u00ef\u00bb\u00bf')) this.at = 3
  }

  peek(): string {
    if (this.#text[this.at] === '\r' && this.#text[this.at + 1] === '\n') return '\n'
    return this.#text[this.at] ?? ''
  }

  next(): string {
    const found = this.peek()
    this.at += found === '\n' && this.#text[this.at] === '\r' ? 2 : found.length
    return found
  }

  skipLine(): void {
    while (this.peek() !== '' && this.peek() !== '\n') this.next()
  }

  skip(characters: string): void {
    while (this.peek() !== '' && characters.includes(this.peek())) this.next()
  }
}

const isSpace = (c: string): boolean => c !== '' && ' \t\n\r'.includes(c)

/** Returns the section of a header with a dot after it. */
function header(lexer: Lexer): string {
  let name = ''
  for (let c = lexer.next(); c !== ']'; c = lexer.next()) {
    if (c !== '' && ' \t\r'.includes(c)) return `${name}.${subsection(lexer)}.`
    if (!/^[A-Za-z0-9.-]$/.test(c)) throw new InvalidConfig()
    name += c.toLowerCase()
  }
  return `${name}.`
}

function subsection(lexer: Lexer): string {
  lexer.skip(' \t\r')
  if (lexer.next() !== '"') throw new InvalidConfig()
  let name = ''
  for (let c = lexer.next(); c !== '"'; c = lexer.next()) {
    const plain = c === '\\' ? lexer.next() : c
    if (plain === '\n' || plain === '') throw new InvalidConfig()
    name += plain
  }
  if (lexer.next() !== ']') throw new InvalidConfig()
  return name
}

function readValue(lexer: Lexer): string {
  let value = ''
  let kept = 0
  let isQuoted = false
  for (let c = lexer.next(); c !== '\n' && c !== ''; c = lexer.next()) {
    if (!isQuoted && isSpace(c)) {
      if (value !== '') value += c
      continue
    }
    if (!isQuoted && (c === ';' || c === '#')) {
      lexer.skipLine()
      continue
    }
    if (c === '"') {
      isQuoted = !isQuoted
    } else if (c === '\\') {
      const escaped = lexer.next()
      if (escaped === '\n') continue
      const meant = ESCAPES[escaped]
      if (meant === undefined) throw new InvalidConfig()
      value += meant
    } else value += c
    kept = value.length
  }
  if (isQuoted) throw new InvalidConfig()
  return value.slice(0, kept)
}

function setting(lexer: Lexer, section: string): Setting {
  const from = lexer.at
  let name = ''
  while (/^[A-Za-z0-9-]$/.test(lexer.peek())) name += lexer.next().toLowerCase()
  lexer.skip(' \t')
  const key = `${section}${name}`
  const c = lexer.next()
  if (c === '\n' || c === '') return { key, value: null, from, to: lexer.at }
  if (c !== '=') throw new InvalidConfig()
  return { key, value: readValue(lexer), from, to: lexer.at }
}

/** Parses a configuration as git does. Returns null for a text that git refuses. */
export function parseConfig(text: string): readonly Setting[] | null {
  const lexer = new Lexer(text)
  const settings: Setting[] = []
  let section = ''
  try {
    if (text.includes('\0')) throw new InvalidConfig()
    for (let c = lexer.peek(); c !== ''; c = lexer.peek()) {
      if (isSpace(c)) lexer.next()
      else if (c === '#' || c === ';') lexer.skipLine()
      else if (c === '[') {
        lexer.next()
        section = header(lexer)
      } else if (/[A-Za-z]/.test(c)) settings.push(setting(lexer, section))
      else throw new InvalidConfig()
    }
    return settings
  } catch (error) {
    if (error instanceof InvalidConfig) return null
    throw error
  }
}

const quoted = (value: string): string =>
  `"${value.replace(/[\\"\n\t\b]/g, (c) => `\\${c === '\n' ? 'n' : c === '\t' ? 't' : c === '\b' ? 'b' : c}`)}"`

/** Formats a setting with its own section header. */
export function formatSetting(key: string, value: string | null): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const name = key.slice(last + 1)
  const section = key.slice(0, first)
  const header = first === last ? `[${section}]` : `[${section} ${quoted(key.slice(first + 1, last))}]`
  return `${header}\n\t${value === null ? name : `${name} = ${quoted(value)}`}\n`
}
