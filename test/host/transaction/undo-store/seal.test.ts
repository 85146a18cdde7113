import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commit } from '../../../../src/host/transaction/lifecycle/commit.js'
import { openStore } from '../../../../src/host/transaction/undo-store/store.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { overlayWorkspace } from '../support/overlay-run.js'

let space: ReturnType<typeof overlayWorkspace>
beforeEach(() => {
  space = overlayWorkspace()
})
afterEach(() => space.remove())

describe('a commit whose last word the disk does not take', () => {
  it('is taken out again at once, and what the command made still waits', async () => {
    const before = treeOf(space.workspace)
    const { report } = await space.run('echo ours > a.txt; rm -r src; echo n > n', { transaction: 'review' })
    const id = report?.id ?? ''
    const store = openStore(space.state, () => {})
    const { journal } = store
    const writeMany: typeof journal.writeMany = async (record, steps, durable) => {
      if (record.state === 'committed') throw new Error('no space left')
      await journal.writeMany(record, steps, durable)
    }
    const full = { ...store, journal: { ...journal, writeMany } }
    await expect(commit(full, journal.record(id), journal.steps(id))).rejects.toThrow(
      'No file was changed: no space left',
    )
    expect(treeOf(space.workspace)).toEqual(before)
    for (const part of [store.attributeClient, journal]) part.close()
    expect((await space.transactions.settle(id, 'keep')).conflicts).toEqual([])
    expect(space.transactions.history()[0]).toMatchObject({ id, state: 'committed' })
  })
})
