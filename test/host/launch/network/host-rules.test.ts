import { describe, expect, it } from 'vitest'
import { canonicalHost, hostRules, isInward } from '../../../../src/host/launch/network/host-rules.js'

const granted = (list: readonly string[], host: string, port = 443): boolean => hostRules(list)(host, port).granted

describe('a list of hosts', () => {
  it('a host list matches label by label, never by prefix or suffix', () => {
    const list = ['example.com', '*.example.org', 'api.test:8443']
    const yes: [string, number][] = [
      ['example.com', 443],
      ['EXAMPLE.com.', 80],
      ['a.example.org', 1],
      ['a.b.example.org', 1],
      ['api.test', 8443],
    ]
    const no: [string, number][] = [
      ['notexample.com', 443],
      ['example.com.evil.test', 443],
      ['www.example.com', 443],
      ['example.org', 443],
      ['evilexample.org', 443],
      ['api.test', 443],
      ['example.com@evil.test', 443],
    ]
    expect(yes.filter(([host, port]) => !granted(list, host, port))).toEqual([])
    expect(no.filter(([host, port]) => granted(list, host, port))).toEqual([])
  })

  it('a host list rejects NUL bytes, odd encodings and obfuscated addresses', () => {
    const odd = [
      'example.com\0.evil.test',
      'example.com\n',
      'exam ple.com',
      '',
      '.',
      'a..b',
      '0x7f.1',
      '2130706433',
      '127.1',
      '0177.0.0.1',
      'ex%61mple.com',
      '[::1',
      'example。com\u0000',
    ]
    expect(odd.filter((host) => canonicalHost(host) !== null)).toEqual([])
    expect(odd.filter((host) => granted(['*'], host))).toEqual([])
  })

  it('a listed name may lead inward only if that address is listed', () => {
    expect(hostRules(['localhost:80'])('localhost', 80)).toEqual({ granted: true, host: 'localhost', inward: true })
    expect(hostRules(['10.0.0.5:80'])('10.0.0.5', 80)).toEqual({ granted: true, host: '10.0.0.5', inward: true })
    expect(hostRules(['*'])('169.254.169.254', 80)).toEqual({ granted: true, host: '169.254.169.254', inward: false })
    expect(hostRules(['*.test'])('a.test', 80)).toEqual({ granted: true, host: 'a.test', inward: false })
  })

  it('a loopback entry without a port grants no port', () => {
    const list = ['localhost', '127.0.0.1', '127.0.0.2', '::1', '[::1]', '0.0.0.0', 'LOCALHOST', 'ip6-localhost']
    for (const host of list) expect([host, granted(list, host, 80)]).toEqual([host, false])
    expect(granted([...list, 'localhost:5432'], 'localhost', 5432)).toBe(true)
    expect(granted([...list, 'localhost:5432'], 'localhost', 5433)).toBe(false)
  })

  it('addresses of this machine and its neighbours count as inward', () => {
    const inward = [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
      '224.0.0.1',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
    ]
    expect(inward.filter((address) => !isInward(address))).toEqual([])
    expect(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111'].filter(isInward)).toEqual([])
  })
})
