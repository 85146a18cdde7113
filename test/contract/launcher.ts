import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/core/model/policy/plan.js'
import type { Launcher } from '../../src/engine/ports/ports.js'
import {
  launchAndCollect,
  planOf,
  processesNaming,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
} from './launcher-plan.js'

import { stoppingContract } from './launcher-stopping.js'
import { streamsContract } from './launcher-streams.js'

export interface LauncherUnderTest {
  create(): Launcher
  sandbox(workspace: string): Sandbox
  /** Sandbox that the launcher cannot enforce. */
  otherSandbox(workspace: string): Sandbox
  /** Variables that the launcher adds to the command's own. */
  readonly added: readonly string[]
}

/** Provides a launcher and a new workspace for each test. */
function sceneOf(subject: LauncherUnderTest) {
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
  const plan = (over: Parameters<typeof planOf>[2]) => planOf(workspace, subject.sandbox(workspace), over)
  return {
    subject,
    plan,
    run: (
      script: string,
      over: Parameters<typeof launchAndCollect>[2] = {},
      fields: Parameters<typeof planOf>[2] = {},
    ) => launchAndCollect(launcher, plan({ script, ...fields }), over),
    get launcher() {
      return launcher
    },
    get workspace() {
      return workspace
    },
  }
}

export type LauncherScene = ReturnType<typeof sceneOf>

/** Tests the contract of every launcher with real processes. */
export function launcherContract(name: string, subject: LauncherUnderTest): void {
  const scene = sceneOf(subject)
  const { plan, run } = scene

  describe(`${name}: how it ends`, () => {
    it('every exit status is reported', async () => {
      const statuses = [0, 1, 2, 42, 126, 127, 128, 255]
      const heard = await Promise.all(statuses.map((status) => run(`exit ${status}`)))
      expect(heard.map(({ ending }) => ending)).toEqual(statuses.map((status) => ({ how: 'exited', status })))
    })

    it('death by a signal differs from an exit, and 128 + n counts as signal n', async () => {
      expect((await run('kill -SEGV $$')).ending).toEqual({ how: 'killed', signal: 'SIGSEGV', by: 'itself' })
      expect((await run('kill -ABRT $$')).ending).toEqual({ how: 'killed', signal: 'SIGABRT', by: 'itself' })
      expect((await run('kill -KILL $$')).ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'itself' })
      expect((await run('exit 143')).ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'itself' })
    })

    it('a command ends with its main process even if a child holds the pipes', async () => {
      const seconds = unusualSeconds()
      const heard = await run(`sleep ${seconds} & echo done`, {}, { timeoutMs: 25_000 })
      expect(heard.stdout.toString()).toBe('done\n')
      expect(heard.ending).toEqual({ how: 'exited', status: 0 })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('all output arrives before the result', async () => {
      const heard = await run('seq 1 200000; seq 1 1000 >&2')
      expect(heard.stdout.toString().split('\n').at(-2)).toBe('200000')
      expect(heard.stderr.toString().split('\n').at(-2)).toBe('1000')
    })
  })

  streamsContract(name, scene)
  stoppingContract(name, scene)

  describe(`${name}: refusing`, () => {
    it('a plan that the launcher cannot enforce is refused', async () => {
      const other = planOf(scene.workspace, subject.otherSandbox(scene.workspace), { script: 'touch started' })
      await expect(launchAndCollect(scene.launcher, other)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
      expect(existsSync(`${scene.workspace}/started`)).toBe(false)
    })

    it('a missing or non-executable program is reported before anything starts', async () => {
      const missing = launchAndCollect(scene.launcher, plan({ argv: ['no-such-program-here'] }))
      await expect(missing).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND', exit: 127 })
      writeFileSync(`${scene.workspace}/data`, '#!/bin/sh\n')
      chmodSync(`${scene.workspace}/data`, 0o644)
      await expect(launchAndCollect(scene.launcher, plan({ argv: ['./data'] }))).rejects.toThrow(/not executable/)
    })
  })

  describe(`${name}: many at once`, () => {
    it('twenty simultaneous commands stay separate', async () => {
      const heard = await Promise.all(
        Array.from({ length: 20 }, (_, index) => run(`echo ${index}; sleep 0.0${index % 10}; exit ${index}`)),
      )
      expect(heard.map(({ stdout, ending }) => [stdout.toString(), ending])).toEqual(
        heard.map((_, status) => [`${status}\n`, { how: 'exited', status }]),
      )
    })

    it('many commands leak no descriptor', async () => {
      const { readdirSync } = await import('node:fs')
      await Promise.all(Array.from({ length: 8 }, () => run('echo x')))
      const before = readdirSync('/proc/self/fd').length
      for (let round = 0; round < 4; round += 1)
        await Promise.all(Array.from({ length: 8 }, () => run('echo x >&2', { stdin: { text: 'x' } })))
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 8)
    })
  })
}
