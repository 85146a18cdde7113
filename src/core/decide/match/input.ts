import type { Span } from '../../model/basics/span.js'
import type { RuleMatch, Verdict } from '../../model/policy/decision.js'
import type { Profile } from '../../model/policy/profile.js'
import type { Answers, Facts } from '../../model/run/facts.js'
import type { Command } from '../../model/run/request.js'
import type { HostContext } from '../../model/run/surroundings.js'

/** Input of a decision. The same input always gives the same decision. */
export interface DecideInput {
  readonly command: Command
  /** The text that spans refer to. */
  readonly text: string
  readonly facts: Facts
  readonly answers: Answers
  readonly profile: Profile
  readonly surroundings: HostContext
  readonly cwd: string
  /** Name for reasons; it decides nothing. */
  readonly agent?: string | null
}

/** A span with a finding, and the program it is about. */
export interface Finding {
  readonly span: Span
  readonly program?: string
  /** Sentence shown after the first sentence of the reason. */
  readonly detail?: string
}

/** Creates a match without empty fields. */
export function match(
  rule: string,
  verdict: Verdict,
  span: Span,
  reason: string,
  {
    instead,
    remedy,
    program,
    lifts,
  }: {
    readonly instead?: string | null | undefined
    readonly remedy?: string | null | undefined
    readonly program?: string | null | undefined
    readonly lifts?: RuleMatch['lifts']
  } = {},
): RuleMatch {
  const extra = {
    ...(instead ? { instead } : {}),
    ...(remedy ? { remedy } : {}),
    ...(program ? { program } : {}),
    ...(lifts ? { lifts } : {}),
  }
  return { rule, verdict, span, reason, ...extra }
}
