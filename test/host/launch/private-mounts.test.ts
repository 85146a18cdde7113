import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainProfile, wallAround } from '../../contract/launcher-plan.js'
import { walledWorkspace } from '../../contract/walled-workspace.js'

const walled = walledWorkspace()

describe.runIf(process.getuid?.() === 0)('the mount namespace of an engine that is root', () => {
  it('a sandbox with writable devices is refused', async () => {
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; read x'])
    try {
      await once(holder.stdout, 'data')
      const sandbox = { ...wallAround(walled.workspace, plainProfile), within: holder.pid as number }
      await expect(walled.run('true', { sandbox })).rejects.toMatchObject({ code: 'START_FAILED' })
    } finally {
      holder.stdin.end()
    }
  })

  it('a command sees what the host has mounted since the one before', async () => {
    const place = `${walled.workspace}/mounted`
    mkdirSync(place)
    expect((await walled.run('ls mounted')).stdout).toBe('')
    execFileSync('mount', ['-t', 'tmpfs', 'none', place])
    try {
      writeFileSync(`${place}/late`, '')
      expect((await walled.run('ls mounted')).stdout).toBe('late\n')
    } finally {
      execFileSync('umount', [place])
    }
    expect((await walled.run('ls mounted')).stdout).toBe('')
  })
})
