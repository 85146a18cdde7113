import type { RuleMatch, Verdict } from '../model/decision.js'
import type { Answers, Facts } from '../model/facts.js'
import type { Profile } from '../model/profile.js'
import type { Command } from '../model/request.js'
import type { Span } from '../model/span.js'
import type { Surroundings } from '../model/surroundings.js'

/** All a decision depends on. The same input gives the same decision anywhere, a year later too. */
export interface DecideInput {
  readonly command: Command
  /** What spans point into. */
  readonly text: string
  readonly facts: Facts
  readonly answers: Answers
  readonly profile: Profile
  readonly surroundings: Surroundings
  readonly cwd: string
}

/** Where something was found, and of which program it speaks. */
export interface Finding {
  readonly span: Span
  readonly program?: string
  /** Said after the first sentence of the reason. */
  readonly detail?: string
}

/** One match, without the fields that have nothing to say. */
export function match(
  rule: string,
  verdict: Verdict,
  span: Span,
  reason: string,
  {
    instead,
    program,
    lifts,
  }: {
    readonly instead?: string | null | undefined
    readonly program?: string | null | undefined
    readonly lifts?: RuleMatch['lifts']
  } = {},
): RuleMatch {
  const extra = { ...(instead ? { instead } : {}), ...(program ? { program } : {}), ...(lifts ? { lifts } : {}) }
  return { rule, verdict, span, reason, ...extra }
}
