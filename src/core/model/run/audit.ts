import * as z from 'zod'
import { Answer, AnswerOrigin } from '../policy/approval.js'
import { Verdict } from '../policy/decision.js'
import { Caller, Command } from './request.js'
import { ClaimSource } from './result.js'

/** `authorized`: allowed, and run by the caller itself, so that its end is unknown. */
export const Outcome = z.enum([
  'success',
  'error',
  'timeout',
  'cancelled',
  'blocked',
  'held',
  'rollback',
  'invalid',
  'authorized',
])
export type Outcome = z.infer<typeof Outcome>

/** Written before anything starts. Commands are masked and complete; they are shortened only in log lines. */
export const Intent = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  agent: z.string().nullable(),
  caller: Caller,
  /**
   * Kinds of requests. `file`: paths that a tool itself uses. `undo`, `keep` and `discard` settle an earlier command;
   * `approve` and `deny` answer a held one; `connect` is a refused connection; `call` a call of another tool.
   */
  tool: z.enum(['bash', 'exec', 'file', 'undo', 'keep', 'discard', 'approve', 'deny', 'connect', 'call']),
  /** Absent for requests that make no claim, such as an undo. */
  claimSource: ClaimSource.optional(),
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
  /** The approval that the request used, and who gave it. */
  approval: z.string().optional(),
  approver: z.string().optional(),
  /** The caller's span (W3C Trace Context) and the id of the model's tool call, where the caller named them. */
  traceparent: z.string().optional(),
  toolCallId: z.string().optional(),
  /** The tool's name as the model called it. */
  toolName: z.string().optional(),
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
  /** Outcome of its changes, if it made any. `cordon diff` takes the id. */
  transaction: z.strictObject({ id: z.string().nullable(), outcome: z.string() }).optional(),
  /** Evidence of what the sandbox stopped or allowed. */
  evidence: z.array(z.string()).readonly().optional(),
})
export type Ended = z.infer<typeof Ended>

/** One request as the log shows it. `outcome` is `running` or `interrupted` until an ending is recorded. */
export const AuditRecord = z.strictObject({
  ...Intent.shape,
  ...Ended.omit({ id: true, at: true, outcome: true }).partial().shape,
  outcome: z.union([Outcome, z.enum(['running', 'interrupted'])]),
  endedAt: z.iso.datetime().nullable(),
  /** For `approve` and `deny`: the answer of a person and its origin. */
  answer: z.strictObject({ scope: Answer, note: z.string().nullable(), from: AnswerOrigin }).optional(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

export const AuditQuery = z.strictObject({
  agent: z.string().optional(),
  outcome: AuditRecord.shape.outcome.optional(),
  verdict: Verdict.optional(),
  /** Text the command contains. */
  text: z.string().optional(),
  since: z.iso.datetime().optional(),
  /** Records that began before this time. */
  until: z.iso.datetime().optional(),
  /** Kind of request (`bash`, `exec`, `file` …), or the name of a tool as a model called it. */
  tool: z.string().optional(),
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
  /** Accepts the current log as complete. */
  accept: z.boolean().optional(),
})
export type VerifyOptions = z.infer<typeof VerifyOptions>

export const AuditVerification = z.discriminatedUnion('ok', [
  /** `head`: digest of the last row. A copy of it can be checked later with `expect`. */
  z.strictObject({ ok: z.literal(true), rows: z.int(), head: z.string().nullable() }),
  z.strictObject({ ok: z.literal(false), rows: z.int(), brokenAt: z.int(), reason: z.string() }),
])
export type AuditVerification = z.infer<typeof AuditVerification>
