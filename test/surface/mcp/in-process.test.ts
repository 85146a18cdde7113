import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Approval } from '../../../src/core/model/policy/approval.js'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import type { Result } from '../../../src/core/model/run/result.js'
import type { CheckResult, CommandInput, RunOptions } from '../../../src/engine/api.js'
import { createMcpServer } from '../../../src/surface/mcp/create-server.js'
import type { McpEngine } from '../../../src/surface/mcp/mcp-engine.js'
import { serveMcp } from '../../../src/surface/mcp/serve-mcp.js'
import { createServing } from '../../../src/surface/mcp/serving.js'
import { createTools } from '../../../src/surface/tools/create-tools.js'
import { sampleCheckResult } from '../cli/in-process.js'
import { sampleResult } from '../sample-result.js'

type Run = (command: CommandInput, options: RunOptions) => Promise<Result>

const unasked = (): never => {
  throw new Error('not expected to be asked')
}

const engineOf = (run: Run, check: () => CheckResult = unasked): McpEngine => ({
  tools: createTools({ run: (command, options = {}) => run(command, options) }),
  check,
  authorize: unasked,
  profiles: { list: () => [], get: unasked, replay: unasked, lint: unasked },
  approvals: { list: () => [], answer: unasked },
  audit: { query: () => [], records: () => [], verify: unasked },
  logs: unasked,
  transactions: {
    here: () => '/workspace',
    history: () => [],
    get: unasked,
    diff: unasked,
    undo: unasked,
    settle: unasked,
    recover: unasked,
  },
})

async function connected(engine: McpEngine): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const identity = { version: '1.2.3', agent: 'client', profile: 'readonly', waitMs: 0 }
  await createMcpServer(createServing(engine, identity)).connect(ours)
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(theirs)
  return client
}

const planWith = (name: string, value: string): Plan => ({
  argv: ['bash', '-c', 'x'],
  cwd: '/workspace',
  env: [[name, value]],
  stdinDigest: null,
  sandbox: { kind: 'none' },
  limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
  timeoutMs: 1_000,
  graceMs: 0,
  transaction: 'off',
  workspace: '/workspace',
  agent: null,
  profile: 'open',
  policyDigest: 'p',
  digest: 'd',
})

const pendingApproval = (id: string): Approval => ({
  id,
  digest: 'd',
  command: 'git push',
  cwd: '/workspace',
  workspace: '/workspace',
  agent: null,
  profile: 'workspace',
  because: [],
  scripts: [],
  rule: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  runMs: 1_000,
  answeredAt: null,
  note: null,
  approver: null,
  state: 'pending',
})

const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? ''

