import stripAnsi from 'strip-ansi'
import { dropControlStrings } from './control-strings.js'
import { looksImportant } from './filters/law.js'

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
/** Matches leftovers of the first two steps: a cut-off sequence, a string terminator, a lone escape. */
const REMAINS = /\x1b(?:\[[0-?]*[ -/]*|\\)?|\x9b[0-?]*[ -/]*/g
const DROPPED = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * Text as a terminal would leave it: no escape sequences, control strings or control characters but tab and newline;
 * progress rewritten on one line shows its last state. Linear in the text. Text without control characters is
 * returned as it is.
 */
export function clean(text: string): string {
  if (!CONTROL.test(text)) return text
  const plain = stripAnsi(dropControlStrings(text)).replace(REMAINS, '')
  return settleLines(plain).replace(DROPPED, '')
}

/** Replays carriage returns and backspaces, line by line, touching only lines that have some. */
function settleLines(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let hit = nextMotion(text, 0); hit !== -1; hit = nextMotion(text, at)) {
    const start = text.lastIndexOf('\n', hit) + 1
    const newline = text.indexOf('\n', hit)
    const end = newline === -1 ? text.length : newline
    parts.push(text.slice(at, start), settle(text.slice(start, end)))
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}

const MOTION = /[\r\b]/

function nextMotion(text: string, from: number): number {
  const at = text.slice(from).search(MOTION)
  return at < 0 ? -1 : from + at
}

/** The last state of a rewritten line. A state that looks like a failure is kept on a line of its own. */
function settle(line: string): string {
  const states = line.split('\r').map(overstrike)
  const last = states.findLast((state) => state.trim() !== '') ?? states.at(-1) ?? ''
  const failures = states.filter((state) => state !== last && looksImportant(state))
  return [...new Set(failures), last].join('\n')
}

function overstrike(line: string): string {
  if (!line.includes('\b')) return line
  const cells: string[] = []
  let cursor = 0
  for (const char of line) {
    if (char === '\b') cursor = Math.max(0, cursor - 1)
    else {
      cells[cursor] = char
      cursor += 1
    }
  }
  return cells.join('')
}
