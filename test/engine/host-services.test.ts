import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BY_HAND } from '../../src/core/model/policy/allow-command.js'
import { createCordon } from '../../src/node.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cordon-test-'))
  for (const folder of ['work', 'bin']) mkdirSync(join(root, folder))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a program that needs a socket of the host', () => {
  it.each([
    [1, [`socket: ssh-add needs a socket of the host (the agent's); commands cannot reach host sockets. ${BY_HAND}`]],
    [0, []],
  ])(
    'with exit status %i is explained where it failed, and not otherwise',
    async (status, evidence) => {
      const workspace = join(root, 'work')
      writeFileSync(join(workspace, 'ssh-add'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 })
      const env = { PATH: '/usr/bin:/bin', HOME: root }
      const cordon = await createCordon({ workspace, stateDirectory: join(root, 'state'), env, profile: 'workspace' })
      try {
        const result = await cordon.run('./ssh-add -l')
        expect([result.exitCode, result.evidence]).toEqual([status, evidence])
      } finally {
        await cordon.close()
      }
    },
    30_000,
  )
})
