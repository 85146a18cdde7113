/** One character as it is shown, and how many columns that takes. */
export interface Glyph {
  readonly shown: string
  readonly columns: number
  /** UTF-16 offset of the character in its text. */
  readonly at: number
}

/**
 * Matches characters that are invisible or look like others: control, format and unassigned characters, all blanks
 * but the space, combining marks, blanks that count as letters, full-width forms of ASCII, halves of flags.
 */
const DECEPTIVE = /^(?! )[\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0\uff01-\uff5e\u{1f1e6}-\u{1f1ff}]$/u
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]$/u
const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\u001b', '\\e'],
  ['\0', '\\0'],
])

/** The text as characters a terminal shows exactly as they are, nothing hidden and nothing obeyed. */
export function glyphs(text: string): readonly Glyph[] {
  let at = 0
  return [...text].map((character) => {
    const shown = DECEPTIVE.test(character) ? escaped(character) : character
    const columns = shown === character ? (WIDE.test(character) ? 2 : 1) : shown.length
    const glyph = { shown, columns, at }
    at += character.length
    return glyph
  })
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return SHORT.get(character) ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`)
}

export const visible = (text: string): string =>
  glyphs(text)
    .map(({ shown }) => shown)
    .join('')

/** Several lines stay several lines; everything else that would move the cursor is shown. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** At most `columns` columns, the end given up for an ellipsis. */
export function cut(text: string, columns: number): string {
  const all = glyphs(text)
  if (widthOf(all) <= columns) return all.map(({ shown }) => shown).join('')
  let used = 0
  const kept = all.filter((glyph) => {
    used += glyph.columns
    return used < columns
  })
  return `${kept.map(({ shown }) => shown).join('')}…`
}

export const widthOf = (line: readonly Glyph[]): number => line.reduce((sum, { columns }) => sum + columns, 0)

/** Filled up with spaces to a width in columns. */
export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(glyphs(text))))
