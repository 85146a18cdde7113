import { describe, expect, it } from 'vitest'
import type { HostFact } from '../../../../src/core/model/run/facts.js'
import { decided, type Setting, SURROUNDINGS } from '../fixture.js'

const host = (name: string, by: string): HostFact => ({ host: name, port: null, span: [5, 5 + name.length], by })
const listed = (...hosts: string[]) => ({ network: { hosts } })

describe('the network in a decision', () => {
  it('is denied to its programs where the profile allows none', () => {
    expect(decided('curl example.com').because).toEqual([
      {
        rule: 'builtin/network',
        verdict: 'deny',
        span: [0, 16],
        reason: 'Command not allowed: curl. Profile "test" allows no network access.',
        instead: 'Use local files only.',
        remedy: expect.any(String),
        program: 'curl',
      },
    ])
    for (const program of [
      'wget',
      'nc',
      'ncat',
      'netcat',
      'telnet',
      'ssh',
      'scp',
      'sftp',
      'ftp',
      'socat',
      'CURL',
      '/usr/bin/curl',
    ]) {
      expect(decided(`${program} x`).verdict, program).toBe('deny')
    }
  })

  it('allows programs that also work offline and leaves them to the sandbox', () => {
    for (const text of [
      'git clone https://example.com/x',
      'npm install',
      'pip install x',
      'rsync a b',
      'curl --version',
    ]) {
      expect(decided(text).verdict, text).toBe('allow')
    }
  })

  it('counts the shell and rsync as soon as they name a host', () => {
    expect(decided('echo x', { facts: { hosts: [host('example.com', 'redirect')] } }).because[0]?.reason).toMatch(
      /^Command not allowed: \/dev\/tcp\. /,
    )
    expect(decided('rsync a h:b', { facts: { hosts: [host('h', 'rsync')] } }).because[0]?.rule).toBe('builtin/network')
  })

  it('allows listed hosts, names the one that is not listed, and refuses to guess', () => {
    const to = (name: string): Setting => ({
      facts: { hosts: [host(name, 'curl')] },
      profile: listed('github.com', '*.example.org'),
    })
    expect(decided('curl github.com', to('github.com')).verdict).toBe('allow')
    expect(decided('curl GitHub.COM.', to('GitHub.COM.')).verdict).toBe('allow')
    expect(decided('curl a.example.org', to('a.example.org')).verdict).toBe('allow')
    for (const name of ['example.org', 'github.com.evil.example', 'evilgithub.com', 'xexample.org', 'github.co']) {
      expect(decided(`curl ${name}`, to(name)).verdict, name).toBe('deny')
    }
    expect(decided('curl evil.example', to('evil.example')).because[0]).toMatchObject({
      span: [5, 17],
      reason: 'Command not allowed: curl. Profile "test" does not list the host evil.example.',
      remedy: 'cordon allow host evil.example --profile test',
    })
    expect(decided('curl $x', { profile: listed('github.com') }).because[0]?.reason).toContain(
      'does not show which host',
    )
  })

  it('is measured by the port where the list and the command name one', () => {
    const to = (name: string, port: number | null): Setting => ({
      facts: { hosts: [{ ...host(name, 'curl'), port }] },
      profile: listed('db.test:5432', '*.sub.test:443', '[::3]:80', '::2'),
    })
    const verdict = (name: string, port: number | null) => decided(`curl ${name}`, to(name, port)).verdict
    expect([verdict('db.test', 5432), verdict('db.test', null), verdict('a.sub.test', 443)]).toEqual(
      Array(3).fill('allow'),
    )
    expect([verdict('[::3]', 80), verdict('::3', 80), verdict('::2', 9)]).toEqual(Array(3).fill('allow'))
    expect([verdict('db.test', 80), verdict('a.sub.test', 80), verdict('::3', 81)]).toEqual(Array(3).fill('deny'))
    const all = { facts: { hosts: [host('any.test', 'curl')] }, profile: listed('*') }
    expect(decided('curl any.test', all).verdict).toBe('allow')
  })

  it('asks about hosts that no list names where the profile asks, and an approval opens just these', () => {
    const profile: Setting['profile'] = { network: { hosts: ['github.com'], sets: ['npm'], unlisted: 'ask' } }
    const of = (name: string, by = 'curl', port: number | null = null) => ({
      profile,
      facts: { hosts: [{ ...host(name, by), port }] },
    })
    expect(decided('curl registry.npmjs.org', of('registry.npmjs.org')).verdict).toBe('allow')
    expect(decided('curl evil.example', of('evil.example', 'curl', 8443))).toMatchObject({
      verdict: 'ask',
      because: [
        {
          rule: 'builtin/network',
          reason: 'curl reaches evil.example. Profile "test" does not list this host.',
          remedy: 'cordon allow host evil.example --profile test',
          lifts: { hosts: ['evil.example:8443'] },
        },
      ],
    })
    expect(decided('git clone https://evil.example/x', of('evil.example', 'git'))).toMatchObject({
      verdict: 'ask',
      because: [{ lifts: { hosts: ['evil.example'] } }],
    })
    expect(decided('git remote add x https://evil.example/x', of('evil.example', 'git')).verdict).toBe('allow')
    expect(decided('curl $x', { profile }).because[0]).toMatchObject({ verdict: 'ask', lifts: { hosts: ['*'] } })
  })

  it("leaves the loopback of a sandbox alone, which is the sandbox's own", () => {
    const own = ['localhost', 'LOCALHOST.', '127.0.0.1', '127.9.9.9', '127.1', '::1', '0.0.0.0', 'app.localhost']
    const away = ['localhost.example.com', '127.0.0.1.example.com', 'notlocalhost', '128.0.0.1', '::2', '10.0.0.1']
    const verdict = (name: string, profile: Setting['profile'] = {}) =>
      decided(`curl ${name}`, { facts: { hosts: [host(name, 'curl')] }, profile }).verdict
    for (const profile of [{}, listed('example.org')]) {
      for (const name of own) expect([name, verdict(name, profile)]).toEqual([name, 'allow'])
      for (const name of away) expect([name, verdict(name, profile)]).toEqual([name, 'deny'])
    }
    for (const name of own) expect([name, verdict(name, { sandbox: 'off' })]).toEqual([name, 'deny'])
  })

  it('names the remote host if a command names the loopback too', () => {
    const hosts = [host('localhost', 'curl'), { ...host('evil.example', 'curl'), span: [15, 27] as const }]
    const { because } = decided('curl localhost evil.example', { facts: { hosts }, profile: listed('example.org') })
    expect(because.map(({ span }) => span)).toEqual([[15, 27]])
    expect(decided('curl localhost evil.example', { facts: { hosts } }).verdict).toBe('deny')
  })

  it('lets programs wait for connections inside the sandbox', () => {
    for (const text of [
      'nc -l 8080',
      'nc -lkv -p 80',
      'ncat --listen 80',
      'socat TCP-LISTEN:80,fork -',
      'socat - UNIX-CONNECT:/tmp/s',
    ])
      expect([text, decided(text).verdict]).toEqual([text, 'allow'])
    for (const text of [
      'nc x 80',
      'socat - TCP:x:80',
      'socat TCP-LISTEN:80 OPENSSL:x:443',
      'socat - UNIX-CONNECT:s!!TCP:x:1',
      'socat - UDP4-SENDTO:x:1',
    ])
      expect([text, decided(text).verdict]).toEqual([text, 'deny'])
    expect(decided('nc -l 8080', { profile: { sandbox: 'off' } }).verdict).toBe('deny')
  })

  it('is free where the profile says so, but acting on another machine still asks', () => {
    expect(decided('curl example.com', { profile: { network: 'full' } }).verdict).toBe('allow')
    expect(decided('ssh example.com ls', { profile: { network: 'full' } }).because[0]?.rule).toBe('effect/remote-shell')
  })
})

describe("a registry of the person's own settings", () => {
  it('is named in the refusal and in the question', () => {
    const registries = [{ tool: 'pip', file: '~/.config/pip/pip.conf', host: 'pip.example.com:443' }]
    const hosts = [{ host: 'pip.example.com', port: null, span: [5, 20] as const, by: 'curl' }]
    for (const network of ['none', { hosts: [], unlisted: 'ask' as const }] as const) {
      const { because } = decided('curl pip.example.com', {
        profile: { network },
        surroundings: { ...SURROUNDINGS, registries },
        facts: { hosts },
      })
      expect(because[0]?.reason).toMatch(/\. Your ~\/\.config\/pip\/pip\.conf names this host\.$/)
      expect(because[0]?.remedy).toBe('cordon allow host pip.example.com --profile test')
    }
  })
})
