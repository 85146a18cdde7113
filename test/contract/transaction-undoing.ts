import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, type SecuredWorkspace } from './secured-workspace.js'
import { shapeOf, treeOf } from './transaction-tree.js'

/** Tests changes held for review, and undo. */
export function undoing(name: string, ground: SecuredWorkspace): void {
  describe(`undo and review of a transaction (${name})`, () => {
    it('changes are held for review, then kept or discarded', async () => {
      const before = treeOf(ground.workspace)
      const first = await ground.run('echo x >> a.txt; echo n > n', { transaction: 'review' })
      expect(first.report?.outcome).toBe('waiting-for-review')
      await ground.transactions.settle(first.report?.id ?? '', 'discard')
      expect(treeOf(ground.workspace)).toEqual(before)
      const second = await ground.run('echo x >> a.txt; echo n > n', { transaction: 'review' })
      const { record, conflicts } = await ground.transactions.settle(second.report?.id ?? '', 'keep')
      expect([record.state, conflicts, ground.text('n'), ground.text('a.txt')]).toEqual([
        'committed',
        [],
        'n\n',
        'one\ntwo\nthree\nx\n',
      ])
    })

    it('only the chosen paths of a review are kept', async () => {
      const { report } = await ground.run('echo x >> a.txt; mkdir -p p/q; echo n > p/q/n; echo m > m; rm src/b.txt', {
        transaction: 'review',
      })
      await ground.transactions.settle(report?.id ?? '', 'keep', ['p/q/n', 'src'])
      expect([
        ground.text('a.txt'),
        ground.text('p/q/n'),
        existsSync(ground.at('m')),
        existsSync(ground.at('src/b.txt')),
      ]).toEqual(['one\ntwo\nthree\n', 'n\n', false, false])
    })

    it('undo reverts a command exactly, and can itself be undone', async () => {
      const before = treeOf(ground.workspace)
      const { report } = await ground.run(EVERYTHING)
      const after = shapeOf(ground.workspace)
      const undone = await ground.transactions.undo(report?.id ?? '')
      expect(undone.conflicts).toEqual([])
      expect(treeOf(ground.workspace)).toEqual(before)
      const redone = await ground.transactions.undo(undone.record.id)
      expect(redone.conflicts).toEqual([])
      expect(shapeOf(ground.workspace)).toEqual(after)
    })

    it('undo reverts several commands, newest first', async () => {
      const before = treeOf(ground.workspace)
      const ids: string[] = []
      for (const script of ['echo 1 >> a.txt', 'echo 2 >> a.txt; echo n > n', 'rm n; echo 3 >> a.txt']) {
        ids.push((await ground.run(script)).report?.id ?? '')
      }
      for (const id of ids.toReversed()) expect((await ground.transactions.undo(id)).conflicts).toEqual([])
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('undo of one path leaves the others', async () => {
      const { report } = await ground.run('echo x >> a.txt; echo y >> src/b.txt')
      await ground.transactions.undo(report?.id ?? '', ['src/b.txt'])
      expect([ground.text('a.txt'), ground.text('src/b.txt')]).toEqual(['one\ntwo\nthree\nx\n', 'b'])
      await ground.transactions.undo(report?.id ?? '')
      expect(ground.text('a.txt')).toBe('one\ntwo\nthree\n')
    })

    it('undo over a later change is refused, names the file and changes nothing', async () => {
      const { report } = await ground.run('echo x >> a.txt; echo n > n')
      writeFileSync(ground.at('a.txt'), 'mine')
      const before = treeOf(ground.workspace)
      const { conflicts } = await ground.transactions.undo(report?.id ?? '')
      expect(conflicts).toEqual([ground.at('a.txt')])
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it("undo refuses to remove a directory with others' files", async () => {
      const { report } = await ground.run('mkdir d; echo n > d/n')
      writeFileSync(ground.at('d/mine'), 'mine')
      expect((await ground.transactions.undo(report?.id ?? '')).conflicts).toEqual([ground.at('d/mine')])
      expect(ground.text('d/mine')).toBe('mine')
    })
  })
}
