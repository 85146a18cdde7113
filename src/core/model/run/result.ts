import * as z from 'zod'
import { ErrorInfo } from '../basics/errors.js'
import { Decision } from '../policy/decision.js'
import { ChangeSet } from './change.js'
import { Ending } from './ending.js'

/** Report of an output filter. It never guesses about success. */
export const FilterReport = z.strictObject({
  filter: z.string(),
  confidence: z.enum(['full', 'partial', 'fallback']),
  rawChars: z.int(),
  keptChars: z.int(),
  rawLines: z.int(),
  keptLines: z.int(),
  /** Kept lines of the cleaned output, as inclusive ranges from 1. */
  kept: z.array(z.tuple([z.int(), z.int()]).readonly()).readonly(),
})
export type FilterReport = z.infer<typeof FilterReport>

export const TransactionReport = z.strictObject({
  mode: z.string(),
  outcome: z.enum(['none', 'committed', 'rolled-back', 'waiting-for-review', 'unavailable', 'conflict']),
  /** Files put back as they were, and new files removed, by a roll-back. */
  restored: z.int(),
  deleted: z.int(),
  warning: z.string().nullable(),
  /** Id for `undo`, `diff` and `settle`. Null if there is no record. */
  id: z.string().nullable().optional(),
  changes: ChangeSet.optional(),
  /** Paths that another process changed while the command ran; `id` holds the versions of the command. */
  conflicts: z.array(z.string()).readonly().optional(),
})
export type TransactionReport = z.infer<typeof TransactionReport>

/** Source of what a result claims: the output of a script, of one program, or a file that a tool used itself. */
export const ClaimSource = z.enum(['shell', 'program', 'file'])
export type ClaimSource = z.infer<typeof ClaimSource>

/** Result of a request that ran. A non-zero exit is a result, not an error. */
export const Result = z.strictObject({
  id: z.string(),
  command: z.string(),
  agent: z.string().nullable(),
  claimSource: ClaimSource,
  stdout: z.string(),
  stderr: z.string(),
  /** stdout and stderr in the order they arrived, for display. */
  output: z.string(),
  exitCode: z.int(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  cancelled: z.boolean(),
  truncated: z.boolean(),
  durationMs: z.number(),
  ending: Ending,
  decision: Decision,
  /** Set when the command did not do its work: the class of failure and a sentence. */
  error: ErrorInfo.nullable(),
  transaction: TransactionReport.nullable(),
  /** Set when a person approved it: under which id, and in which words. */
  approval: z.strictObject({ id: z.string(), note: z.string().nullable() }).optional(),
  filter: FilterReport.nullable(),
  /** Evidence of what the sandbox stopped, allowed or rolled back. It never comes from words in the output. */
  evidence: z.array(z.string()).readonly(),
  /** Options of the request that the profile did not grant, such as no timeout. */
  notices: z.array(z.string()).readonly(),
  /** Total bytes of each stream, and the files with the full output if the caller asked for them. */
  streams: z.strictObject({ stdoutBytes: z.int(), stderrBytes: z.int(), kept: z.boolean() }),
})
export type Result = z.infer<typeof Result>
