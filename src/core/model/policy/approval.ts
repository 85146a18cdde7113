import * as z from 'zod'
import { RuleMatch } from './decision.js'
import { Rule } from './profile.js'

/** Answers to a held command. `session` allows the same plan again while this engine lives. */
export const Answer = z.enum(['once', 'session', 'always', 'deny'])
export type Answer = z.infer<typeof Answer>

/** A command that waits for a person. It is bound to the digest of its plan: command, directory, agent and policy. */
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
  /** The rule that `always` saves: the narrowest one; null if every rule would grant too much. */
  rule: Rule.nullable(),
  createdAt: z.iso.datetime(),
  /** Until then an answer counts; once approved, until then it runs. */
  expiresAt: z.iso.datetime(),
  /** Milliseconds from a yes for which it runs. */
  runMs: z.int().positive(),
  answeredAt: z.iso.datetime().nullable(),
  /** Words of the person who answered, for the one who asked. */
  note: z.string().nullable(),
  /** User and terminal of the answer: anna (uid 1000) at /dev/pts/3. */
  approver: z.string().nullable(),
  /** `forged`: the answer is not valid. */
  state: z.enum(['pending', 'approved', 'denied', 'used', 'expired', 'forged']),
})
export type Approval = z.infer<typeof Approval>

/**
 * Returns the hosts in the questions if all questions are about hosts: `always` saves them, `session` remembers them.
 * Empty if there is another question or an unknown host.
 */
export function hostsAskedFor(because: readonly RuleMatch[]): readonly string[] {
  const hosts = because.map(({ lifts }) => lifts?.hosts ?? [])
  const areNamed = hosts.every((some) => some.length > 0 && !some.includes('*'))
  return areNamed ? [...new Set(hosts.flat())] : []
}

/** Origin of an answer, from the operating system. */
export const AnswerOrigin = z.strictObject({
  user: z.string().nullable(),
  uid: z.int().nullable(),
  /** The user who logged in, and the one who called sudo, where that is another. */
  loginUid: z.int().nullable(),
  sudoUser: z.string().nullable(),
  terminal: z.string().nullable(),
  pid: z.int(),
})
export type AnswerOrigin = z.infer<typeof AnswerOrigin>
