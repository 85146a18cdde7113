import * as z from 'zod'

/** Cordon state directories that replace others inside the sandbox. */
export const PrivateDirectories = z.strictObject({
  /** Mounted at /tmp. */
  tmp: z.string(),
  /** Mounted at the person's home. Null: commands see the real home. */
  home: z.string().nullable(),
  /** Entries of the real home that commands see read-only: the real path of each, and the path at which they see it. */
  shared: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** True if symlinks in the private home cover all of the real one, which is then mounted at `SHARED_HOME`. */
  sharesAll: z.boolean(),
})
export type PrivateDirectories = z.infer<typeof PrivateDirectories>

/** Path of the real home, read-only, inside a sandbox whose profile shares all of it. */
export const SHARED_HOME = '/run/cordon/home'

/** The parts of the host that a plan depends on. Observed once per plan, so that planning itself stays pure. */
export const HostContext = z.strictObject({
  workspace: z.string(),
  home: z.string(),
  /** Real paths of existing roots, writable and hidden paths of the profile, each with its file type. */
  roots: z.array(z.string()).readonly(),
  writable: z.array(z.string()).readonly(),
  /** Readable paths outside the roots and outside hidden paths. */
  readable: z.array(z.string()).readonly().optional(),
  /** Entries of `/` outside the system, if the profile allows no reads outside. A sandbox shows only mounts in them. */
  outside: z
    .array(z.tuple([z.string(), z.enum(['file', 'directory'])]).readonly())
    .readonly()
    .optional(),
  hidden: z.array(z.tuple([z.string(), z.enum(['file', 'directory'])]).readonly()).readonly(),
  /** Files at hidden paths that stay visible, because HEAD has the same bytes for them or for their example. */
  tracked: z.array(z.string()).readonly().optional(),
  /** Paths in `hidden` that a person shows by name; they are `readable` too. */
  shown: z.array(z.string()).readonly().optional(),
  /** Entries of `hidden` that are only hard links of others. */
  hiddenHardLinks: z.array(z.string()).readonly().optional(),
  protected: z.array(z.string()).readonly(),
  /** Entries of `protected` that a transaction reviews at commit, so a command may change them there. */
  reviewed: z.array(z.string()).readonly().optional(),
  /** Directories with more git repositories than can be protected one by one. */
  crowded: z.array(z.string()).readonly().optional(),
  /** As `reviewed`, for settings that other tools than git run. */
  reviewedSettings: z.array(z.string()).readonly().optional(),
  /** Real paths of the programs that a sandbox masks. */
  masked: z.array(z.string()).readonly().optional(),
  /** Entries of `protected` that do not exist. */
  absent: z.array(z.string()).readonly().optional(),
  /** Symlinks on the way to `protected`, and to `hidden` by full names, each with its target. */
  links: z
    .array(z.tuple([z.string(), z.string()]).readonly())
    .readonly()
    .optional(),
  /** Further names of protected files, by hard links. */
  hardLinks: z.array(z.string()).readonly().optional(),
  /** Directories of sockets and run-time state that a sandbox always hides, with the resolver file in them. */
  runtime: z
    .strictObject({
      hidden: z.array(z.string()).readonly(),
      resolver: z.string().nullable(),
      /** The settings of name lookups for sandboxes without a network, and the host's file at which they see them. */
      nameService: z.strictObject({ from: z.string(), at: z.string() }).nullable().optional(),
    })
    .optional(),
  /** Cordon state directories that commands see as the home and /tmp. Absent: the real home, and an empty /tmp. */
  privateDirectories: PrivateDirectories.optional(),
  /** Directory of Cordon's own records, which no setting opens. */
  state: z.string().optional(),
  /** Registries that the person's own npm, pip and cargo settings name: `npm.example.com:443`, and the file. */
  registries: z
    .array(z.strictObject({ tool: z.string(), file: z.string(), host: z.string() }))
    .readonly()
    .optional(),
  /** Values of the variables the profile passes on, and no others. */
  env: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** Absolute path of bash. */
  bash: z.string(),
})
export type HostContext = z.infer<typeof HostContext>
