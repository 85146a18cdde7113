import type { Socket } from 'node:net'
import { join, type ProxyRules, wayTo } from './proxy-way.js'

const VERSION = 5
const NO_AUTHENTICATION = 0
const NO_METHOD = 0xff
const CONNECT = 1
const REPLY = { granted: 0, refused: 2, unreachable: 4, noSuchCommand: 7, noSuchAddress: 8 } as const
/** Bytes of an address by its type; a name brings its own length. */
const SIZES = new Map<number, number>([
  [1, 4],
  [4, 16],
])
const NAME = 3

interface SocksRequest {
  readonly command: number
  readonly host: string
  readonly port: number
  readonly length: number
}

const groups = (raw: Buffer): string =>
  Array.from({ length: raw.length / 2 }, (_, i) => raw.readUInt16BE(i * 2).toString(16)).join(':')

function socksRequest(bytes: Buffer): SocksRequest | 'more' | 'bad' {
  const [version, command, , kind, first] = bytes
  if (version !== undefined && version !== VERSION) return 'bad'
  if (command === undefined || kind === undefined || first === undefined) return 'more'
  const size = kind === NAME ? first : SIZES.get(kind)
  if (size === undefined || size === 0) return 'bad'
  const from = kind === NAME ? 5 : 4
  if (bytes.length < from + size + 2) return 'more'
  const raw = bytes.subarray(from, from + size)
  const host = kind === NAME ? raw.toString('latin1') : kind === 4 ? groups(raw) : raw.join('.')
  return { command, host, port: bytes.readUInt16BE(from + size), length: from + size + 2 }
}

const reply = (code: number): Buffer => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0])

/** Only streams to the outside: BIND and UDP ASSOCIATE would be doors nobody watches. */
async function answer(client: Socket, request: SocksRequest, rest: Buffer, rules: ProxyRules): Promise<void> {
  const { command, host, port } = request
  const isConnect = command === CONNECT
  const way = await wayTo(host, port, isConnect ? rules : { ...rules, leaveFor: () => ({ granted: false }) })
  if ('outcome' in way) {
    client.end(reply(isConnect ? (way.outcome === 'refused' ? REPLY.refused : REPLY.unreachable) : REPLY.noSuchCommand))
    return
  }
  client.write(reply(REPLY.granted))
  way.socket.write(rest)
  join(client, way.socket)
}

/** SOCKS5 without authentication. `onRequest` is called when the client has said where to. */
export function serveSocks(client: Socket, rules: ProxyRules, onRequest: () => void): void {
  let held = Buffer.alloc(0)
  let isGreeted = false
  const end = (bytes: Buffer): void => {
    client.off('data', onData)
    client.end(bytes)
  }
  const greet = (): void => {
    const length = 2 + (held[1] ?? Number.POSITIVE_INFINITY)
    if (held.length < length) return
    if (!held.subarray(2, length).includes(NO_AUTHENTICATION)) {
      end(Buffer.from([VERSION, NO_METHOD]))
      return
    }
    isGreeted = true
    held = held.subarray(length)
    client.write(Buffer.from([VERSION, NO_AUTHENTICATION]))
  }
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk])
    if (!isGreeted) greet()
    const request = isGreeted ? socksRequest(held) : 'more'
    if (request === 'bad') end(reply(REPLY.noSuchAddress))
    if (request === 'bad' || request === 'more') return
    client.off('data', onData)
    client.pause()
    onRequest()
    answer(client, request, held.subarray(request.length), rules).catch(() => client.destroy())
  }
  client.on('data', onData)
}
