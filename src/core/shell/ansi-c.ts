const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
}

/** Collects characters and raw bytes; bytes become UTF-8 text where they form it, and U+FFFD where not. */
export class ByteText {
  #text = ''
  #bytes: number[] = []

  byte(value: number): void {
    this.#bytes.push(value & 0xff)
  }

  text(value: string): void {
    this.#flush()
    this.#text += value
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    this.#text += new TextDecoder().decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
  }

  toString(): string {
    this.#flush()
    return this.#text
  }
}

const take = (text: string, at: number, pattern: RegExp): string => pattern.exec(text.slice(at))?.[0] ?? ''

const OCTAL = /^[0-7]{1,3}/
const HEX = /^[0-9a-fA-F]{1,2}/
const HEX4 = /^[0-9a-fA-F]{1,4}/
const HEX8 = /^[0-9a-fA-F]{1,8}/
const BRACED = /^\{[0-9a-fA-F]*\}?/

/** The escapes of `$'…'`, or those of `echo -e` and `printf %b`, where octal is `\0nnn` and `\c` ends the output. */
export interface EscapeRules {
  readonly zeroOctal: boolean
  readonly ends: boolean
}

/** Adds the escape at `at`, after its backslash. Returns the next index, or -1 at `\c` with `ends`. */
export function addEscape(out: ByteText, text: string, at: number, rules: EscapeRules): number {
  const c = text[at]
  if (c === undefined) {
    out.text('\\')
    return at
  }
  const simple = SIMPLE[c]
  if (simple !== undefined && Object.hasOwn(SIMPLE, c) && !(rules.zeroOctal && /['"?]/.test(c))) {
    out.byte(simple)
    return at + 1
  }
  if (c >= '0' && c <= '7') {
    const from = rules.zeroOctal && c === '0' ? at + 1 : at
    const digits = take(text, from, OCTAL)
    out.byte(Number.parseInt(digits === '' ? '0' : digits, 8))
    return from + digits.length
  }
  if (c === 'x') {
    const braced = rules.zeroOctal ? '' : take(text, at + 1, BRACED)
    const digits = braced === '' ? take(text, at + 1, HEX) : braced.replace(/[{}]/g, '')
    if (digits === '' && braced === '') out.text('\\x')
    else out.byte(Number.parseInt(digits === '' ? '0' : digits, 16))
    return at + 1 + (braced === '' ? digits.length : braced.length)
  }
  if (c === 'u' || c === 'U') {
    const digits = take(text, at + 1, c === 'u' ? HEX4 : HEX8)
    const point = Number.parseInt(digits, 16)
    if (digits === '') out.text(`\\${c}`)
    else out.text(point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD')
    return at + 1 + digits.length
  }
  if (c === 'c') {
    if (rules.ends) return -1
    const next = text[at + 1]
    if (next !== undefined) out.byte(next === '?' ? 127 : next.toUpperCase().charCodeAt(0) & 31)
    return at + 2
  }
  out.text(`\\${c}`)
  return at + 1
}

/** Decodes the text between `$'` and `'`. A NUL ends it, as in bash. */
export function decodeAnsiC(body: string): string {
  if (!body.includes('\\')) return body
  const out = new ByteText()
  for (let i = 0; i < body.length; ) {
    if (body[i] === '\\') i = addEscape(out, body, i + 1, { zeroOctal: false, ends: false })
    else out.text(body[i++] as string)
  }
  const value = out.toString()
  const nul = value.indexOf('\0')
  return nul < 0 ? value : value.slice(0, nul)
}
