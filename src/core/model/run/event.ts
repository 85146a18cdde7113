import * as z from 'zod'
import { ErrorInfo } from '../basics/errors.js'
import { Stream } from '../basics/relay.js'
import { RuleMatch } from '../policy/decision.js'
import { FilterReport, Result, TransactionReport } from './result.js'

/** Fields of every event: the request, and the tool as the model called it. */
const OF = { id: z.string(), agent: z.string().nullable(), tool: z.string() }

/** Events of a running request, for a terminal, a web page and an MCP client. */
export const Event = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('started'), ...OF, command: z.string() }),
  z.strictObject({ type: z.literal('output'), ...OF, stream: Stream, chunk: z.string() }),
  z.strictObject({
    type: z.literal('completed'),
    ...OF,
    command: z.string(),
    success: z.boolean(),
    /** Bytes of each stream; `kept`: `logs` reads the whole output under this id. */
    output: Result.shape.streams,
    filter: FilterReport.nullable(),
    exitCode: z.int(),
    durationMs: z.number(),
    error: ErrorInfo.nullable(),
  }),
  z.strictObject({ type: z.literal('refused'), ...OF, error: ErrorInfo }),
  z.strictObject({ type: z.literal('rolled-back'), ...OF, report: TransactionReport }),
  z.strictObject({ type: z.literal('committed'), ...OF, report: TransactionReport }),
  z.strictObject({ type: z.literal('waiting-for-review'), ...OF, report: TransactionReport }),
  z.strictObject({
    type: z.literal('approval-required'),
    ...OF,
    approval: z.string().nullable(),
    because: z.array(RuleMatch).readonly(),
  }),
])
export type Event = z.infer<typeof Event>
/** An event before the fields that every event of the request has are added. */
export type BareEvent = Event extends infer Each ? (Each extends Event ? Omit<Each, 'agent' | 'tool'> : never) : never
export type OnEvent = (event: Event) => void
