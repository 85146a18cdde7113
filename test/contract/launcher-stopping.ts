import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LauncherScene } from './launcher.js'
import { launchAndCollect, processesNaming, unusualSeconds } from './launcher-plan.js'

/** Tests how every launcher stops commands and ends the processes they leave running. */
export function stoppingContract(name: string, scene: LauncherScene): void {
  const { plan, run, subject } = scene

  describe(`${name}: stopping`, () => {
    it('at the timeout SIGTERM lets a handler write before the end', async () => {
      const heard = await run(
        'trap "echo saved > saved; exit 7" TERM; sleep 300 & wait',
        {},
        { timeoutMs: 2_000, graceMs: 20_000 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'timeout' })
      expect(readFileSync(`${scene.workspace}/saved`, 'utf8')).toBe('saved\n')
    })

    it('SIGKILL follows the grace period, and earlier output is kept', async () => {
      const heard = await run(
        'trap "" TERM; echo before; while :; do sleep 0.05; done',
        {},
        { timeoutMs: 2_000, graceMs: 200 },
      )
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'timeout' })
      expect(heard.stdout.toString()).toBe('before\n')
    })

    it('a command cancelled before its start does not start', async () => {
      const heard = await run('touch started', { signal: AbortSignal.abort() })
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'caller' })
      expect([heard.started, existsSync(`${scene.workspace}/started`)]).toEqual([0, false])
    })

    it('cancelling a running command ends its whole tree', async () => {
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

    it('an interrupt reaches the traps of the command, which ends as it decides', async () => {
      let interrupt = (): boolean => false
      const heard = await run('trap "echo saved; exit 7" INT; echo up; sleep 300', {
        started: (process) => {
          interrupt = () => process.interrupt()
        },
        onChunk: (_, bytes) => {
          if (Buffer.from(bytes).toString() === 'up\n') expect(interrupt()).toBe(true)
        },
      })
      expect(heard.ending).toEqual({ how: 'exited', status: 7 })
    })

    it('an interrupt ends a command without a trap by SIGINT', async () => {
      let interrupt = (): boolean => false
      const heard = await run('echo up; sleep 300; echo on', {
        started: (process) => {
          interrupt = () => process.interrupt()
        },
        onChunk: () => interrupt(),
      })
      expect(heard.ending).toEqual({ how: 'killed', signal: 'SIGINT', by: 'itself' })
    })

    it('a cancellation after the end has no effect', async () => {
      const controller = new AbortController()
      const heard = await run('exit 3', { signal: controller.signal })
      controller.abort()
      expect(heard.ending).toEqual({ how: 'exited', status: 3 })
    })

    it('a command cancelled at any moment of its start leaves nothing behind', async () => {
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
      it(`${kind} is dead when the result is reported`, async () => {
        const seconds = unusualSeconds()
        const heard = await run(`${script.replaceAll('N', seconds)}\nsleep 0.1; exit 5`)
        expect(heard.ending).toEqual({ how: 'exited', status: 5 })
        expect(processesNaming(seconds)).toEqual([])
      })
    }

    it('a daemon without shell and environment is dead when the result is reported', async () => {
      const seconds = unusualSeconds()
      const inner = `env -i /usr/bin/setsid /bin/sleep ${seconds} </dev/null >/dev/null 2>&1 & sleep 0.1`
      const heard = await launchAndCollect(scene.launcher, plan({ argv: ['env', '-i', '/bin/sh', '-c', inner] }))
      expect(heard.ending).toEqual({ how: 'exited', status: 0 })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('closing the launcher ends what still runs', async () => {
      const seconds = unusualSeconds()
      const own = subject.create()
      const running = new Promise<unknown>((resolve, reject) => {
        const ending = launchAndCollect(own, plan({ script: `trap "" TERM; sleep ${seconds}; sleep ${seconds}` }), {
          started: () => own.close().catch(reject),
        })
        ending.then(resolve, reject)
      })
      await running
      expect(processesNaming(seconds)).toEqual([])
    })
  })
}
