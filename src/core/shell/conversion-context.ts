import type { Span } from '../model/basics/span.js'
import type { ParseError } from './tree.js'

/** Collects the problems and covered spans while a parsed text is converted. */
export interface ConversionContext {
  /** The text that the parser's positions refer to. */
  readonly text: string
  /** The span of all nodes inside escaped backticks, whose text is separate. */
  readonly fixed: Span | null
  readonly parseErrors: ParseError[]
  /** The spans that the tree covers. */
  readonly covered: Span[]
  depth: number
}

export const span = (context: ConversionContext, pos: number, end: number): Span => context.fixed ?? [pos, end]

export function addParseError(context: ConversionContext, reason: string, pos: number, end: number): void {
  context.parseErrors.push({ reason, span: span(context, pos, end) })
}

export function cover(context: ConversionContext, pos: number, end: number): void {
  context.covered.push([pos, end])
}

/** Operators, reserved words and comments. Disjoint alternatives keep the match linear. */
const GAP =
  /^(?:[ \t\n;&|(){}!<>=~]|\\\n|(?<![^\s;&|(){}])(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc|time)(?![^\s;&|(){}])|\[\[|\]\]|--|-[a-zA-Z]{1,2}|#[^\n]*(?=\n|$))*$/

/** Reports text between the covered spans other than blanks, operators, reserved words and comments. */
export function checkGaps(context: ConversionContext, from: number, to: number): void {
  // A here-document is covered before the later words on its line.
  const claims = context.covered.sort((a, b) => a[0] - b[0])
  let at = from
  for (const [pos, end] of claims) {
    checkGap(context, at, pos)
    at = Math.max(at, end)
  }
  checkGap(context, at, to)
}

function checkGap(context: ConversionContext, from: number, to: number): void {
  if (from < to && !GAP.test(context.text.slice(from, to)))
    addParseError(context, 'the parser skipped a part of the script', from, to)
}
