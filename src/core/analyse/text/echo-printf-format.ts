import { addEscape, ByteText } from '../../shell/ansi-c.js'

const RULES = { zeroOctal: true, ends: true } as const

/**
 * Resolves the escapes of `echo -e`; with `bareOctal`, `\101` counts like `\0101`. `ended`: a `\c` ended the output.
 */
export function formatEcho(text: string, bareOctal = false): { readonly text: string; readonly ended: boolean } {
  if (!text.includes('\\')) return { text, ended: false }
  const out = new ByteText()
  for (let i = 0; i < text.length; ) {
    if (text[i] === '\\' && !bareOctal && /[1-7]/.test(text[i + 1] ?? '')) out.text(text[i++] as string)
    else if (text[i] === '\\') {
      const next = addEscape(out, text, i + 1, RULES)
      if (next < 0) return { text: out.toString(), ended: true }
      i = next
    } else out.text(text[i++] as string)
  }
  return { text: out.toString(), ended: false }
}

const PIECE = /%(?:%|([-+ #0]*)(\*|\d+)?(\.(?:\*|\d+)?)?(?:hh|h|ll|l|j|z|t|L)?([a-zA-Z]|\([^)]*\)T))|\\|[^%\\]+|%/gy

/** Returns the output of `printf`, or null for a conversion that is not followed. */
export function formatPrintf(format: string, args: readonly string[]): string | null {
  const out = new ByteText()
  let next = 0
  const take = (): string | undefined => args[next++]
  for (let round = 0; round === 0 || next < args.length; round++) {
    const before = next
    const ended = addRound(out, format, take)
    if (ended === null) return null
    if (ended || next === before) break
  }
  return out.toString()
}

/** Applies the format once. Returns true if output ended early, null if it cannot be followed. */
function addRound(out: ByteText, format: string, take: () => string | undefined): boolean | null {
  const pieces = new RegExp(PIECE)
  for (let at = 0; at < format.length; at = pieces.lastIndex) {
    const match = pieces.exec(format)
    if (!match) return null
    const [piece, flags = '', width, dotted, conversion] = match
    const precision = dotted?.slice(1)
    if (piece === '\\') {
      if (format[at + 1] === 'c') return null
      // `%%` is a literal; the text after it is parsed as usual.
      if (format[at + 1] === '%') {
        out.text(piece)
        continue
      }
      const end = addEscape(out, format, at + 1, { zeroOctal: false, ends: false })
      if (end < 0) return true
      pieces.lastIndex = end
    } else if (piece === '%') return null
    else if (piece === '%%') out.text('%')
    else if (conversion === undefined) out.text(piece)
    else {
      const fixedWidth = width === '*' ? take() : width
      const fixedPrecision = precision === '*' ? take() : precision === '' ? '0' : precision
      const text = converted(conversion, take(), fixedPrecision)
      const columns = Number(fixedWidth ?? 0)
      if (text === null || !isPadded(text.text, conversion, flags, columns, fixedPrecision)) return null
      out.text(padded(text.text, flags, columns))
      if (text.ended) return true
    }
  }
  return false
}

/** Tells whether padding works the same here as in bash. Signs, prefixes and bytes count differently. */
function isPadded(text: string, conversion: string, flags: string, width: number, precision?: string): boolean {
  if (/[+ #]/.test(flags) || !(width >= 0 && width <= 4_096)) return false
  if (/[^\0-\x7f]/.test(text) && (width > 0 || precision !== undefined || conversion === 'c')) return false
  return !(flags.includes('0') && (text.startsWith('-') || /[sbcq]/.test(conversion)))
}

function converted(
  conversion: string,
  arg: string | undefined,
  precision: string | undefined,
): { readonly text: string; readonly ended: boolean } | null {
  const plain = (text: string): { text: string; ended: boolean } => ({
    text: precision === undefined ? text : text.slice(0, Number(precision)),
    ended: false,
  })
  switch (conversion) {
    case 's':
      return plain(arg ?? '')
    case 'b':
      return precision === undefined ? formatEcho(arg ?? '', true) : null
    case 'c':
      return { text: (arg ?? '').slice(0, 1), ended: false }
    case 'q':
    case 'Q':
      if ((arg ?? '').length > 16_384 || /[^\x20-\x7e]/.test(arg ?? '')) return null
      return { text: quoted(conversion === 'Q' ? plain(arg ?? '').text : (arg ?? '')), ended: false }
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return number(conversion, arg ?? '0', precision)
    default:
      // A time format without conversions prints its own text.
      return conversion.endsWith('T') && !conversion.includes('%') ? plain(conversion.slice(1, -2)) : null
  }
}

const quoted = (text: string): string => (text === '' ? "''" : text.replace(/[^\w@%+=:,./-]/g, '\\$&'))

function number(
  conversion: string,
  arg: string,
  precision: string | undefined,
): { readonly text: string; readonly ended: boolean } | null {
  const character = /^["'](.)/su.exec(arg)
  const text = character ? String(character[1]?.codePointAt(0) ?? 0) : arg.trim() === '' ? '0' : arg.trim()
  if (!/^-?(?:0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)$/.test(text) || (text.startsWith('-') && !/[di]/.test(conversion)))
    return null
  const octal = /^-?0\d+$/.test(text) ? Number.parseInt(text, 8) : Number(text)
  if (!Number.isSafeInteger(octal)) return null
  const digits = conversion === 'o' ? octal.toString(8) : /x/i.test(conversion) ? octal.toString(16) : String(octal)
  const cased = conversion === 'X' ? digits.toUpperCase() : digits
  return { text: precision === undefined ? cased : cased.padStart(Number(precision), '0'), ended: false }
}

function padded(text: string, flags: string, width: number): string {
  if (width <= text.length) return text
  if (flags.includes('-')) return text.padEnd(width)
  return text.padStart(width, flags.includes('0') ? '0' : ' ')
}
