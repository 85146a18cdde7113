import * as z from 'zod'
import { Verdict } from './decision.js'
import { Caller, Command } from './request.js'

export const Outcome = z.enum(['success', 'error', 'timeout', 'cancelled', 'blocked', 'held', 'rollback', 'invalid'])
export type Outcome = z.infer<typeof Outcome>

/** Written before anything starts. Commands are masked and complete; they are shortened only in log lines. */
export const Intent = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  agent: z.string().nullable(),
  caller: Caller,
  /** `undo`, `keep` and `discard` settle what an earlier command changed. */
  tool: z.enum(['bash', 'exec', 'undo', 'keep', 'discard']),
  command: z.string(),
  request: Command.nullable(),
  cwd: z.string().nullable(),
  profile: z.string(),
  verdict: Verdict.nullable(),
  rule: z.string().nullable(),
  reason: z.string().nullable(),
  planDigest: z.string().nullable(),
  /** SHA-256 of the profile that decided. */
  policyDigest: z.string().nullable(),
})
export type Intent = z.infer<typeof Intent>

/** Written when it is over, or at once when nothing was started. */
export const Ended = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  outcome: Outcome,
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  durationMs: z.number(),
  truncated: z.boolean(),
  errorCode: z.string().nullable(),
  errorCategory: z.string().nullable(),
  errorDomain: z.string().nullable(),
  errorPhase: z.string().nullable(),
  message: z.string().nullable(),
  restored: z.int(),
  deleted: z.int(),
  /** What became of its changes, where it made any: the id is what `cordon diff` takes. */
  transaction: z.strictObject({ id: z.string().nullable(), outcome: z.string() }).optional(),
  /** What the wall stopped or let through. */
  evidence: z.array(z.string()).readonly().optional(),
})
export type Ended = z.infer<typeof Ended>

/** One request as the log shows it. `outcome` is `running` or `interrupted` while no ending is recorded. */
export const AuditRecord = z.strictObject({
  ...Intent.shape,
  ...Ended.omit({ id: true, at: true, outcome: true }).partial().shape,
  outcome: z.union([Outcome, z.enum(['running', 'interrupted'])]),
  endedAt: z.iso.datetime().nullable(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

export const AuditQuery = z.strictObject({
  agent: z.string().optional(),
  outcome: AuditRecord.shape.outcome.optional(),
  verdict: Verdict.optional(),
  /** Text the command contains. */
  text: z.string().optional(),
  since: z.iso.datetime().optional(),
  id: z.string().optional(),
  limit: z.int().positive().max(10_000).optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const VerifyOptions = z.strictObject({
  /** A head that an earlier verification returned: its row must still be in the log. */
  expect: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be a head that `cordon audit verify` printed: 64 hexadecimal digits')
    .optional(),
  /** Takes the log as it is for the whole log from now on. */
  accept: z.boolean().optional(),
})
export type VerifyOptions = z.infer<typeof VerifyOptions>

export const AuditVerification = z.discriminatedUnion('ok', [
  /** `head`: digest of the last row; copied elsewhere, it can be asked for again with `expect`. */
  z.strictObject({ ok: z.literal(true), rows: z.int(), head: z.string().nullable() }),
  z.strictObject({ ok: z.literal(false), rows: z.int(), brokenAt: z.int(), reason: z.string() }),
])
export type AuditVerification = z.infer<typeof AuditVerification>
