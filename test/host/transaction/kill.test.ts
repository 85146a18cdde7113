import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/host/transaction/transactions.js'
import { planOf } from '../../contract/launcher-plan.js'
import { furnish, shapeOf, treeOf } from '../../contract/transaction-tree.js'
import { bundled } from './bundled.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
const CHANGES = [
  'echo more >> a.txt; rm src/b.txt; mkdir -p new/deep; echo n > new/deep/n; chmod 600 tool.sh',
  'rm -rf src/deep; ln -sfn src link; rmdir empty; echo file > empty; mv linked moved; chmod 555 src',
].join('; ')

let home: string
let child: string
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-kill-')))
  child = join(home, 'child.mjs')
  await bundled('dying-child.ts', child)
})
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+rwX', home])
  rmSync(home, { recursive: true, force: true })
})

/** A command has run in a fresh workspace and its changes wait for review. */
async function waiting() {
  const top = mkdtempSync(join(home, 'run-'))
  const workspace = join(top, 'workspace')
  const state = join(top, 'state')
  mkdirSync(workspace)
  furnish(workspace)
  const before = treeOf(workspace)
  const transactions = createTransactions({ stateDirectory: state })
  const wall = {
    kind: 'bubblewrap',
    mounts: [{ op: 'write', from: workspace, at: workspace }],
    network: 'none',
  } as const
  const { report } = await transactions.during(
    planOf(workspace, wall, { transaction: 'review' }),
    GRANT,
    async (plan) => {
      const pid = plan.wall.kind === 'bubblewrap' ? `${plan.wall.within}` : ''
      const user = process.geteuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
      execFileSync('nsenter', [
        ...user,
        '--mount',
        '--target',
        pid,
        '--',
        'bash',
        '-c',
        `cd ${workspace} && ${CHANGES}`,
      ])
      return { how: 'exited', status: 0 }
    },
  )
  return { workspace, state, transactions, before, id: report?.id ?? '' }
}

const die = (state: string, action: string, id: string, at: number) => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [child, state, action, id, `${at}`], {
    encoding: 'utf8',
  })
  if (status !== 0 && signal !== 'SIGKILL') throw new Error(stderr)
  return { killed: signal === 'SIGKILL', points: Number(stdout) }
}

async function pointsOf(action: 'keep' | 'undo'): Promise<number> {
  const { state, transactions, id } = await waiting()
  if (action === 'undo') await transactions.settle(id, 'keep')
  return die(state, action, id, 0).points
}

describe('killed with SIGKILL', () => {
  it('at any point of a commit, it leaves a tree that is exactly before or exactly after', async () => {
    const points = await pointsOf('keep')
    expect(points).toBeGreaterThan(20)
    const ends = new Set<string>()
    for (let at = 1; at <= points; at += 1) {
      const { workspace, state, transactions, before, id } = await waiting()
      expect(die(state, 'keep', id, at).killed).toBe(true)
      await transactions.recover()
      const record = transactions.history().find((one) => one.id === id)
      ends.add(record?.state ?? '')
      if (record?.state === 'committed') expect(Object.keys(shapeOf(workspace))).toContain('new/deep/n')
      else expect([at, treeOf(workspace)]).toEqual([at, before])
      if (record?.state === 'waiting') {
        expect((await transactions.settle(id, 'keep')).conflicts).toEqual([])
        expect((await transactions.undo(id)).conflicts).toEqual([])
        expect([at, treeOf(workspace)]).toEqual([at, before])
      }
    }
    expect(ends).toEqual(new Set(['waiting', 'committed']))
  }, 120_000)

  it('at any point of an undo, it leaves a tree that is exactly before or exactly after', async () => {
    const points = await pointsOf('undo')
    expect(points).toBeGreaterThan(20)
    for (let at = 1; at <= points; at += 1) {
      const { workspace, state, transactions, before, id } = await waiting()
      await transactions.settle(id, 'keep')
      const after = treeOf(workspace)
      expect(die(state, 'undo', id, at).killed).toBe(true)
      await transactions.recover()
      const undone = transactions.history().find((one) => one.kind === 'undo')?.state === 'committed'
      expect([at, treeOf(workspace)]).toEqual([at, undone ? before : after])
    }
  }, 120_000)

  it('while it cleans up after such a death, the next start still ends exactly before', async () => {
    for (let at = 1; at < 60; at += 3) {
      const { workspace, state, transactions, before, id } = await waiting()
      die(state, 'keep', id, 24)
      const { killed } = die(state, 'recover', id, at)
      await transactions.recover()
      expect([at, treeOf(workspace)]).toEqual([at, before])
      if (!killed) break
    }
  }, 120_000)
})
