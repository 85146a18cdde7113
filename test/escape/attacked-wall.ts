import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Ending } from '../../src/core/model/ending.js'
import type { Plan } from '../../src/core/model/plan.js'
import type { Profile } from '../../src/core/model/profile.js'
import type { Launcher } from '../../src/engine/ports.js'
import { removeKeptAside } from '../contract/kept-aside.js'
import {
  launchAndHear,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
  wallAround,
} from '../contract/launcher-plan.js'

export interface Attacked {
  /** The exit status, or the ending where it was another. */
  readonly status: number | Ending
  readonly stdout: string
  readonly stderr: string
}

/** A wall around a workspace, with something outside that is worth an attack. */
export interface AttackedWall {
  /** Holds the workspace, and beside it `outside/secret`. */
  readonly top: string
  readonly workspace: string
  /** The workspace is this directory, for the rest of the test. */
  workIn(directory: string): void
  run(script: string, profile?: Profile, over?: Partial<Plan>): Promise<Attacked>
  perl(code: string, profile?: Profile): Promise<Attacked>
}

/** One launcher for all, and a workspace of its own for each test. */
export function attackedWall(create: () => Launcher): AttackedWall {
  let launcher: Launcher
  let top = ''
  let workspace = ''
  const told: string[] = []
  beforeAll(() => {
    launcher = create()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    top = temporaryDirectory()
    workspace = `${top}/work`
    mkdirSync(workspace)
    mkdirSync(`${top}/outside`)
    writeFileSync(`${top}/outside/secret`, 'the secret')
  })
  afterEach(async () => {
    removeDirectory(top)
    await removeKeptAside(told.splice(0))
  })

  const run = async (script: string, profile: Profile = plainProfile, over: Partial<Plan> = {}): Promise<Attacked> => {
    const plan = planOf(workspace, wallAround(workspace, profile), { script, ...over })
    const heard = await launchAndHear(launcher, plan, { onEvidence: (line) => told.push(line) })
    const status = heard.ending.how === 'exited' ? heard.ending.status : heard.ending
    return { status, stdout: heard.stdout.toString(), stderr: heard.stderr.toString() }
  }
  return {
    get top() {
      return top
    },
    get workspace() {
      return workspace
    },
    workIn: (directory) => {
      workspace = directory
    },
    run,
    perl: (code, profile) => {
      writeFileSync(`${workspace}/attack.pl`, code)
      return run('perl attack.pl', profile)
    },
  }
}
