import * as z from 'zod'
import { Span } from './span.js'

/**
 * An argument whose value is unknown before the command runs. `glob`: the pattern of a pathname expansion. `prefix`: its known
 * beginning, if that makes it an option. `maySplit`: it may become more than one argument.
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
  /** What it is run through, outermost first: `['xargs']`, `['bash -c', 'eval']`. Empty for a command on the line itself. */
  via: z.array(z.string()).readonly(),
  /** Set where it is not certain to run: it depends on how another command ends, on a value, or on what turns up. */
  conditional: z.boolean().optional(),
  /** Set where it is not on the line: what a program starts by itself for its work, as `zcat` starts `gzip`. */
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
  /** Set for the inner workings of a program, which nothing on the line decides: told, but no verdict rests on it. */
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

/** Everything a script would do that can be read off it, and every spot where that cannot be known. */
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

/** What the reader must know of the host before its facts are complete. */
export const Question = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('path'), path: z.string() }),
  z.strictObject({ ask: z.literal('program'), name: z.string() }),
  z.strictObject({ ask: z.literal('script'), path: z.string() }),
  z.strictObject({ ask: z.literal('syntax'), text: z.string() }),
])
export type Question = z.infer<typeof Question>

/** The host's answers, keyed by what was asked. Recorded with the decision, so that it can be made again later. */
export const Answers = z.strictObject({
  /** path → where it really is (symlinks resolved as far as they exist), and what stands there. */
  paths: z.map(
    z.string(),
    z.strictObject({ real: z.string(), kind: z.enum(['file', 'directory', 'other', 'missing']) }),
  ),
  /** program → absolute real path, or null when PATH has none. */
  programs: z.map(z.string(), z.string().nullable()),
  /** path → text of a script, or null when it cannot or must not be read. */
  scripts: z.map(z.string(), z.string().nullable()),
  /** text → the lines that bash runs before it finds an error in it; -1 where it finds none. */
  syntax: z.map(z.string(), z.number().int()).optional(),
})
export type Answers = z.infer<typeof Answers>

export const noAnswers = (): Answers => ({
  paths: new Map(),
  programs: new Map(),
  scripts: new Map(),
  syntax: new Map(),
})
