import * as z from 'zod'

/** Directories of Cordon's state that stand in for others inside the sandbox. */
export const PrivateDirectories = z.strictObject({
  /** Mounted at /tmp. */
  tmp: z.string(),
  /** Mounted at the person's home. Null: commands see the real home. */
  home: z.string().nullable(),
  /** Entries of the real home that commands see read-only: the real path of each, and the path at which they see it. */
  shared: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** Whether symlinks in the private home lead to all of the real one, which is then mounted at `SHARED_HOME`. */
  sharesAll: z.boolean(),
})
export type PrivateDirectories = z.infer<typeof PrivateDirectories>

/** Path of the real home, read-only, inside a sandbox whose profile shares all of it. */
export const SHARED_HOME = '/run/cordon/home'

/** The parts of the host that a plan depends on. Observed once per plan, so that planning itself stays pure. */
export const Surroundings = z.strictObject({
  workspace: z.string(),
  home: z.string(),
  /** Real paths of the profile's roots, writable and hidden places that exist, each with what stands there. */
  roots: z.array(z.string()).readonly(),
  writable: z.array(z.string()).readonly(),
  hidden: z.array(z.tuple([z.string(), z.enum(['file', 'directory'])]).readonly()).readonly(),
  /** Files at places that the profile hides that are not hidden, because HEAD has the same bytes for them or for their example. */
  tracked: z.array(z.string()).readonly().optional(),
  /** Those of `hidden` that are nothing but further names of others, by hard links. */
  hiddenTwins: z.array(z.string()).readonly().optional(),
  protected: z.array(z.string()).readonly(),
  /** Those of `protected` that a transaction reviews when it commits, and that a command may change in one. */
  reviewed: z.array(z.string()).readonly().optional(),
  /** Real paths of the programs a wall masks. */
  masked: z.array(z.string()).readonly().optional(),
  /** Those of `protected` that do not exist yet. */
  absent: z.array(z.string()).readonly().optional(),
  /** Symbolic links on the way to `protected`, and to `hidden` by their full names, each with what it says. */
  links: z
    .array(z.tuple([z.string(), z.string()]).readonly())
    .readonly()
    .optional(),
  /** Further names of protected files, by hard links. */
  twins: z.array(z.string()).readonly().optional(),
  /** Directories of sockets and run-time state that a wall always hides, and the resolver's file among them. */
  runtime: z.strictObject({ hidden: z.array(z.string()).readonly(), resolver: z.string().nullable() }).optional(),
  /** Directories of Cordon's state that commands see in place of the person's home and of /tmp. Absent: the real home, and an empty /tmp. */
  privateDirectories: PrivateDirectories.optional(),
  /** Values of the variables the profile passes on, and no others. */
  env: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** Absolute path of bash. */
  bash: z.string(),
})
export type Surroundings = z.infer<typeof Surroundings>
