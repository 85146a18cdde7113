import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/core/model/plan.js'
import type { Launcher } from '../../src/engine/ports.js'
import {
  launchAndHear,
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
  wall(workspace: string): Sandbox
  /** A wall the launcher cannot enforce. */
  otherWall(workspace: string): Sandbox
  /** Variables the launcher adds to the command's own. */
  readonly added: readonly string[]
}

/** A launcher and a fresh workspace for each test, with short words for what the tests do with them. */
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
  const plan = (over: Parameters<typeof planOf>[2]) => planOf(workspace, subject.wall(workspace), over)
  return {
    subject,
    plan,
    run: (script: string, over: Parameters<typeof launchAndHear>[2] = {}, fields: Parameters<typeof planOf>[2] = {}) =>
      launchAndHear(launcher, plan({ script, ...fields }), over),
    get launcher() {
      return launcher
    },
    get workspace() {
      return workspace
    },
  }
}

export type LauncherScene = ReturnType<typeof sceneOf>

/** What every launcher promises. Real processes, nothing mocked. */
export function launcherContract(name: string, subject: LauncherUnderTest): void {
  const scene = sceneOf(subject)
  const { plan, run } = scene

  describe(`${name}: how it ends`, () => {
    it('reports the exit status, whatever it is', async () => {
      const statuses = [0, 1, 2, 42, 126, 127, 128, 255]
      const heard = await Promise.all(statuses.map((status) => run(`exit ${status}`)))
      expect(heard.map(({ ending }) => ending)).toEqual(statuses.map((status) => ({ how: 'exited', status })))
    })

    it('tells death by a signal from an exit, and reads 128 + n as signal n', async () => {
      expect((await run('kill -SEGV $$')).ending).toEqual({ how: 'killed', signal: 'SIGSEGV', by: 'itself' })
      expect((await run('kill -ABRT $$')).ending).toEqual({ how: 'killed', signal: 'SIGABRT', by: 'itself' })
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

  streamsContract(name, scene)
  stoppingContract(name, scene)

  describe(`${name}: refusing`, () => {
    it('refuses a plan it cannot enforce', async () => {
      const other = planOf(scene.workspace, subject.otherWall(scene.workspace), { script: 'touch started' })
      await expect(launchAndHear(scene.launcher, other)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
      expect(existsSync(`${scene.workspace}/started`)).toBe(false)
    })

    it('says that a program is missing, or not executable, before anything starts', async () => {
      const missing = launchAndHear(scene.launcher, plan({ argv: ['no-such-program-here'] }))
      await expect(missing).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND', exit: 127 })
      writeFileSync(`${scene.workspace}/data`, '#!/bin/sh\n')
      chmodSync(`${scene.workspace}/data`, 0o644)
      await expect(launchAndHear(scene.launcher, plan({ argv: ['./data'] }))).rejects.toThrow(/not executable/)
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
