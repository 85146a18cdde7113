import * as z from 'zod'
import { Span } from '../basics/span.js'

export const Verdict = z.enum(['allow', 'ask', 'deny'])
export type Verdict = z.infer<typeof Verdict>

/** Restrictions of the profile that one approved plan lifts. */
export const Lifted = z.strictObject({
  /** Real paths of hidden files and directories that the command may use. */
  paths: z.array(z.string()).readonly(),
  /** Real paths outside the roots that the command may read. */
  reads: z.array(z.string()).readonly(),
  /** Real paths outside the roots that the command may write or delete. */
  writes: z.array(z.string()).readonly(),
  /** Hosts that it may connect to: `example.com`, `example.com:8443`. */
  hosts: z.array(z.string()).readonly(),
  /**
   * Git configuration keys that the plan may change (`remote.old.*` is every key with that prefix), and real paths of
   * tool settings.
   */
  settings: z.array(z.string()).readonly(),
})
export type Lifted = z.infer<typeof Lifted>

/** One rule that matches, with span and reason. */
export const RuleMatch = z.strictObject({
  /** Stable id: `builtin/sudo`, `profile/allowlist`, `rules/3`, `default`. */
  rule: z.string(),
  verdict: Verdict,
  span: Span,
  /** A sentence a person and a model can act on. */
  reason: z.string(),
  /** Advice, if there is any. */
  instead: z.string().optional(),
  /** For a refusal or a question: the command by which a person allows it, or a sentence about the setting. */
  remedy: z.string().optional(),
  /** The program that the rule matches, if any. */
  program: z.string().optional(),
  /** For a question: the restrictions that an approval lifts for this command. */
  lifts: Lifted.partial().optional(),
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

/** Returns the strictest verdict with its evidence. Denies if there is no match. */
export function strictest(matches: readonly RuleMatch[]): Decision {
  const verdict = matches.length === 0 ? 'deny' : matches.map((one) => one.verdict).reduce(stricter)
  return { verdict, because: matches.filter((one) => one.verdict === verdict), matches }
}

/**
 * Returns all restrictions that an approval of this decision lifts. Only questions lift any, and a denied command has
 * no plan.
 */
export function liftedBy({ verdict, matches }: Decision): Lifted {
  const lifts = verdict === 'ask' ? matches.flatMap((one) => (one.verdict === 'ask' && one.lifts ? one.lifts : [])) : []
  const all = (kind: keyof Lifted): readonly string[] => [...new Set(lifts.flatMap((one) => one[kind] ?? []))].sort()
  const [paths, reads, writes] = [all('paths'), all('reads'), all('writes')]
  return { paths, reads, writes, hosts: all('hosts'), settings: all('settings') }
}

/** Returns the first reasons, each with what to do instead, as sentences of one message. */
export const reasonsOf = (because: readonly RuleMatch[]): readonly string[] =>
  because.flatMap(({ reason, instead }) => [reason, ...(instead ? [instead] : [])]).slice(0, 4)
