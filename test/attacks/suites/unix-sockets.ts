import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import type { Launcher, RunningProcess } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { needs } from '../../tools.js'

/**
 * Perl that binds a socket. Type 1 sends a word to each client, type 2 prints its datagrams. `then` runs after the
 * bind.
 */
const server = (type: number, then = ''): string => `use Socket; $| = 1; my $at = $ARGV[0]; $at =~ s/^@/\\0/;
socket(my $s, 1, ${type}, 0) or die $!; bind($s, pack_sockaddr_un($at)) or die $!; ${type === 1 ? 'listen $s, 5;' : ''}
${then} print "up\\n";
${type === 1 ? 'while (accept(my $c, $s)) { print $c "reached\\n"; close $c }' : 'while (defined recv($s, my $heard, 9, 0)) { print "$heard\\n" }'}`

/** Perl that asks each of its arguments for that word, and prints the result. */
const CLIENT = `use Socket; for (@ARGV) { my $at = $_; $at =~ s/^@/\\0/;
my $s; socket($s, 1, 1, 0) && connect($s, pack_sockaddr_un($at)) && sysread($s, $_, 7) ? print "reached\\n" : print "refused\\n" }`
const asking = (...paths: readonly string[]): string =>
  `perl -e '${CLIENT}' ${paths.map((path) => `'${path}'`).join(' ')}`

