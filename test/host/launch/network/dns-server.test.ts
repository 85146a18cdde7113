import { describe, expect, it } from 'vitest'
import { addressBytes } from '../../../../src/host/launch/network/address-bytes.js'
import { NameServer } from '../../../../src/host/launch/network/dns-server.js'
import { ListedNames } from '../../../../src/host/launch/network/listed-names.js'
import { namesInHosts, resolverSettings } from '../../../../src/host/launch/network/resolver-settings.js'
import { fc } from '../../../property.js'

const ADDRESS = 1
const LONG_ADDRESS = 28
const ANYTHING = 255

function question(labels: readonly (string | Buffer)[], kind = ADDRESS, more: Buffer = Buffer.alloc(0)): Buffer {
  const name = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label as string, 'latin1')])
  const head = Buffer.from([0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([head, ...name, Buffer.from([0, kind >> 8, kind & 0xff, 0, 1]), more])
}

/** Returns the code and the addresses of an answer. */
function read(answer: Buffer | null): readonly [code: number, addresses: readonly string[]] | null {
  if (answer === null) return null
  const count = answer.readUInt16BE(6)
  return [(answer[3] ?? 0) & 0x0f, count === 0 ? [] : [answer.subarray(-4).join('.')]]
}

function asked(hosts: readonly string[], search: readonly string[] = []) {
  const refused: string[] = []
  const lookedUp: string[] = []
  const names = new ListedNames(hosts)
  const server = new NameServer(names, search, {
    resolves: async (name) => lookedUp.push(name) > 0 && name.startsWith('there.'),
    onRefused: (name) => refused.push(name),
  })
  const ask = async (...of: Parameters<typeof question>) => read(await server.reply(question(...of)))
  return { names, refused, lookedUp, server, ask }
}

describe('the name server of a sandbox', () => {
  it('a listed name has one address in any case, and the address leads back to the name', async () => {
    const { ask, names } = asked(['*.example.com', 'plain:5432'])
    expect(await ask(['a', 'example', 'com'])).toEqual([0, ['198.18.0.2']])
    expect(await ask(['plain'])).toEqual([0, ['198.18.0.3']])
    expect(await ask(['A', 'eXample', 'COM'])).toEqual([0, ['198.18.0.2']])
    expect(['198.18.0.2', '198.18.0.3', '198.18.0.4'].map((address) => names.hostAt(address))).toEqual([
      'a.example.com',
      'plain',
      '198.18.0.4',
    ])
  })

  it("listed names in the host's hosts file are known by their address", () => {
    const { names } = asked(['*.example.com', '10.0.0.2'])
    const file = '10.0.0.1 other a.example.com # b.example.com\n#10.0.0.3 c.example.com\n10.0.0.2 d.example.com\n'
    const hosts = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) =>
      names.hostAt(address, (at) => namesInHosts(file, at)),
    )
    expect(hosts).toEqual(['a.example.com', '10.0.0.2', '10.0.0.3', '10.0.0.4'])
    expect(namesInHosts('2001:db8:0::1 long', '2001:db8::1')).toEqual(['long'])
  })

  it('an answer repeats the question and its number', async () => {
    const { server } = asked(['example.com'])
    const sent = question(['eXaMple', 'com'])
    const answer = await server.reply(sent)
    expect(answer?.subarray(0, 2)).toEqual(sent.subarray(0, 2))
    expect(answer?.subarray(12, sent.length)).toEqual(sent.subarray(12))
  })

  it('a listed name has only an IPv4 address, and other kinds are empty, not NXDOMAIN', async () => {
    const { ask } = asked(['example.com'])
    const kinds = [LONG_ADDRESS, 2, 5, 12, 15, 16, 33, 65, 0xfff0]
    expect(await Promise.all(kinds.map((kind) => ask(['example', 'com'], kind)))).toEqual(kinds.map(() => [0, []]))
    expect(await ask(['example', 'com'], ANYTHING)).toEqual([0, ['198.18.0.2']])
  })

  it('an unlisted name does not exist, and is reported once', async () => {
    const { ask, refused } = asked(['example.com'])
    for (const kind of [ADDRESS, LONG_ADDRESS, 16]) expect(await ask(['secret', 'evil', 'test'], kind)).toEqual([3, []])
    expect(await ask(['notexample', 'com'])).toEqual([3, []])
    expect(await ask(['sub', 'example', 'com'])).toEqual([3, []])
    expect(refused).toEqual(['secret.evil.test', 'notexample.com', 'sub.example.com'])
  })

  it('names with a search domain appended, and names of addresses, are not reported', async () => {
    const { ask, refused } = asked(['example.com'], ['corp.test'])
    expect(await ask(['example', 'com', 'corp', 'test'])).toEqual([3, []])
    expect(await ask(['1', '1', '168', '192', 'in-addr', 'arpa'], 12)).toEqual([3, []])
    expect(refused).toEqual([])
  })

  it('with hosts = ["*"], a name with a search domain appended gets NXDOMAIN unless it resolves', async () => {
    const { ask, lookedUp } = asked(['*'], ['corp.test'])
    expect(await ask(['example', 'com', 'corp', 'test'])).toEqual([3, []])
    expect(await ask(['there', 'corp', 'test'])).toEqual([0, ['198.18.0.2']])
    expect(await ask(['example', 'com'])).toEqual([0, ['198.18.0.3']])
    expect(lookedUp).toEqual(['example.com.corp.test', 'there.corp.test'])
  })

  it("the sandbox's own names resolve", async () => {
    const { ask } = asked(['*'])
    expect([await ask(['localhost']), await ask(['cordon'])]).toEqual(Array(2).fill([0, ['127.0.0.1']]))
  })

  it('the name server gives at most 4,096 names and reports at most 256 refusals', async () => {
    const { ask, refused } = asked(['*.example.com'])
    const codes = (await Promise.all(Array.from({ length: 4_200 }, (_, i) => ask([`n${i}`, 'example', 'com'])))).map(
      (answer) => answer?.[0],
    )
    expect(codes.filter((code) => code === 0)).toHaveLength(4_096)
    expect(codes.at(-1)).toBe(2)
    expect(await ask(['n4095', 'example', 'com'])).toEqual([0, ['198.18.16.1']])
    for (let i = 0; i < 1_000; i += 1) await ask([`n${i}`, 'evil', 'test'])
    expect(refused).toHaveLength(256)
  })

  it.each<[string, Buffer, number | null]>([
    ['nothing', Buffer.alloc(0), null],
    ['half a head', question(['a']).subarray(0, 11), null],
    ['an answer', Buffer.concat([Buffer.from([0, 0, 0x81]), question(['a']).subarray(3)]), null],
    ['another operation', Buffer.concat([Buffer.from([0, 0, 0x28]), question(['a']).subarray(3)]), 4],
    ['no question', Buffer.concat([question(['a']).subarray(0, 4), Buffer.alloc(8), question(['a']).subarray(12)]), 1],
    ['two questions', Buffer.concat([Buffer.from([0, 0, 1, 0, 0, 2]), question(['a']).subarray(6)]), 1],
    [
      'a name that points at itself',
      Buffer.concat([question([]).subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]),
      1,
    ],
    ['a name that points behind itself', question(['a', Buffer.from([0xc0, 12])]).fill(0xc0, 14, 15), 1],
    ['a label of 64', question(['a'.repeat(64)]), 1],
    ['a name of 256', question(Array.from({ length: 5 }, () => 'a'.repeat(50))), 1],
    ['a name cut off', question(['example', 'com']).subarray(0, 18), 1],
    ['a name without a kind', question(['a']).subarray(0, 16), 1],
    ['no name', question([]), 1],
    ['a NUL in a name', question(['exa\0mple', 'com']), 1],
    ['a dot in a label', question(['a.example', 'com']), 1],
    ['bytes that are no letters', question([Buffer.from([0xff, 0xfe]).toString('latin1'), 'com']), 1],
    ['another class', Buffer.concat([question(['a']).subarray(0, -1), Buffer.from([3])]), 4],
    ['a long message', question(['example', 'com'], ADDRESS, Buffer.alloc(600)), 1],
  ])('the DNS server refuses %s', async (_what, message, code) => {
    const { server, refused } = asked(['*'])
    expect([read(await server.reply(message)), refused]).toEqual([code === null ? null : [code, []], []])
  })

  it('the name server survives any bytes, and answers with an address at most', async () => {
    const anyBytes = fc.uint8Array({ maxLength: 600 })
    const nearly = fc
      .tuple(
        fc.array(fc.string({ maxLength: 70 }), { maxLength: 8 }),
        fc.nat({ max: 40 }),
        fc.uint8Array({ maxLength: 3 }),
      )
      .map(([labels, at, noise]) => {
        const bytes = question(labels.map((label) => label.slice(0, 63)))
        Buffer.from(noise).copy(bytes, Math.min(at, bytes.length))
        return Uint8Array.from(bytes)
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBytes, nearly), async (bytes) => {
        const { server } = asked(['*.example.com'])
        const answer = await server.reply(Buffer.from(bytes))
        expect(
          answer === null || (answer.length <= Math.max(12, bytes.length + 16) && ((answer[2] ?? 0) & 0x80) !== 0),
        ).toBe(true)
      }),
    )
  })
})

describe('resolver settings in a sandbox', () => {
  it('name servers come from resolv.conf, or are the loopback without an entry', () => {
    expect(
      resolverSettings(
        '# x\nnameserver 10.0.0.1\nnameserver fe80::1%eth0\n  nameserver 2001:db8::1\nnameserver x\nsearch Corp.Test. a.test\noptions ndots:5\n',
      ),
    ).toEqual({ servers: ['127.0.0.1', '10.0.0.1', '2001:db8::1'], search: ['corp.test', 'a.test'] })
    expect(resolverSettings('')).toEqual({ servers: ['127.0.0.1'], search: [] })
  })
})

describe('addresses as bytes', () => {
  it.each([
    ['1.2.3.4', '01020304'],
    ['::1', '00000000000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['2001:db8::5:0:1', '20010db8000000000000000500000001'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s', (address, bytes) => {
    expect(addressBytes(address)).toBe(bytes)
  })

  it('bytes exist for addresses only', () => {
    expect(['x', '1.2.3', 'fe80::1%lo', ''].map(addressBytes)).toEqual([null, null, null, null])
  })
})
