import * as z from 'zod'

/** One thing a command did to the files it could reach. Bytes that are no UTF-8 are shown as `\xNN`. */
export const Change = z.strictObject({
  path: z.string().describe('absolute'),
  kind: z.enum(['created', 'modified', 'deleted', 'mode-changed']),
  type: z.enum(['file', 'directory', 'symlink', 'special']),
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int().nullable(),
})
export type Change = z.infer<typeof Change>

/** How many files (symlinks and special files included) a command changed; directories are counted apart. */
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

/** All the changes of one command, counted; the list itself is bounded. */
export const ChangeSet = z.strictObject({
  counts: ChangeCounts,
  list: z.array(Change).readonly(),
  /** How many more there are than the list shows. */
  omitted: z.int(),
})
export type ChangeSet = z.infer<typeof ChangeSet>

/**
 * running: the command has not ended. waiting: ended, and a person decides. applying: changes are on their way into the tree; found
 * at a start, it means the process died, and they are taken out again. undone: committed and later taken back as a whole.
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

/** One past or present transaction, as `history` shows it. */
export const TransactionRecord = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  /** What was run, or which transaction was taken back. */
  command: z.string(),
  agent: z.string().nullable(),
  workspace: z.string(),
  kind: z.enum(['command', 'undo']),
  /** The transaction an undo takes back. */
  of: z.string().nullable(),
  state: TransactionState,
  changes: ChangeSet,
  /** Whether it can still be undone; pre-images are dropped by size and age. */
  undo: z.enum(['possible', 'dropped', 'none']),
  note: z.string().nullable(),
})
export type TransactionRecord = z.infer<typeof TransactionRecord>

/** What one file looked like before and after. */
export const FileDiff = z.strictObject({
  change: Change,
  /** Unified diff; null for what is not text, is too large, or whose versions are gone (`note` says which). */
  text: z.string().nullable(),
  note: z.string().nullable(),
})
export type FileDiff = z.infer<typeof FileDiff>
