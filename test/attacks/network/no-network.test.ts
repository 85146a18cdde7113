import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../src/core/model/policy/plan.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import { mountsFor } from '../../../src/core/plan/mounts.js'
import { createBubblewrap, type SandboxLauncher } from '../../../src/host/launch/bubblewrap.js'
import { nameServiceFor } from '../../../src/host/observe/absent-names.js'
import { createObserver } from '../../../src/host/observe/observer.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'

let launcher: SandboxLauncher
let workspace: string
let state: string
beforeAll(() => {
  launcher = createBubblewrap({ warm: 1 })
})
afterAll(() => launcher.close())
beforeEach(() => {
  workspace = temporaryDirectory()
  state = temporaryDirectory()
})
afterEach(() => {
  for (const directory of [workspace, state]) removeDirectory(directory)
})

async function evidenceOf(script: string): Promise<readonly string[]> {
  const evidence: string[] = []
  const plan = planOf(workspace, sandboxAround(workspace, { ...plainProfile, network: 'none' }), { script })
  await launchAndCollect(launcher, plan, { onEvidence: (one) => evidence.push(evidenceLine(one)) })
  await launcher.whenReady(plan)
  return evidence
}

describe('a command without a network', () => {
  it.each([
    ['an address', 'exec 2>/dev/null; : < /dev/tcp/192.0.2.1/80'],
    ['a datagram', 'exec 2>/dev/null; echo x > /dev/udp/192.0.2.1/53'],
    ['a name', 'getent hosts example.com'],
  ])(
    'an attempt to reach another machine by %s without a network is reported, in a cold or warm sandbox',
    async (_, script) => {
      for (let count = 0; count < 2; count++)
        expect(await evidenceOf(script)).toEqual([evidenceLine({ kind: 'no-network' })])
    },
  )

  it('without a network, names do not exist except those in /etc/hosts', async () => {
    const nameService = nameServiceFor(state)
    const observer = createObserver({ workspace, home: '/nonexistent', env: process.env, nameService })
    const profile = { ...plainProfile, network: 'none' } as const
    const sandbox: Sandbox = {
      kind: 'bubblewrap',
      mounts: mountsFor(profile, observer.surroundings(profile)),
      network: 'none',
    }
    const script = `for name in registry.npmjs.org localhost; do node -e 'require("dns").lookup("'$name'", (error) => console.log(error?.code))'; done`
    const plan = planOf(workspace, sandbox, { script })
    const { stdout } = await launchAndCollect(launcher, plan)
    expect(stdout.toString().trim().split('\n')).toEqual([
      nameService === null ? 'EAI_AGAIN' : 'ENOTFOUND',
      'undefined',
    ])
  })

  it('a command that uses only its own loopback gets no report', async () => {
    const script = 'exec 2>/dev/null; : < /dev/tcp/127.0.0.1/9; getent ahosts localhost; true'
    for (let count = 0; count < 2; count++) expect(await evidenceOf(script)).toEqual([])
  })
})
