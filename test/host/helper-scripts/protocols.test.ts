import { describe, expect, it } from 'vitest'
import { formatAttributeOrder, parseAttributes } from '../../../src/host/helper-scripts/attributes-protocol.js'
import { formatNetworkOrder, parseNetworkMessage } from '../../../src/host/helper-scripts/network-protocol.js'
import {
  formatZygoteOrder,
  parseZygoteAnswer,
  parseZygoteReport,
} from '../../../src/host/helper-scripts/zygote-protocol.js'
import { fc } from '../../property.js'

describe('the protocol of the zygote host', () => {
  it('an order to the zygote host is one line, with cgroup paths in hexadecimal', () => {
    const clone = {
      template: '3',
      clone: '7',
      secret: 's',
      descriptors: [20, 21, 22, 23],
      cgroupFiles: ['/a b\nc'],
    } as const
    expect(formatZygoteOrder({ verb: 'open', template: '3', pid: 5, setup: 20, report: 21 })).toBe('open 3 5 20 21')
    expect(formatZygoteOrder({ verb: 'clone', ...clone })).toBe('clone 3 7 s 20 21 22 23 2f6120620a63')
    expect(formatZygoteOrder({ verb: 'close', template: '3' })).toBe('close 3')
    expect(formatZygoteOrder({ verb: 'start', order: 9 })).toBe('start 9')
  })

  it('each answer of the zygote host is parsed, and other lines are ignored', () => {
    expect(['ready', 'opened 3', 'refused 3 7', 'unstarted 9'].map(parseZygoteAnswer)).toEqual([
      { kind: 'ready' },
      { kind: 'opened', template: '3' },
      { kind: 'refused', template: '3', clone: '7' },
      { kind: 'unstarted', order: 9 },
    ])
    for (const line of ['', 'opened', 'opened x', 'refused 3', 'unstarted 9 9', ' ready', 'ready\r'])
      expect(parseZygoteAnswer(line)).toEqual({ kind: 'unreadable', line })
  })

  it("a zygote's reports are parsed for the template and for each clone", () => {
    expect(parseZygoteReport('0 {"template": true}')).toEqual({ kind: 'template' })
    expect(parseZygoteReport('12 {"child-pid": 5}')).toEqual({ kind: 'clone', clone: '12', status: '{"child-pid": 5}' })
    for (const line of ['', '12', '{"child-pid": 5}', 'x {"a": 1}', '12 gone'])
      expect(parseZygoteReport(line)).toEqual({ kind: 'unreadable', line })
  })
})

describe('the protocol of the network helper', () => {
  it('an order to the network helper is words, with commas in lists', () => {
    const open = {
      verb: 'open',
      network: 2,
      within: null,
      loopback: ['7f000001:53'],
      ports: [80, 443],
      servers: [],
    } as const
    expect(formatNetworkOrder(open)).toBe('open 2 0 7f000001:53 80,443 ')
    expect(formatNetworkOrder({ verb: 'answer', network: 2, to: '4 aa', bytes: Buffer.from('ok') })).toBe(
      'answer 2 4 aa 6f6b',
    )
    expect(formatNetworkOrder({ verb: 'settle', network: 2 })).toBe('settle 2')
  })

  it('each message of the network helper is parsed', () => {
    const of = (fields: object) => parseNetworkMessage({ network: 2, ...fields })?.message
    expect(of({ pid: 5, port: 80, isOpen: true })).toEqual({ kind: 'made', pid: 5, port: 80, isOpen: true })
    expect(of({ failed: 'no' })).toEqual({ kind: 'failed', why: 'no' })
    expect(of({ from: '4 aa', asks: '6f6b' })).toEqual({ kind: 'question', from: '4 aa', bytes: Buffer.from('ok') })
    expect(of({ isSettled: true })).toEqual({ kind: 'settled' })
    expect(of({ isLost: true })).toEqual({ kind: 'lost' })
    expect(of({})).toEqual({ kind: 'connection' })
  })

  it("other messages to the network helper's parser are ignored", () => {
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { network: 'x' },
      { network: -1, isLost: true },
      { network: 2, pid: 'x', port: 1 },
    ]
    expect(odd.map(parseNetworkMessage)).toEqual(odd.map(() => null))
  })
})

describe('the protocol of the attribute helper', () => {
  it('an attribute order has paths, names and values in hexadecimal', () => {
    expect(formatAttributeOrder({ verb: 'read', places: [Buffer.from('/a b'), Buffer.from([0xff])] })).toBe(
      'read 2f612062 ff',
    )
    expect(formatAttributeOrder({ verb: 'write', place: Buffer.from('/a'), wanted: { 'user.n': '\xff', m: '' } })).toBe(
      'write 2f61 757365722e6e:ff 6d:',
    )
  })

  it('attributes are null for a path without a valid answer', () => {
    expect(parseAttributes('6d:,6e:ff ! x', 4)).toEqual([{ m: '', n: '\xff' }, null, null, null])
    expect(parseAttributes('', 1)).toEqual([{}])
    expect(parseAttributes(null, 1)).toEqual([null])
  })
})

it('no protocol parser throws on any input', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), (sent, line) => {
      parseNetworkMessage(sent)
      parseZygoteAnswer(line)
      parseZygoteReport(line)
      parseAttributes(line, 3)
    }),
  )
})
