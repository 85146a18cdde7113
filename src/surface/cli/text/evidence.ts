import type { RuleMatch } from '../../../core/model/policy/decision.js'
import type { Paint } from '../terminal/style.js'
import { visible } from '../terminal/visible-text.js'
import { excerpt } from './excerpt.js'

export interface EvidenceStyle {
  readonly paint: Paint
  readonly columns: number
}

export const labelled = (label: string, value: string, { dim }: Paint): string =>
  `  ${dim(label.padEnd(8))} ${visible(value)}`

/** Renders one rule match: the marked command, the rule id, the reason if it is new, and what to do instead. */
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
    ...(match.remedy ? [labelled('allow', match.remedy, paint)] : []),
  ]
}
