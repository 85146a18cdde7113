import * as z from 'zod'

/** The parts of the host that a plan depends on. Observed once per plan, so that planning itself stays pure. */
export const Surroundings = z.strictObject({
  workspace: z.string(),
  home: z.string(),
  /** Real paths of the profile's roots, writable and hidden places that exist, each with what stands there. */
  roots: z.array(z.string()).readonly(),
  writable: z.array(z.string()).readonly(),
  hidden: z.array(z.tuple([z.string(), z.enum(['file', 'directory'])]).readonly()).readonly(),
  /** Those of `hidden` that are nothing but further names of others, by hard links. */
  hiddenTwins: z.array(z.string()).readonly().optional(),
  protected: z.array(z.string()).readonly(),
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
  /** Values of the variables the profile passes on, and no others. */
  env: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** Absolute path of bash. */
  bash: z.string(),
})
export type Surroundings = z.infer<typeof Surroundings>