describe('an MCP client', () => {
  it('sees bash, exec, check, history and undo, loaded from the start, and none that could choose a profile', async () => {
    const client = await connected(engineOf(unasked))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['bash', 'check', 'exec', 'history', 'permission', 'undo'])
    for (const tool of tools) {
      expect(tool.outputSchema, tool.name).toBeUndefined()
      if (tool.name !== 'permission') expect(tool._meta).toMatchObject({ 'anthropic/alwaysLoad': true })
      expect(tool.annotations?.readOnlyHint).toBe(['check', 'history', 'permission'].includes(tool.name))
      expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain('profile')
      if (tool.name !== 'permission') expect(tool.inputSchema.additionalProperties).toBe(false)
    }
    await client.close()
  })

  it('is told of all tools in less than 1,500 tokens, counted as four characters each', async () => {
    const client = await connected(engineOf(unasked))
    const { tools } = await client.listTools()
    const told = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
    expect(told.join('').length / 4).toBeLessThan(1_500)
    await client.close()
  })

  it('runs a command as the agent and profile the server was started with', async () => {
    const asked: unknown[] = []
    const client = await connected(
      engineOf(async (command, { agent, profile, caller }) => {
        asked.push([command, agent, profile, caller])
        return sampleResult()
      }),
    )
    const result = await client.callTool({ name: 'bash', arguments: { command: 'echo hi' } })
    expect(result).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'hi\n\nTook 1.5s' }],
    })
    expect(result.structuredContent).toBeUndefined()
    expect(asked).toEqual([['echo hi', 'client', 'readonly', 'mcp']])
    await client.close()
  })

  it.each([
    ['both spellings of exec', { command: 'ls', args: ['-l'] }],
    ['the other too', { mode: 'structured', binary: 'ls', args: ['-l'] }],
  ])('an MCP client may use the tool %s', async (_, args) => {
    const asked: unknown[] = []
    const client = await connected(
      engineOf(async (command) => {
        asked.push(command)
        return sampleResult()
      }),
    )
    await client.callTool({ name: 'exec', arguments: args })
    expect(asked).toEqual([{ program: 'ls', args: ['-l'] }])
    await client.close()
  })

  it('is told in words of the tool what is wrong with its arguments', async () => {
    const client = await connected(engineOf(unasked))
    const result = await client.callTool({ name: 'bash', arguments: { command: 'ls', profile: 'open' } })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'Unknown parameter: profile. The keys here are command, cwd, timeout.' }],
    })
    expect(result._meta?.['cordon/error']).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } })
    await client.close()
  })

  it('gets a held command back as refused, with the reason and what a person must do', async () => {
    const message = 'Pushes to a shared place. Held for approval 7f3a: ask the person to run `cordon approve 7f3a`.'
    const expiresAt = '2026-01-02T00:00:00.000Z'
    const held = new CordonError('CONFIRMATION_REQUIRED', message, {
      approval: { id: '7f3a0c0c0c0c', expires: expiresAt },
    })
    const engine = engineOf(() => Promise.reject(held))
    const approvals = { ...engine.approvals, list: () => [pendingApproval('7f3a0c0c0c0c')] }
    const client = await connected({ ...engine, approvals })
    const result = await client.callTool({ name: 'bash', arguments: { command: 'git push' } })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe(message)
    expect(result._meta?.['cordon/error']).toMatchObject({
      error: { code: 'CONFIRMATION_REQUIRED' },
      approval: { id: '7f3a0c0c0c0c', expires_at: expiresAt },
    })
    await client.close()
  })

  it('asks what a script would do without running it, and does not get to see its variables', async () => {
    const checked = sampleCheckResult({ plan: planWith('TOKEN', 'secret') })
    const client = await connected(engineOf(unasked, () => checked))
    const result = await client.callTool({ name: 'check', arguments: { command: 'echo hi && sudo id' } })
    expect(textOf(result)).toBe(
      'deny: this would be refused.\n- builtin/sudo: Command not allowed: sudo Run it without root.',
    )
    expect(result.structuredContent).toBeUndefined()
    expect(JSON.stringify(result)).not.toContain('secret')
    await client.close()
  })

  it('hears of output while the command runs, and a flood of it only now and then', async () => {
    const client = await connected(
      engineOf(async (_, { onEvent }) => {
        const of = { id: 'r1', agent: null, tool: 'bash' } as const
        onEvent?.({ type: 'started', ...of, command: 'x' })
        for (let i = 0; i < 10_000; i++) onEvent?.({ type: 'output', ...of, stream: 'stdout', chunk: `line ${i}\n` })
        const report = { mode: 'auto', outcome: 'rolled-back', restored: 2, deleted: 1, warning: null } as const
        onEvent?.({ type: 'rolled-back', ...of, report })
        const { streams: output, filter } = sampleResult()
        const ended = { command: 'x', success: true, exitCode: 0, durationMs: 1, error: null, output, filter }
        onEvent?.({ type: 'completed', ...of, ...ended })
        return sampleResult()
      }),
    )
    const heard: { progress: number; message?: string | undefined }[] = []
    await client.callTool(
      { name: 'bash', arguments: { command: 'x' } },
      { onprogress: (progress) => heard.push(progress) },
    )
    expect(heard.length).toBeGreaterThanOrEqual(2)
    expect(heard.length).toBeLessThan(50)
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).sort((a, b) => a - b))
    expect(heard[0]?.message).toBe('started')
    expect(heard.at(-3)?.message).toMatch(/line 9999\n$/)
    expect(heard.at(-2)?.message).toBe('rolled back: 2 restored, 1 deleted')
    expect(heard.at(-1)?.message).toBe('completed with exit code 0')
    await client.close()
  })

  it('cancels the command by cancelling the request', async () => {
    const [started, cancelled] = [new AbortController(), new AbortController()]
    const client = await connected(
      engineOf(async (_, { signal }) => {
        started.abort()
        if (signal) await once(signal, 'abort')
        cancelled.abort()
        return sampleResult({ cancelled: true, exitCode: 130 })
      }),
    )
    const abort = new AbortController()
    const call = client.callTool({ name: 'bash', arguments: { command: 'sleep 9' } }, { signal: abort.signal })
    const refused = expect(call).rejects.toThrow()
    await once(started.signal, 'abort')
    const heard = once(cancelled.signal, 'abort')
    abort.abort()
    await heard
    await refused
    await client.close()
  })
})

