import type { AuditRecord } from '../model/run/audit.js'
import { toSnakeCase } from './snake-case.js'

/** A value as OTLP/JSON writes it: by its type, and 64-bit integers as text. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

const SCOPE = 'cordon'

/** Returns audit records as one request of OTLP/JSON for logs. */
export const otlpLogs = (records: readonly AuditRecord[], version: string) => ({
  resourceLogs: [
    {
      resource: { attributes: keyValues({ 'service.name': SCOPE, 'service.version': version }) },
      scopeLogs: [{ scope: { name: SCOPE, version }, logRecords: records.map(logRecord) }],
    },
  ],
})

const FINE: readonly AuditRecord['outcome'][] = ['success', 'authorized', 'running']
const INFO = { severityNumber: 9, severityText: 'INFO' }
const WARN = { severityNumber: 13, severityText: 'WARN' }

function logRecord(record: AuditRecord) {
  const { at, endedAt, command, agent, tool, toolName, toolCallId, traceparent, exitCode, ...rest } = record
  const own = Object.entries(toSnakeCase(rest)).map(([name, value]) => [`cordon.${name}`, value])
  return {
    timeUnixNano: nanoseconds(at),
    observedTimeUnixNano: nanoseconds(endedAt ?? at),
    ...(FINE.includes(record.outcome) ? INFO : WARN),
    eventName: 'cordon.request',
    body: { stringValue: command },
    attributes: keyValues({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': toolName ?? tool,
      'gen_ai.tool.call.id': toolCallId,
      'gen_ai.agent.name': agent,
      'process.exit.code': exitCode,
      ...Object.fromEntries(own),
    }),
    ...spanOf(traceparent),
  }
}

const nanoseconds = (at: string): string => `${Date.parse(at)}000000`

function spanOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags = ''] = traceparent?.split('-') ?? []
  return traceId === undefined ? {} : { traceId, spanId, flags: Number.parseInt(flags, 16) }
}

const keyValues = (values: object): readonly KeyValue[] =>
  Object.entries(values).flatMap(([key, value]) => (value == null ? [] : [{ key, value: anyValue(value) }]))

function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: keyValues(value as object) } }
}
