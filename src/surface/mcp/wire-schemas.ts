import * as z from 'zod'

const Because = z.looseObject({
  rule: z.string(),
  verdict: z.enum(['allow', 'ask', 'deny']),
  span: z.array(z.int()).describe('half-open range of UTF-16 offsets into the command'),
  reason: z.string(),
})

const ErrorWire = z.looseObject({
  code: z.string(),
  category: z.string(),
  domain: z.string(),
  phase: z.string(),
  message: z.string(),
})

/** What `bash` and `exec` return beside the text: a result, or `error` alone when nothing was run. */
export const RunOutput = z.looseObject({
  id: z.string().optional(),
  command: z.string().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  exit_code: z.int().optional(),
  signal: z.string().nullable().optional(),
  timed_out: z.boolean().optional(),
  cancelled: z.boolean().optional(),
  truncated: z.boolean().optional(),
  duration_ms: z.number().optional(),
  decision: z.looseObject({ verdict: z.enum(['allow', 'ask', 'deny']), because: z.array(Because) }).optional(),
  error: ErrorWire.nullable().optional().describe('set when the command did not do its work'),
  approval: z
    .looseObject({ id: z.string(), expires_at: z.string().optional(), note: z.string().nullable().optional() })
    .optional()
    .describe('what a held command waits for, or what a person said to one that ran'),
})

const PathWire = z.looseObject({ path: z.string(), by: z.string() })

/** What `check` returns: the verdict with its evidence, the facts, and how the command would be run. */
export const CheckOutput = z.looseObject({
  verdict: z.enum(['allow', 'ask', 'deny']).optional(),
  because: z.array(Because).optional(),
  facts: z
    .looseObject({
      invocations: z.array(z.looseObject({ program: z.string().nullable() })),
      reads: z.array(PathWire),
      writes: z.array(PathWire),
      deletes: z.array(PathWire),
      hosts: z.array(z.looseObject({ host: z.string() })),
      writes_anything: z.boolean(),
      opaque: z.array(z.looseObject({ kind: z.string(), reason: z.string() })),
    })
    .optional(),
  plan: z
    .looseObject({
      digest: z.string(),
      cwd: z.string(),
      profile: z.string(),
      sandbox: z.string(),
      timeout_ms: z.int().nullable(),
    })
    .nullable()
    .optional(),
  error: ErrorWire.optional(),
})
