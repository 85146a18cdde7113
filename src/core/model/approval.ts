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
  agent: z.string().nullable(),
  profile: z.string(),
  because: z.array(RuleMatch).readonly(),
  /** What `always` would save: the narrowest rule that covers it, or null where any rule would grant too much. */
  rule: Rule.nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  state: z.enum(['pending', 'approved', 'denied', 'used', 'expired']),
})
export type Approval = z.infer<typeof Approval>
