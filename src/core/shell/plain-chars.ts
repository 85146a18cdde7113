const PLAIN = 1
const BLANK = 2
const NEWLINE = 4

const CLASSES: Uint8Array = (() => {
  const classes = new Uint8Array(128)
  for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+^-*?~[]{}!')
    classes[c.charCodeAt(0)] = PLAIN
  classes[0x20] = BLANK
  classes[0x09] = BLANK
  classes[0x0a] = NEWLINE
  return classes
})()

/** What stands behind the last character: a number that is none. */
export const END = 0x1_0000

/** The character at a place of a text. Asked past its end, `charCodeAt` is slow from then on. */
export const codeAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : END)

/** Does the character stand for itself, or for file names, wherever it is in a word? */
export const isPlainChar = (c: number): boolean => c < 128 && CLASSES[c] === PLAIN

/** A space or a tab; a newline too where that separates nothing. */
export const isBlank = (c: number, newlines: boolean): boolean =>
  c < 128 && (CLASSES[c] === BLANK || (newlines && CLASSES[c] === NEWLINE))

/** A letter or an underscore, and behind the first of them a digit too. */
export const isNameChar = (c: number, digits: boolean): boolean =>
  (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || c === 0x5f || (digits && c >= 0x30 && c <= 0x39)
