import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { planOf } from '../../../contract/launcher-plan.js'
import { furnish } from '../../../contract/transaction-tree.js'
import { ATTRIBUTE_FUNCTIONS, attributedTrees } from '../attributes/attribute-script.js'
import { bundled } from '../support/bundled.js'
import { launchInside } from '../support/overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
/** One of every kind of step. */
const CHANGES = [
  `${ATTRIBUTE_FUNCTIONS}; echo more >> a.txt; mkdir new; echo n > new/n; chmod 600 tool.sh; rm -r src/deep`,
  'ln -sfn src link; rmdir empty; echo file > empty; mv linked moved; set_attribute src user.x 1; chmod 555 src',
].join('; ')
const AT_ONCE = 3

let home: string
let child: string
const trees = attributedTrees()
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-kill-')))
  child = await bundled('dying-child.ts', join(home, 'child.mjs'), true)
})
afterAll(async () => {
  trees.close()
  await removeTree(home)
})

/** A command has run in a fresh workspace and its changes wait for review. */
async function waiting() {
  const top = mkdtempSync(join(home, 'run-'))
  const workspace = join(top, 'workspace')
  const state = join(top, 'state')
  mkdirSync(workspace)
  furnish(workspace)
  const before = await trees.of(workspace)
  const transactions = createTransactions({ stateDirectory: state })
  const mounts = [{ op: 'write', from: workspace, at: workspace }] as const
  const plan = planOf(
    workspace,
    { kind: 'bubblewrap', mounts, network: 'none' },
    { transaction: 'review', script: CHANGES },
  )
  const { report } = await transactions.during(plan, GRANT, launchInside)
  const end = async () => {
    await transactions.close()
    await removeTree(top)
  }
  return { workspace, state, transactions, before, id: report?.id ?? '', end }
}

interface Death {
  readonly killed: boolean
  readonly points: number
}

const die = (state: string, action: string, id: string, at: number): Promise<Death> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [child, state, action, id, `${at}`], (error, stdout, stderr) => {
      if (error && error.signal !== 'SIGKILL') reject(new Error(stderr))
      else resolve({ killed: error !== null, points: Number(stdout) })
    })
  })

async function pointsOf(action: 'keep' | 'undo'): Promise<number> {
  const { state, transactions, id, end } = await waiting()
  if (action === 'undo') await transactions.settle(id, 'keep')
  const { points } = await die(state, action, id, 0)
  await end()
  return points
}

/** Every number up to a limit, a few at a time. */
async function forEach(limit: number, work: (at: number) => Promise<void>, step = 1): Promise<void> {
  let next = 1
  const worker = async () => {
    for (let at = next; at <= limit; at = next) {
      next += step
      await work(at)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

describe('killed with SIGKILL before any call that changes the disk', () => {
  it('a commit leaves a tree that is exactly before or exactly after', async () => {
    const points = await pointsOf('keep')
    expect(points).toBeGreaterThan(60)
    const ends = new Set<string>()
    await forEach(points, async (at) => {
      const { workspace, state, transactions, before, id, end } = await waiting()
      expect([at, (await die(state, 'keep', id, at)).killed]).toEqual([at, true])
      await transactions.recover()
      const record = transactions.history().find((one) => one.id === id)
      ends.add(record?.state ?? '')
      if (record?.state === 'waiting') {
        expect([at, await trees.of(workspace)]).toEqual([at, before])
        expect((await transactions.settle(id, 'keep')).conflicts).toEqual([])
      } else expect([at, record?.state]).toEqual([at, 'committed'])
      expect([at, (await transactions.undo(id)).conflicts]).toEqual([at, []])
      expect([at, await trees.of(workspace)]).toEqual([at, before])
      await end()
    })
    expect(ends).toEqual(new Set(['waiting', 'committed']))
  }, 900_000)

  it('an undo leaves a tree that is exactly before or exactly after', async () => {
    const points = await pointsOf('undo')
    expect(points).toBeGreaterThan(60)
    await forEach(points, async (at) => {
      const { workspace, state, transactions, before, id, end } = await waiting()
      await transactions.settle(id, 'keep')
      const after = await trees.of(workspace)
      expect([at, (await die(state, 'undo', id, at)).killed]).toEqual([at, true])
      await transactions.recover()
      const undone = transactions.history().find((one) => one.kind === 'undo')?.state === 'committed'
      expect([at, await trees.of(workspace)]).toEqual([at, undone ? before : after])
      await end()
    })
  }, 900_000)

  it('the start that cleans up after such a death leaves it to the next, which ends exactly before', async () => {
    let rest = 60
    await forEach(
      rest,
      async (at) => {
        if (at > rest) return
        const { workspace, state, transactions, before, id, end } = await waiting()
        await die(state, 'keep', id, 50)
        if (!(await die(state, 'recover', id, at)).killed) rest = Math.min(rest, at)
        await transactions.recover()
        expect([at, await trees.of(workspace)]).toEqual([at, before])
        await end()
      },
      6,
    )
  }, 900_000)
})
