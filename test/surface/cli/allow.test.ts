import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AllowRequest } from '../../../src/surface/cli/terminal/dependencies.js'
import { grounds } from '../binary.js'
import { cordon } from './in-process.js'
import { onTerminal } from './on-terminal.js'

const newGround = grounds()

describe('cordon allow', () => {
  it('refuses where no person is at a terminal, and writes nothing', async () => {
    const { status, stderr } = await cordon(['allow', 'host', 'example.com'])
    expect([status, stderr]).toEqual([125, expect.stringContaining('at a terminal')])
  })

  it('shows the line and the file', async () => {
    const asked: AllowRequest[] = []
    const allow = async (request: AllowRequest) => {
      asked.push(request)
      return { profile: 'developer', file: '/x/cordon.toml', lines: 'hosts = ["...", "a.test"]' }
    }
    const { status, stdout } = await cordon(['allow', 'host', 'a.test', '--profile', 'developer'], { allow, tty: true })
    expect([status, stdout]).toEqual([
      0,
      'hosts = ["...", "a.test"]\nWritten to /x/cordon.toml, for the profile "developer".\n',
    ])
    expect(asked).toEqual([
      { what: 'host', words: ['a.test'], read: false, profile: 'developer', workspace: '/workspace' },
    ])
  })

  it('writes to the settings of the person at a terminal, and the next command is decided by them', async () => {
    const ground = newGround()
    const { status, shown } = await onTerminal(ground, ['allow', 'host', 'example.com'])
    expect([status, shown]).toEqual([0, expect.stringContaining('hosts = ["...", "example.com"]')])
    const config = ground.env.XDG_CONFIG_HOME ?? join(ground.env.HOME ?? '', '.config')
    expect(readFileSync(join(config, 'cordon/cordon.toml'), 'utf8')).toContain('example.com')
    expect((await ground.run(['check', '--', 'curl https://example.com'])).status).toBe(0)
    expect((await ground.run(['check', '--', 'curl https://example.org'])).status).toBe(20)
  })
})
