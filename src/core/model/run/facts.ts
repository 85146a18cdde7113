import * as z from 'zod'
import { Span } from '../basics/span.js'

/**
 * An argument with an unknown value. `glob`: the pattern of a pathname expansion. `prefix`: the known beginning of an
 * option. `maySplit`: it may become several arguments.
 */
export const Unknown = z.strictObject({
  unknown: z.string().describe('why it is not known'),
  glob: z.string().optional().describe('the pattern, when the value is a pathname expansion'),
  prefix: z.string().optional().describe('the known beginning, when it is an option'),
  maySplit: z.literal(true).optional().describe('set when an unquoted option may become several arguments'),
})
export type Unknown = z.infer<typeof Unknown>

export const Invocation = z.strictObject({
  /** Base name of the program as the rules see it, or null when it cannot be known. */
  program: z.string().nullable(),
  /** Argument vector as bash would pass it, program first. */
  argv: z.array(z.union([z.string(), Unknown])).readonly(),
  span: Span,
  /** Wrappers of the command, outermost first: `['xargs']`, `['bash -c', 'eval']`. Empty for a direct command. */
  via: z.array(z.string()).readonly(),
  /** Set if it may not run: it depends on the status of another command, a value or files that exist. */
  conditional: z.boolean().optional(),
  /** Set if a program starts it for its own work, as `zcat` starts `gzip`. */
  implied: z.boolean().optional(),
})
export type Invocation = z.infer<typeof Invocation>

export const PathFact = z.strictObject({
  /** As written after expansion, resolved against the directory in force; absolute unless that is unknown. */
  path: z.string(),
  span: Span,
  /** The program it is an argument of, or `redirect`. */
  by: z.string(),
  /** Set when the operation reaches everything below the path. */
  recursive: z.boolean().optional(),
  /** Set when `path` is a pattern or only the known beginning of the path. */
  partial: z.boolean().optional(),
})
export type PathFact = z.infer<typeof PathFact>

export const HostFact = z.strictObject({ host: z.string(), port: z.int().nullable(), span: Span, by: z.string() })
export type HostFact = z.infer<typeof HostFact>

/** `unknown`: the shell runs what we cannot name. `foreign`: code of another language or tool. */
export const Opaque = z.strictObject({
  span: Span,
  kind: z.enum(['unknown', 'foreign']),
  reason: z.string(),
  /** Set for implied programs, which the script does not choose. Reported, but no verdict depends on it. */
  inherent: z.boolean().optional(),
})
export type Opaque = z.infer<typeof Opaque>

/** A variable that reaches the environment of an invocation: a prefix, an export, or one given with the request. */
export const EnvFact = z.strictObject({ name: z.string(), value: z.string().nullable(), span: Span })
export type EnvFact = z.infer<typeof EnvFact>

/** Shapes of a script that are dangerous as a whole rather than by one program. */
export const Shape = z.strictObject({
  kind: z.enum(['fork-bomb', 'decode-and-run', 'download-and-run', 'too-complex']),
  span: Span,
})
export type Shape = z.infer<typeof Shape>

/** Everything that a script does as far as the analyser can tell, and every position where it cannot. */
export const Facts = z.strictObject({
  invocations: z.array(Invocation).readonly(),
  reads: z.array(PathFact).readonly(),
  writes: z.array(PathFact).readonly(),
  deletes: z.array(PathFact).readonly(),
  hosts: z.array(HostFact).readonly(),
  environment: z.array(EnvFact).readonly(),
  shapes: z.array(Shape).readonly(),
  writesAnything: z.boolean(),
  opaque: z.array(Opaque).readonly(),
})
export type Facts = z.infer<typeof Facts>

/** Questions to the host that the facts depend on. */
export const Question = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('path'), path: z.string() }),
  z.strictObject({ ask: z.literal('program'), name: z.string() }),
  z.strictObject({ ask: z.literal('script'), path: z.string() }),
  z.strictObject({ ask: z.literal('syntax'), text: z.string() }),
  z.strictObject({ ask: z.literal('remotes'), path: z.string() }),
])
export type Question = z.infer<typeof Question>

/** The host's answers, keyed by what was asked. Recorded with the decision, so that it can be made again later. */
export const Answers = z.strictObject({
  /** path → its real path (symlinks resolved as far as they exist) and file type. */
  paths: z.map(
    z.string(),
    z.strictObject({ real: z.string(), kind: z.enum(['file', 'directory', 'other', 'missing']) }),
  ),
  /** program → absolute real path, or null when PATH has none. */
  programs: z.map(z.string(), z.string().nullable()),
  /** path → text of a script, or null when it cannot or must not be read. */
  scripts: z.map(z.string(), z.string().nullable()),
  /**
   * text, or `sh\0text` for /bin/sh → the number of lines that bash runs before a syntax error; -1 without an error.
   */
  syntax: z.map(z.string(), z.number().int()).optional(),
  /** directory → the remotes of its git repository: names and URLs, without passwords. */
  remotes: z.map(z.string(), z.array(z.tuple([z.string(), z.string()]).readonly()).readonly()).optional(),
})
export type Answers = z.infer<typeof Answers>

export const noAnswers = (): Answers => ({
  paths: new Map(),
  programs: new Map(),
  scripts: new Map(),
  syntax: new Map(),
  remotes: new Map(),
})
