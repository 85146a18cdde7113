import * as z from 'zod'

/** One file change of a command. Bytes that are not UTF-8 are shown as `\xNN`. */
export const Change = z.strictObject({
  path: z.string().describe('absolute'),
  kind: z.enum(['created', 'modified', 'deleted', 'mode-changed']),
  type: z.enum(['file', 'directory', 'symlink', 'special']),
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int().nullable(),
})
export type Change = z.infer<typeof Change>

/** Counts of changed files (with symlinks and special files) and, separately, directories. */
export const ChangeCounts = z.strictObject({
  created: z.int(),
  modified: z.int(),
  deleted: z.int(),
  modeChanged: z.int(),
  /** Directories created, deleted or changed themselves. */
  directories: z.int().default(0),
  /** Bytes of the new versions of what was created and modified. */
  bytes: z.int(),
})
export type ChangeCounts = z.infer<typeof ChangeCounts>

/** All changes of one command, counted; the list is bounded. */
export const ChangeSet = z.strictObject({
  counts: ChangeCounts,
  list: z.array(Change).readonly(),
  /** Number of changes that the list omits. */
  omitted: z.int(),
})
export type ChangeSet = z.infer<typeof ChangeSet>

/**
 * running: the command has not ended. waiting: ended, and a person decides. applying: Cordon is writing changes into
 * the tree; after a crash, recovery rolls them back. undone: committed and later undone as a whole.
 */
export const TransactionState = z.enum([
  'running',
  'waiting',
  'applying',
  'committed',
  'rolled-back',
  'discarded',
  'interrupted',
  'conflict',
  'undone',
])
export type TransactionState = z.infer<typeof TransactionState>

/** One transaction as `history` shows it. */
export const TransactionRecord = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  /** The command, or the id of the undone transaction. */
  command: z.string(),
  agent: z.string().nullable(),
  workspace: z.string(),
  kind: z.enum(['command', 'undo']),
  /** The transaction that an undo reverses. */
  of: z.string().nullable(),
  state: TransactionState,
  changes: ChangeSet,
  /** State of its undo data. Pre-images are deleted by size and age. */
  undo: z.enum(['possible', 'dropped', 'none']),
  note: z.string().nullable(),
})
export type TransactionRecord = z.infer<typeof TransactionRecord>

/** One file before and after. */
export const FileDiff = z.strictObject({
  change: Change,
  /** Unified diff; null if the content is not text, is too large, or its versions are deleted (`note` says which). */
  text: z.string().nullable(),
  note: z.string().nullable(),
})
export type FileDiff = z.infer<typeof FileDiff>
