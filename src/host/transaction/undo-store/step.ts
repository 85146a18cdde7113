import * as z from 'zod'
import { Attributes } from '../attributes/attributes.js'
import { Entry } from '../paths/entry.js'

/**
 * One change of a tree, which can be applied, checked and undone from the files alone. put: moves `from` to `path`.
 * drop: removes `path`. mkdir: creates a directory. meta: sets mode and time. rmdir: an empty directory that a command
 * removed itself; it is only reversed. `before` is the entry expected at `path`; a step that replaces or removes it
 * moves it to `keep`.
 */
export const Step = z.strictObject({
  root: z.int(),
  path: z.string(),
  act: z.enum(['put', 'drop', 'mkdir', 'meta', 'rmdir']),
  before: Entry.nullable(),
  after: Entry.nullable(),
  /** Relative to the undo store of the root. */
  from: z.string().nullable(),
  keep: z.string().nullable(),
  /** Extended attributes of a directory, where they matter; those of files move with them. */
  attributes: z.strictObject({ before: Attributes, after: Attributes }).optional(),
  /** Set if it is not a change but accompanies one. */
  aside: z.boolean().optional(),
  /** Set after a later undo. */
  undone: z.boolean().optional(),
})
export type Step = z.infer<typeof Step>

/** Called at every point at which a process can die; tests do just that. */
export type FaultPoint = (where: string) => void
