import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planOf } from '../../../contract/launcher-plan.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { launchInside, overlayWorkspace } from '../support/overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
const RESTORE = { onFailure: 'restore', rollbackCodes: null, scope: [], maxBytes: 1e9, required: false } as const

/**
 * Two nested workspaces: a command of the outer one renames `packages` and leaves something else there, while a
 * transaction of the inner one, `packages/app`, has still to write.
 */
describe('with another directory put in place of one above the workspace', () => {
  const INNER = 'packages/app'
  let space: ReturnType<typeof overlayWorkspace>
  let target: string
  let before: Readonly<Record<string, string>>

  beforeEach(() => {
    space = overlayWorkspace({ empty: true, roots: [`workspace/${INNER}`] })
    writeFileSync(space.at(`${INNER}/a.txt`), 'a\n')
    target = join(space.top, 'target')
    mkdirSync(join(target, 'app'), { recursive: true })
    writeFileSync(join(target, 'app/a.txt'), 'a\n')
    before = treeOf(target)
  })
  afterEach(() => space.remove())

  const inner = (script: string, fields: Parameters<typeof space.plan>[1] = {}) => {
    const root = space.at(INNER)
    const mounts = [{ op: 'write', from: root, at: root }] as const
    return {
      ...planOf(root, { kind: 'bubblewrap', mounts, network: 'none' }, { transaction: 'always', script }),
      ...fields,
    }
  }
  const runInner = async (script: string, meanwhile: () => void, fields: Parameters<typeof inner>[1] = {}) => {
    return space.transactions.during(inner(script, fields), GRANT, async (plan) => {
      const ending = await launchInside(plan)
      meanwhile()
      return ending
    })
  }
  const replaced = { symlink: byLink, directory: byDirectory }
  function byLink(): void {
    renameSync(space.at('packages'), space.at('moved'))
    symlinkSync(target, space.at('packages'))
  }
  function byDirectory(): void {
    renameSync(space.at('packages'), space.at('moved'))
    renameSync(target, space.at('packages'))
  }
  const putBack = (how: keyof typeof replaced): void => {
    if (how === 'directory') renameSync(space.at('packages'), target)
    else rmSync(space.at('packages'))
    renameSync(space.at('moved'), space.at('packages'))
  }
  const targetNow = () => treeOf(existsSync(target) ? target : space.at('packages'))

  describe.each(['symlink', 'directory'] as const)('by a %s', (how) => {
    it('a commit is a conflict, writes nothing, and can be kept once the directory is back', async () => {
      const { report } = await runInner('echo ours >> a.txt; echo new > n', replaced[how])
      expect(report).toMatchObject({ outcome: 'conflict', conflicts: [space.at(INNER)] })
      expect(targetNow()).toEqual(before)
      expect(readFileSync(space.at('moved/app/a.txt'), 'utf8')).toBe('a\n')
      putBack(how)
      const kept = await space.transactions.settle(report?.id ?? '', 'keep')
      expect([kept.conflicts, readFileSync(space.at(`${INNER}/a.txt`), 'utf8')]).toEqual([[], 'a\nours\n'])
    })

    it('an undo is a conflict, writes nothing, and works once the directory is back', async () => {
      const { report } = await runInner('echo ours >> a.txt; echo new > n', () => undefined)
      expect(report?.outcome).toBe('committed')
      replaced[how]()
      // The attacker's tree looks the same as the one that the command left.
      const standIn = how === 'symlink' ? target : space.at('packages')
      writeFileSync(join(standIn, 'app/n'), 'new\n')
      const attacked = treeOf(standIn)
      const { conflicts } = await space.transactions.undo(report?.id ?? '')
      expect(conflicts).toEqual([space.at(INNER)])
      expect(treeOf(standIn)).toEqual(attacked)
      putBack(how)
      expect((await space.transactions.undo(report?.id ?? '')).conflicts).toEqual([])
      expect(readFileSync(space.at(`${INNER}/a.txt`), 'utf8')).toBe('a\n')
    })

    it('restoring after a failure writes nothing to it', async () => {
      const { report } = await runInner('echo ours > a.txt; exit 3', replaced[how], {
        securing: RESTORE,
      })
      expect(report?.outcome).not.toBe('committed')
      expect(targetNow()).toEqual(before)
    })

    it('discarding changes that wait for a review removes nothing in it', async () => {
      const { report } = await runInner('echo ours > a.txt', () => undefined, { transaction: 'review' })
      replaced[how]()
      await space.transactions.settle(report?.id ?? '', 'discard')
      expect(targetNow()).toEqual(before)
      putBack(how)
    })

    it('keeping changes that wait for a review is a conflict', async () => {
      const { report } = await runInner('echo ours > a.txt', () => undefined, { transaction: 'review' })
      replaced[how]()
      expect((await space.transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([space.at(INNER)])
      expect(targetNow()).toEqual(before)
      putBack(how)
    })
  })

  it.each([
    ['a symlink', (path: string) => symlinkSync(join(target, 'app'), path)],
    ['a file', (path: string) => writeFileSync(path, '')],
    ['nothing', () => undefined],
  ] as const)('%s in place of the workspace itself is a conflict of a commit and an undo', async (_, put) => {
    const root = space.at(INNER)
    const replace = (): void => {
      renameSync(root, space.at('moved'))
      put(root)
    }
    const { report } = await runInner('echo ours >> a.txt', replace)
    expect(report).toMatchObject({ outcome: 'conflict', conflicts: [root] })
    rmSync(root, { force: true })
    renameSync(space.at('moved'), root)
    expect((await space.transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([])
    replace()
    expect((await space.transactions.undo(report?.id ?? '')).conflicts).toEqual([root])
    expect(treeOf(target)).toEqual(before)
    rmSync(root, { force: true })
    renameSync(space.at('moved'), root)
    expect((await space.transactions.undo(report?.id ?? '')).conflicts).toEqual([])
  })

  it('a restore of copies in the tree itself writes nothing to it', async () => {
    const root = space.at(INNER)
    writeFileSync(join(target, 'app/a.txt'), 'ours\n')
    before = treeOf(target)
    const plan = planOf(root, { kind: 'none' }, { transaction: 'always', script: '', securing: RESTORE })
    const ran = space.transactions.during(plan, GRANT, async () => {
      writeFileSync(join(root, 'a.txt'), 'ours\n')
      byLink()
      return { how: 'exited', status: 3 }
    })
    await ran.catch(() => undefined)
    expect(targetNow()).toEqual(before)
  })

  it('a state directory that was replaced while the engine runs is not used', async () => {
    const { report } = await runInner('echo ours > a.txt', () => undefined)
    const moved = join(space.top, 'state.moved')
    renameSync(space.state, moved)
    // Without the work directories of overlays, which an ordinary user cannot list.
    const filter = (path: string): boolean => basename(path) !== 'work'
    cpSync(moved, join(space.top, 'forged'), { recursive: true, filter })
    symlinkSync(join(space.top, 'forged'), space.state)
    const { conflicts } = await space.transactions.undo(report?.id ?? '')
    expect([conflicts, readFileSync(space.at(`${INNER}/a.txt`), 'utf8')]).toEqual([[space.state], 'ours\n'])
    rmSync(space.state)
    renameSync(moved, space.state)
    expect((await space.transactions.undo(report?.id ?? '')).conflicts).toEqual([])
  })
})
