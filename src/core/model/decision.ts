import * as z from 'zod'
import { Span } from './span.js'

export const Verdict = z.enum(['allow', 'ask', 'deny'])
export type Verdict = z.infer<typeof Verdict>

/** One rule that had something to say, where, and why. */
export const RuleMatch = z.strictObject({
  /** Stable id: `builtin/sudo`, `profile/allowlist`, `rules/3`, `default`. */
  rule: z.string(),
  verdict: Verdict,
  span: Span,
  /** A sentence a person and a model can act on. */
  reason: z.string(),
  /** What to do instead, where there is something. */
  instead: z.string().optional(),
  /** The program it speaks of, where it speaks of one. */
  program: z.string().optional(),
})
export type RuleMatch = z.infer<typeof RuleMatch>

/** The strictest verdict, the matches that gave it, and all the others for those who ask. */
export const Decision = z.strictObject({
  verdict: Verdict,
  because: z.array(RuleMatch).readonly(),
  matches: z.array(RuleMatch).readonly(),
})
export type Decision = z.infer<typeof Decision>

const SEVERITY = { allow: 0, ask: 1, deny: 2 } as const

export const stricter = (a: Verdict, b: Verdict): Verdict => (SEVERITY[a] >= SEVERITY[b] ? a : b)

/** Verdicts are ordered; the strictest wins and brings its evidence. Where nothing speaks, it is denied. */
export function strictest(matches: readonly RuleMatch[]): Decision {
  const verdict = matches.length === 0 ? 'deny' : matches.map((one) => one.verdict).reduce(stricter)
  return { verdict, because: matches.filter((one) => one.verdict === verdict), matches }
}
