import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import { contained } from '../../../core/model/basics/contained.js'
import { type Connection, connectTo, joinStreams, type ProxyRules } from './connect-checked.js'
import { type ProxyRequest, parseProxyHead } from './proxy-head.js'

/** Longest request head. */
const MAX_HEAD_BYTES = 32 * 1024
const END_OF_HEAD = '\r\n\r\n'
/**
 * Time after which an idle server connection is closed. A server may keep it open for another request, which is never
 * forwarded.
 */
const IDLE_MS = 30_000

const STATUS = {
  400: 'Bad Request',
  403: 'Forbidden',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
} as const

function refuse(client: Socket, status: keyof typeof STATUS, text: string): void {
  const length = Buffer.byteLength(text)
  // Unread bytes would make the kernel reset the connection before the client has read the answer.
  client.resume()
  client.end(
    `HTTP/1.1 ${status} ${STATUS[status]}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  )
}

function refuseConnection(
  client: Socket,
  { outcome, host }: Extract<Connection, { outcome: string }>,
  port: number,
): void {
  if (outcome === 'refused') refuse(client, 403, `network: the profile does not list ${host}:${port}\n`)
  else refuse(client, 502, `network: ${host}:${port} cannot be reached\n`)
}

/** Forwards the body of one request, and nothing after it. */
function body(bytes: number, onMore: () => void): Transform {
  let left = bytes
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const own = chunk.subarray(0, left)
      left -= own.length
      if (own.length < chunk.length) onMore()
      done(null, own)
    },
  })
}

async function serve(client: Socket, request: ProxyRequest, rules: ProxyRules): Promise<void> {
  const connection = await connectTo(request.host, request.port, rules, client)
  if ('outcome' in connection) {
    refuseConnection(client, connection, request.port)
    return
  }
  const { socket } = connection
  if (request.forward === null) {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    joinStreams(client, socket)
    return
  }
  const { head, bodyBytes } = request.forward
  socket.write(head(connection.host), 'latin1')
  // A closed client looks like one that only stopped sending, which clients of a proxy never do.
  client.on('end', () => client.destroy())
  const onMore = (): void => void socket.setTimeout(IDLE_MS, () => socket.destroy())
  joinStreams(client, socket, bodyBytes === Number.POSITIVE_INFINITY ? undefined : body(bodyBytes, onMore))
}

/**
 * Serves connections from inside a sandbox: one request each, HTTP or CONNECT. Parses only the head of the request. The
 * body and the whole response are forwarded unparsed, so no malformed response can break this process.
 */
export function proxyFor(rules: ProxyRules): (client: Socket) => void {
  return (client) => {
    let received = Buffer.alloc(0)
    const permission = (): void => void client.destroy()
    const stop = (): void => {
      client.off('data', hear).off('end', permission)
      client.pause()
    }
    const hear = contained((chunk: Buffer) => {
      // The end of the head may lie across two chunks.
      const from = Math.max(0, received.length - END_OF_HEAD.length)
      received = Buffer.concat([received, chunk])
      const end = received.indexOf(END_OF_HEAD, from)
      const isOther = !/^[A-Z]/.test(received.toString('latin1', 0, 1))
      if (end < 0 && received.length <= MAX_HEAD_BYTES && !isOther) return
      stop()
      if (!isOther && (end < 0 || end > MAX_HEAD_BYTES)) return refuse(client, 431, 'network: request head too long\n')
      const request = isOther ? null : parseProxyHead(received.toString('latin1', 0, end))
      if (request === null) return refuse(client, 400, 'network: this is a proxy; ask it for http://host/…\n')
      client.unshift(received.subarray(end + END_OF_HEAD.length))
      serve(client, request, rules).catch(() => client.destroy())
    }, permission)
    client.allowHalfOpen = true
    client.on('error', permission)
    client.on('end', permission)
    client.on('data', hear)
  }
}
