import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, type SecuredWorkspace } from './secured-workspace.js'
import { shapeOf, treeOf } from './transaction-tree.js'

/** Changes that are held for a person, and changes that are taken back later. */
export function undoing(name: string, ground: SecuredWorkspace): void {
  describe(`what a transaction has kept (${name})`, () => {
    it('holds changes for review, and keeps or discards them when told', async () => {
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

    it('keeps only the reviewed paths it is told to keep', async () => {
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

    it('undoes a committed command exactly, and undoes the undo', async () => {
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

    it('undoes several commands back, newest first', async () => {
      const before = treeOf(ground.workspace)
      const ids: string[] = []
      for (const script of ['echo 1 >> a.txt', 'echo 2 >> a.txt; echo n > n', 'rm n; echo 3 >> a.txt']) {
        ids.push((await ground.run(script)).report?.id ?? '')
      }
      for (const id of ids.toReversed()) expect((await ground.transactions.undo(id)).conflicts).toEqual([])
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('undoes one path and leaves the others', async () => {
      const { report } = await ground.run('echo x >> a.txt; echo y >> src/b.txt')
      await ground.transactions.undo(report?.id ?? '', ['src/b.txt'])
      expect([ground.text('a.txt'), ground.text('src/b.txt')]).toEqual(['one\ntwo\nthree\nx\n', 'b'])
      await ground.transactions.undo(report?.id ?? '')
      expect(ground.text('a.txt')).toBe('one\ntwo\nthree\n')
    })

    it('refuses an undo over a later change, names the file and changes nothing', async () => {
      const { report } = await ground.run('echo x >> a.txt; echo n > n')
      writeFileSync(ground.at('a.txt'), 'mine')
      const before = treeOf(ground.workspace)
      const { conflicts } = await ground.transactions.undo(report?.id ?? '')
      expect(conflicts).toEqual([ground.at('a.txt')])
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('refuses to undo the making of a directory that others have put files in', async () => {
      const { report } = await ground.run('mkdir d; echo n > d/n')
      writeFileSync(ground.at('d/mine'), 'mine')
      expect((await ground.transactions.undo(report?.id ?? '')).conflicts).toEqual([ground.at('d/mine')])
      expect(ground.text('d/mine')).toBe('mine')
    })
  })
}
