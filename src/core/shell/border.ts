import type { Span } from '../model/span.js'
import type { Problem } from './tree.js'

/** What is collected while one parsed text is turned into our tree. */
export interface Border {
  /** The text that positions of the parser's nodes index. */
  readonly text: string
  /** Set inside a text of its own (escaped backticks): everything there is said to stand at this span. */
  readonly fixed: Span | null
  readonly problems: Problem[]
  /** Pairs `pos, end` of the text accounted for in the script being converted. */
  claims: number[]
  depth: number
}

export const span = (border: Border, pos: number, end: number): Span => border.fixed ?? [pos, end]

export function problem(border: Border, reason: string, pos: number, end: number): void {
  border.problems.push({ reason, span: span(border, pos, end) })
}

export function claim(border: Border, pos: number, end: number): void {
  border.claims.push(pos, end)
}

/** Operators, reserved words, comments, and what stands between the words of `[[ … ]]`. No text fits in two ways: it would be tried in all of them. */
const GAP =
  /^(?:[ \t\n;&|(){}!<>=~]|\\\n|(?<![^\s;&|(){}])(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc|time)(?![^\s;&|(){}])|\[\[|\]\]|--|-[a-zA-Z]{1,2}|#[^\n]*(?=\n|$))*$/

/** Everything between the pieces the tree accounts for must be blanks, operators, reserved words and comments: else something is hidden. */
export function checkGaps(border: Border, from: number, to: number): void {
  const { text } = border
  const claims = inOrder(border.claims)
  let at = from
  for (let i = 0; i < claims.length; i += 2) {
    const pos = claims[i] as number
    if (pos > at) checkGap(border, text, at, pos)
    at = Math.max(at, claims[i + 1] as number)
  }
  if (to > at) checkGap(border, text, at, to)
}

/** Here-documents are claimed before what stands behind them on their line. */
function inOrder(claims: readonly number[]): readonly number[] {
  let ordered = true
  for (let i = 2; i < claims.length; i += 2) ordered &&= (claims[i] as number) >= (claims[i - 2] as number)
  if (ordered) return claims
  const pairs: [number, number][] = []
  for (let i = 0; i < claims.length; i += 2) pairs.push([claims[i] as number, claims[i + 1] as number])
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat()
}

function checkGap(border: Border, text: string, from: number, to: number): void {
  if (to - from === 1 && text.charCodeAt(from) === 0x20) return
  const gap = text.slice(from, to)
  if (!GAP.test(gap)) problem(border, 'a part of the script is not accounted for', from, to)
}
