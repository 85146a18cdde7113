import type { Span } from '../../model/basics/span.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import type { Invocation } from '../../model/run/facts.js'
import { ownersAt } from '../match/code-owner.js'
import { type DecideInput, match } from '../match/input.js'

const INSTEAD = {
  unknown: 'Write the command out, without computed parts.',
  foreign: 'Use a profile with a sandbox.',
} as const

const REASONS = {
  unknown: 'Cordon cannot tell what this would run',
  foreign: 'It runs code of another language, which Cordon does not analyse',
} as const

/**
 * Reports whether an allow rule covers the whole request or the program that owns the code. Rules for its wrappers'
 * arguments or for programs it runs do not count.
 */
function isAllowed(spot: Span, allowed: readonly RuleMatch[], parts: readonly Invocation[]): boolean {
  if (allowed.length === 0) return false
  if (allowed.some(({ program }) => program === undefined)) return true
  return ownersAt(spot, parts).some((owner) =>
    allowed.some(
      ({ span, program }) => program === owner.program && span[0] === owner.span[0] && span[1] === owner.span[1],
    ),
  )
}

/**
 * Returns matches for code that the analyser could not read, except code inherent to a program. An allow rule for a
 * program also allows its foreign code, but never unknown code.
 */
export function opaqueMatches({ facts, profile }: DecideInput, matched: readonly RuleMatch[]): readonly RuleMatch[] {
  const allowed = matched.filter(({ verdict, rule }) => verdict === 'allow' && rule !== 'default')
  return facts.opaque
    .filter(({ kind, inherent }) => !inherent && profile.opaque[kind] !== 'allow')
    .filter(({ kind, span }) => kind === 'unknown' || !isAllowed(span, allowed, facts.invocations))
    .map(({ kind, span, reason }) =>
      match(`opaque/${kind}`, profile.opaque[kind], span, `${REASONS[kind]}: ${reason.replace(/\.$/, '')}.`, {
        instead: INSTEAD[kind],
      }),
    )
}