describe('a server on two streams', () => {
  const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  const hello = line({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '0' } },
  })
  const call = line({ id: 2, method: 'tools/call', params: { name: 'bash', arguments: { command: 'sleep 9' } } })

  const serving = (end: (stdin: PassThrough, abort: AbortController) => void) => {
    const [stdin, stdout, abort] = [new PassThrough(), new PassThrough(), new AbortController()]
    const events: string[] = []
    const engine = engineOf(async (_, { signal }) => {
      events.push('started')
      end(stdin, abort)
      if (signal) await once(signal, 'abort')
      await new Promise(setImmediate)
      events.push('ended')
      return sampleResult()
    })
    stdin.write(hello + call)
    const options = { stdin, stdout, signal: abort.signal, version: '0' }
    const served = serveMcp({ ...engine, profiles: { ...engine.profiles, get: () => JSON.parse('{}') } }, options)
    return served.then(() => events)
  }

  it('ends when stdin ends, after everything under way has ended', async () => {
    expect(await serving((stdin) => stdin.end())).toEqual(['started', 'ended'])
  })

  it('ends when it is told to, after everything under way has ended', async () => {
    expect(await serving((_, abort) => abort.abort())).toEqual(['started', 'ended'])
  })

  it('does not start under a profile that is not there', async () => {
    const get = (): never => {
      throw new CordonError('NOT_FOUND', 'There is no profile named x.')
    }
    const engine = { ...engineOf(unasked), profiles: { list: () => [], get, replay: unasked, lint: unasked } }
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = serveMcp(engine, { stdin, stdout, signal: new AbortController().signal, version: '0' })
    await expect(serving).rejects.toThrow('There is no profile named x.')
  })
})

describe('many calls at once', () => {
  it('are all answered, and the protocol adds at most 2 ms to each at the median', async () => {
    const engine = engineOf(async () => sampleResult())
    const client = await connected(engine)
    const durations = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const began = performance.now()
        const result = await client.callTool({ name: 'bash', arguments: { command: 'echo hi' } })
        expect(result.isError).toBe(false)
        return performance.now() - began
      }),
    )
    expect(durations).toHaveLength(200)
    const sequential: number[] = []
    for (let call = 0; call < 50; call++) {
      const began = performance.now()
      await client.callTool({ name: 'bash', arguments: { command: 'echo hi' } })
      sequential.push(performance.now() - began)
    }
    const own: number[] = []
    for (let call = 0; call < 50; call++) {
      const began = performance.now()
      await engine.tools.execute({ id: '1', name: 'bash', arguments: { command: 'echo hi' } })
      own.push(performance.now() - began)
    }
    expect(median(sequential) - median(own)).toBeLessThan(2)
    await client.close()
  })
})

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
