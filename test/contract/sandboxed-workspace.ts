import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Plan, ResourceLimits } from '../../src/core/model/policy/plan.js'
import type { Profile } from '../../src/core/model/policy/profile.js'
import type { Ending } from '../../src/core/model/run/ending.js'
import { type Evidence, evidenceLine } from '../../src/core/model/run/evidence.js'
import { type BubblewrapOptions, createBubblewrap, type SandboxLauncher } from '../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from './launcher-plan.js'
import { removeQuarantined } from './quarantined-files.js'

/** Differences of one run from a plain one. */
export interface Differently extends Partial<Omit<Plan, 'limits'>> {
  readonly profileOf?: Profile
  readonly limits?: Partial<ResourceLimits>
  readonly io?: Parameters<typeof launchAndCollect>[2]
}

export interface Seen {
  readonly ending: Ending
  /** Exit status, or -1 if it did not exit. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  readonly started: number
  readonly evidence: readonly string[]
}

export interface SandboxedWorkspace {
  readonly launcher: SandboxLauncher
  /** Contains the workspace, and is not part of it. */
  readonly top: string
  readonly workspace: string
  run(script: string, over?: Differently): Promise<Seen>
  /** Settles once a sandbox for the next command is warm, or after a while without one. Then the next is cold. */
  untilWarm(over?: Differently): Promise<void>
}

/** Tells if a process of another mount namespace has this workspace mounted. */
export function isSandboxedIn(workspace: string): boolean {
  const own = readlinkSync('/proc/self/ns/mnt')
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const elsewhere = readlinkSync(`/proc/${pid}/ns/mnt`) !== own
      return elsewhere && readFileSync(`/proc/${pid}/mountinfo`, 'latin1').includes(` ${workspace} `)
    } catch {
      return false
    }
  })
}

/** Provides one launcher for the tests of a file or `describe`, and a workspace for each test. */
export function sandboxedWorkspace(options: BubblewrapOptions = {}): SandboxedWorkspace {
  let launcher: SandboxLauncher | undefined
  let top = ''
  const told: string[] = []
  beforeAll(() => {
    launcher = createBubblewrap(options)
  })
  afterAll(() => launcher?.close())
  beforeEach(() => {
    top = temporaryDirectory()
    mkdirSync(`${top}/work`)
  })
  afterEach(async () => {
    removeDirectory(top)
    await removeQuarantined(told.splice(0))
  })

  const used = (): SandboxLauncher => {
    if (launcher === undefined) throw new Error('not before the tests run')
    return launcher
  }
  const workspaceOf = (): string => `${top}/work`

  const run = async (script: string, { profileOf = plainProfile, limits, io = {}, ...over }: Differently = {}) => {
    const evidence: string[] = []
    const plan = planOf(workspaceOf(), sandboxAround(workspaceOf(), profileOf), {
      script,
      limits: { ...plainProfile.limits, ...limits },
      ...over,
    })
    const onEvidence = (one: Evidence): void => {
      const line = evidenceLine(one)
      evidence.push(line)
      told.push(line)
    }
    const heard = await launchAndCollect(used(), plan, { onEvidence, ...io })
    return {
      ending: heard.ending,
      status: heard.ending.how === 'exited' ? heard.ending.status : -1,
      stdout: heard.stdout.toString(),
      stderr: heard.stderr.toString(),
      started: heard.started,
      evidence,
    }
  }

  return {
    get launcher() {
      return used()
    },
    get top() {
      return top
    },
    get workspace() {
      return workspaceOf()
    },
    run,
    async untilWarm(over) {
      await run('true', over)
      for (let tries = 0; tries < 200 && !isSandboxedIn(workspaceOf()); tries += 1) await sleep(10)
    },
  }
}
