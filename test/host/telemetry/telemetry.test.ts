import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryCordons } from '../../temporary-cordon.js'

const newCordon = temporaryCordons()
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`

afterEach(() => {
  for (const api of [trace, metrics, context, propagation]) api.disable()
})

/** Registers the real SDK for one test; returns the spans that ended. */
function registerTracing(...others: readonly SpanProcessor[]): () => readonly ReadableSpan[] {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(exporter), ...others]
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
  return () => exporter.getFinishedSpans()
}

describe('with an SDK of OpenTelemetry registered', () => {
  it('a command that ran is a span of the tool execution, without its text and output', async () => {
    const spans = registerTracing()
    const { cordon } = await newCordon()
    const before = Date.now()
    const { id } = await cordon.run('echo confidential', { agent: 'builder' })
    const [span, ...more] = spans()
    expect(more).toEqual([])
    expect(span?.name).toBe('execute_tool bash')
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'bash',
      'gen_ai.tool.type': 'function',
      'gen_ai.agent.name': 'builder',
      'cordon.request.id': id,
      'cordon.caller': 'library',
      'cordon.profile': 'workspace',
      'cordon.verdict': 'allow',
      'cordon.rule': 'default',
      'cordon.outcome': 'success',
      'process.exit.code': 0,
    })
    expect(span?.status.code).toBe(0)
    expect((span?.startTime[0] ?? 0) * 1000).toBeGreaterThanOrEqual(before - 1000)
    expect(span?.duration).not.toEqual([0, 0])
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('confidential')
  })

  it('a call of a tool of the program itself is a span by its name', async () => {
    const spans = registerTracing()
    const { cordon } = await newCordon()
    const parameters = { type: 'object', properties: {}, additionalProperties: false }
    const execute = async () => ({ success: true, text: 'done', json: {} })
    cordon.tools.register({ name: 'deploy', label: 'Deploy', description: 'Deploys.', parameters, execute })
    await cordon.tools.execute({ id: 'call_1', name: 'deploy', arguments: {} })
    expect(spans().map(({ name, attributes }) => [name, attributes['gen_ai.tool.call.id']])).toEqual([
      ['execute_tool deploy', 'call_1'],
    ])
  })

  it('a failed and a refused command are spans with an error of few values', async () => {
    const spans = registerTracing()
    const { cordon } = await newCordon()
    await cordon.run('exit 3')
    await expect(cordon.run('sudo id')).rejects.toThrow('Command not allowed: sudo')
    const told = spans().map(({ attributes, status }) => [
      attributes['error.type'],
      attributes['process.exit.code'],
      attributes['cordon.outcome'],
      status,
    ])
    expect(told).toEqual([
      ['error', 3, 'error', { code: 2, message: 'error' }],
      ['COMMAND_BLOCKED', undefined, 'blocked', { code: 2, message: 'COMMAND_BLOCKED' }],
    ])
  })

  it('a span has the command and its output, masked, only where they are asked for', async () => {
    const spans = registerTracing()
    const { cordon, workspace } = await newCordon({ traceContent: true })
    await cordon.run('echo shown; echo AKIAIOSFODNN7EXAMPLE')
    const { attributes } = spans()[0] as ReadableSpan
    expect(JSON.parse(String(attributes['gen_ai.tool.call.arguments']))).toMatchObject({
      command: expect.stringContaining('echo shown'),
      cwd: workspace,
    })
    expect(JSON.parse(String(attributes['gen_ai.tool.call.result'])).stdout).toContain('shown\n')
    expect(JSON.stringify(attributes)).not.toContain('AKIAIOSFODNN7EXAMPLE')
  })

  it('the span belongs to the traceparent of the call, and the audit log names both', async () => {
    const spans = registerTracing()
    const { cordon } = await newCordon()
    await cordon.run('true', { traceparent: TRACEPARENT })
    const call = { id: 'call_7', name: 'bash', arguments: { command: 'true' }, context: { traceparent: TRACEPARENT } }
    await cordon.tools.execute(call)
    await expect(cordon.authorize('sudo id', { traceparent: TRACEPARENT })).rejects.toThrow()
    expect(spans().map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId])).toEqual(
      Array(3).fill([TRACE, SPAN]),
    )
    expect(spans()[1]?.attributes['gen_ai.tool.call.id']).toBe('call_7')
    expect(cordon.audit.query().map(({ traceparent }) => traceparent)).toEqual(Array(3).fill(TRACEPARENT))
    expect(cordon.audit.query()[1]?.toolCallId).toBe('call_7')
  })

  it.each(['', 'no', `00-${'0'.repeat(32)}-${SPAN}-01`, `ff-${TRACE}-${SPAN}-01`, `${TRACEPARENT}\n`])(
    'the traceparent %j is ignored, and the command runs',
    async (traceparent) => {
      const spans = registerTracing()
      const { cordon } = await newCordon()
      expect((await cordon.run('true', { traceparent })).exitCode).toBe(0)
      expect(spans()[0]?.parentSpanContext).toBeUndefined()
      expect(cordon.audit.query()[0]).not.toHaveProperty('traceparent')
    },
  )

  it('an SDK that throws does not decide how a command ends', async () => {
    const fail = (): never => {
      throw new Error('the exporter is broken')
    }
    registerTracing({ onStart: fail, onEnd: fail, forceFlush: async () => {}, shutdown: async () => {} })
    const { cordon } = await newCordon()
    expect((await cordon.run('echo on')).stdout).toBe('on\n')
    expect(cordon.audit.query()[0]?.outcome).toBe('success')
  })

  it('the duration of each command is measured by its tool, verdict and outcome', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2_000_000_000 })
    const provider = new MeterProvider({ readers: [reader] })
    metrics.setGlobalMeterProvider(provider)
    const { cordon } = await newCordon()
    await cordon.run('true')
    await cordon.run('true')
    await expect(cordon.run('sudo id')).rejects.toThrow()
    await provider.forceFlush()
    const [metric] = exporter.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? []
    expect(metric?.descriptor).toMatchObject({ name: 'gen_ai.execute_tool.duration', unit: 's' })
    const points = metric?.dataPoints.map(({ attributes, value }) => [
      attributes['gen_ai.tool.name'],
      attributes['cordon.verdict'],
      attributes['error.type'],
      (value as { count: number }).count,
    ])
    expect(points).toEqual([
      ['bash', 'allow', undefined, 2],
      ['bash', 'deny', 'COMMAND_BLOCKED', 1],
    ])
    await provider.shutdown()
  })
})

/** Runs a module in a process of its own, which has the built library and the packages of this checkout. */
function inProcess(code: string): string {
  const root = mkdtempSync(join(tmpdir(), 'cordon-telemetry-'))
  const library = pathToFileURL(resolve('dist/index.js')).href
  const text = `
import { createRequire } from 'node:module'
import { createCordon } from ${JSON.stringify(library)}
const require = createRequire(${JSON.stringify(library)})
const cordon = await createCordon({ workspace: ${JSON.stringify(root)}, stateDirectory: ${JSON.stringify(root)}, warm: 0 })
${code}
await cordon.close()`
  try {
    return execFileSync(process.execPath, ['--input-type=module', '-e', text], { cwd: root, encoding: 'utf8' })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
const RUN = `await cordon.run('true', { profile: 'open' })`

describe('the built library', () => {
  it('does not load OpenTelemetry where no SDK is registered', () => {
    const loaded = `Object.keys(require.cache).filter((path) => path.includes('@opentelemetry')).length`
    expect(inProcess(`${RUN}; console.log(${loaded})`)).toBe('0\n')
  })

  it('finds an SDK that was registered after it was made', () => {
    const register = `
const { trace } = require('@opentelemetry/api')
const { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base')
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] }))`
    expect(inProcess(`${RUN}; ${register}; ${RUN}`).match(/execute_tool bash/g)).toHaveLength(1)
  })
})
