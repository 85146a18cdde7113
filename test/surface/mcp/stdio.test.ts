import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { BINARY, type Ground, grounds, processesWith, uniqueSeconds, until } from '../binary.js'

const newGround = grounds()

async function connect(ground: Ground, flags: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'mcp', ...flags],
    cwd: ground.workspace,
    env: Object.fromEntries(Object.entries(ground.env).map(([name, value]) => [name, String(value)])),
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport)
  return { client, transport }
}

const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? ''

describe('cordon mcp over stdio, with the official client', () => {
  it('runs, refuses and explains, and records it all as coming over MCP', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'a.txt'), 'alpha\n')
    const { client } = await connect(ground, ['--agent', 'helper'])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['bash', 'check', 'exec', 'history', 'permission', 'undo'])

    const ran = await client.callTool({ name: 'bash', arguments: { command: 'cat a.txt | tr a A' } })
    expect(ran).toMatchObject({ isError: false, content: [{ text: 'AlphA' }] })
    const failed = await client.callTool({ name: 'exec', arguments: { command: 'ls', args: ['missing'] } })
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('exited with code 2') }] })
    const refused = await client.callTool({ name: 'bash', arguments: { command: 'touch started; sudo id' } })
    expect(refused).toMatchObject({ isError: true, _meta: { 'cordon/error': { error: { code: 'COMMAND_BLOCKED' } } } })
    expect(textOf(refused)).toMatch(/^Command not allowed: sudo/)
    const checked = await client.callTool({ name: 'check', arguments: { command: 'touch started; sudo id' } })
    expect(textOf(checked)).toMatch(/^deny: /)
    await client.close()

    expect(existsSync(join(ground.workspace, 'started'))).toBe(false)
    const records = JSON.parse((await ground.run(['audit', '--json'])).stdout)
    expect(records.map(({ caller, agent, outcome }: Record<string, string>) => [caller, agent, outcome])).toEqual([
      ['mcp', 'helper', 'blocked'],
      ['mcp', 'helper', 'error'],
      ['mcp', 'helper', 'success'],
    ])
  })

  it('answers each of 200 calls at once with its own output', async () => {
    const { client } = await connect(newGround())
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const call = { name: 'bash', arguments: { command: `echo ${i}` } }
        return textOf(await client.callTool(call, { timeout: 90_000 })).split('\n')[0]
      }),
    )
    expect(answers).toEqual(Array.from({ length: 200 }, (_, i) => String(i)))
    await client.close()
  }, 100_000)

  it('records the span that a call belongs to, as its _meta names it', async () => {
    const ground = newGround()
    const { client } = await connect(ground)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await client.callTool({ name: 'bash', arguments: { command: 'true' }, _meta: { traceparent } })
    await client.callTool({ name: 'bash', arguments: { command: 'true' }, _meta: { traceparent: 7 } })
    await client.close()
    const records = JSON.parse((await ground.run(['audit', '--json'])).stdout)
    expect(records.map((record: Record<string, string>) => record.traceparent)).toEqual([undefined, traceparent])
  })

  it('shows the record, the output and the diff of a run as resources, and undoes it', async () => {
    const ground = newGround()
    const { client } = await connect(ground)
    const ran = await client.callTool({ name: 'bash', arguments: { command: 'echo new > made.txt; echo said' } })
    const [, undoId = ''] = /Changed 1 file; undo id (\w+)$/.exec(textOf(ran)) ?? []
    const uri = String(ran._meta?.['cordon/run'])
    const id = uri.slice('cordon://run/'.length)
    const read = async (address: string): Promise<string> => {
      const { contents } = await client.readResource({ uri: address })
      return String((contents[0] as { text?: string }).text)
    }
    expect(JSON.parse(await read(uri))).toMatchObject({ id, stdout: 'said\n', transaction: { outcome: 'committed' } })
    expect(await read(`cordon://output/${id}`)).toBe('said\n')
    expect(await read(`cordon://diff/${id}`)).toContain('+new')
    expect((await client.listResources()).resources.map((one) => one.uri)).toEqual([uri])
    await expect(read('cordon://output/unknown')).rejects.toThrow(/no run/)
    const listed = await client.callTool({ name: 'history', arguments: {} })
    expect(textOf(listed)).toContain(undoId)
    const undone = await client.callTool({ name: 'undo', arguments: { id: undoId } })
    expect(textOf(undone)).toMatch(/^Undone: 1 deleted\. To bring it back: undo id \w+$/)
    expect(existsSync(join(ground.workspace, 'made.txt'))).toBe(false)
    await client.close()
  })

  it('a held command waits for `cordon approve` where the client has no form, and runs once', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'script'), 'echo from the script')
    const { client } = await connect(ground, ['--agent', 'helper', '--wait', '30'])
    const heard = new Set<string>()
    const call = (wait: boolean) =>
      client.callTool(
        { name: 'bash', arguments: { command: 'eval "$(cat script)"' } },
        wait ? { onprogress: ({ message }) => void heard.add(message ?? '') } : {},
      )
    const running = call(true)
    await until(() => [...heard].some((message) => message.startsWith('waiting for approval')))
    const id = [...heard].join('').split(' ').at(-1) ?? ''
    expect((await ground.run(['approve', id, '--note', 'fine by me'])).stdout).toContain('runs once')
    const ran = await running
    expect(ran).toMatchObject({ isError: false })
    expect(textOf(ran)).toMatch(/^from the script\n\nThe person who approved this says: fine by me/)
    await client.close()
  })

  it('a held command that nobody answered in time is given back, and runs when it is repeated after the yes', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'script'), 'echo from the script')
    const { client } = await connect(ground, ['--wait', '0'])
    const call = () => client.callTool({ name: 'bash', arguments: { command: 'eval "$(cat script)"' } })
    const held = await call()
    expect(held).toMatchObject({
      isError: true,
      _meta: { 'cordon/error': { error: { code: 'CONFIRMATION_REQUIRED' } } },
    })
    const [, id = ''] = /Held for approval (\w+): ask the person to run `cordon approve \1`/.exec(textOf(held)) ?? []
    await ground.run(['approve', id])
    expect(textOf(await call())).toBe('from the script')
    expect(await call()).toMatchObject({ isError: true })
    await client.close()
  })

  it('sends progress while a command prints', async () => {
    const { client } = await connect(newGround())
    const heard: string[] = []
    const command = 'for i in 1 2 3; do echo step $i; sleep 0.2; done'
    const onprogress = ({ message }: { message?: string | undefined }): void => void heard.push(message ?? '')
    await client.callTool({ name: 'bash', arguments: { command } }, { onprogress })
    expect(heard.join('')).toContain('step 1')
    expect(heard.join('')).toContain('step 3')
    expect(heard.length).toBeGreaterThan(1)
    await client.close()
  })

  it('a cancelled request ends the command', async () => {
    const { client } = await connect(newGround())
    const seconds = uniqueSeconds()
    const abort = new AbortController()
    const call = client.callTool({ name: 'bash', arguments: { command: `sleep ${seconds}` } }, { signal: abort.signal })
    const refused = expect(call).rejects.toThrow()
    await until(() => processesWith(seconds).length === 1)
    abort.abort()
    await refused
    await until(() => processesWith(seconds).length === 0)
    expect(await client.callTool({ name: 'bash', arguments: { command: 'echo on' } })).toMatchObject({ isError: false })
    await client.close()
  })

  it('ends with its client and leaves no process', async () => {
    const { client, transport } = await connect(newGround())
    const seconds = uniqueSeconds()
    const pid = transport.pid ?? 0
    client
      .callTool({ name: 'bash', arguments: { command: `setsid sleep ${seconds} & sleep ${seconds}` } })
      .catch(() => {})
    await until(() => processesWith(seconds).length === 2)
    await client.close()
    await until(() => processesWith(seconds).length === 0 && !existsSync(`/proc/${pid}`))
  })

  describe('sent by a client that breaks the protocol', () => {
    const hello = {
      jsonrpc: '2.0',
      id: 'hello',
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
    }
    const call = (id: unknown, command: string, meta: object = {}) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'bash', arguments: { command }, ...meta },
    })
    /** Answers to raw lines, by the text of their id, in the order they came. */
    async function answers(lines: readonly unknown[], count: number) {
      const { workspace, env } = newGround()
      const server = spawn(process.execPath, [BINARY, 'mcp'], {
        cwd: workspace,
        env,
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      const found: { id: unknown; error?: { message: string }; result?: unknown }[] = []
      for (const line of [hello, ...lines])
        server.stdin.write(typeof line === 'string' ? `${line}\n` : `${JSON.stringify(line)}\n`)
      let text = ''
      for await (const chunk of server.stdout) {
        text += chunk
        const whole = text.split('\n')
        text = whole.pop() ?? ''
        for (const line of whole) found.push(JSON.parse(line))
        if (found.length > count) break
      }
      server.stdin.end()
      if (server.exitCode === null) await once(server, 'exit')
      return found.filter(({ id }) => id !== 'hello')
    }

    it('a line of 60 MB is answered with an error, and the next request is served', async () => {
      const [error, next] = await answers([call(1, `echo ${'x'.repeat(60e6)}`), call(2, 'echo on')], 2)
      expect(error).toMatchObject({ id: null, error: { message: expect.stringContaining('longer than') } })
      expect(next).toMatchObject({ id: 2, result: { content: [{ text: 'on' }] } })
    })

    it('a second request with the id of a running one is refused, and the first is answered', async () => {
      const found = await answers([call(7, 'sleep 0.3; echo first'), call(7, 'echo second'), call(8, 'sleep 1')], 3)
      expect(found[0]).toMatchObject({ id: null, error: { message: expect.stringContaining('in use') } })
      expect(found[1]).toMatchObject({ id: 7, result: { content: [{ text: 'first' }] } })
      expect(JSON.stringify(found)).not.toContain('second')
    })

    it('an object as progress token is an error of that request alone', async () => {
      const bad = call(3, 'echo bad', { _meta: { progressToken: { a: 1 } } })
      const [error, next] = await answers([bad, call(4, 'echo on')], 2)
      expect(error).toMatchObject({ id: 3, error: { message: expect.stringContaining('progressToken') } })
      expect(next).toMatchObject({ id: 4, result: { content: [{ text: 'on' }] } })
    })
  })

  it('answers server/discover, and serves a client of the newest protocol', async () => {
    const ground = newGround()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'mcp'],
      cwd: ground.workspace,
      env: Object.fromEntries(Object.entries(ground.env).map(([name, value]) => [name, String(value)])),
      stderr: 'pipe',
    })
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(transport)
    expect(textOf(await client.callTool({ name: 'bash', arguments: { command: 'echo modern' } }))).toBe('modern')
    await client.close()
  })

  it('does not start under a profile that is not there', async () => {
    const { status, stderr } = await newGround().run(['mcp', '--profile', 'nope'])
    expect(status).toBe(125)
    expect(stderr).toMatch(/nope/)
  })
})
