import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { type Ground, grounds, type Started } from '../binary.js'

const newGround = grounds()
const started: Started[] = []
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.process.kill('SIGTERM')
    await one.ended
  }
})

interface Listening {
  readonly ground: Ground
  readonly url: URL
  readonly token: string
  readonly tokenFile: string
}

async function listening(): Promise<Listening> {
  const ground = newGround()
  const server = ground.start(['mcp', '--http', '--wait', '0'])
  started.push(server)
  let said = ''
  for await (const chunk of server.process.stderr ?? []) {
    said += chunk
    if (said.includes('\n')) break
  }
  const [, url = '', tokenFile = ''] = /Serving MCP at (\S+)\. The bearer token is in (\S+)\.\n/.exec(said) ?? []
  return { ground, url: new URL(url), token: readFileSync(tokenFile, 'utf8').trim(), tokenFile }
}

const DISCOVER = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
})

function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body = DISCOVER,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, text })
      },
    )
    sent.on('error', reject).end(body)
  })
}

async function connected({ url, token }: Listening, pin: string | null, answers: readonly object[] = []) {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client(
    { name: 'test', version: '0' },
    {
      capabilities: { elicitation: { form: {} } },
      ...(pin === null ? {} : { versionNegotiation: { mode: { pin } } }),
    },
  )
  let asked = 0
  client.setRequestHandler('elicitation/create', async () => (answers[asked++] ?? { action: 'cancel' }) as never)
  await client.connect(transport)
  return client
}

const modernHeaders = (token: string) => ({
  authorization: `Bearer ${token}`,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'bash',
})

const modernCall = (command: string, extra: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'bash',
      arguments: { command },
      ...extra,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      },
    },
  })

const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? ''

describe('cordon mcp --http', () => {
  it('keeps its token in a file that only the user reads, and serves clients of both protocol eras with it', async () => {
    const at = await listening()
    expect(statSync(at.tokenFile).mode & 0o777).toBe(0o600)
    expect(at.url.hostname).toBe('127.0.0.1')
    for (const pin of [null, '2026-07-28']) {
      const client = await connected(at, pin)
      expect(textOf(await client.callTool({ name: 'bash', arguments: { command: 'echo over http' } }))).toBe(
        'over http',
      )
      await client.close()
    }
  })

  it('refuses another origin, a rebound host, and a missing or wrong token, and records each', async () => {
    const { ground, url, token } = await listening()
    const authorization = `Bearer ${token}`
    const statuses = []
    for (const headers of [
      { authorization },
      { authorization, origin: `http://${url.host}` },
      { authorization, origin: 'https://evil.example' },
      { authorization, origin: 'null' },
      { authorization, host: `evil.example:${url.port}` },
      {},
      { authorization: `Bearer ${token}x` },
    ])
      statuses.push((await post(url, headers as Record<string, string>)).status)
    expect(statuses).toEqual([200, 200, 403, 403, 403, 401, 401])
    const rows = JSON.parse((await ground.run(['audit', '--json'])).stdout) as Record<string, string>[]
    expect(rows.every(({ tool, outcome, rule }) => `${tool} ${outcome} ${rule}` === 'connect blocked mcp/http')).toBe(
      true,
    )
    expect(rows.at(-1)?.reason).toContain('Origin is "https://evil.example"')
  })

  it('goes on serving after requests for paths that are no address', async () => {
    const { url, token } = await listening()
    const statuses = []
    for (const path of ['//', '/\\', 'http://[', '/mcp/..'])
      statuses.push(
        await new Promise((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}`, host: url.host }
          const sent = request({ host: url.hostname, port: url.port, path, headers }, ({ statusCode }) =>
            resolve(statusCode),
          )
          sent.on('error', reject).end()
        }),
      )
    expect(statuses).toEqual([404, 404, 404, 404])
    expect((await post(url, { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  it('asks a client of the newest protocol by an input request, and refuses the answer when it is sent again', async () => {
    const at = await listening()
    writeFileSync(join(at.ground.workspace, 'script'), 'echo line')
    const command = 'eval "$(cat script)" >> ran.txt; cat ran.txt'
    const ask = (extra: object) => post(at.url, modernHeaders(at.token), modernCall(command, extra))
    const { result: asked } = JSON.parse((await ask({})).text)
    expect(asked.inputRequests.approval.params.message).toContain(command)
    const inputResponses = { approval: { action: 'accept', content: { decision: 'allow_once' } } }
    const answered = { inputResponses, requestState: asked.requestState }
    expect(textOf(JSON.parse((await ask(answered)).text).result)).toMatch(/^line\n\n/)
    const replayed = JSON.parse((await ask(answered)).text).result
    expect(textOf(replayed)).toMatch(/used already; the first answer counts/)
    expect(replayed.isError).toBe(true)
    const forged = JSON.parse((await ask({ inputResponses, requestState: `${asked.requestState}x` })).text)
    expect(forged.error.message).toContain('requestState')
    expect(readFileSync(join(at.ground.workspace, 'ran.txt'), 'utf8')).toBe('line\n')
  })

  it('records the span that a call belongs to, as the header of its request names it', async () => {
    const at = await listening()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await post(at.url, { ...modernHeaders(at.token), traceparent }, modernCall('true', {}))
    expect(JSON.parse((await at.ground.run(['audit', '--json'])).stdout)).toMatchObject([{ traceparent }])
  })

  it('runs what a client of the newest protocol allowed in its form', async () => {
    const at = await listening()
    writeFileSync(join(at.ground.workspace, 'script'), 'echo line')
    const client = await connected(at, '2026-07-28', [{ action: 'accept', content: { decision: 'allow_once' } }])
    const call = () => client.callTool({ name: 'bash', arguments: { command: 'eval "$(cat script)"' } })
    expect(textOf(await call())).toBe('line')
    expect(textOf(await call())).toMatch(/Held for approval/)
    await client.close()
  })
})
