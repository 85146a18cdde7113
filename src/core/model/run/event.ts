import * as z from 'zod'
import { ErrorInfo } from '../basics/errors.js'
import { Stream } from '../basics/relay.js'
import { RuleMatch } from '../policy/decision.js'
import { TransactionReport } from './result.js'

/** Events of a running request, for a terminal, a web page and an MCP client. */
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