/** Tests a command's own sockets, and attacks those of the host. */
export function unixSocketAttacks(who: string, create: () => Launcher = createBubblewrap): void {
  let launcher: Launcher
  let workspace: string
  let outside: string
  const servers: ChildProcess[] = []
  beforeAll(() => {
    launcher = create()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    workspace = temporaryDirectory()
    outside = temporaryDirectory()
  })
  afterEach(async () => {
    for (const one of servers.splice(0)) {
      one.kill('SIGKILL')
      if (one.exitCode === null && one.signalCode === null) await once(one, 'exit')
    }
    // A sandbox that is still being built can make a mount point there meanwhile.
    for (const directory of [workspace, outside])
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })

  const serve = async (path: string, type = 1, cwd = '/', then = ''): Promise<ChildProcess> => {
    const child = spawn('perl', ['-e', server(type, then), path], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    servers.push(child)
    await once(child.stdout, 'data')
    return child
  }
  /**
   * Only these commands see the other directory. Otherwise its sockets would be covered in every sandbox of the host.
   */
  const plan = (script: string, profile: Profile = plainProfile): Plan => {
    const seen = { ...profile, paths: { ...profile.paths, roots: ['.', outside] } }
    return planOf(workspace, sandboxAround(workspace, seen), { script })
  }
  const run = async (script: string, profile?: Profile) => {
    const { stdout, stderr } = await launchAndCollect(launcher, plan(script, profile))
    return { stdout: stdout.toString(), stderr: stderr.toString() }
  }
  /** Runs a command that waits until the test has seen it start. */
  const runOnceTold = async (script: string, meanwhile: (pid: number) => Promise<void>): Promise<string> => {
    let text = ''
    let started: RunningProcess | undefined
    const tell = async (): Promise<void> => {
      await meanwhile(started?.pid ?? 0)
      started?.write('go\n')
      started?.endInput()
    }
    let telling: Promise<void> | undefined
    await launchAndCollect(launcher, plan(`echo up; read -r go; ${script}`), {
      stdin: 'open',
      started: (process) => {
        started = process
      },
      onChunk: (_stream, chunk) => {
        text += Buffer.from(chunk).toString()
        if (text.includes('up\n')) telling ??= tell()
      },
    })
    await telling
    return text.replace('up\n', '')
  }

  describe(`${who}: Unix sockets`, () => {
    it.each([
      ['none', plainProfile] as const,
      // A network of listed hosts is never cloned.
      ...(create === createBubblewrap
        ? ([['a list of hosts', { ...plainProfile, network: { hosts: ['example.com'] } }]] as const)
        : []),
    ])('of its own connect, by path and by abstract name, with network %s', async (_name, profile) => {
      const ask = (at: string): string =>
        `perl -e '${server(1)}' ${at} > up & until [ -s up ]; do sleep 0.01; done; ${asking(at)}; kill $!; rm up`
      const { stdout, stderr } = await run(['./own.sock', '/tmp/own.sock', '@own'].map(ask).join('; '), profile)
      expect(stdout, stderr).toBe('reached\n'.repeat(3))
    })

    it('a Unix socket made by Node works inside', async () => {
      const code = `const n = require('net'); const s = n.createServer((c) => c.end('served')).listen('./s.sock', () => n.connect('./s.sock').on('data', (d) => { console.log(String(d)); s.close() }))`
      expect((await run(`node -e "${code}"`)).stdout).toBe('served\n')
    })

    it("Python's multiprocessing manager works inside", async (context) => {
      needs(context, 'python3')
      const code = 'import multiprocessing as m\nwith m.Manager() as a:\n d = a.dict(); d[1] = 2; print(d[1])'
      const { stdout, stderr } = await run(`/usr/bin/python3 -c '${code}' || python3 -c '${code}'`)
      expect(stdout, stderr).toBe('2\n')
    })

    it('host sockets in the workspace, or visible outside it, accept no connection', async () => {
      mkdirSync(join(workspace, 'deep'))
      const places = [join(workspace, 'host.sock'), join(workspace, 'deep/host.sock'), join(outside, 'host.sock')]
      for (const path of places) await serve(path)
      for (const write of [true, false]) {
        const profile = { ...plainProfile, paths: { ...plainProfile.paths, write } }
        expect((await run(asking(...places, './host.sock'), profile)).stdout).toBe('refused\n'.repeat(4))
      }
    })

    it('a covered host socket cannot be uncovered by a move, a removal or a hard link', async () => {
      mkdirSync(join(workspace, 'deep'))
      const path = join(workspace, 'deep/host.sock')
      await serve(path)
      const moves =
        'mv deep elsewhere; ln elsewhere/host.sock linked; mv elsewhere/host.sock moved; rm -f elsewhere/host.sock'
      const { stdout } = await run(
        `{ ${moves}; } 2>/dev/null; ${asking(path, './elsewhere/host.sock', './linked', './moved')}`,
      )
      expect(stdout).toBe('refused\n'.repeat(4))
    })

    it('host sockets bound by a relative name, or renamed since, accept no connection', async () => {
      await serve('relative.sock', 1, workspace)
      await serve(join(workspace, 'before.sock'), 1, '/', `rename $at, "${workspace}/after.sock";`)
      await serve('first.sock', 1, outside, 'rename $at, "second.sock";')
      const { stdout } = await run(asking('./relative.sock', './after.sock', join(outside, 'second.sock')))
      expect(stdout).toBe('refused\n'.repeat(3))
    })

    it('host sockets receive no datagram from a socket or a socket pair', async () => {
      const path = join(workspace, 'host.sock')
      const listener = await serve(path, 2)
      const heard: string[] = []
      listener.stdout?.on('data', (chunk: Buffer) => heard.push(chunk.toString()))
      const code = `use Socket; my $to = pack_sockaddr_un("${path}"); socket(my $s, 1, 2, 0) or die; socketpair(my $a, my $b, 1, 2, 0) or die;
        for ($s, $a) { print send($_, "evil", 0, $to) ? "sent\\n" : "refused\\n" } print connect($b, $to) ? "connected\\n" : "refused\\n"`
      expect((await run(`perl -e '${code}'`)).stdout).toBe('refused\n'.repeat(3))
      expect(heard).toEqual([])
    })

    it("abstract host sockets are out of reach, and with the host's network no socket can be made", async () => {
      await serve(`@cordon-test-${process.pid}`)
      const ask = asking(`@cordon-test-${process.pid}`)
      expect((await run(ask)).stdout).toBe('refused\n')
      expect((await run(ask, { ...plainProfile, network: 'full' })).stdout).toBe('refused\n')
    })

    const shared = process.getuid?.() === 0 ? ['/run', '/tmp'] : ['/tmp']
    it(`sockets of daemons and displays are out of reach in ${shared.join(' and ')}`, async () => {
      const places = shared.map((directory) => `${directory}/.cordon-test-${process.pid}`)
      try {
        for (const path of places) await serve(path)
        expect((await run(asking(...places, ...places.map((path) => `/proc/1/root${path}`)))).stdout).toBe(
          'refused\n'.repeat(2 * places.length),
        )
      } finally {
        for (const path of places) rmSync(path, { force: true })
      }
    })

    it('a host socket that vanishes while the sandbox is built does not stop the command', async () => {
      const path = join(outside, 'host.sock')
      const child = await serve(path)
      const wanted = plan('echo ran', { ...plainProfile, paths: { ...plainProfile.paths, write: false } })
      const launched = launchAndCollect(launcher, wanted)
      rmSync(outside, { recursive: true })
      mkdirSync(outside)
      expect([child.exitCode, (await launched).stdout.toString()]).toEqual([null, 'ran\n'])
    })

    it('host sockets bound while a command runs are covered within moments', async () => {
      const places = [join(workspace, 'late.sock'), join(outside, 'late.sock')]
      const said = await runOnceTold(asking(...places), async (pid) => {
        for (const path of places) await serve(path)
        for (const path of places) {
          const isCovered = (): boolean => statSync(`/proc/${pid}/root${path}`).isCharacterDevice()
          for (let tries = 0; tries < 2000 && !isCovered(); tries += 1) await sleep(5)
        }
      })
      expect(said).toBe('refused\n'.repeat(2))
    })

    it('sockets of another command in the same workspace are out of reach', async () => {
      const path = join(workspace, 'other.sock')
      let init = 0
      const serving = launchAndCollect(launcher, plan(`exec perl -e '${server(1)}' ${path}`), {
        started: ({ pid }) => {
          init = pid
        },
      })
      while (!existsSync(path)) await sleep(5)
      expect((await run(asking(path))).stdout).toBe('refused\n')
      process.kill(init, 'SIGKILL')
      await serving
    })

    it('the engine itself binds no Unix socket', async () => {
      await run('true')
      const own = readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? []
        } catch {
          return []
        }
      })
      const named = readFileSync('/proc/net/unix', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , , , , , inode = '', path]) => own.includes(inode) && path !== undefined)
      expect(named).toEqual([])
    })
  })
}
