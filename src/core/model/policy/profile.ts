import * as z from 'zod'
import { Verdict } from './decision.js'
import { ProfileNetwork } from './network-sets.js'
import { ResourceLimits, Securing, TransactionMode } from './plan.js'

/** A rule over invocations, not text. It carries its reason and its own examples, checked when it loads. */
export const Rule = z.strictObject({
  id: z.string(),
  /** Program names (globs allowed). Absent: any program. */
  program: z.array(z.string()).readonly().nullable(),
  /** Each element must occur among the arguments, in this order; an inner list gives alternatives. Globs allowed. */
  args: z.array(z.union([z.string(), z.array(z.string()).readonly()])).readonly(),
  /** A glob over the action string of the whole request or of one part: `tool:bash:git push*`, `tool:exec:rm *`. */
  action: z.string().nullable(),
  verdict: Verdict,
  because: z.string(),
  instead: z.string().nullable(),
  hits: z.array(z.string()).readonly(),
  misses: z.array(z.string()).readonly(),
})
export type Rule = z.infer<typeof Rule>

/** Resolved permissions of one agent: no inheritance, no missing defaults, and user-named keys as pairs. */
export const Profile = z.strictObject({
  name: z.string(),
  summary: z.string(),
  modes: z.array(z.enum(['shell', 'structured'])).readonly(),
  sandbox: z.enum(['required', 'off']),
  network: ProfileNetwork,
  programs: z.strictObject({
    /** Only these run. Null: any that no rule refuses. */
    allowOnly: z.array(z.string()).readonly().nullable(),
    /** May a program be given as a path in structured mode? Rules then see its base name. */
    paths: z.boolean(),
  }),
  /** Refuse shell metacharacters and `..` in structured arguments. */
  plainArguments: z.boolean(),
  builtins: z.strictObject({
    /** Built-in denials this profile removes, by name (`sudo`, `network`, `fork-bomb`, …). */
    removed: z.array(z.string()).readonly(),
  }),
  rules: z.array(Rule).readonly(),
  opaque: z.strictObject({ unknown: Verdict, foreign: Verdict }),
  default: Verdict,
  paths: z.strictObject({
    /** Directories where commands may start and write. `.` is the workspace, `~` the real home. */
    roots: z.array(z.string()).readonly(),
    /** Writable besides the roots: caches. */
    writable: z.array(z.string()).readonly(),
    /** Readable besides the roots and what programs need. */
    readable: z.array(z.string()).readonly(),
    /** Paths that commands cannot read. Globs allowed. */
    hidden: z.array(z.string()).readonly(),
    /** Readable, never writable, though inside a root. */
    protected: z.array(z.string()).readonly(),
    /** May the roots be written at all? */
    write: z.boolean(),
    /** Verdicts of the analyser on reads, and on writes or deletes, outside the roots. */
    readOutside: Verdict,
    writeOutside: Verdict,
  }),
  environment: z.strictObject({
    pass: z.array(z.string()).readonly(),
    set: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
    /** Prefixes of names that are stripped even when passed. */
    strip: z.array(z.string()).readonly(),
    home: z.enum(['private', 'workspace', 'real']),
    /**
     * Entries of the real home that a private home shows read-only. `~`: all except secrets. `..`: the parent directory
     * of the workspace.
     */
    shared: z.array(z.string()).readonly(),
    /** Size of a private home above which Cordon asks for a reset. Null: not limited. */
    homeBytes: z.int().positive().nullable(),
  }),
  timeouts: z.strictObject({
    structuredMs: z.int().positive(),
    shellMs: z.int().positive(),
    maxMs: z.int().positive(),
    noneAllowed: z.boolean(),
    graceMs: z.int().nonnegative(),
  }),
  output: z.strictObject({ captureBytes: z.int().positive(), presentedChars: z.int().positive() }),
  limits: ResourceLimits,
  transaction: Securing.extend({ mode: TransactionMode }),
  concurrency: z.strictObject({ perAgent: z.int().positive() }),
  /** Time limits: a held command waits `waitMs` for an answer; an approved one can run for `runMs`. */
  approvals: z.strictObject({ waitMs: z.int().positive(), runMs: z.int().positive() }),
  /** Programs that the agent may use; `bash` allows shell mode. Null: no list. */
  agentPrograms: z.array(z.string()).readonly().nullable(),
})
export type Profile = z.infer<typeof Profile>
