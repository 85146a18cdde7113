/** What may be made of a text outside quotes: nothing, names of files, or more: several words, a home directory. */
export type TextKind = 'plain' | 'pattern' | 'more'

const TILDE = 1
const GLOB = 2
/** What makes a pattern of a parenthesis behind it. */
const BEFORE_LIST = 4
const BRACE = 8
const BACKSLASH = 16
const COMMA = 32
const DOT = 64
const OPENING = 0x28

const MARKS: Uint8Array = (() => {
  const marks = new Uint8Array(128)
  const mark = (characters: string, bit: number): void => {
    for (const c of characters) marks[c.charCodeAt(0)] = bit
  }
  mark('~', TILDE)
  mark('*?[', GLOB)
  mark('@!+', BEFORE_LIST)
  mark('{', BRACE)
  mark('\\', BACKSLASH)
  mark(',', COMMA)
  mark('.', DOT)
  return marks
})()

/** Told in one look at each character: every word of every command is asked this. */
export function kindOfText(text: string): TextKind {
  let found = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const mark = c < 128 ? (MARKS[c] as number) : 0
    if (mark === 0) continue
    if (mark !== BEFORE_LIST) found |= mark
    else if (i + 1 < text.length && text.charCodeAt(i + 1) === OPENING) found |= GLOB
  }
  if ((found & (TILDE | GLOB | BRACE)) === 0) return 'plain'
  if ((found & (TILDE | GLOB)) === 0 && !(found & COMMA) && !(found & DOT && text.includes('..'))) return 'plain'
  return (found & (TILDE | BRACE | BACKSLASH)) === 0 ? 'pattern' : 'more'
}
