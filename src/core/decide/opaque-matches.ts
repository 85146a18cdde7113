import type { RuleMatch } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Span } from '../model/span.js'
import { ownersAt } from './owner.js'
import { type DecideInput, match } from './scene.js'

const INSTEAD = {
  unknown: 'Write the command out, without computed parts.',
  foreign: 'Allow the program in the profile, or use a profile with a sandbox.',
} as const

const SAYS = {
  unknown: 'Cordon cannot tell what this would run',
  foreign: 'It runs code of another language, which Cordon does not analyse',
} as const

/** By a rule about the whole request, or about the program whose code it is. What that program is an argument of, or runs, does not count. */
function isAllowed(spot: Span, allowed: readonly RuleMatch[], parts: readonly Invocation[]): boolean {
  if (allowed.length === 0) return false
  if (allowed.some(({ program }) => program === undefined)) return true
  return ownersAt(spot, parts).some((owner) =>
    allowed.some(
      ({ span, program }) => program === owner.program && span[0] === owner.span[0] && span[1] === owner.span[1],
    ),
  )
}

/** Every spot the analyser could not see into, but for the inner workings of programs. Foreign code of a program that a rule allows is allowed with it; unknown code never is. */
export function opaqueMatches({ facts, profile }: DecideInput, spoken: readonly RuleMatch[]): readonly RuleMatch[] {
  const allowed = spoken.filter(({ verdict, rule }) => verdict === 'allow' && rule !== 'default')
  return facts.opaque
    .filter(({ kind, inherent }) => !inherent && profile.opaque[kind] !== 'allow')
    .filter(({ kind, span }) => kind === 'unknown' || !isAllowed(span, allowed, facts.invocations))
    .map(({ kind, span, reason }) =>
      match(`opaque/${kind}`, profile.opaque[kind], span, `${SAYS[kind]}: ${reason.replace(/\.$/, '')}.`, {
        instead: INSTEAD[kind],
      }),
    )
}
