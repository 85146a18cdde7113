/** One line of a configuration of git. */
export interface Setting {
  /** `section.subsection.name`, in lower case but for the subsection. */
  readonly key: string
  /** Null for a name without `=`, which git takes for true. */
  readonly value: string | null
  /** Where the line begins and ends in the text; the section's header is no part of it. */
  readonly from: number
  readonly to: number
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }

/** A text that git itself refuses. */
class NoConfig extends Error {}

/** Reads a text, one character to a byte, as git's config.c does. */
class Reader {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
    // The mark of UTF-8, which a text read byte by byte begins with.
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

/** The section that a header opens, with the dot behind it. */
function header(reader: Reader): string {
  let name = ''
  for (let c = reader.next(); c !== ']'; c = reader.next()) {
    if (c !== '' && ' \t\r'.includes(c)) return `${name}.${subsection(reader)}.`
    if (!/^[A-Za-z0-9.-]$/.test(c)) throw new NoConfig()
    name += c.toLowerCase()
  }
  return `${name}.`
}

function subsection(reader: Reader): string {
  reader.skip(' \t\r')
  if (reader.next() !== '"') throw new NoConfig()
  let name = ''
  for (let c = reader.next(); c !== '"'; c = reader.next()) {
    const plain = c === '\\' ? reader.next() : c
    if (plain === '\n' || plain === '') throw new NoConfig()
    name += plain
  }
  if (reader.next() !== ']') throw new NoConfig()
  return name
}

function readValue(reader: Reader): string {
  let value = ''
  let kept = 0
  let isQuoted = false
  for (let c = reader.next(); c !== '\n' && c !== ''; c = reader.next()) {
    if (!isQuoted && isSpace(c)) {
      if (value !== '') value += c
      continue
    }
    if (!isQuoted && (c === ';' || c === '#')) {
      reader.skipLine()
      continue
    }
    if (c === '"') {
      isQuoted = !isQuoted
    } else if (c === '\\') {
      const escaped = reader.next()
      if (escaped === '\n') continue
      const meant = ESCAPES[escaped]
      if (meant === undefined) throw new NoConfig()
      value += meant
    } else value += c
    kept = value.length
  }
  if (isQuoted) throw new NoConfig()
  return value.slice(0, kept)
}

function setting(reader: Reader, section: string): Setting {
  const from = reader.at
  let name = ''
  while (/^[A-Za-z0-9-]$/.test(reader.peek())) name += reader.next().toLowerCase()
  reader.skip(' \t')
  const key = `${section}${name}`
  const c = reader.next()
  if (c === '\n' || c === '') return { key, value: null, from, to: reader.at }
  if (c !== '=') throw new NoConfig()
  return { key, value: readValue(reader), from, to: reader.at }
}

/** Reads a configuration as git does. Null for a text that git refuses. */
export function parseConfig(text: string): readonly Setting[] | null {
  const reader = new Reader(text)
  const settings: Setting[] = []
  let section = ''
  try {
    if (text.includes('\0')) throw new NoConfig()
    for (let c = reader.peek(); c !== ''; c = reader.peek()) {
      if (isSpace(c)) reader.next()
      else if (c === '#' || c === ';') reader.skipLine()
      else if (c === '[') {
        reader.next()
        section = header(reader)
      } else if (/[A-Za-z]/.test(c)) settings.push(setting(reader, section))
      else throw new NoConfig()
    }
    return settings
  } catch (error) {
    if (error instanceof NoConfig) return null
    throw error
  }
}

const quoted = (value: string): string =>
  `"${value.replace(/[\\"\n\t\b]/g, (c) => `\\${c === '\n' ? 'n' : c === '\t' ? 't' : c === '\b' ? 'b' : c}`)}"`

/** Writes one setting as a section of its own. */
export function formatSetting(key: string, value: string | null): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const name = key.slice(last + 1)
  const section = key.slice(0, first)
  const header = first === last ? `[${section}]` : `[${section} ${quoted(key.slice(first + 1, last))}]`
  return `${header}\n\t${value === null ? name : `${name} = ${quoted(value)}`}\n`
}
