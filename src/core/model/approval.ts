import * as z from 'zod'
import { RuleMatch } from './decision.js'
import { Rule } from './profile.js'

/** What a person can say to a held command. `session`: the same plan again, as long as this engine lives. */
export const Answer = z.enum(['once', 'session', 'always', 'deny'])
export type Answer = z.infer<typeof Answer>

/** A command that waits for a person. Bound to the digest of its plan, so to the exact command, directory, agent and policy. */
export const Approval = z.strictObject({
  id: z.string(),
  digest: z.string(),
  command: z.string(),
  cwd: z.string(),
  workspace: z.string(),
  agent: z.string().nullable(),
  profile: z.string(),
  because: z.array(RuleMatch).readonly(),
  /** Scripts that the command runs and that were read: path and text. */
  scripts: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** What `always` would save: the narrowest rule that covers it, or null where any rule would grant too much. */
  rule: Rule.nullable(),
  createdAt: z.iso.datetime(),
  /** Until then an answer counts; once approved, until then it runs. */
  expiresAt: z.iso.datetime(),
  /** Milliseconds from a yes for which it runs. */
  runMs: z.int().positive(),
  answeredAt: z.iso.datetime().nullable(),
  /** Words of the person who answered, for the one who asked. */
  note: z.string().nullable(),
  state: z.enum(['pending', 'approved', 'denied', 'used', 'expired']),
})
export type Approval = z.infer<typeof Approval>

/**
 * Returns the hosts a person is asked about, where the questions are about hosts and nothing else: an `always` saves them, a `session`
 * remembers them. Empty where anything else is asked, or a host that cannot be named.
 */
export function hostsAskedFor(because: readonly RuleMatch[]): readonly string[] {
  const hosts = because.map(({ lifts }) => lifts?.hosts ?? [])
  const areNamed = hosts.every((some) => some.length > 0 && !some.includes('*'))
  return areNamed ? [...new Set(hosts.flat())] : []
}

/** What a person said to a held command, and when. */
export const Answered = z.strictObject({
  verdict: z.enum(['approved', 'denied']),
  note: z.string().nullable(),
  at: z.iso.datetime(),
})
export type Answered = z.infer<typeof Answered>
