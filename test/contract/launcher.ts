import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Wall } from '../../src/core/model/plan.js'
import type { Launcher } from '../../src/engine/ports.js'
import {
  launchAndHear,
  planOf,
  processesNaming,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
} from './launcher-plan.js'

export interface LauncherUnderTest {
  create(): Launcher
  wall(workspace: string): Wall
  /** A wall the launcher cannot enforce. */
  otherWall(workspace: string): Wall
  /** Variables the launcher adds to the command's own. */
  readonly added: readonly string[]
}

/** What every launcher promises. Real processes, nothing mocked. */
export function launcherContract(name: string, subject: LauncherUnderTest): void {
  let launcher: Launcher
  let workspace: string
  beforeAll(() => {
    launcher = subject.create()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    workspace = temporaryDirectory()
  })
  afterEach(() => removeDirectory(workspace))

  const plan = (over: Parameters<typeof planOf>[2]) => planOf(workspace, subject.wall(workspace), over)
  const run = (
    script: string,
    over: Parameters<typeof launchAndHear>[2] = {},
    fields: Parameters<typeof planOf>[2] = {},
  ) => launchAndHear(launcher, plan({ script, ...fields }), over)

  describe(`${name}: how it ends`, () => {
    it('reports the exit status, whatever it is', async () => {
      const statuses = [0, 1, 2, 42, 126, 127, 128, 255]
      const heard = await Promise.all(statuses.map((status) => run(`exit ${status}`)))
      expect(heard.map(({ ending }) => ending)).toEqual(statuses.map((status) => ({ how: 'exited', status })))
    })

    it('tells death by a signal from an exit, and reads 128 + n as signal n', async () => {
      expect((await run('kill -SEGV $$')).ending).toEqual({ how: 'killed', signal: 'SIGSEGV', by: 'itself' })
      expect((await run('kill -KILL $$')).ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'itself' })
      expect((await run('exit 143')).ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'itself' })
    })

    it('ends with the main process though a child holds the pipes', async () => {
      const seconds = unusualSeconds()
      const heard = await run(`sleep ${seconds} & echo done`, {}, { timeoutMs: 25_000 })
      expect(heard.stdout.toString()).toBe('done\n')
      expect(heard.ending).toEqual({ how: 'exited', status: 0 })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('delivers all output before the ending', async () => {
      const heard = await run('seq 1 200000; seq 1 1000 >&2')
      expect(heard.stdout.toString().split('\n').at(-2)).toBe('200000')
      expect(heard.stderr.toString().split('\n').at(-2)).toBe('1000')
    })
  })

  describe(`${name}: what the command sees`, () => {
    it('has exactly the environment of the plan', async () => {
      const awkward = 'a "b" $c \n\t\\ é = \u{1f600}'
      const heard = await run(
        'env -0',
        {},
        {
          env: [
            ['PATH', '/usr/bin:/bin'],
            ['ODD', awkward],
            ['PWD', workspace],
          ],
        },
      )
      const seen = heard.stdout.toString().split('\0').filter(Boolean)
      const expected = ['PATH=/usr/bin:/bin', `ODD=${awkward}`, `PWD=${workspace}`]
      // Bash itself adds these two.
      const foreign = new Set(['_', 'SHLVL', ...subject.added])
      expect(seen.filter((line) => !foreign.has(line.slice(0, line.indexOf('=')))).sort()).toEqual(expected.sort())
    })

    it('starts in the directory of the plan, whatever characters it holds', async () => {
      const odd = `${workspace}/a "b" $c'd\né`
      mkdirSync(odd)
      const heard = await run(
        'pwd; touch here',
        {},
        {
          cwd: odd,
          env: [
            ['PATH', '/usr/bin:/bin'],
            ['PWD', odd],
          ],
        },
      )
      expect(heard.stdout.toString()).toBe(`${odd}\n`)
      expect(existsSync(`${odd}/here`)).toBe(true)
    })

    it('gets its arguments literally, with no shell in between', async () => {
      const args = ['; rm -rf /', '$(id)', '', 'a\nb', '--', '-x', '*']
      const heard = await launchAndHear(launcher, plan({ argv: ['printf', '%s\\0', ...args] }))
      expect(heard.stdout.toString().split('\0').slice(0, -1)).toEqual(args)
    })

    it('has standard streams that can be opened by name', async () => {
      const heard = await run('echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin', {
        stdin: { text: 'in\n' },
      })
      expect([heard.stdout.toString(), heard.stderr.toString()]).toEqual(['out\nin\n', 'err\n'])
    })

    it('inherits no descriptor but the three standard ones', async () => {
      const heard = await run('cd /proc/self/fd; for f in *; do [[ $f -gt 2 ]] && readlink $f; done; true')
      const open = heard.stdout.toString().split('\n').filter(Boolean)
      expect(open.filter((target) => target !== '/dev/null' && !/^\/proc\/\d+\/fd$/.test(target))).toEqual([])
    })
  })

  describe(`${name}: input and output`, () => {
    it('passes every byte through untouched', async () => {
      const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      writeFileSync(`${workspace}/bytes`, all)
      const heard = await run('cat bytes; cat bytes bytes >&2')
      expect([heard.stdout, heard.stderr]).toEqual([all, Buffer.concat([all, all])])
    })

    it('closed input reads as empty at once', async () => {
      expect((await run('cat; read x; echo $?')).stdout.toString()).toBe('1\n')
    })

    it('sends text on standard input and then the end', async () => {
      const text = 'é\u{1f600}\n'.repeat(100_000)
      const heard = await run('cat', { stdin: { text } })
      expect(heard.stdout.toString()).toBe(text)
    })

    it('is not disturbed by a command that does not read its input', async () => {
      const heard = await run('exec <&-; echo fine', { stdin: { text: 'x'.repeat(5_000_000) } })
      expect([heard.stdout.toString(), heard.ending]).toEqual(['fine\n', { how: 'exited', status: 0 }])
    })

    it('lets the caller write while it runs, and end the input', async () => {
      const controller = new AbortController()
      const said: string[] = []
      let write = (_text: string): void => undefined
      let end = (): void => undefined
      const ending = await launcher.launch(plan({ script: 'read a; echo "got $a"; read b || echo end' }), {
        stdin: 'open',
        signal: controller.signal,
        onStart: (process) => {
          write = (text) => process.write(text)
          end = () => process.endInput()
          write('hello\n')
        },
        onChunk: (_stream, bytes) => {
          said.push(Buffer.from(bytes).toString())
          if (said.join('').includes('got hello\n')) end()
        },
      })
      expect([said.join(''), ending]).toEqual(['got hello\nend\n', { how: 'exited', status: 0 }])
    })

    it('keeps memory flat while 100 MB go by', async () => {
      let total = 0
      let peak = 0
      const before = process.memoryUsage().rss
      await launcher.launch(plan({ script: 'head -c 100000000 /dev/zero' }), {
        stdin: 'closed',
        signal: new AbortController().signal,
        onStart: () => undefined,
        onChunk: (_stream, bytes) => {
          total += bytes.length
          peak = Math.max(peak, process.memoryUsage.rss())
        },
      })
      expect(total).toBe(100_000_000)
      expect(peak - before).toBeLessThan(80_000_000)
    })
  })

  describe(`${name}: stopping`, () => {
    it('asks at the timeout and lets a handler write before it goes', async () => {
      const heard = await run(
        'trap "echo saved > saved; exit 7" TERM; sleep 300 & wait',
        {},
        { timeoutMs: 2_000, graceMs: 20_000 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'timeout' })
      expect(readFileSync(`${workspace}/saved`, 'utf8')).toBe('saved\n')
    })

    it('kills after the grace what does not go, and keeps what it said', async () => {
      const heard = await run(
        'trap "" TERM; echo before; while :; do sleep 0.05; done',
        {},
        { timeoutMs: 2_000, graceMs: 200 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'timeout' })
      expect(heard.stdout.toString()).toBe('before\n')
    })

    it('starts nothing when it is cancelled before it begins', async () => {
      const heard = await run('touch started', { signal: AbortSignal.abort() })
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'caller' })
      expect([heard.started, existsSync(`${workspace}/started`)]).toEqual([0, false])
    })

    it('ends the whole tree when it is cancelled while it runs', async () => {
      const seconds = unusualSeconds()
      const controller = new AbortController()
      const heard = await run(
        `setsid sleep ${seconds} & echo up; sleep ${seconds}`,
        { signal: controller.signal, onChunk: () => controller.abort() },
        { graceMs: 20_000 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'caller' })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('takes no notice of a cancellation after the end', async () => {
      const controller = new AbortController()
      const heard = await run('exit 3', { signal: controller.signal })
      controller.abort()
      expect(heard.ending).toEqual({ how: 'exited', status: 3 })
    })

    it('leaves nothing behind when it is cancelled at any moment of starting', async () => {
      const seconds = unusualSeconds()
      const attempts = Array.from({ length: 40 }, async (_, index) => {
        const controller = new AbortController()
        const launched = run(
          `(setsid sleep ${seconds} >/dev/null 2>&1 &) ; trap "" TERM; sleep ${seconds}`,
          { signal: controller.signal },
          { graceMs: 20 },
        )
        setTimeout(() => controller.abort(), index / 2)
        return (await launched).ending
      })
      const endings = await Promise.all(attempts)
      expect(endings.map((ending) => (ending.how === 'killed' ? ending.by : ending.how))).toEqual(
        endings.map(() => 'caller'),
      )
      expect(processesNaming(seconds)).toEqual([])
    })

    const DAEMONS: Readonly<Record<string, string>> = {
      'a background child': 'sleep N &',
      'a child in a session of its own': 'setsid sleep N &',
      'a double fork': '( ( sleep N & ) & )',
      'a child that ignores hangups': 'nohup sleep N >/dev/null 2>&1 &',
      'a child that ignores SIGTERM': '(trap "" TERM HUP INT; exec sleep N) &',
      'a silent daemon, all descriptors closed': '(setsid bash -c "exec sleep N" </dev/null >/dev/null 2>&1 &)',
      'a daemon that wiped its environment': '(env -i /usr/bin/setsid /bin/sleep N </dev/null >/dev/null 2>&1 &)',
      'a daemon of another language, by the book':
        "/usr/bin/python3 -c \"import os,sys\nif os.fork(): sys.exit()\nos.setsid()\nif os.fork(): os._exit(0)\nos.chdir('/'); os.closerange(0,64); os.execve('/bin/sleep',['sleep','N'],{})\"",
    }
    for (const [kind, script] of Object.entries(DAEMONS)) {
      it(`${kind} is dead when the ending is reported`, async () => {
        const seconds = unusualSeconds()
        const heard = await run(`${script.replaceAll('N', seconds)}\nsleep 0.1; exit 5`)
        expect(heard.ending).toEqual({ how: 'exited', status: 5 })
        expect(processesNaming(seconds)).toEqual([])
      })
    }

    it('a daemon of a program started without a shell, its environment wiped, is dead when the ending is reported', async () => {
      const seconds = unusualSeconds()
      const inner = `env -i /usr/bin/setsid /bin/sleep ${seconds} </dev/null >/dev/null 2>&1 & sleep 0.1`
      const heard = await launchAndHear(launcher, plan({ argv: ['env', '-i', '/bin/sh', '-c', inner] }))
      expect(heard.ending).toEqual({ how: 'exited', status: 0 })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('closing the launcher ends what still runs', async () => {
      const seconds = unusualSeconds()
      const own = subject.create()
      const running = new Promise<unknown>((resolve, reject) => {
        const ending = launchAndHear(own, plan({ script: `trap "" TERM; sleep ${seconds}; sleep ${seconds}` }), {
          started: () => own.close().catch(reject),
        })
        ending.then(resolve, reject)
      })
      await running
      expect(processesNaming(seconds)).toEqual([])
    })
  })

  describe(`${name}: refusing`, () => {
    it('refuses a plan it cannot enforce', async () => {
      const other = planOf(workspace, subject.otherWall(workspace), { script: 'touch started' })
      await expect(launchAndHear(launcher, other)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
      expect(existsSync(`${workspace}/started`)).toBe(false)
    })

    it('says that a program is missing, or not executable, before anything starts', async () => {
      const missing = launchAndHear(launcher, plan({ argv: ['no-such-program-here'] }))
      await expect(missing).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND', exit: 127 })
      writeFileSync(`${workspace}/data`, '#!/bin/sh\n')
      chmodSync(`${workspace}/data`, 0o644)
      await expect(launchAndHear(launcher, plan({ argv: ['./data'] }))).rejects.toThrow(/not executable/)
    })
  })

  describe(`${name}: many at once`, () => {
    it('keeps twenty commands apart', async () => {
      const heard = await Promise.all(
        Array.from({ length: 20 }, (_, index) => run(`echo ${index}; sleep 0.0${index % 10}; exit ${index}`)),
      )
      expect(heard.map(({ stdout, ending }) => [stdout.toString(), ending])).toEqual(
        heard.map((_, status) => [`${status}\n`, { how: 'exited', status }]),
      )
    })

    it('leaks no descriptor over many commands', async () => {
      const { readdirSync } = await import('node:fs')
      await Promise.all(Array.from({ length: 8 }, () => run('echo x')))
      const before = readdirSync('/proc/self/fd').length
      for (let round = 0; round < 4; round += 1)
        await Promise.all(Array.from({ length: 8 }, () => run('echo x >&2', { stdin: { text: 'x' } })))
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 8)
    })
  })
}
