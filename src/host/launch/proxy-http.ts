import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { join, type ProxyRules, type Way, wayTo } from './proxy-way.js'

/** A request head longer than this is no honest one. */
const MAX_HEAD_BYTES = 32 * 1024
const HTTP_PORT = 80

/** Meant for the next hop alone. What frames a body is not among them: a client that could have it dropped could smuggle. */
const HOP = new Set('connection keep-alive te trailer upgrade expect'.split(' '))
const FRAMING = new Set('content-length transfer-encoding host'.split(' '))

type Outgoing = Parameters<RequestListener>[1]

interface Target {
  readonly host: string
  readonly port: number
  readonly path: string
}

/** Host and port as they stand there: what is odd about them is for the rules to see, not for a parser to put right. */
function placeOf(authority: string, defaultPort: number): Pick<Target, 'host' | 'port'> {
  const [, host = authority, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? []
  return { host, port: port === undefined ? defaultPort : Number(port) }
}

function targetOf(url: string): Target | null {
  const [, authority, path = ''] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(url) ?? []
  if (authority === undefined) return null
  return { ...placeOf(authority, HTTP_PORT), path: path.startsWith('/') ? path : `/${path}` }
}

const refusal = (way: Extract<Way, { outcome: string }>, port: number): readonly [number, string] =>
  way.outcome === 'refused'
    ? [403, `network: ${way.host}:${port} is not among the hosts the profile allows\n`]
    : [502, `network: ${way.host}:${port} cannot be reached\n`]

function kept(rawHeaders: readonly string[], dropped: (name: string) => boolean): string[] {
  const pairs: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!dropped(name.toLowerCase())) pairs.push(name, value)
  }
  return pairs
}

function isDropped({ headers }: IncomingMessage): (name: string) => boolean {
  const named = new Set(`${headers.connection ?? ''}`.toLowerCase().split(/[\s,]+/))
  return (name) => HOP.has(name) || name.startsWith('proxy-') || (named.has(name) && !FRAMING.has(name))
}

/** The host that was checked is the host that is asked for: a `Host` line that says another would be a way round the list. */
function headersFor(incoming: IncomingMessage, host: string, port: number): string[] {
  const dropped = isDropped(incoming)
  const name = isIPv6(host) ? `[${host}]` : host
  const headers = ['Host', port === HTTP_PORT ? name : `${name}:${port}`]
  headers.push(...kept(incoming.rawHeaders, (header) => header === 'host' || dropped(header)))
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers
  if (
    length === undefined &&
    coding === undefined &&
    !/^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(incoming.method ?? '')
  ) {
    headers.push('Content-Length', '0')
  }
  headers.push('Connection', 'close')
  return headers
}

function forward(incoming: IncomingMessage, outgoing: Outgoing, target: Target, way: { socket: Socket; host: string }) {
  const upstream = sendRequest({
    createConnection: () => way.socket,
    method: incoming.method,
    path: target.path,
    headers: headersFor(incoming, way.host, target.port),
    setHost: false,
  })
  upstream.on('response', (answer) => {
    const dropped = isDropped(answer)
    const headers = kept(answer.rawHeaders, (name) => name === 'transfer-encoding' || dropped(name))
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
    pipeline(answer, outgoing, (error) => error && incoming.socket.destroy())
  })
  upstream.on('error', () => {
    if (outgoing.headersSent) incoming.socket.destroy()
    else outgoing.writeHead(502, { Connection: 'close' }).end(`network: ${way.host}:${target.port} broke off\n`)
  })
  outgoing.on('close', () => way.socket.destroy())
  incoming.pipe(upstream)
}

/** `GET http://host/…`: every request of a connection is checked by itself, and gets a connection of its own. */
async function serveRequest(incoming: IncomingMessage, outgoing: Outgoing, rules: ProxyRules): Promise<void> {
  const target = targetOf(incoming.url ?? '')
  if (target === null) {
    outgoing.writeHead(400, { Connection: 'close' }).end('network: this is a proxy; ask it for http://host/…\n')
    return
  }
  const way = await wayTo(target.host, target.port, rules)
  if ('outcome' in way) {
    const [status, words] = refusal(way, target.port)
    outgoing.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(words)
  } else if (outgoing.destroyed) way.socket.destroy()
  else forward(incoming, outgoing, target, way)
}

/** `CONNECT host:port` becomes a tunnel. */
async function serveTunnel(client: Socket, target: string, rest: Buffer, rules: ProxyRules): Promise<void> {
  const { host, port } = placeOf(target, 0)
  const way = await wayTo(host, port, rules)
  if ('outcome' in way) {
    const [status, words] = refusal(way, port)
    const length = Buffer.byteLength(words)
    client.end(
      `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${words}`,
    )
    return
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  way.socket.write(rest)
  join(client, way.socket)
}

/** Serves connections from inside a sandbox: HTTP and CONNECT. One that says nothing counts among the few a command may have, and no more. */
export function proxyFor(rules: ProxyRules): (client: Socket) => void {
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES, insecureHTTPParser: false, requestTimeout: 0 })
  server.on('request', (incoming, outgoing) => {
    serveRequest(incoming, outgoing, rules).catch(() => incoming.socket.destroy())
  })
  server.on('connect', (incoming, stream, rest) => {
    stream.on('error', () => stream.destroy())
    serveTunnel(incoming.socket, incoming.url ?? '', rest, rules).catch(() => stream.destroy())
  })
  return (client) => {
    client.allowHalfOpen = true
    client.on('error', () => client.destroy())
    server.emit('connection', client)
  }
}
