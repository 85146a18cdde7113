import * as z from 'zod'
import { ChangeSet } from './change.js'
import { Decision } from './decision.js'
import { Ending } from './ending.js'
import { ErrorInfo } from './errors.js'

/** What a filter did to the output. Nothing of this is ever a guess about success. */
export const FilterReport = z.strictObject({
  filter: z.string(),
  confidence: z.enum(['full', 'partial', 'fallback']),
  rawChars: z.int(),
  keptChars: z.int(),
  rawLines: z.int(),
  keptLines: z.int(),
  /** Line numbers of the cleaned output that were kept, as inclusive ranges from 1. */
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
  /** What `undo`, `diff` and `settle` take. Null when nothing was recorded. */
  id: z.string().nullable().optional(),
  changes: ChangeSet.optional(),
  /** Paths that changed underneath while the command ran; its own versions wait under `id`. */
  conflicts: z.array(z.string()).readonly().optional(),
})
export type TransactionReport = z.infer<typeof TransactionReport>

/** What came of a request that was run. A non-zero exit is a result, not an error. */
export const Result = z.strictObject({
  id: z.string(),
  command: z.string(),
  agent: z.string().nullable(),
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
  /** What the wall stopped, allowed through or took back, from evidence and never from words in the output. */
  evidence: z.array(z.string()).readonly(),
  /** Total bytes each stream produced, cut or not, and the files that hold all of it where the caller asked to keep it. */
  streams: z.strictObject({ stdoutBytes: z.int(), stderrBytes: z.int(), kept: z.boolean() }),
})
export type Result = z.infer<typeof Result>
