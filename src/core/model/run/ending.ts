import * as z from 'zod'
import { ErrorCode } from '../basics/errors.js'

/** Ending of a command, as one tag. The booleans of the wire format derive from it. */
export const Ending = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('exited'), status: z.int() }),
  z.strictObject({
    how: z.literal('killed'),
    signal: z.string(),
    by: z.enum(['itself', 'timeout', 'caller', 'limit']),
    /** Which limit, with its value in words: `memory (512 MiB)`. */
    limit: z.string().optional(),
  }),
  z.strictObject({ how: z.literal('refused'), code: ErrorCode }),
])
export type Ending = z.infer<typeof Ending>
