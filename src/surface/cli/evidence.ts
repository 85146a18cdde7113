import type { RuleMatch } from '../../core/model/decision.js'
import { excerpt } from './excerpt.js'
import type { Paint } from './paint.js'
import { visible } from './visible.js'

export interface EvidenceStyle {
  readonly paint: Paint
  readonly columns: number
}

export const labelled = (label: string, value: string, { dim }: Paint): string =>
  `  ${dim(label.padEnd(8))} ${visible(value)}`

/** What one rule has to say: the place it points at, its id, its reason unless that was said already, what to do instead. */
export function evidence(
  match: RuleMatch,
  text: string,
  { paint, columns }: EvidenceStyle,
  withReason = true,
): readonly string[] {
  const mark = { allow: paint.green, ask: paint.yellow, deny: paint.red }[match.verdict]
  return [
    ...excerpt(text, match.span, { columns, dim: paint.dim, mark }),
    labelled('rule', match.rule, paint),
    ...(withReason ? [labelled('reason', match.reason, paint)] : []),
    ...(match.instead ? [labelled('instead', match.instead, paint)] : []),
  ]
}
