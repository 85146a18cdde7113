import { createRequire } from 'node:module'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Histogram, MeterProvider, Span } from '@opentelemetry/api'
import type { Ended, Intent } from '../../core/model/run/audit.js'
import type { Result } from '../../core/model/run/result.js'
import { maskSecrets } from '../../core/present/mask.js'
import type { Audit } from '../../engine/ports/ports.js'

type Api = typeof OpenTelemetry

/**
 * Makes a span and a measurement of every request that the audit log is told of, for the OpenTelemetry SDK that the
 * process has registered. Without one nothing is loaded. `hasContent`: with commands and output.
 */
export function tracedAudit(audit: Audit, hasContent: boolean): Audit {
  const begun = new Map<string, { readonly span: Span; readonly intent: Intent }>()
  const durations = durationMeter()
  const begin = (intent: Intent): void =>
    withSdk((api) => {
      if (intent.tool !== 'connect') begun.set(intent.id, { intent, span: startSpan(api, intent, hasContent) })
    })
  const end = (ended: Ended, result?: Result): void => {
    const request = begun.get(ended.id)
    if (request === undefined) return
    begun.delete(ended.id)
    withSdk((api) => {
      endSpan(api, request.span, ended, hasContent ? result : undefined)
      durations.record(api, request.intent, ended)
    })
  }
  return {
    ...audit,
    began(intent) {
      audit.began(intent)
      begin(intent)
    },
    ended(ended, result) {
      try {
        audit.ended(ended, result)
      } finally {
        end(ended, result)
      }
    },
    refused(intent, ended) {
      audit.refused(intent, ended)
      begin(intent)
      end(ended)
    },
  }
}

const REGISTERED = Symbol.for('opentelemetry.js.api.1')
/**
 * Calls with OpenTelemetry's API if a program has registered an SDK: until then the API is not loaded. An SDK that
 * throws, or an API that is not installed, cannot decide how a command ends.
 */
function withSdk(action: (api: Api) => void): void {
  if (!(REGISTERED in globalThis)) return
  try {
    action(createRequire(import.meta.url)('@opentelemetry/api'))
  } catch {
    // The command is on record; it only has no span.
  }
}

const SCOPE = 'cordon'

function startSpan(api: Api, intent: Intent, hasContent: boolean): Span {
  const options = { startTime: new Date(intent.at), attributes: attributesOf(intent, hasContent) }
  return api.trace.getTracer(SCOPE).startSpan(`execute_tool ${nameOf(intent)}`, options, parentOf(api, intent))
}

/** The caller's span where it was named, else the one that is active. */
function parentOf({ context, trace }: Api, { traceparent }: Intent): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return context.active()
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(context.active(), parent)
}

const named = (attributes: Readonly<Record<string, string | number | null | undefined>>): Attributes =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))

/** Names the tool that the model called. Measurements do not have it: a model can name any. */
const nameOf = ({ toolName, tool }: Intent): string => toolName ?? tool

const attributesOf = (intent: Intent, hasContent: boolean): Attributes =>
  named({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': nameOf(intent),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': intent.toolCallId,
    'gen_ai.agent.name': intent.agent,
    'cordon.request.id': intent.id,
    'cordon.caller': intent.caller,
    'cordon.profile': intent.profile,
    'cordon.verdict': intent.verdict,
    'cordon.rule': intent.rule,
    'gen_ai.tool.call.arguments': hasContent ? argumentsOf(intent) : null,
  })

const argumentsOf = ({ request, command, cwd }: Intent): string =>
  JSON.stringify(
    request?.mode === 'structured' ? { program: request.program, args: request.args, cwd } : { command, cwd },
  )

const outputOf = ({ stdout, stderr }: Result): string =>
  JSON.stringify({ stdout: maskSecrets(stdout), stderr: maskSecrets(stderr) })

const FINE: readonly Ended['outcome'][] = ['success', 'authorized']

const errorTypeOf = ({ outcome, errorCode }: Ended): string | undefined =>
  FINE.includes(outcome) ? undefined : (errorCode ?? outcome)

function endSpan({ SpanStatusCode }: Api, span: Span, ended: Ended, result: Result | undefined): void {
  const errorType = errorTypeOf(ended)
  span.setAttributes(
    named({
      'cordon.outcome': ended.outcome,
      'process.exit.code': ended.exitCode,
      'error.type': errorType,
      'gen_ai.tool.call.result': result && outputOf(result),
    }),
  )
  if (errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: errorType })
  span.end(new Date(ended.at))
}

/** The boundaries that the conventions for models advise, in seconds. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Measures how long requests take, in the SDK that is registered at the time. */
function durationMeter() {
  let provider: MeterProvider | undefined
  let histogram: Histogram | undefined
  return {
    record({ metrics }: Api, intent: Intent, ended: Ended): void {
      if (provider !== metrics.getMeterProvider()) {
        provider = metrics.getMeterProvider()
        const advice = { explicitBucketBoundaries: SECONDS }
        histogram = provider
          .getMeter(SCOPE)
          .createHistogram('gen_ai.execute_tool.duration', { unit: 's', advice, description: 'Duration of commands.' })
      }
      histogram?.record(
        ended.durationMs / 1000,
        named({
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': intent.tool,
          'gen_ai.agent.name': intent.agent,
          'cordon.verdict': intent.verdict,
          'cordon.outcome': ended.outcome,
          'error.type': errorTypeOf(ended),
        }),
      )
    },
  }
}
