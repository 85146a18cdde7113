import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainProfile, sandboxAround } from '../../../contract/launcher-plan.js'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const sandboxed = sandboxedWorkspace()

describe.runIf(process.getuid?.() === 0)('the mount namespace of an engine that is root', () => {
  it('a sandbox with writable devices is refused', async () => {
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; read x'])
    try {
      await once(holder.stdout, 'data')
      const sandbox = { ...sandboxAround(sandboxed.workspace, plainProfile), within: holder.pid as number }
      await expect(sandboxed.run('true', { sandbox })).rejects.toMatchObject({ code: 'START_FAILED' })
    } finally {
      holder.stdin.end()
    }
  })

  it('a command sees mounts that the host made after the command before', async () => {
    const place = `${sandboxed.workspace}/mounted`
    mkdirSync(place)
    expect((await sandboxed.run('ls mounted')).stdout).toBe('')
    execFileSync('mount', ['-t', 'tmpfs', 'none', place])
    try {
      writeFileSync(`${place}/late`, '')
      expect((await sandboxed.run('ls mounted')).stdout).toBe('late\n')
    } finally {
      execFileSync('umount', [place])
    }
    expect((await sandboxed.run('ls mounted')).stdout).toBe('')
  })
})
