import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { ended, intent } from '../../contract/audit-events.js'
import { BINARY, type Ground, grounds } from '../binary.js'

const newGround = grounds()
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

/** The JSON mapping of opentelemetry-proto's logs: ids as hexadecimal, 64-bit integers as text, nothing unknown. */
const Int64 = z.string().regex(/^-?\d{1,19}$/)
const AnyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: Int64 }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(AnyValue) }) }),
    z.strictObject({ kvlistValue: z.strictObject({ values: z.array(KeyValue) }) }),
  ]),
)
const KeyValue: z.ZodType = z.strictObject({ key: z.string().min(1), value: AnyValue })
const LogRecord = z.strictObject({
  timeUnixNano: Int64,
  observedTimeUnixNano: Int64,
  severityNumber: z.int().min(1).max(24),
  severityText: z.string(),
  eventName: z.string(),
  body: AnyValue,
  attributes: z.array(KeyValue),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  spanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  flags: z.int().min(0).optional(),
})
const LogsRequest = z.strictObject({
  resourceLogs: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(KeyValue) }),
      scopeLogs: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          logRecords: z.array(LogRecord),
        }),
      ),
    }),
  ),
})

/** Fills the log of a ground with requests, without running them. */
function fill({ state }: Ground, count: number, command = 'echo \u2028 \u009b'): void {
  const audit = openAudit({ file: join(state, 'cordon/audit.db') })
  for (let i = 0; i < count; i += 1)
    audit.refused(intent(`i${i}`, { command, request: { mode: 'shell', script: command } }), ended(`i${i}`))
  audit.close()
}

const linesOf = (text: string): readonly unknown[] => {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('cordon audit export', () => {
  it('prints each request on a line of JSON, oldest first, as the same filters as `cordon audit` choose', async () => {
    const ground = newGround()
    await ground.run(['run', '--agent', 'builder', '--', 'echo one'])
    await ground.run(['run', '--', 'sudo id'])
    const { status, stdout } = await ground.run(['audit', 'export'])
    expect(status).toBe(0)
    const listed = JSON.parse((await ground.run(['audit', '--json'])).stdout)
    expect(linesOf(stdout)).toEqual([...listed].reverse())
    const chosen = await ground.run(['audit', 'export', '--format', 'ndjson', '--verdict', 'deny'])
    expect(linesOf(chosen.stdout)).toMatchObject([{ command: 'sudo id', outcome: 'blocked' }])
  })

  it('prints requests to a collector of OpenTelemetry, in the JSON of its protocol', async () => {
    const ground = newGround()
    const audit = openAudit({ file: join(ground.state, 'cordon/audit.db') })
    const traceparent = `00-${TRACE}-${SPAN}-01`
    audit.refused(intent('a', { agent: 'builder', traceparent, toolCallId: 'call_1' }), ended('a', { durationMs: 1.5 }))
    audit.refused(
      intent('b', { verdict: 'deny', request: { mode: 'structured', program: 'sudo', args: ['id'] } }),
      ended('b', { outcome: 'blocked', exitCode: null, transaction: { id: null, outcome: 'kept' } }),
    )
    audit.close()
    const { stdout } = await ground.run(['audit', 'export', '--format', 'otlp'])
    const requests = linesOf(stdout).map((line) => LogsRequest.parse(line))
    const records = requests.flatMap(({ resourceLogs }) => resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [])
    expect(records).toHaveLength(2)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(requests[0]?.resourceLogs[0]?.resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'cordon' } },
      { key: 'service.version', value: { stringValue: version } },
    ])
    expect(records[0]).toMatchObject({
      timeUnixNano: '1767225600000000000',
      observedTimeUnixNano: '1767225601000000000',
      severityText: 'INFO',
      body: { stringValue: 'echo a' },
      traceId: TRACE,
      spanId: SPAN,
      flags: 1,
    })
    expect(records[0]?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'gen_ai.agent.name', value: { stringValue: 'builder' } },
        { key: 'gen_ai.tool.call.id', value: { stringValue: 'call_1' } },
        { key: 'process.exit.code', value: { intValue: '0' } },
        { key: 'cordon.duration_ms', value: { doubleValue: 1.5 } },
      ]),
    )
    expect(records[1]).toMatchObject({ severityText: 'WARN' })
    expect(JSON.stringify(records[1])).toContain('"arrayValue":{"values":[{"stringValue":"id"}]}')
  })

  it.each(['ndjson', 'otlp'])('prints a log as %s that is larger than the memory it may use', async (format) => {
    const ground = newGround()
    const count = 2_500
    fill(ground, count, `echo ${'long '.repeat(4_000)}`)
    const argv = ['--max-old-space-size=48', BINARY, 'audit', 'export', '--format', format]
    const child = spawn(process.execPath, argv, { cwd: ground.workspace, env: ground.env })
    child.stderr.resume()
    const ended = once(child, 'close')
    const bytes: number[] = []
    let records = 0
    for await (const line of createInterface({ input: child.stdout })) {
      const value = JSON.parse(line)
      bytes.push(line.length)
      records += format === 'otlp' ? value.resourceLogs[0].scopeLogs[0].logRecords.length : 1
    }
    expect([await ended, records]).toEqual([[0, null], count])
    expect(bytes.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(95_000_000)
    expect(Math.max(...bytes)).toBeLessThan(2_000_000)
  })

  it('of a log that nothing was written to is empty', async () => {
    expect(await newGround().run(['audit', 'export'])).toMatchObject({ status: 0, stdout: '' })
  })

  it('ends quietly when its reader goes away', async () => {
    const ground = newGround()
    fill(ground, 2_000)
    const child = spawn(process.execPath, [BINARY, 'audit', 'export'], { cwd: ground.workspace, env: ground.env })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    await once(child, 'close')
    expect(said).toBe('')
  })
})
