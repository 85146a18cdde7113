import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCordon } from '../../../../src/node.js'
import { diskLimitTests } from './disk-limit.js'

const SETTINGS =
  '[profiles.small]\nextends = "workspace"\nlimits = { disk_bytes = 33_554_432 }\ntransaction.on_failure = "restore"\n'

diskLimitTests('as the current user')

describe('disk written, in a transaction', () => {
  it('a disk limit ends the command, and its transaction rolls back', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-disk-')))
    const [workspace, home] = [join(root, 'workspace'), join(root, 'home')]
    for (const folder of [workspace, join(home, '.config/cordon')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(home, '.config/cordon/cordon.toml'), SETTINGS)
    const env = { PATH: process.env['PATH'], HOME: home }
    const cordon = await createCordon({ workspace, stateDirectory: join(root, 'state'), env, profile: 'small' })
    try {
      const result = await cordon.run('i=0; while :; do head -c 2M /dev/zero > f$((i++)); done')
      expect(result.error?.message).toContain('killed by limit: disk written (32 MiB)')
      expect(result.transaction?.outcome).toBe('rolled-back')
      expect(readdirSync(workspace)).toEqual([])
    } finally {
      await cordon.close()
      rmSync(root, { recursive: true, force: true })
    }
  }, 60_000)
})
