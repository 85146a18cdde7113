/**
 * Filters a command's output on its way to a terminal. Text, colours, carriage returns and erasing the current line
 * pass. Every other control sequence is dropped: it could overwrite earlier lines, write to the clipboard, or type in
 * the user's name. Sequences may be split over chunks, so one filter serves one stream.
 */
export interface TerminalFilter {
  push(chunk: string): string
  /** True after a colour was switched on. */
  readonly coloured: boolean
}

type State = 'text' | 'escape' | 'control' | 'string' | 'string-escape'

/** Longer than any honest colour sequence. */
const MAX_SEQUENCE = 64
const COLOUR = /^\u001b\[[\d;:]*m$/
const ERASE_IN_LINE = /^\u001b\[[012]?K$/

export function createTerminalFilter(): TerminalFilter {
  let state: State = 'text'
  let sequence = ''
  let coloured = false

  const step = (character: string): string => {
    if (state === 'text') return text(character)
    if (state === 'string') {
      if (character === '\u0007' || character === '\u009c') state = 'text'
      else if (character === '\u001b') state = 'string-escape'
      return ''
    }
    if (state === 'string-escape') {
      state = character === '\\' ? 'text' : 'string'
      return ''
    }
    return state === 'escape' ? afterEscape(character) : inControl(character)
  }

  const text = (character: string): string => {
    if (character === '\u001b') state = 'escape'
    else if (character === '\u009b') begin('control', '\u001b[')
    else if (/[\u0090\u0098\u009d-\u009f]/.test(character)) state = 'string'
    else if (character === '\n' || character === '\r' || character === '\t') return character
    else if (/[\u0000-\u001f\u007f-\u009f]/.test(character)) return ''
    else return character
    return ''
  }

  const begin = (next: State, opening: string): void => {
    state = next
    sequence = opening
  }

  const afterEscape = (character: string): string => {
    if (character === '[') begin('control', '\u001b[')
    else if (/[PX\]^_]/.test(character)) state = 'string'
    else if (character !== '\u001b' && !/[ -/]/.test(character)) state = 'text'
    return ''
  }

  const inControl = (character: string): string => {
    sequence += character
    if (character === '\u001b') {
      state = 'escape'
      return ''
    }
    if (/[ -?]/.test(character) && sequence.length < MAX_SEQUENCE) return ''
    state = 'text'
    if (ERASE_IN_LINE.test(sequence)) return sequence
    if (!COLOUR.test(sequence)) return ''
    coloured = true
    return sequence
  }

  return {
    push(chunk) {
      // Nearly all output has no control character but line ends; nothing is looked at twice then.
      if (state === 'text' && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(chunk)) return chunk
      let out = ''
      for (const character of chunk) out += step(character)
      return out
    },
    get coloured() {
      return coloured
    },
  }
}
