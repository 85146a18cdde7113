import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { isInward, type Leave } from './host-rules.js'

/** A request head longer than this is no honest one. */
const MAX_HEAD_BYTES = 32 * 1024
const CONNECT_MS = 15_000

/** A host a command tried to reach, and what came of it. */
export interface Visit {
  readonly host: string
  readonly port: number
  readonly outcome: 'reached' | 'refused' | 'failed'
}

export interface ProxyRules {
  readonly leaveFor: (host: string, port: number) => Leave
  readonly onVisit: (visit: Visit) => void
}

type Opened = { readonly socket: Socket } | { readonly refused: true } | { readonly failed: true }

/** The address is looked up here, checked, and the one connected to: a name cannot lead elsewhere between the two. */
async function addressOf(leave: Extract<Leave, { granted: true }>): Promise<string | null> {
  const addresses = isIP(leave.host) === 0 ? await lookup(leave.host, { all: true }) : [{ address: leave.host }]
  const allowed = addresses.find(({ address }) => leave.inward || !isInward(address))
  return allowed?.address ?? null
}

async function dial(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS })
    socket.once('connect', () => resolve(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error('timed out')))
    socket.once('error', reject)
  })
}

async function open(host: string, port: number, { leaveFor, onVisit }: ProxyRules): Promise<Opened> {
  const leave = leaveFor(host, port)
  const said = leave.granted ? leave.host : JSON.stringify(host).slice(1, 200).replace(/"$/, '')
  try {
    const address = leave.granted ? await addressOf(leave) : null
    if (address === null) {
      onVisit({ host: said, port, outcome: 'refused' })
      return { refused: true }
    }
    const socket = await dial(address, port)
    onVisit({ host: said, port, outcome: 'reached' })
    return { socket }
  } catch {
    onVisit({ host: said, port, outcome: 'failed' })
    return { failed: true }
  }
}

function join(client: Socket, server: Socket): void {
  client.pipe(server)
  server.pipe(client)
  client.on('close', () => server.destroy())
  server.on('error', () => client.destroy())
  server.on('close', () => client.destroy())
}

const httpError = (opened: Opened, host: string, port: number): string => {
  const [status, words] =
    'refused' in opened
      ? ['403 Forbidden', 'is not among the hosts the profile allows']
      : ['502 Bad Gateway', 'cannot be reached']
  const body = `network: ${host}:${port} ${words}\n`
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}

/** `CONNECT host:port` becomes a tunnel; `GET http://host/…` is passed on, one request to a connection. */
async function serveHttp(client: Socket, head: string, rest: Buffer, rules: ProxyRules): Promise<void> {
  const [line = '', ...headers] = head.split('\r\n')
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? []
  const tunnel = /^(.+):(\d{1,5})$/.exec(target)
  const url = method === 'CONNECT' || !/^http:\/\//i.test(target) || !URL.canParse(target) ? null : new URL(target)
  if (method === 'CONNECT' ? tunnel === null : url === null) {
    client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    return
  }
  const host = url?.hostname ?? tunnel?.[1] ?? ''
  const port = url === null ? Number(tunnel?.[2]) : Number(url.port || 80)
  const opened = await open(host, port, rules)
  if (!('socket' in opened)) {
    client.end(httpError(opened, host, port))
    return
  }
  if (url === null) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else {
    const kept = headers.filter((header) => !/^(proxy-|connection:)/i.test(header))
    opened.socket.write(
      [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...kept, 'Connection: close', '', ''].join('\r\n'),
    )
  }
  opened.socket.write(rest)
  join(client, opened.socket)
}

interface SocksRequest {
  readonly host: string
  readonly port: number
  readonly length: number
}

function socksRequest(bytes: Buffer): SocksRequest | 'more' | 'bad' {
  if (bytes.length < 7) return 'more'
  if (bytes[0] !== 5 || bytes[1] !== 1) return 'bad'
  const kind = bytes[3]
  const size = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (bytes[4] ?? 0) : -1
  const from = kind === 3 ? 5 : 4
  if (size < 0) return 'bad'
  if (bytes.length < from + size + 2) return 'more'
  const raw = bytes.subarray(from, from + size)
  const groups = Array.from({ length: size / 2 }, (_, i) => raw.readUInt16BE(Math.min(i * 2, size - 2)).toString(16))
  const host = kind === 3 ? raw.toString('latin1') : kind === 1 ? [...raw].join('.') : groups.join(':')
  return { host, port: bytes.readUInt16BE(from + size), length: from + size + 2 }
}

const socksReply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])

async function serveSocks(
  client: Socket,
  { host, port }: SocksRequest,
  rest: Buffer,
  rules: ProxyRules,
): Promise<void> {
  const opened = await open(host, port, rules)
  if (!('socket' in opened)) {
    client.end(socksReply('refused' in opened ? 2 : 4))
    return
  }
  client.write(socksReply(0))
  opened.socket.write(rest)
  join(client, opened.socket)
}

/** One connection from inside a wall: HTTP or SOCKS5, told apart by its first byte. */
export function serveProxy(client: Socket, rules: ProxyRules): void {
  let held = Buffer.alloc(0)
  let greeted = false
  const done = (serve: Promise<void>): void => {
    client.off('data', onData)
    client.pause()
    serve.then(() => client.resume()).catch(() => client.destroy())
  }
  const onSocks = (): void => {
    const greeting = 2 + (held[1] ?? 0)
    if (!greeted && held.length >= 2 && held.length >= greeting) {
      greeted = true
      held = held.subarray(greeting)
      client.write(Buffer.from([5, 0]))
    }
    const request = greeted ? socksRequest(held) : 'more'
    if (request === 'bad') client.end(socksReply(7))
    else if (request !== 'more') done(serveSocks(client, request, held.subarray(request.length), rules))
  }
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk])
    if (greeted || held[0] === 5) {
      onSocks()
      return
    }
    const end = held.indexOf('\r\n\r\n')
    if (end !== -1) done(serveHttp(client, held.toString('latin1', 0, end), held.subarray(end + 4), rules))
    else if (held.length > MAX_HEAD_BYTES) client.destroy()
  }
  client.on('error', () => client.destroy())
  client.on('data', onData)
}
