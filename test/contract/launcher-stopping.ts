import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LauncherScene } from './launcher.js'
import { launchAndHear, processesNaming, unusualSeconds } from './launcher-plan.js'

/** What every launcher promises about stopping, and about what a command leaves running. */
export function stoppingContract(name: string, scene: LauncherScene): void {
  const { plan, run, subject } = scene

  describe(`${name}: stopping`, () => {
    it('asks at the timeout and lets a handler write before it goes', async () => {
      const heard = await run(
        'trap "echo saved > saved; exit 7" TERM; sleep 300 & wait',
        {},
        { timeoutMs: 2_000, graceMs: 20_000 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'timeout' })
      expect(readFileSync(`${scene.workspace}/saved`, 'utf8')).toBe('saved\n')
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
      expect([heard.started, existsSync(`${scene.workspace}/started`)]).toEqual([0, false])
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
        "perl -e 'use POSIX; exit if fork; POSIX::setsid; POSIX::_exit(0) if fork; chdir q(/); POSIX::close($_) for 0 .. 63; exec qw(env -i /bin/sleep N)'",
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
      const heard = await launchAndHear(scene.launcher, plan({ argv: ['env', '-i', '/bin/sh', '-c', inner] }))
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
}
