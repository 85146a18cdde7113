import * as z from 'zod'
import { RuleMatch } from './decision.js'
import { ErrorInfo } from './errors.js'
import { TransactionReport } from './result.js'

export const Stream = z.enum(['stdout', 'stderr'])
export type Stream = z.infer<typeof Stream>

/** What happens while a request runs, as a terminal, a web page and an MCP client can all use it. */
export const Event = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('started'), id: z.string(), command: z.string(), agent: z.string().nullable() }),
  z.strictObject({ type: z.literal('output'), id: z.string(), stream: Stream, chunk: z.string() }),
  z.strictObject({
    type: z.literal('completed'),
    id: z.string(),
    exitCode: z.int(),
    durationMs: z.number(),
    error: ErrorInfo.nullable(),
  }),
  z.strictObject({ type: z.literal('refused'), id: z.string(), error: ErrorInfo }),
  z.strictObject({ type: z.literal('rolled-back'), id: z.string(), report: TransactionReport }),
  z.strictObject({ type: z.literal('committed'), id: z.string(), report: TransactionReport }),
  z.strictObject({ type: z.literal('waiting-for-review'), id: z.string(), report: TransactionReport }),
  z.strictObject({
    type: z.literal('approval-required'),
    id: z.string(),
    approval: z.string().nullable(),
    because: z.array(RuleMatch).readonly(),
  }),
])
export type Event = z.infer<typeof Event>
export type OnEvent = (event: Event) => void
