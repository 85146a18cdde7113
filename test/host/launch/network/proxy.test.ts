import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectTo } from '../../../../src/host/launch/network/connect-checked.js'
import { hostRules } from '../../../../src/host/launch/network/host-rules.js'
import { proxyFor } from '../../../../src/host/launch/network/proxy-http.js'
import { fc } from '../../../property.js'

const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port
const listening = <S extends Server | HttpServer>(server: S): Promise<S> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))

let origin: HttpServer
let port: number
let proxy: Server
let visits: string[]
let asked: string[]
let resolved: string[]
let names: Map<string, readonly string[]>
const sockets = new Set<Socket>()

async function listen(hosts: readonly string[]): Promise<void> {
  const serve = proxyFor({
    permissionFor: hostRules(hosts),
    onVisit: ({ host, port: to, outcome }) => visits.push(`${host}:${to} ${outcome}`),
    resolve: async (name) => {
      resolved.push(name)
      const found = names.get(name)
      if (found === undefined) throw new Error(`no such name: ${name}`)
      return found
    },
  })
  proxy = await listening(createServer(serve))
}

beforeEach(async () => {
  visits = []
  asked = []
  resolved = []
  names = new Map([['listed.test', ['127.0.0.1']]])
  origin = await listening(
    createHttp((request, response) => {
      const body: Buffer[] = []
      request.on('data', (chunk) => body.push(chunk))
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${request.headers.host} ${Buffer.concat(body)}`)
        response.end('from the origin')
      })
    }),
  )
  port = portOf(origin)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  origin.closeAllConnections()
  await Promise.all([origin, proxy].map((server) => new Promise((resolve) => server.close(resolve))))
})

function dial(): Socket {
  const socket = connect({ port: portOf(proxy), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  sockets.add(socket)
  return socket
}

/** Sends all text at once, then reads until the other side ends. */
function say(text: string | Buffer): Promise<string> {
  const socket = dial()
  const heard: Buffer[] = []
  socket.on('data', (chunk: Buffer) => heard.push(chunk))
  return new Promise((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(heard).toString('latin1')))
    socket.write(text)
  })
}
/** Starts a server that accepts requests and never answers. */
async function silentServer() {
  const connections = new Set<Socket>()
  let check: () => void = () => undefined
  const server = await listening(
    createServer((socket) => {
      connections.add(socket)
      socket.on('error', () => undefined).on('data', () => check())
    }),
  )
  const greeted = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const heard = (): boolean => [...connections].filter(({ bytesRead }) => bytesRead > 0).length >= count
      check = () => void (heard() && resolve())
      check()
    })
  return { server, connections, greeted }
}
const statuses = (answer: string): readonly string[] => answer.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []
const get = (target: string, host: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`

describe('a request through the proxy', () => {
  it('a proxy request is forwarded with the checked host, not its Host line', async () => {
    await listen([`127.0.0.1:${port}`])
    await say(get(`http://127.0.0.1:${port}/a?b`, 'evil.test'))
    await say(
      `GET http://127.0.0.1:${port} HTTP/1.1\r\nHost: evil.test\r\nHost: other.test\r\nConnection: close\r\n\r\n`,
    )
    expect(asked).toEqual([`GET /a?b 127.0.0.1:${port} `, `GET / 127.0.0.1:${port} `])
  })

  it('a second request on a proxy connection is not forwarded', async () => {
    await listen([`127.0.0.1:${port}`])
    const first = `GET http://127.0.0.1:${port}/1 HTTP/1.1\r\nHost: x\r\n\r\n`
    const answer = await say(first + get('http://evil.test/2', '127.0.0.1') + first)
    expect(statuses(answer)).toEqual(['200'])
    expect(visits).toEqual([`127.0.0.1:${port} reached`])
    expect(asked).toEqual([`GET /1 127.0.0.1:${port} `])
  })

  it("pipelined proxy requests share one server connection, which ends with the client's", async () => {
    const { server, connections, greeted } = await silentServer()
    await listen([`127.0.0.1:${portOf(server)}`])
    const line = `GET http://127.0.0.1:${portOf(server)}/ HTTP/1.1\r\nHost: x\r\n\r\n`
    const clients = Array.from({ length: 5 }, dial)
    for (const client of clients) client.write(line.repeat(100))
    await greeted(5)
    expect(connections.size).toBe(5)
    const gone = [...connections].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const client of clients) client.destroy()
    await Promise.all(gone)
    await new Promise((resolve) => server.close(resolve))
  })

  it('a proxy connection attempt ends when its client has gone', async () => {
    let found: (addresses: readonly string[]) => void = () => undefined
    const rules = {
      permissionFor: hostRules(['slow.test', `127.0.0.1:${port}`]),
      onVisit: () => undefined,
      resolve: () => new Promise<readonly string[]>((resolve) => (found = resolve)),
    }
    const client = new Socket()
    const way = connectTo('slow.test', port, rules, client)
    client.destroy()
    found(['127.0.0.1'])
    expect(await way).toEqual({ outcome: 'failed', host: 'slow.test' })
  })

  it('a proxy request cannot hide a second one in its body', async () => {
    await listen([`127.0.0.1:${port}`])
    const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n`
    const smuggled = 'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'
    const tries = [
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd${smuggled}`,
      `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Content-Length: +4\r\n\r\nabcd${smuggled}`,
      `${head}Content-Length: 4\r\nConnection: content-length\r\n\r\nabcd${smuggled}`,
      `${head}X: y\r\n Content-Length: 4\r\n\r\nabcd${smuggled}`,
      `${head}\r\n${smuggled}`,
    ]
    for (const text of tries) await say(text)
    expect(asked.filter((line) => line.includes('/admin') || line.includes('GET'))).toEqual([])
    await say(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\nabcd\r\n0\r\n\r\n`)
    await say(`${head}Content-Length: 4\r\nConnection: close\r\n\r\nabcd`)
    expect(asked.slice(-2)).toEqual([`POST / 127.0.0.1:${port} abcd`, `POST / 127.0.0.1:${port} abcd`])
  })

  it('a proxy request with too long a head is refused', async () => {
    await listen([`127.0.0.1:${port}`])
    expect(statuses(await say(get(`http://127.0.0.1:${port}/`, 'x', `X: ${'y'.repeat(64 * 1024)}\r\n`)))).toEqual([
      '431',
    ])
    expect(asked).toEqual([])
  })

  it('an invalid proxy request is refused without a connection', async () => {
    await listen(['*', `127.0.0.1:${port}`])
    const bad = [
      `CONNECT 127.0.0.1:${port}\r\nX: y HTTP/1.1\r\n\r\n`,
      `CONNECT 127.0.0.1\0.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `CONNECT 127.0.0.1 HTTP/1.1\r\nHost: x\r\n\r\n`,
      `CONNECT 127.0.0.1:99999 HTTP/1.1\r\nHost: x\r\n\r\n`,
      `CONNECT 127.0.0.1:0 HTTP/1.1\r\nHost: x\r\n\r\n`,
      get('/', `127.0.0.1:${port}`),
      get(`//127.0.0.1:${port}/`, 'x'),
      get(`ftp://127.0.0.1:${port}/`, 'x'),
      get(`http:///x`, 'x'),
      get(`http://127.0.0.1:${port}/a\0b`, 'x'),
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\0y\r\n\r\n`,
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\rGET /y HTTP/1.1\r\n\r\n`,
      `GET http://127.0.0.1:${port}/ HTTP/9.9\r\nHost: x\r\n\r\n`,
      '\x16\x03\x01\x02\x00\x01',
    ]
    for (const text of bad) expect([text, statuses(await say(text))[0]?.[0]]).toEqual([text, '4'])
    expect(asked).toEqual([])
    expect(visits.filter((line) => line.endsWith('reached'))).toEqual([])
  })
})

describe('an answer of a listed server', () => {
  const odd = [
    'HTTP/1.1 099 x\r\n\r\n',
    'HTTP/1.1 200 a\x00b\x07c\x7f\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nrest',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\nX\r\n: y\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
    '\0'.repeat(1_000),
    '',
  ]
  const answeredWith = async (bytes: Buffer): Promise<string> => {
    const server = await listening(
      createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end(bytes),
      ),
    )
    await listen([`127.0.0.1:${portOf(server)}`])
    const answer = await say(get(`http://127.0.0.1:${portOf(server)}/`, 'x'))
    await Promise.all([proxy, server].map((one) => new Promise((resolve) => one.close(resolve))))
    return answer
  }

  it.each(odd)('a malformed answer is forwarded byte for byte: %j', async (text) => {
    expect(await answeredWith(Buffer.from(text, 'latin1'))).toBe(text)
  })

  it('any answer is forwarded byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await answeredWith(Buffer.from(bytes))).toBe(Buffer.from(bytes).toString('latin1'))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a host asked of the proxy', () => {
  const obfuscations = [
    ...['2130706433', '0x7f.1', '0x7f000001', '127.1', '0177.0.0.1', '127.0.0.01', '[::ffff:127.0.0.2]', '[::7f00:1]'],
    ...['allowed.test@evil.test', '127.0.0.1@evil.test', 'evil.test\\.allowed.test', 'allowed.test%00.evil.test'],
    ...[
      'xn--allowed-9za.test',
      'allowed.test.evil.test',
      'notallowed.test',
      'allowed.test..',
      '.allowed.test',
      '[::1%lo]',
    ],
    ...['all\xf6wed.test', 'allowed\xad.test', 'sub.allowed.test', 'allowed.test:1', '169.254.169.254', '[fe80::1]'],
  ]

  it.each(obfuscations)('an obfuscated host does not match a listed one: %j', async (host) => {
    await listen([`allowed.test`, `127.0.0.1:${port}`])
    for (const text of [
      `CONNECT ${host}:${port} HTTP/1.1\r\nHost: allowed.test\r\n\r\n`,
      get(`http://${host}:${port}/`, 'allowed.test'),
    ]) {
      expect(statuses(await say(Buffer.from(text, 'latin1')))[0]).toMatch(/^40[03]$/)
    }
    expect([asked, resolved, visits.filter((line) => !line.endsWith('refused'))]).toEqual([[], [], []])
  })

  it('a host matches in upper case, with a trailing dot, and as IPv4 inside IPv6', async () => {
    names.set('localhost', ['127.0.0.1'])
    await listen([`127.0.0.1:${port}`, `localhost:${port}`])
    for (const host of ['LOCALHOST', 'localhost.', '[::ffff:127.0.0.1]', '[::FFFF:7f00:1]', '127.0.0.1']) {
      expect([host, statuses(await say(get(`http://${host}:${port}/`, 'x')))]).toEqual([host, ['200']])
    }
    expect(new Set(visits)).toEqual(new Set([`localhost:${port} reached`, `127.0.0.1:${port} reached`]))
  })

  it('a host that leads inward, or to metadata services, is refused unless its address is listed', async () => {
    names.set('rebound.test', ['169.254.169.254', '10.0.0.1', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'])
    await listen(['*.test', '*'])
    for (const host of [
      'rebound.test',
      'listed.test',
      '169.254.169.254',
      '[fd00:ec2::254]',
      '168.63.129.16',
      '127.0.0.1',
    ])
      expect([host, statuses(await say(get(`http://${host}:${port}/`, 'x')))]).toEqual([host, ['403']])
    proxy.close()
    await listen(['listed.test', `127.0.0.1:${port}`])
    expect(statuses(await say(get(`http://listed.test:${port}/`, 'x')))).toEqual(['200'])
  })

  it('a host is resolved once, and the connection tries the checked addresses in turn', async () => {
    names.set('listed.test', ['127.0.0.77', '127.0.0.1'])
    await listen(['listed.test', `127.0.0.1:${port}`, `127.0.0.77:${port}`])
    expect(statuses(await say(get(`http://listed.test:${port}/`, 'x')))).toEqual(['200'])
    expect([resolved, asked]).toEqual([['listed.test'], [`GET / listed.test:${port} `]])
  })

  it('a host is not resolved before it is allowed, so names carry no data out', async () => {
    await listen(['listed.test'])
    await say(get('http://secret.evil.test/', 'x'))
    await say(`CONNECT secret.evil.test:443 HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(resolved).toEqual([])
  })
})
