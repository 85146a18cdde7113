import * as z from 'zod'

/** Left out of the sandbox of an overlay transaction, which reviews a change there before it is committed. */
const reviewed = z.literal(true).optional()

/** One step of building the wall, in order. Paths are absolute. */
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
  /** A program that says it is not allowed and exits 126 stands in the place of a denied one. */
  z.strictObject({ op: z.literal('mask'), at: z.string() }),
  /**
   * forbid: nothing is there yet, and the command cannot make it. pin: a directory, if it is there, that cannot be renamed or
   * replaced though its contents can change.
   */
  z.strictObject({ op: z.enum(['forbid', 'pin']), at: z.string(), reviewed }),
  /** A symbolic link that must go on saying what it says: nothing can be mounted over one, so it is put back when it does not. */
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
    /** Pid whose mount namespace the wall is built in: set by a running transaction, never planned, so no part of the digest. */
    within: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal('none') }),
])
export type Sandbox = z.infer<typeof Sandbox>

/** What a plan may use up. `null`: not limited. */
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

/** What becomes of the changes of a command that fails, is stopped or meets a limit. */
export const OnFailure = z.enum(['keep', 'restore'])
export type OnFailure = z.infer<typeof OnFailure>

export const TransactionMode = z.enum(['off', 'auto', 'always', 'review'])
export type TransactionMode = z.infer<typeof TransactionMode>

/** How a transaction is secured and settled. */
export const Securing = z.strictObject({
  onFailure: OnFailure,
  /** Exit codes that count as a failure. Null: 2 and above. */
  rollbackCodes: z.array(z.int()).readonly().nullable(),
  /** Globs of what is put back, relative to the workspace or absolute. Empty: everything. */
  scope: z.array(z.string()).readonly(),
  /** What may be copied where nothing cheaper than copies can be had. */
  maxBytes: z.int().positive(),
  /** Refuse to run when it cannot be secured, instead of running with a warning. */
  required: z.boolean(),
})
export type Securing = z.infer<typeof Securing>

/** What a person's yes rests on besides the words of the command. */
export const ApprovalBasis = z.strictObject({
  /** SHA-256 of the rules and reasons that were shown. */
  reasons: z.string(),
  /** Scripts that were read, each with the SHA-256 of its text, and programs outside the system's directories, each with its identity. */
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
  /** Keys of git's configuration that the command may change because a person approved it; see `Lifted`. */
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
})
export type Grant = z.infer<typeof Grant>

/** What a launcher can enforce on this host, and if nothing: why, and what to do about it. */
export const Capabilities = z.discriminatedUnion('sandbox', [
  z.strictObject({ sandbox: z.literal('bubblewrap'), version: z.string(), path: z.string() }),
  z.strictObject({ sandbox: z.literal('none'), cause: z.string(), fix: z.string() }),
])
export type Capabilities = z.infer<typeof Capabilities>
