import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import { createBubblewrap, type SandboxLauncher } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { needs } from '../../tools.js'
import { type PackageServer, startPackageServer } from '../support/package-server.js'
import { GET, PLAIN_TOOLS, quoted } from '../support/plain-tools.js'

const MS = 120_000
/** Runs programs without proxy settings. */
const PLAIN = 'unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY NODE_USE_ENV_PROXY;'
const hasIpv6 = existsSync('/proc/net/if_inet6')

/** Starts a server on one of the usual ports. */
async function onUsualPort(server: Server, address: string): Promise<number> {
  for (const port of [26257, 7687, 9042, 11434, 9418]) {
    const isBound = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, address, () => resolve(true))
    })
    if (isBound) return port
  }
  throw new Error('none of the ports is free')
}

/** Tests programs without proxy support in a network of listed hosts. */
export function networkWithoutProxy(who: string): void {
  let launcher: SandboxLauncher
  let packages: PackageServer
  let served: string
  let workspace: string
  let evidence: string[]
  let lookedUp: string[]
  beforeAll(async () => {
    const resolve = async (name: string): Promise<readonly string[]> => {
      lookedUp.push(name)
      if (name === 'never') await new Promise(() => undefined)
      return name === 'usual' ? ['127.0.0.77'] : ['127.0.0.1']
    }
    launcher = createBubblewrap({ resolve })
    served = temporaryDirectory()
    packages = await startPackageServer(served)
  }, MS)
  afterAll(async () => {
    await launcher.close()
    await packages.close()
    removeDirectory(served)
  })
  beforeEach(() => {
    workspace = temporaryDirectory()
    evidence = []
    lookedUp = []
  })
  afterEach(() => removeDirectory(workspace))

  const run = async (script: string, hosts: readonly string[]) => {
    const sandbox = sandboxAround(workspace, { ...plainProfile, network: { hosts } })
    const plan = planOf(workspace, sandbox, { script: `${PLAIN} ${script}`, timeoutMs: MS })
    const heard = await launchAndCollect(launcher, plan, { onEvidence: (one) => evidence.push(evidenceLine(one)) })
    return { ending: heard.ending, stdout: heard.stdout.toString(), stderr: heard.stderr.toString() }
  }
  const works = async (script: (at: string) => string, said: string): Promise<void> => {
    const at = `tool:${packages.port}`
    const { stdout, stderr } = await run(script(at), [at])
    expect([stdout, evidence], stderr).toEqual([said, []])
  }
  const isRefused = async (script: (at: string) => string): Promise<void> => {
    const { ending, stdout } = await run(script('unlisted.test:8080'), ['tool', '*.listed.test'])
    expect([ending.how === 'exited' && ending.status === 0 && stdout.trim() !== '', stdout.trim()]).toEqual([false, ''])
    expect([new Set(evidence), lookedUp]).toEqual([new Set(['network: unlisted.test refused']), []])
  }

  describe(`${who}: without a proxy`, { timeout: MS }, () => {
    it.for(PLAIN_TOOLS)('%s reaches a listed host without the proxy', ([_name, script, said, ...tools], context) => {
      needs(context, ...tools)
      return works(script, said)
    })
    it.for(PLAIN_TOOLS)(
      '%s is refused an unlisted host without the proxy, and the evidence names it',
      ([_name, script, , ...tools], context) => {
        needs(context, ...tools)
        return isRefused(script)
      },
    )

    it('an unlisted port of a listed host is refused', async () => {
      const { port, securePort } = packages
      const get = (at: number): string => `get tool ${at} /hello || echo ' no'`
      const { stdout } = await run(`${GET}; ${get(port)}; ${get(securePort)}`, [`tool:${port}`, `other:${securePort}`])
      expect(stdout).toBe('hello no\n')
      expect(evidence).toEqual([`network: tool:${securePort} refused`])
    })

    it('a host listed without a port is served at the usual ports only, without the proxy', async () => {
      const server = createServer((socket) => socket.end('usual'))
      try {
        const port = await onUsualPort(server, '127.0.0.77')
        const { stdout } = await run(`cat < /dev/tcp/usual/${port}; cat < /dev/tcp/usual/4`, ['usual'])
        expect([stdout, evidence]).toEqual(['usual', []])
      } finally {
        server.close()
      }
    })

    it("a listed address is reached directly, and a listed loopback port is the host's", async () => {
      const { port } = packages
      const { stdout } = await run(
        `${GET}; get 127.0.0.1 ${port} /hello; get localhost ${port} /hello; get 127.0.0.2 ${port} /hello || echo no`,
        [`127.0.0.1:${port}`],
      )
      expect(stdout).toBe('hellohellono\n')
      expect(evidence).toEqual([])
    })

    it.runIf(hasIpv6)('a listed IPv6 address is reached directly, and no other', async () => {
      const server = createServer((socket) => socket.end('long'))
      await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      try {
        const { stdout } = await run(
          `cat < /dev/tcp/::1/${port}; cat < /dev/tcp/2001:db8::1/${port} 2>/dev/null; cat < /dev/tcp/127.0.0.1/${port} || echo no`,
          [`[::1]:${port}`],
        )
        const reported = [`network: [2001:db8::1]:${port} refused`]
        expect([stdout, evidence]).toEqual(['longno\n', reported])
      } finally {
        server.close()
      }
    })

    it('a listed name that leads to this machine is refused', async () => {
      const { port } = packages
      const get = `${GET}; get dotted.test ${port} /hello || echo no`
      const { stdout } = await run(get, ['*.test'])
      expect([stdout, lookedUp]).toEqual(['no\n', []])
      evidence = []
      const other = await run(get, [`*.test:${port}`])
      expect([other.stdout, lookedUp]).toEqual(['no\n', ['dotted.test']])
      expect(evidence).toEqual([`network: dotted.test:${port} refused`])
    })

    it(
      'no list opens this machine, its neighbours or cloud metadata, by any address',
      async () => {
        const addresses = [
          '127.0.0.2',
          '10.0.0.1',
          '169.254.169.254',
          '192.168.0.1',
          '198.18.7.7',
          'fd00::1',
          '::ffff:10.0.0.1',
        ]
        const { stdout } = await run(
          `${GET}; for at in ${addresses.join(' ')}; do get "$at" 80 / && echo "$at"; done; echo done`,
          ['*'],
        )
        expect([stdout, lookedUp]).toEqual(['done\n', []])
        const reported = ['10.0.0.1', '169.254.169.254', '192.168.0.1', '198.18.7.7', '[fd00::1]', '10.0.0.1']
        const possible = reported.filter((host) => hasIpv6 || host !== '[fd00::1]')
        expect(evidence).toEqual(possible.map((host) => `network: ${host}:80 refused`))
      },
      MS,
    )

    it('the name server answers datagrams, and survives invalid questions', async () => {
      const code = `
        const dns = require('dns'), [server] = dns.getServers(), net = require('net'), udp = require('dgram')
        const noise = udp.createSocket(net.isIPv6(server) ? 'udp6' : 'udp4')
        const sent = [Buffer.alloc(0), Buffer.alloc(11), Buffer.alloc(4000, 1), Buffer.from('000701000001000000000000c00c00010001', 'hex')]
        const send = (bytes) => new Promise((done) => noise.send(bytes, 53, server, done))
        ;(async () => { for (const bytes of sent) await send(bytes)
          console.log((await dns.promises.resolve4('tool')).join(), await dns.promises.resolve4('other.test').catch((e) => e.code), (dns.setServers(['127.0.0.1']), (await dns.promises.resolve4('tool')).join()), (await dns.promises.lookup('tool')).address); noise.close() })()`
      const { stdout, stderr } = await run(`node -e ${quoted(code)}`, ['tool'])
      expect(stdout, stderr).toBe('198.18.0.2 ENOTFOUND 198.18.0.2 198.18.0.2\n')
      expect([evidence, lookedUp]).toEqual([['network: other.test refused'], []])
    })

    it('no name is resolved outside before a connection is allowed, so names carry no data out', async () => {
      const { stdout } = await run(
        'exec 2>/dev/null; for n in one two three; do getent hosts "$n.secret.evil.test"; getent ahosts "$n.listed.test"; done | wc -l; getent hosts 9.9.9.9',
        ['*.listed.test'],
      )
      expect([stdout.trim(), lookedUp]).toEqual(['9', []])
      const reported = ['one', 'two', 'three'].map((name) => `network: ${name}.secret.evil.test refused`)
      expect(evidence).toEqual(reported)
    })

    it('a listed host that does not answer is reported, even if the command did not wait', async () => {
      const { port } = packages
      const { stdout } = await run(`: < /dev/tcp/never/${port}; echo over`, [`never:${port}`])
      expect([stdout, evidence]).toEqual(['over\n', [`network: never:${port} failed`]])
    })

    it('a server inside may use any port, is reached on the loopback, and serves no other address', async () => {
      const { port } = packages
      const serve = `const s = require('net').createServer((c) => c.end('mine')).listen({ host: '0.0.0.0', port: 8080 }, () => {
        const ask = (host, port) => new Promise((done) => { let all = ''; require('net').connect({ host, port }).on('data', (d) => { all += d }).on('error', (e) => { all = e.code }).on('close', () => done(all)) })
        ask('tool', 8080).then(async (first) => { console.log([first, await ask('127.0.0.1', 8080), await ask('9.9.9.9', 8080)].join()); s.close() }) })`
      const { stdout, stderr } = await run(`${GET}; get tool ${port} /hello; node -e ${quoted(serve)}`, [
        `tool:${port}`,
        'other.test:8080',
      ])
      expect(stdout, stderr).toBe('helloECONNRESET,mine,ECONNRESET\n')
      expect(evidence).toEqual(['network: tool:8080 refused', 'network: 9.9.9.9:8080 refused'])
    })

    it(
      "simultaneous commands see nothing of each other's network",
      async () => {
        const { port } = packages
        const hosts = [`tool:${port}`]
        const sandbox = sandboxAround(workspace, { ...plainProfile, network: { hosts } })
        const listen = `perl -e 'socket(my $s, 2, 1, 0); bind($s, pack "S n a4 x8", 2, 7777, "\\0" x 4) && listen($s, 5) or die; $| = 1; print "up\\n"; accept(my $c, $s); print "seen\\n"'`
        const end = new AbortController()
        let said = ''
        let isUp: () => void = () => undefined
        const up = new Promise<void>((resolve) => {
          isUp = resolve
        })
        const first = launchAndCollect(launcher, planOf(workspace, sandbox, { script: listen, timeoutMs: MS }), {
          signal: end.signal,
          onChunk: (_stream, bytes) => {
            said += Buffer.from(bytes).toString()
            if (said.includes('up')) isUp()
          },
        })
        await Promise.race([up, first])
        const { stdout } = await run(
          'exec 2>/dev/null; for at in 127.0.0.1 198.18.0.1 198.18.0.2 0.0.0.0; do (: < /dev/tcp/$at/7777) && echo "$at"; done; echo done',
          hosts,
        )
        end.abort()
        await first
        expect([stdout, said]).toEqual(['done\n', 'up\n'])
      },
      MS,
    )

    it('the network cannot be changed from inside', async () => {
      const code = `
        use strict;
        my ($down, $s) = pack 'a16 s x22', 'hosts', 0x80;
        socket($s, 2, 2, 0); print ioctl($s, 0x8914, $down) ? 'down ' : 'no ';
        socket($s, 2, 1, 0); print bind($s, pack 'S n a4 x8', 2, 53, "\\x7f\\0\\0\\2") ? 'bound ' : 'no ';
        print socket($s, 2, 3, 1) ? 'raw ' : 'no ';
        socket($s, 16, 3, 0); my $body = pack 'C8 L S S L', 2, 0, 0, 0, 254, 4, 253, 1, 0, 8, 4, 1;
        send $s, pack('L S S L L a*', 16 + length $body, 24, 0x605, 1, 0, $body), 0; recv $s, my $answer, 4096, 0;
        print +(unpack 'x16 l', $answer) == -1 ? 'no ' : 'routed ';
        my $f; print open($f, '+<', '/proc/sys/net/ipv4/ip_unprivileged_port_start') && syswrite($f, '0') ? 'set' : 'no';
      `
      const { stdout, stderr } = await run(`perl -e ${quoted(code)}`, ['tool'])
      expect(stdout, stderr).toBe('no no no no no')
    })

    it(
      'a command has at most 256 connections at a time',
      async () => {
        const server = createServer((socket) => socket.on('error', () => undefined).write('hi'))
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const address = server.address()
        const port = typeof address === 'object' && address !== null ? address.port : 0
        const code = `let greeted = 0, over = 0
        for (let i = 0; i < 300; i++) { let is = 0; const settle = (by) => { if (is) return; is = 1; greeted += by; if (++over === 300) { console.log(greeted); process.exit() } }
          require('net').connect(${port}, 'tool').on('data', () => settle(1)).on('error', () => settle(0)).on('close', () => settle(0)) }`
        try {
          const { stdout, stderr } = await run(`node -e ${quoted(code)}`, [`tool:${port}`])
          expect(stdout, stderr).toBe('256\n')
        } finally {
          server.close()
        }
      },
      MS,
    )
  })
}
