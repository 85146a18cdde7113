import * as z from 'zod'
import { Attributes } from './attributes.js'
import { Entry } from './entry.js'

/**
 * One change to a tree, written so that it can be done, checked and undone by looking at the files alone.
 * put: what lies at `from` goes to `path`. drop: what is at `path` goes away. mkdir: a directory is made. meta: mode and time.
 * rmdir: an empty directory was removed, by a command that wrote to the tree itself; it is only ever reversed.
 * `before` is what must stand there for the step to be right, and is moved to `keep` where the step replaces or removes it.
 */
export const Step = z.strictObject({
  root: z.int(),
  path: z.string(),
  act: z.enum(['put', 'drop', 'mkdir', 'meta', 'rmdir']),
  before: Entry.nullable(),
  after: Entry.nullable(),
  /** Relative to the vault of the root. */
  from: z.string().nullable(),
  keep: z.string().nullable(),
  /** Extended attributes of a directory, where they matter; those of files move with them. */
  attributes: z.strictObject({ before: Attributes, after: Attributes }).optional(),
  /** Not a change, but moved along with one. */
  aside: z.boolean().optional(),
  /** Taken back by a later undo. */
  undone: z.boolean().optional(),
})
export type Step = z.infer<typeof Step>
