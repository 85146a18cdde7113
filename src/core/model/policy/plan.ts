import * as z from 'zod'

/**
 * Omitted from the sandbox of an overlay transaction, which reviews the changes before the commit: of git, or of other
 * tools.
 */
const reviewed = z.enum(['git', 'settings']).optional()

/** One step of building the sandbox, in order. Paths are absolute. */
export const Mount = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.enum(['read', 'write']),
    from: z.string(),
    at: z.string(),
    reviewed,
    /** Paths in a directory that a person opened for them: a transaction commits changes to no others there. */
    only: z.array(z.string()).readonly().optional(),
  }),
  z.strictObject({ op: z.enum(['proc', 'dev']), at: z.string() }),
  z.strictObject({ op: z.literal('tmpfs'), at: z.string(), bytes: z.int().positive().nullable() }),
  /** Cannot be opened, listed, changed or removed: EACCES, for root too. */
  z.strictObject({ op: z.enum(['hide-directory', 'hide-file']), at: z.string() }),
  /** A read-only directory with nothing in it but what is mounted there. */
  z.strictObject({ op: z.literal('empty-directory'), at: z.string() }),
  /** Replaces a denied program by one that prints a message and exits with 126. */
  z.strictObject({ op: z.literal('mask'), at: z.string() }),
  /**
   * forbid: the path does not exist and the command cannot create it. pin: a directory, if it exists, that cannot be
   * renamed or replaced; its content can change.
   */
  z.strictObject({ op: z.enum(['forbid', 'pin']), at: z.string(), reviewed }),
  /** A directory with more git repositories than Cordon can protect singly. Only a transaction can run the command. */
  z.strictObject({ op: z.literal('crowded'), at: z.string(), reviewed: z.literal('git') }),
  /** A symlink that must keep its target. No mount can cover a symlink, so Cordon restores it after a change. */
  z.strictObject({ op: z.literal('keep'), at: z.string(), to: z.string() }),
])
export type Mount = z.infer<typeof Mount>

export const Network = z.union([
  z.literal('none'),
  z.literal('full'),
  z.strictObject({ hosts: z.array(z.string()).readonly() }),
])
export type Network = z.infer<typeof Network>

export const Sandbox = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('bubblewrap'),
    mounts: z.array(Mount).readonly(),
    network: Network,
    /** Pid whose mount namespace contains the sandbox. A running transaction sets it; it is not part of the digest. */
    within: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal('none') }),
])
export type Sandbox = z.infer<typeof Sandbox>
export type BubblewrapSandbox = Extract<Sandbox, { kind: 'bubblewrap' }>

/** Resource limits of a plan. `null`: not limited. */
export const ResourceLimits = z.strictObject({
  memoryBytes: z.int().positive().nullable(),
  processes: z.int().positive().nullable(),
  cpuSeconds: z.int().positive().nullable(),
  fileBytes: z.int().positive().nullable(),
  openFiles: z.int().positive().nullable(),
  /** Bytes written to disks over the whole tree, what is deleted again included. */
  diskBytes: z.int().positive().nullable(),
})
export type ResourceLimits = z.infer<typeof ResourceLimits>

/** Treatment of the changes of a command that fails, is stopped or exceeds a limit. */
export const OnFailure = z.enum(['keep', 'restore'])
export type OnFailure = z.infer<typeof OnFailure>

export const TransactionMode = z.enum(['off', 'auto', 'always', 'review'])
export type TransactionMode = z.infer<typeof TransactionMode>

/** Snapshot and settlement of a transaction. */
export const Securing = z.strictObject({
  onFailure: OnFailure,
  /** Exit codes that count as a failure. Null: 2 and above. */
  rollbackCodes: z.array(z.int()).readonly().nullable(),
  /** Globs of what is put back, relative to the workspace or absolute. Empty: everything. */
  scope: z.array(z.string()).readonly(),
  /** Maximum size of a snapshot by copies. */
  maxBytes: z.int().positive(),
  /** Refuses to run without a snapshot, instead of running with a warning. */
  required: z.boolean(),
})
export type Securing = z.infer<typeof Securing>

/** Facts that an approval depends on besides the command text. */
export const ApprovalBasis = z.strictObject({
  /** SHA-256 of the rules and reasons that were shown. */
  reasons: z.string(),
  /**
   * Scripts that were read, each with its SHA-256, and programs outside the system directories, each with its identity.
   */
  files: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})
export type ApprovalBasis = z.infer<typeof ApprovalBasis>

/** Exactly what will be run, where and inside what. What was approved is what runs: the digest covers every field. */
export const Plan = z.strictObject({
  argv: z.array(z.string()).min(1).readonly(),
  cwd: z.string(),
  env: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** SHA-256 of what is sent on stdin, null when stdin is closed, `live` when the caller's own is connected. */
  stdinDigest: z.string().nullable(),
  sandbox: Sandbox,
  limits: ResourceLimits,
  timeoutMs: z.int().positive().nullable(),
  graceMs: z.int().nonnegative(),
  transaction: TransactionMode,
  securing: Securing.optional(),
  /** Git configuration keys and paths of tool settings that an approval lets the command change; see `Lifted`. */
  gitSettings: z.array(z.string()).readonly().optional(),
  workspace: z.string(),
  agent: z.string().nullable(),
  profile: z.string(),
  /** SHA-256 of the whole profile, so that a grant does not outlive a change of policy. */
  policyDigest: z.string(),
  /** Only where a person is asked. */
  basis: ApprovalBasis.optional(),
  digest: z.string(),
})
export type Plan = z.infer<typeof Plan>

/** Leave to run one plan once. */
export const Grant = z.strictObject({
  digest: z.string(),
  by: z.enum(['policy', 'person']),
  approval: z.string().nullable(),
  /** Words of the person who approved it. */
  note: z.string().optional(),
  approver: z.string().optional(),
})
export type Grant = z.infer<typeof Grant>

/** Enforcement that a launcher supports on this host; if none, the cause and the fix. */
export const Capabilities = z.discriminatedUnion('sandbox', [
  z.strictObject({ sandbox: z.literal('bubblewrap'), version: z.string(), path: z.string() }),
  z.strictObject({ sandbox: z.literal('none'), cause: z.string(), fix: z.string() }),
])
export type Capabilities = z.infer<typeof Capabilities>
