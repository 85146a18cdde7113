import { randomBytes, timingSafeEqual } from 'node:crypto'
import type * as http from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createMcpServer } from './create-server.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { createServing, type Track } from './serving.js'

export interface HttpOptions extends McpIdentity {
  /** 0: any that is free. */
  readonly port: number
  readonly signal: AbortSignal
  /** Is told the address and the token when the server listens. */
  readonly onListening: (at: { readonly url: string; readonly token: string }) => void
  /** Records a request that was refused before it reached the protocol. */
  readonly onRefused: (why: string, from: string) => void
}

const LOOPBACK = '127.0.0.1'
const TOKEN_BYTES = 32

/**
 * Serves MCP over streamable HTTP on loopback until the signal fires. A request needs the bearer token, the Host of
 * this server (a page whose name was rebound to loopback has another), and no Origin but this server's own (another
 * page has its own).
 */
export async function serveHttp(engine: McpEngine, options: HttpOptions): Promise<void> {
  const { port, signal, onListening, ...identity } = options
  engine.profiles.get(identity.profile ?? null, identity.agent ?? null)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const underWay = new Set<Promise<unknown>>()
  const track: Track = (work) => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  const serving = createServing(engine, identity, track)
  const handler = createMcpHandler(({ era }) => createMcpServer(serving, era))
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, { token, port: (server.address() as AddressInfo | null)?.port ?? 0 })
    if (refusal !== null) {
      options.onRefused(refusal.why, request.socket.remoteAddress ?? 'unknown')
      refuse(response, refusal)
    } else void answer(request, response, handler.fetch).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, LOOPBACK, resolve))
  onListening({ url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/mcp`, token })
  await aborted(signal)
  await handler.close()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await Promise.allSettled([...underWay, closed])
}

interface Refusal {
  readonly status: number
  readonly why: string
}

function refusalOf(
  { headers, url }: http.IncomingMessage,
  { token, port }: { readonly token: string; readonly port: number },
): Refusal | null {
  const hosts = [LOOPBACK, 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  if (!hosts.includes(headers.host ?? ''))
    return { status: 403, why: `its Host is ${JSON.stringify(headers.host ?? '')}, which is not this server` }
  if (headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`))
    return { status: 403, why: `its Origin is ${JSON.stringify(headers.origin)}` }
  if (!isToken(headers.authorization, token))
    return {
      status: 401,
      why: headers.authorization === undefined ? 'it has no token' : 'its token is not the right one',
    }
  // Not parsed as a URL: `//` is none, and an exception here would end the server.
  return url?.split('?')[0] === '/mcp' ? null : { status: 404, why: 'its path is not /mcp' }
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function refuse(response: http.ServerResponse, { status, why }: Refusal): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="cordon"' } : {}
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...challenge })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: `Refused: ${why}.` } }))
}

async function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {}),
  })
  const { status, headers, body } = await fetch(asked)
  response.writeHead(status, Object.fromEntries(headers))
  if (body === null) response.end()
  else await pipeline(Readable.fromWeb(body as import('node:stream/web').ReadableStream), response)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
