import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Plan, Securing, Wall } from '../../src/core/model/plan.js'
import type { Launcher } from '../../src/engine/ports.js'
import { createTransactions } from '../../src/host/transaction/transactions.js'
import { launchAndHear, planOf } from './launcher-plan.js'
import { furnish, shapeOf, treeOf } from './transaction-tree.js'

export interface TransactionsUnderTest {
  launcher(): Launcher
  wall(workspace: string): Wall
}

const SECURING: Securing = { rollbackCodes: null, scope: [], maxBytes: 64 * 1024 * 1024, required: true }
const GRANT = { digest: '', by: 'policy', approval: null } as const

/** What every way of securing files promises. Real commands, real mounts, nothing mocked. */
export function transactionContract(name: string, subject: TransactionsUnderTest): void {
  let top: string
  let workspace: string
  let state: string
  let launcher: Launcher
  let transactions: ReturnType<typeof createTransactions>
  beforeAll(() => {
    launcher = subject.launcher()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-transaction-')))
    workspace = join(top, 'workspace')
    state = join(top, 'state')
    mkdirSync(workspace)
    furnish(workspace)
    transactions = createTransactions({ stateDirectory: state })
  })
  afterEach(async () => {
    await transactions.close()
    execFileSync('chmod', ['-R', 'u+rwX', top])
    rmSync(top, { recursive: true, force: true })
  })

  const run = async (script: string, over: Partial<Plan> = {}, signal = new AbortController().signal) => {
    const plan = planOf(workspace, subject.wall(workspace), {
      transaction: 'always',
      securing: SECURING,
      script,
      ...over,
    })
    return transactions.during(
      plan,
      GRANT,
      async (actual) => (await launchAndHear(launcher, actual, { signal })).ending,
    )
  }
  const at = (path: string): string => join(workspace, path)
  const text = (path: string): string => readFileSync(at(path), 'utf8')
  const leftOvers = async (): Promise<readonly string[]> => {
    await transactions.close()
    return existsSync(join(state, 'vault')) ? readdirSync(join(state, 'vault')) : []
  }

  const EVERYTHING = [
    'echo more >> a.txt',
    'rm src/b.txt',
    'mkdir -p new/deep && echo n > new/deep/n',
    'chmod 600 tool.sh',
    'rm -rf src/deep && mkdir src/deep && echo other > src/deep/d',
    'ln -sfn src link',
    'mv tool.sh moved.sh',
    'rmdir empty && echo file > empty',
    'mkfifo pipe',
    'ln a.txt second-name',
  ].join('; ')

  describe(`a transaction (${name})`, () => {
    it('keeps what a command that succeeds has done, of every kind of change', async () => {
      const expected = mkdtempSync(join(top, 'expected-'))
      execFileSync('cp', ['-a', `${workspace}/.`, expected])
      execFileSync('bash', ['-c', EVERYTHING], { cwd: expected })
      const { ending, report } = await run(EVERYTHING)
      expect(ending).toEqual({ how: 'exited', status: 0 })
      expect(report).toMatchObject({ outcome: 'committed', warning: null, conflicts: [] })
      expect(shapeOf(workspace)).toEqual(shapeOf(expected))
    })

    it('puts everything back exactly, times included, when a command fails', async () => {
      const before = treeOf(workspace)
      const { ending, report } = await run(`${EVERYTHING}; exit 3`)
      expect(ending).toEqual({ how: 'exited', status: 3 })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(workspace)).toEqual(before)
      expect(await leftOvers()).toEqual([])
    })

    it('leaves no trace of files a failed command made and removed again', async () => {
      const before = treeOf(workspace)
      await run('echo x > src/x; rm src/x; exit 5')
      expect(treeOf(workspace)).toEqual(before)
    })

    it('counts what was restored and what was deleted', async () => {
      const { report } = await run(
        'echo x >> a.txt; rm src/b.txt; echo new > n1; echo new > n2; chmod 600 tool.sh; exit 2',
      )
      expect(report).toMatchObject({ outcome: 'rolled-back', restored: 3, deleted: 2 })
      expect(report?.changes?.counts).toEqual({ created: 2, modified: 1, deleted: 1, modeChanged: 1, bytes: 8 + 16 })
    })

    it('takes back on exit 2 and above, and keeps on exit 1', async () => {
      expect((await run('echo x > x; exit 1')).report?.outcome).toBe('committed')
      expect((await run('echo y > y; exit 2')).report?.outcome).toBe('rolled-back')
      expect([existsSync(at('x')), existsSync(at('y'))]).toEqual([true, false])
    })

    it('goes by the list of exit codes of the profile where there is one', async () => {
      const securing = { ...SECURING, rollbackCodes: [1] }
      expect((await run('echo x > x; exit 1', { securing })).report?.outcome).toBe('rolled-back')
      expect((await run('echo y > y; exit 2', { securing })).report?.outcome).toBe('committed')
    })

    it('takes back what a command that ran out of time had done', async () => {
      const before = treeOf(workspace)
      const { ending, report } = await run('echo x > x; rm a.txt; sleep 300', { timeoutMs: 3_000 })
      expect(ending).toMatchObject({ how: 'killed', by: 'timeout' })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(workspace)).toEqual(before)
    })

    it('takes back what a cancelled command had done', async () => {
      const before = treeOf(workspace)
      const abort = new AbortController()
      const plan = planOf(workspace, subject.wall(workspace), {
        transaction: 'always',
        securing: SECURING,
        script: 'rm a.txt; echo x > x; echo there; sleep 60',
      })
      const { report } = await transactions.during(plan, GRANT, async (actual) => {
        const io = { signal: abort.signal, onChunk: () => abort.abort() }
        return (await launchAndHear(launcher, actual, io)).ending
      })
      expect(report?.outcome).toBe('rolled-back')
      expect(treeOf(workspace)).toEqual(before)
    })

    it('takes back what was done before the launcher failed', async () => {
      const before = treeOf(workspace)
      const plan = planOf(workspace, subject.wall(workspace), {
        transaction: 'always',
        securing: SECURING,
        script: 'rm a.txt',
      })
      const during = transactions.during(plan, GRANT, async (actual) => {
        await launchAndHear(launcher, actual)
        throw new Error('the launcher broke')
      })
      await expect(during).rejects.toThrow('the launcher broke')
      expect(treeOf(workspace)).toEqual(before)
    })

    it('remembers nothing of a command that changed nothing', async () => {
      const { report } = await run('cat a.txt; ls src; true')
      expect(report).toMatchObject({ outcome: 'none', id: null })
      expect(transactions.history()).toEqual([])
      expect(await leftOvers()).toEqual([])
    })

    it('secures nothing when the mode is off', async () => {
      expect((await run('echo x > x; exit 3', { transaction: 'off' })).report).toBeNull()
      expect(existsSync(at('x'))).toBe(true)
    })

    it('handles names with newlines, quotes, commas, colons and bytes that are no UTF-8', async () => {
      const script = `printf x > $'new\\nline'; printf y > 'a,b:c'; printf z > $'\\xff\\xfe'; mkdir $'d\\x80' && printf q > $'d\\x80/in'; rm a.txt`
      const { report } = await run(script)
      expect(report?.changes?.list.map(({ path }) => path.slice(workspace.length + 1)).sort()).toEqual(
        ['a,b:c', 'a.txt', 'd\\x80', 'd\\x80/in', 'new\nline', '\\xff\\xfe'].sort(),
      )
      expect(readFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0xfe])]), 'utf8')).toBe('z')
      const before = treeOf(workspace)
      await run(`rm -rf ./*; exit 4`)
      expect(treeOf(workspace)).toEqual(before)
    })

    it('holds changes for review, and keeps or discards them when told', async () => {
      const before = treeOf(workspace)
      const first = await run('echo x >> a.txt; echo n > n', { transaction: 'review' })
      expect(first.report?.outcome).toBe('waiting-for-review')
      await transactions.settle(first.report?.id ?? '', 'discard')
      expect(treeOf(workspace)).toEqual(before)
      const second = await run('echo x >> a.txt; echo n > n', { transaction: 'review' })
      const { record, conflicts } = await transactions.settle(second.report?.id ?? '', 'keep')
      expect([record.state, conflicts, text('n'), text('a.txt')]).toEqual([
        'committed',
        [],
        'n\n',
        'one\ntwo\nthree\nx\n',
      ])
    })

    it('keeps only the reviewed paths it is told to keep', async () => {
      const { report } = await run('echo x >> a.txt; mkdir -p p/q; echo n > p/q/n; echo m > m; rm src/b.txt', {
        transaction: 'review',
      })
      await transactions.settle(report?.id ?? '', 'keep', ['p/q/n', 'src'])
      expect([text('a.txt'), text('p/q/n'), existsSync(at('m')), existsSync(at('src/b.txt'))]).toEqual([
        'one\ntwo\nthree\n',
        'n\n',
        false,
        false,
      ])
    })

    it('undoes a committed command exactly, and undoes the undo', async () => {
      const before = treeOf(workspace)
      const { report } = await run(EVERYTHING)
      const after = shapeOf(workspace)
      const undone = await transactions.undo(report?.id ?? '')
      expect(undone.conflicts).toEqual([])
      expect(treeOf(workspace)).toEqual(before)
      const redone = await transactions.undo(undone.record.id)
      expect(redone.conflicts).toEqual([])
      expect(shapeOf(workspace)).toEqual(after)
    })

    it('undoes several commands back, newest first', async () => {
      const before = treeOf(workspace)
      const ids: string[] = []
      for (const script of ['echo 1 >> a.txt', 'echo 2 >> a.txt; echo n > n', 'rm n; echo 3 >> a.txt']) {
        ids.push((await run(script)).report?.id ?? '')
      }
      for (const id of ids.toReversed()) expect((await transactions.undo(id)).conflicts).toEqual([])
      expect(treeOf(workspace)).toEqual(before)
    })

    it('undoes one path and leaves the others', async () => {
      const { report } = await run('echo x >> a.txt; echo y >> src/b.txt')
      await transactions.undo(report?.id ?? '', ['src/b.txt'])
      expect([text('a.txt'), text('src/b.txt')]).toEqual(['one\ntwo\nthree\nx\n', 'b'])
      await transactions.undo(report?.id ?? '')
      expect(text('a.txt')).toBe('one\ntwo\nthree\n')
    })

    it('refuses an undo over a later change, names the file and changes nothing', async () => {
      const { report } = await run('echo x >> a.txt; echo n > n')
      writeFileSync(at('a.txt'), 'mine')
      const before = treeOf(workspace)
      const { conflicts } = await transactions.undo(report?.id ?? '')
      expect(conflicts).toEqual([at('a.txt')])
      expect(treeOf(workspace)).toEqual(before)
    })

    it('refuses to undo the making of a directory that others have put files in', async () => {
      const { report } = await run('mkdir d; echo n > d/n')
      writeFileSync(at('d/mine'), 'mine')
      expect((await transactions.undo(report?.id ?? '')).conflicts).toEqual([at('d/mine')])
      expect(text('d/mine')).toBe('mine')
    })

    it('shows a unified diff of text and the sizes of what is not', async () => {
      const { report } = await run(`sed -i s/two/2/ a.txt; printf 'a\\0b' > binary; rm src/b.txt; chmod 600 tool.sh`)
      const diffs = transactions.diff(report?.id ?? '')
      const of = (path: string) => diffs.find(({ change }) => change.path === at(path))
      expect(of('a.txt')?.text).toContain('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n')
      expect(of('binary')).toMatchObject({ text: null, note: 'binary, 0 → 3 bytes' })
      expect(of('src/b.txt')?.text).toContain('-b\n')
      expect(of('tool.sh')?.note).toBe('mode 0750 → 0600')
    })

    it('says what else is new about a file, and what is when its text is not', async () => {
      const { report } = await run(`echo x >> a.txt; chmod 600 a.txt; touch -d '2001-01-01' src/b.txt`)
      const diffs = transactions.diff(report?.id ?? '')
      const of = (path: string) => diffs.find(({ change }) => change.path === at(path))
      expect([of('a.txt')?.text?.includes('+x\n'), of('a.txt')?.note]).toEqual([true, 'mode 0644 → 0600'])
      expect(of('src/b.txt')).toMatchObject({
        text: null,
        note: 'the same text: its time, owner or extended attributes changed',
      })
    })

    it('still shows the diff of a command whose files were changed by a later one', async () => {
      const { report } = await run('sed -i s/two/2/ a.txt')
      await run('sed -i s/three/3/ a.txt')
      expect(transactions.diff(report?.id ?? '')[0]?.text).toContain('-two\n+2\n')
    })

    it('lists past transactions newest first, with their commands', async () => {
      await run('echo 1 > one')
      await run('echo 2 > two; exit 9')
      expect(transactions.history().map(({ command, state: now }) => [command, now])).toEqual([
        ['echo 2 > two; exit 9', 'rolled-back'],
        ['echo 1 > one', 'committed'],
      ])
      expect(transactions.history(1)).toHaveLength(1)
    })

    it('puts back only what is in scope', async () => {
      const securing = { ...SECURING, scope: ['src/**'] }
      const { report } = await run('echo x >> a.txt; echo y >> src/b.txt; echo n > src/n; exit 2', { securing })
      expect(report).toMatchObject({ outcome: 'rolled-back', restored: 1, deleted: 1 })
      expect([text('a.txt'), text('src/b.txt'), existsSync(at('src/n'))]).toEqual(['one\ntwo\nthree\nx\n', 'b', false])
    })

    it.each(['**', 'src/*.txt'])('leaves no time changed where all that changed was in scope: %s', async (glob) => {
      const before = treeOf(workspace)
      const script = glob === '**' ? "touch 'new\nline'; rm a.txt; echo x >> src/b.txt; exit 2" : 'rm src/b.txt; exit 2'
      const { report } = await run(script, { securing: { ...SECURING, scope: [glob] } })
      expect([report?.outcome, treeOf(workspace)]).toEqual(['rolled-back', before])
    })

    it('says clearly that there is no such transaction', async () => {
      await expect(transactions.undo('nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(transactions.undo('../../etc/passwd')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
      expect(() => transactions.diff('nope')).toThrow('There is no transaction nope')
    })
  })
}
