import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Ending } from '../../src/core/model/ending.js'
import type { Plan, ResourceLimits } from '../../src/core/model/plan.js'
import type { Profile } from '../../src/core/model/profile.js'
import { type BubblewrapOptions, createBubblewrap, type WallLauncher } from '../../src/host/launch/bubblewrap.js'
import { removeKeptAside } from './kept-aside.js'
import {
  launchAndHear,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
  wallAround,
} from './launcher-plan.js'

/** How one run differs from an ordinary one. */
export interface Differently extends Partial<Omit<Plan, 'limits'>> {
  readonly profileOf?: Profile
  readonly limits?: Partial<ResourceLimits>
  readonly io?: Parameters<typeof launchAndHear>[2]
}

export interface Seen {
  readonly ending: Ending
  /** The exit status; -1 when it did not exit. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  readonly started: number
  readonly evidence: readonly string[]
}

export interface WalledWorkspace {
  readonly launcher: WallLauncher
  /** Holds the workspace, and is not part of it. */
  readonly top: string
  readonly workspace: string
  run(script: string, over?: Differently): Promise<Seen>
  /** Settles when a wall for the next command stands ready, or after a while without one: then the next is built cold. */
  untilWarm(over?: Differently): Promise<void>
}

/** Is a process of another mount namespace to be seen that has this workspace in it? */
export function isWalledIn(workspace: string): boolean {
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

/** One launcher for the tests of a file or `describe`, and a workspace of its own for each of them. */
export function walledWorkspace(options: BubblewrapOptions = {}): WalledWorkspace {
  let launcher: WallLauncher | undefined
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
    await removeKeptAside(told.splice(0))
  })

  const used = (): WallLauncher => {
    if (launcher === undefined) throw new Error('not before the tests run')
    return launcher
  }
  const workspaceOf = (): string => `${top}/work`

  const run = async (script: string, { profileOf = plainProfile, limits, io = {}, ...over }: Differently = {}) => {
    const evidence: string[] = []
    const plan = planOf(workspaceOf(), wallAround(workspaceOf(), profileOf), {
      script,
      limits: { ...plainProfile.limits, ...limits },
      ...over,
    })
    const onEvidence = (line: string): void => {
      evidence.push(line)
      told.push(line)
    }
    const heard = await launchAndHear(used(), plan, { onEvidence, ...io })
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
      for (let tries = 0; tries < 200 && !isWalledIn(workspaceOf()); tries += 1) await sleep(10)
    },
  }
}
