import type { CordonError } from '../../../core/model/basics/errors.js'
import type { Decision } from '../../../core/model/policy/decision.js'
import type { Paint } from '../terminal/style.js'
import { visibleLines } from '../terminal/visible-text.js'
import { type EvidenceStyle, evidence, labelled } from './evidence.js'

/** More than this many reasons are counted, not listed. */
const MAX_REASONS = 5

/** Why a request was refused: the sentence, the place, the rule, what to do instead. */
export function refusalText(error: CordonError, text: string, style: EvidenceStyle): string {
  const { paint } = style
  const because = decisionIn(error)?.because ?? []
  const [first] = because
  if (!first) return `${headline(error.message, paint)}\n`
  const title = titleOf(error, first.reason)
  const parts = because
    .slice(0, MAX_REASONS)
    .flatMap((match, i) => [...evidence(match, text, style, i > 0 || !title.endsWith(first.reason)), ''])
  const more = because.length - MAX_REASONS
  const rest = more > 0 ? [paint.dim(`  and ${more} more ${more === 1 ? 'reason' : 'reasons'}`), ''] : []
  return `${[headline(title, paint), '', ...parts, ...rest, ...nextStep(error, paint)].join('\n').trimEnd()}\n`
}

const PREFIX = 'Command not allowed'

/** Returns a title that begins with "Not run.", then a person's answer, a request for approval or the reason. */
function titleOf({ code, message, details }: CordonError, reason: string): string {
  if (typeof details.answer === 'string') return `Not run. ${details.answer}`
  if (code === 'CONFIRMATION_REQUIRED') return 'Not run. A person has to approve this first.'
  if (!message.startsWith(reason)) return message
  return reason.startsWith(PREFIX) ? reason : `${PREFIX}. ${reason}`
}

/** A held command can be let through; how depends on whether its approval is kept somewhere. */
function nextStep(error: CordonError, paint: Paint): readonly string[] {
  if (!error.is('CONFIRMATION_REQUIRED')) return []
  const id = error.details.approval?.id
  if (id === undefined) return [labelled('next', 'ask a person to run it', paint)]
  return [
    labelled('next', `a person can run: cordon approve ${id}`, paint),
    labelled('', 'then repeat the same command', paint),
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
