import type { Decision } from '../../core/model/decision.js'
import type { CordonError } from '../../core/model/errors.js'
import { type EvidenceStyle, evidence, labelled } from './evidence.js'
import type { Paint } from './paint.js'
import { visibleLines } from './visible.js'

/** More than this many reasons are counted, not listed. */
const MAX_REASONS = 5

/** Why a request was refused: the sentence, the place, the rule, what to do instead. */
export function refusalText(error: CordonError, text: string, style: EvidenceStyle): string {
  const { paint } = style
  const because = decisionIn(error)?.because ?? []
  const [first] = because
  if (!first) return `${headline(error.message, paint)}\n`
  const title = error.message.startsWith(first.reason) ? first.reason : error.message
  const parts = because
    .slice(0, MAX_REASONS)
    .flatMap((match, i) => [...evidence(match, text, style, i > 0 || title !== first.reason), ''])
  const more = because.length - MAX_REASONS
  const rest = more > 0 ? [paint.dim(`  and ${more} more ${more === 1 ? 'reason' : 'reasons'}`), ''] : []
  return `${[headline(title, paint), '', ...parts, ...rest, ...nextStep(error, paint)].join('\n').trimEnd()}\n`
}

/** A held command can be let through; how depends on whether its approval is kept somewhere. */
function nextStep({ code, details }: CordonError, paint: Paint): readonly string[] {
  if (code !== 'CONFIRMATION_REQUIRED') return []
  const id = details.approval
  if (typeof id !== 'string') return [labelled('next', 'nothing was run; a person has to approve it first', paint)]
  return [
    labelled('next', `nothing was run; a person can approve it: cordon approve ${id}`, paint),
    labelled('', 'then run the same again', paint),
  ]
}

function headline(message: string, paint: Paint): string {
  const [first = '', ...rest] = visibleLines(message).split('\n')
  return [paint.bold(paint.red(first)), ...rest].join('\n')
}

function decisionIn({ details }: CordonError): Decision | null {
  const decision = details.decision
  const isDecision =
    typeof decision === 'object' && decision !== null && Array.isArray(Reflect.get(decision, 'because'))
  return isDecision ? (decision as Decision) : null
}
