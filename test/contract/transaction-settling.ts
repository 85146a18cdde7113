import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchAndCollect, planOf } from './launcher-plan.js'
import { EVERYTHING, GRANT, SECURING, type SecuredWorkspace } from './secured-workspace.js'
import { shapeOf, treeOf } from './transaction-tree.js'

/** Tests the fate of a command's changes at its end. */
export function settling(name: string, ground: SecuredWorkspace): void {
  describe(`a transaction (${name})`, () => {
    it('a successful command keeps its changes of every kind', async () => {
      const expected = mkdtempSync(join(ground.top, 'expected-'))
      execFileSync('cp', ['-a', `${ground.workspace}/.`, expected])
      execFileSync('bash', ['-c', EVERYTHING], { cwd: expected })
      const { ending, report } = await ground.run(EVERYTHING)
      expect(ending).toEqual({ how: 'exited', status: 0 })
      expect(report).toMatchObject({ outcome: 'committed', warning: null, conflicts: [] })
      expect(shapeOf(ground.workspace)).toEqual(shapeOf(expected))
    })

    it('a failed command is rolled back exactly, times included', async () => {
      const before = treeOf(ground.workspace)
      const { ending, report } = await ground.run(`${EVERYTHING}; exit 3`)
      expect(ending).toEqual({ how: 'exited', status: 3 })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('rolled-back changes are kept, and can be shown, applied and undone again', async () => {
      const expected = mkdtempSync(join(ground.top, 'expected-'))
      execFileSync('cp', ['-a', `${ground.workspace}/.`, expected])
      execFileSync('bash', ['-c', EVERYTHING], { cwd: expected })
      const before = treeOf(ground.workspace)
      const { report } = await ground.run(`${EVERYTHING}; exit 3`)
      const id = report?.id ?? ''
      const diffs = ground.transactions.diff(id)
      expect(diffs.find(({ change }) => change.path === ground.at('a.txt'))?.text).toContain('+more')
      expect(diffs.find(({ change }) => change.path === ground.at('new/deep/n'))?.text).toContain('+n')
      const kept = await ground.transactions.settle(id, 'keep')
      expect(kept).toMatchObject({ conflicts: [], record: { state: 'committed', undo: 'possible' } })
      expect(shapeOf(ground.workspace)).toEqual(shapeOf(expected))
      await ground.transactions.undo(id)
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('keeping rolled-back changes overwrites no later change, and can be repeated', async () => {
      const { report } = await ground.run('echo ours >> a.txt; rm -r src; echo n > n; exit 2')
      const id = report?.id ?? ''
      writeFileSync(ground.at('src/theirs'), 'theirs')
      writeFileSync(ground.at('a.txt'), 'theirs')
      const theirs = treeOf(ground.workspace)
      expect((await ground.transactions.settle(id, 'keep')).conflicts).toContain(ground.at('src/theirs'))
      expect((await ground.transactions.settle(id, 'keep', ['a.txt'])).conflicts).toEqual([ground.at('a.txt')])
      expect(treeOf(ground.workspace)).toEqual(theirs)
      expect(ground.transactions.history()[0]).toMatchObject({ id, state: 'rolled-back' })
      expect((await ground.transactions.settle(id, 'keep', ['n'])).record.state).toBe('committed')
      expect([ground.text('n'), ground.text('a.txt')]).toEqual(['n\n', 'theirs'])
    })

    it('a restored file is never a hard link to one in the tree', async () => {
      const { report } = await ground.run('ln src/b.txt second; exit 2')
      writeFileSync(ground.at('src/b.txt'), 'later')
      expect(lstatSync(ground.at('src/b.txt')).nlink).toBe(1)
      await ground.transactions.settle(report?.id ?? '', 'keep', ['second'])
      expect(ground.text('second')).toBe('b')
    })

    it('discarded rolled-back changes leave nothing', async () => {
      const { report } = await ground.run(`${EVERYTHING}; exit 3`)
      expect((await ground.transactions.settle(report?.id ?? '', 'discard')).record.state).toBe('discarded')
      expect(await ground.leftOvers()).toEqual([])
    })

    it('files that a failed command made and removed leave no trace', async () => {
      const before = treeOf(ground.workspace)
      await ground.run('echo x > src/x; rm src/x; exit 5')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('restored and deleted files are counted', async () => {
      const { report } = await ground.run(
        'echo x >> a.txt; rm src/b.txt; echo new > n1; echo new > n2; chmod 600 tool.sh; exit 2',
      )
      expect(report).toMatchObject({ outcome: 'rolled-back', restored: 3, deleted: 2 })
      expect(report?.changes?.counts).toEqual({
        created: 2,
        modified: 1,
        deleted: 1,
        modeChanged: 1,
        directories: 0,
        bytes: 8 + 16,
      })
    })

    it('exit codes of 2 and above roll back, and exit code 1 keeps', async () => {
      expect((await ground.run('echo x > x; exit 1')).report?.outcome).toBe('committed')
      expect((await ground.run('echo y > y; exit 2')).report?.outcome).toBe('rolled-back')
      expect([existsSync(ground.at('x')), existsSync(ground.at('y'))]).toEqual([true, false])
    })

    it('a failed command keeps its changes if the profile says so, and undo reverts them', async () => {
      const before = treeOf(ground.workspace)
      const securing = { ...SECURING, onFailure: 'keep' } as const
      const { ending, report } = await ground.run(`${EVERYTHING}; exit 3`, { securing })
      expect(ending).toEqual({ how: 'exited', status: 3 })
      expect(report?.outcome).toBe('committed')
      expect(existsSync(ground.at('new/deep/n'))).toBe(true)
      await ground.transactions.undo(report?.id ?? '')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('a timed-out command keeps its changes if the profile says so', async () => {
      const securing = { ...SECURING, onFailure: 'keep' } as const
      const { ending, report } = await ground.run('echo x > x; sleep 300', { timeoutMs: 3_000, securing })
      expect(ending).toMatchObject({ how: 'killed', by: 'timeout' })
      expect(report?.outcome).toBe('committed')
      expect(ground.text('x')).toBe('x\n')
    })

    it("the profile's rollback codes decide", async () => {
      const securing = { ...SECURING, rollbackCodes: [1] }
      expect((await ground.run('echo x > x; exit 1', { securing })).report?.outcome).toBe('rolled-back')
      expect((await ground.run('echo y > y; exit 2', { securing })).report?.outcome).toBe('committed')
    })

    it('a timed-out command is rolled back', async () => {
      const before = treeOf(ground.workspace)
      const { ending, report } = await ground.run('echo x > x; rm a.txt; sleep 300', { timeoutMs: 3_000 })
      expect(ending).toMatchObject({ how: 'killed', by: 'timeout' })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('a cancelled command is rolled back', async () => {
      const before = treeOf(ground.workspace)
      const abort = new AbortController()
      const plan = planOf(ground.workspace, ground.sandbox(), {
        transaction: 'always',
        securing: SECURING,
        script: 'rm a.txt; echo x > x; echo there; sleep 60',
      })
      const { report } = await ground.transactions.during(plan, GRANT, async (actual) => {
        const io = { signal: abort.signal, onChunk: () => abort.abort() }
        return (await launchAndCollect(ground.launcher, actual, io)).ending
      })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('a failed launch is rolled back', async () => {
      const before = treeOf(ground.workspace)
      const plan = planOf(ground.workspace, ground.sandbox(), {
        transaction: 'always',
        securing: SECURING,
        script: 'rm a.txt',
      })
      const during = ground.transactions.during(plan, GRANT, async (actual) => {
        await launchAndCollect(ground.launcher, actual)
        throw new Error('the launcher broke')
      })
      await expect(during).rejects.toThrow('the launcher broke')
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('a command without changes leaves no transaction', async () => {
      const { report } = await ground.run('cat a.txt; ls src; true')
      expect(report).toMatchObject({ outcome: 'none', id: null })
      expect(ground.transactions.history()).toEqual([])
      expect(await ground.leftOvers()).toEqual([])
    })

    it('with mode off no transaction is made', async () => {
      expect((await ground.run('echo x > x; exit 3', { transaction: 'off' })).report).toBeNull()
      expect(existsSync(ground.at('x'))).toBe(true)
    })

    it('names with newlines, quotes, commas, colons and non-UTF-8 bytes are handled', async () => {
      const script = `printf x > $'new\\nline'; printf y > 'a,b:c'; printf z > $'\\xff\\xfe'; mkdir $'d\\x80' && printf q > $'d\\x80/in'; rm a.txt`
      const { report } = await ground.run(script)
      expect(report?.changes?.list.map(({ path }) => path.slice(ground.workspace.length + 1)).sort()).toEqual(
        ['a,b:c', 'a.txt', 'd\\x80', 'd\\x80/in', 'new\nline', '\\xff\\xfe'].sort(),
      )
      expect(
        readFileSync(Buffer.concat([Buffer.from(`${ground.workspace}/`), Buffer.from([0xff, 0xfe])]), 'utf8'),
      ).toBe('z')
      const before = treeOf(ground.workspace)
      await ground.run(`rm -rf ./*; exit 4`)
      expect(treeOf(ground.workspace)).toEqual(before)
    })

    it('only paths in scope are rolled back', async () => {
      const securing = { ...SECURING, scope: ['src/**'] }
      const { report } = await ground.run('echo x >> a.txt; echo y >> src/b.txt; echo n > src/n; exit 2', { securing })
      expect(report).toMatchObject({ outcome: 'rolled-back', restored: 1, deleted: 1 })
      expect([ground.text('a.txt'), ground.text('src/b.txt'), existsSync(ground.at('src/n'))]).toEqual([
        'one\ntwo\nthree\nx\n',
        'b',
        false,
      ])
    })

    it.each(['**', 'src/*.txt'])('a rollback within the scope leaves all times unchanged: %s', async (glob) => {
      const before = treeOf(ground.workspace)
      const script = glob === '**' ? "touch 'new\nline'; rm a.txt; echo x >> src/b.txt; exit 2" : 'rm src/b.txt; exit 2'
      const { report } = await ground.run(script, { securing: { ...SECURING, scope: [glob] } })
      expect([report?.outcome, treeOf(ground.workspace)]).toEqual(['rolled-back', before])
    })
  })
}
