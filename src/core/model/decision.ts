import * as z from 'zod'
import { Span } from './span.js'

export const Verdict = z.enum(['allow', 'ask', 'deny'])
export type Verdict = z.infer<typeof Verdict>

/** Parts of the profile that do not hold for one plan, because a person was asked about them and approved. */
export const Lifted = z.strictObject({
  /** Real paths of hidden files and directories that the command may use. */
  paths: z.array(z.string()).readonly(),
  /** Real paths outside the roots that the command may write or delete. */
  writes: z.array(z.string()).readonly(),
  /** Hosts that it may connect to: `example.com`, `example.com:8443`. */
  hosts: z.array(z.string()).readonly(),
  /** Keys of git's configuration that it may change; `remote.old.*` is every key with that beginning. */
  settings: z.array(z.string()).readonly(),
})
export type Lifted = z.infer<typeof Lifted>

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
  /** Of an ask: the restrictions that an approval lifts for this command. */
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

/** Verdicts are ordered; the strictest wins and brings its evidence. Where nothing speaks, it is denied. */
export function strictest(matches: readonly RuleMatch[]): Decision {
  const verdict = matches.length === 0 ? 'deny' : matches.map((one) => one.verdict).reduce(stricter)
  return { verdict, because: matches.filter((one) => one.verdict === verdict), matches }
}

/** Collects everything an approval of this decision lifts. Only questions lift anything, and a denied command has no plan. */
export function liftedBy({ verdict, matches }: Decision): Lifted {
  const lifts = verdict === 'ask' ? matches.flatMap((one) => (one.verdict === 'ask' && one.lifts ? one.lifts : [])) : []
  const all = (kind: keyof Lifted): readonly string[] => [...new Set(lifts.flatMap((one) => one[kind] ?? []))].sort()
  return { paths: all('paths'), writes: all('writes'), hosts: all('hosts'), settings: all('settings') }
}
