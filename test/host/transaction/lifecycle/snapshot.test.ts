import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan, Securing } from '../../../../src/core/model/policy/plan.js'
import { createDirect } from '../../../../src/host/launch/direct.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { launchAndCollect, planOf } from '../../../contract/launcher-plan.js'
import { bundled } from '../support/bundled.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
const SECURING: Securing = { onFailure: 'restore', rollbackCodes: null, scope: [], maxBytes: 10, required: true }
const NOBODY = 65534

describe('what cannot be secured', () => {
  let top: string
  let workspace: string
  const launcher = createDirect()
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-securing-')))
    workspace = join(top, 'workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'large'), 'more than ten bytes')
  })
  afterEach(async () => {
    await launcher.close()
    rmSync(top, { recursive: true, force: true })
  })
  const run = (securing: Securing, fields: Partial<Plan> = {}) => {
    const plan = planOf(
      workspace,
      { kind: 'none' },
      { transaction: 'always', securing, script: 'echo x > x; exit 3', ...fields },
    )
    const transactions = createTransactions({ stateDirectory: join(top, 'state') })
    return transactions.during(plan, GRANT, async (actual) => (await launchAndCollect(launcher, actual)).ending)
  }

  it('is refused where the profile requires it, before anything is run', async () => {
    await expect(run(SECURING)).rejects.toMatchObject({
      code: 'SNAPSHOT_FAILED',
      message: expect.stringContaining('19 bytes, more than `transaction.max_bytes` (10)'),
    })
    expect(existsSync(join(workspace, 'x'))).toBe(false)
    expect(existsSync(join(top, 'state/undo-store'))).toBe(false)
  })

  it('is run with a warning where the profile does not, and stays changed', async () => {
    const { report } = await run({ ...SECURING, required: false })
    expect(report).toMatchObject({
      outcome: 'unavailable',
      warning:
        '[warn] snapshot failed: the files in scope have 19 bytes, more than `transaction.max_bytes` (10); rollback unavailable',
    })
    expect(existsSync(join(workspace, 'x'))).toBe(true)
  })

  it('is secured after all when the scope leaves out what is too large', async () => {
    writeFileSync(join(workspace, 'small'), 's')
    const { report } = await run({ ...SECURING, scope: ['small', 'x'] })
    expect([report?.outcome, readdirSync(workspace).toSorted()]).toEqual(['rolled-back', ['large', 'small']])
  })
})

describe('an ordinary user', () => {
  it('commits, rolls back and undoes by overlay inside the real sandbox', async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-ordinary-')))
    try {
      const child = await bundled('ordinary-child.ts', join(top, 'child.mjs'))
      mkdirSync(join(top, 'workspace'))
      const root = process.geteuid?.() === 0
      const uid = root ? NOBODY : (process.geteuid?.() ?? 0)
      if (root) for (const path of [top, join(top, 'workspace')]) chownSync(path, NOBODY, NOBODY)
      const as = root ? { uid: NOBODY, gid: NOBODY } : {}
      const { stdout, stderr } = spawnSync(process.execPath, [child, top], { encoding: 'utf8', cwd: '/', ...as })
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual({
        uid: `${uid}`,
        owner: `${uid}`,
        outcomes: ['rolled-back', 'committed', null],
        same: true,
        text: 'one\ntwo\nthree\nx\n',
        conflicts: [],
        back: true,
      })
    } finally {
      rmSync(top, { recursive: true, force: true })
    }
  }, 60_000)
})
