import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UNROUTED } from '../../src/core/model/network-sets.js'
import { createBubblewrap, type WallLauncher } from '../../src/host/launch/bubblewrap.js'
import {
  launchAndHear,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
  wallAround,
} from '../contract/launcher-plan.js'

let launcher: WallLauncher
let workspace: string
beforeAll(() => {
  launcher = createBubblewrap({ warm: 1 })
})
afterAll(() => launcher.close())
beforeEach(() => {
  workspace = temporaryDirectory()
})
afterEach(() => removeDirectory(workspace))

async function evidenceOf(script: string): Promise<readonly string[]> {
  const evidence: string[] = []
  const plan = planOf(workspace, wallAround(workspace, { ...plainProfile, network: 'none' }), { script })
  await launchAndHear(launcher, plan, { onEvidence: (line) => evidence.push(line) })
  await launcher.readied(plan)
  return evidence
}

describe('a command without a network', () => {
  it.each([
    ['an address', 'exec 2>/dev/null; : < /dev/tcp/192.0.2.1/80'],
    ['a datagram', 'exec 2>/dev/null; echo x > /dev/udp/192.0.2.1/53'],
    ['a name', 'getent hosts example.com'],
  ])(
    'that tries to reach another machine by %s is told so, in a sandbox of its own or one that waited',
    async (_, script) => {
      for (let count = 0; count < 2; count++) expect(await evidenceOf(script)).toEqual([UNROUTED])
    },
  )

  it('that reaches nothing but its own loopback is told nothing', async () => {
    const script = 'exec 2>/dev/null; : < /dev/tcp/127.0.0.1/9; getent ahosts localhost; true'
    for (let count = 0; count < 2; count++) expect(await evidenceOf(script)).toEqual([])
  })
})
