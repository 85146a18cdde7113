import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { privatePrefix } from '../../../src/host/launch/sandbox/private-mounts.js'
import { engineProcess } from '../support/engine-process.js'

describe('holes of a usual bubblewrap command line', () => {
  const engine = engineProcess()

  it('a directory that the engine inherited gives no way out of the sandbox', () => {
    const { top } = engine
    writeFileSync(`${top}/secret`, 'the secret')
    const leaked = openSync(top, 'r')
    const LEAK = 40
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'ignore']
    while (stdio.length < LEAK) stdio.push('ignore')
    stdio.push(leaked)
    const script = `exec 2>/dev/null; cat /proc/self/fd/${LEAK}/secret; for f in /proc/self/fd/*; do cat $f/secret; done; cat /dev/fd/${LEAK}; true`
    const { stdout } = spawnSync(process.execPath, engine.args(script), { stdio, encoding: 'utf8' })
    closeSync(leaked)
    expect(stdout).toBe('ready\n{"how":"exited","status":0}\n')
  })

  it('a mount the host makes later does not appear inside', () => {
    if (process.getuid?.() !== 0) return
    const { top, workspace } = engine
    // Runs in its own namespace with shared mounts, as on most hosts. The sandbox exists while the mount is made.
    mkdirSync(`${top}/later`)
    const script = `touch up; while [[ ! -e mounted ]]; do sleep 0.02; done; ls /mnt; touch /mnt/written`
    writeFileSync(
      `${workspace}/host.sh`,
      `"$@" > ${top}/said & while [ ! -e ${workspace}/up ]; do sleep 0.02; done
mount -t tmpfs none /mnt && touch /mnt/late && touch ${workspace}/mounted; wait; ls /mnt > ${top}/after; umount /mnt`,
    )
    const words = [process.execPath, ...engine.args(script)]
    spawnSync('unshare', ['--mount', '--propagation', 'shared', 'bash', `${workspace}/host.sh`, ...words], {
      timeout: 20_000,
    })
    expect(readFileSync(`${top}/after`, 'utf8')).toBe('late\n')
    expect(readFileSync(`${top}/said`, 'utf8')).toContain('"status":1')
    expect(readFileSync(`${top}/said`, 'utf8')).not.toContain('late')
  })

  it("shared mounts are recognised in the kernel's mount table", () => {
    const shared = '22 27 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw\n'
    const notShared =
      '22 27 0:21 / /shared:1 rw,relatime - ext4 /dev/vda rw\n23 27 0:2 / /x rw master:4 - ext4 /dev/x rw\n'
    expect(privatePrefix(shared)[0]).toBe('/usr/bin/unshare')
    expect(privatePrefix(notShared)).toEqual([])
  })

  it('the engine does not hang if a sandbox cannot be built', () => {
    const { workspace } = engine
    const args = engine.args('true', { cwd: `${workspace}/not-there` })
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 10_000 })
    expect(status).toBe(1)
    expect(stderr).toMatch(/SANDBOX_UNAVAILABLE[\s\S]*|cannot build the sandbox/)
    expect(existsSync(`${workspace}/not-there`)).toBe(false)
  })
})
