import type { Decision, RuleMatch } from '../../core/model/decision.js'
import type { CordonError } from '../../core/model/errors.js'
import { excerpt } from './excerpt.js'
import type { Paint } from './paint.js'
import { visible, visibleLines } from './visible.js'

/** More than this many reasons are counted, not listed. */
const MAX_REASONS = 5

/** Why a request was refused: the sentence, the place, the rule, what to do instead. */
export function refusalText(error: CordonError, text: string, paint: Paint, columns: number): string {
  const decision = decisionIn(error)
  const because = decision?.because ?? []
  const [first] = because
  if (!first) return `${headline(error.message, paint)}\n`
  const held = error.code === 'CONFIRMATION_REQUIRED'
  const title = error.message.startsWith(first.reason) ? first.reason : error.message
  const parts = because.slice(0, MAX_REASONS).map((match, i) => evidence(match, i > 0, text, paint, columns))
  const more = because.length - MAX_REASONS
  const rest = more > 0 ? [paint.dim(`  and ${more} more ${more === 1 ? 'reason' : 'reasons'}`)] : []
  const next = held
    ? [`  ${paint.dim('next')}     ${paint.yellow('nothing was run; a person has to approve it first')}`]
    : []
  return `${[headline(title, paint), '', ...parts.flat(), ...rest, ...next].join('\n')}\n`
}

const headline = (message: string, paint: Paint): string => {
  const [first = '', ...rest] = visibleLines(message).split('\n')
  return [paint.bold(paint.red(first)), ...rest].join('\n')
}

function evidence(
  match: RuleMatch,
  withReason: boolean,
  text: string,
  paint: Paint,
  columns: number,
): readonly string[] {
  const row = (label: string, value: string): string => `  ${paint.dim(label.padEnd(8))} ${visible(value)}`
  return [
    ...excerpt(text, match.span, { columns, dim: paint.dim, mark: paint.red }),
    row('rule', match.rule),
    ...(withReason ? [row('reason', match.reason)] : []),
    ...(match.instead ? [row('instead', match.instead)] : []),
    '',
  ]
}

function decisionIn({ details }: CordonError): Decision | null {
  const decision = details.decision
  const isDecision =
    typeof decision === 'object' && decision !== null && Array.isArray(Reflect.get(decision, 'because'))
  return isDecision ? (decision as Decision) : null
}
