import type { Span } from '../model/span.js'
import type { Problem } from './tree.js'

/** What is collected while one parsed text is turned into our tree. */
export interface Border {
  /** The text that positions of the parser's nodes index. */
  readonly text: string
  /** Set inside a text of its own (escaped backticks): everything there is said to stand at this span. */
  readonly fixed: Span | null
  readonly problems: Problem[]
  /** The spans of the text that the tree accounts for. */
  readonly claims: Span[]
  depth: number
}

export const span = (border: Border, pos: number, end: number): Span => border.fixed ?? [pos, end]

export function problem(border: Border, reason: string, pos: number, end: number): void {
  border.problems.push({ reason, span: span(border, pos, end) })
}

export function claim(border: Border, pos: number, end: number): void {
  border.claims.push([pos, end])
}

/** Operators, reserved words, comments, and what stands between the words of `[[ … ]]`. No text fits in two ways: it would be tried in all of them. */
const GAP =
  /^(?:[ \t\n;&|(){}!<>=~]|\\\n|(?<![^\s;&|(){}])(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc|time)(?![^\s;&|(){}])|\[\[|\]\]|--|-[a-zA-Z]{1,2}|#[^\n]*(?=\n|$))*$/

/** Everything between the pieces the tree accounts for must be blanks, operators, reserved words and comments: else something is hidden. */
export function checkGaps(border: Border, from: number, to: number): void {
  // A here-document is claimed before the words behind it on its line.
  const claims = border.claims.sort((a, b) => a[0] - b[0])
  let at = from
  for (const [pos, end] of claims) {
    checkGap(border, at, pos)
    at = Math.max(at, end)
  }
  checkGap(border, at, to)
}

function checkGap(border: Border, from: number, to: number): void {
  if (from < to && !GAP.test(border.text.slice(from, to)))
    problem(border, 'a part of the script is not accounted for', from, to)
}
