import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import type { Ending } from '../../../src/core/model/run/ending.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'

export interface Attacked {
  /** Exit status, or another ending. */
  readonly status: number | Ending
  readonly stdout: string
  readonly stderr: string
}

/** Sandbox around a workspace, with a target outside. */
export interface AttackedSandbox {
  /** Contains the workspace, and beside it `outside/secret`. */
  readonly top: string
  readonly workspace: string
  /** Uses this directory as workspace for the rest of the test. */
  workIn(directory: string): void
  run(script: string, profile?: Profile, over?: Partial<Plan>): Promise<Attacked>
  perl(code: string, profile?: Profile): Promise<Attacked>
}

/** Provides one launcher for all tests, and a workspace for each. */
export function attackedSandbox(create: () => Launcher): AttackedSandbox {
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
    await removeQuarantined(told.splice(0))
  })

  const run = async (script: string, profile: Profile = plainProfile, over: Partial<Plan> = {}): Promise<Attacked> => {
    const plan = planOf(workspace, sandboxAround(workspace, profile), { script, ...over })
    const heard = await launchAndCollect(launcher, plan, { onEvidence: (one) => told.push(evidenceLine(one)) })
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
