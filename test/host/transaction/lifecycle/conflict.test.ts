import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { launchInside, overlayWorkspace } from '../support/overlay-run.js'

describe('a file that changes underneath while a command runs', () => {
  let space: ReturnType<typeof overlayWorkspace>
  beforeEach(() => {
    space = overlayWorkspace()
  })
  afterEach(() => space.remove())

  const text = (path: string): string => readFileSync(space.at(path), 'utf8')
  /**
   * Runs the script, lets another process act before it is settled, and expects the commit to be refused over the
   * paths.
   */
  const refused = async (script: string, meanwhile: () => unknown, ...paths: string[]) => {
    let theirs: Readonly<Record<string, string>> = {}
    const { report } = await space.run(script, {}, () => {
      meanwhile()
      theirs = treeOf(space.workspace)
    })
    expect(report).toMatchObject({ outcome: 'conflict', conflicts: paths.map(space.at) })
    for (const path of paths) expect(report?.warning).toContain(space.at(path))
    expect(treeOf(space.workspace)).toEqual(theirs)
    return report?.id ?? ''
  }

  it('refuses the commit, names the file, and keeps both versions', async () => {
    const id = await refused(
      'echo ours >> a.txt; echo n > n',
      () => writeFileSync(space.at('a.txt'), 'theirs'),
      'a.txt',
    )
    expect(text('a.txt')).toBe('theirs')
    const ours = space.transactions.diff(id).find(({ change }) => change.path === space.at('a.txt'))
    expect(ours?.text).toContain('-theirs\n')
    expect(ours?.text).toContain('+ours\n')
    const made = space.transactions.diff(id, ['n'])
    expect(made[0]?.text).toContain('+n\n')
    expect((await space.transactions.settle(id, 'discard')).record.state).toBe('discarded')
  })

  it('is never overwritten by keeping the changes of a restored command', async () => {
    const { report } = await space.run('echo ours >> a.txt; echo n > n; exit 2', {}, () =>
      writeFileSync(space.at('a.txt'), 'theirs'),
    )
    const id = report?.id ?? ''
    for (const _ of ['first', 'again'])
      expect((await space.transactions.settle(id, 'keep')).conflicts).toEqual([space.at('a.txt')])
    expect([text('a.txt'), existsSync(space.at('n'))]).toEqual(['theirs', false])
    expect((await space.transactions.settle(id, 'keep', ['n'])).conflicts).toEqual([])
    expect([text('a.txt'), text('n')]).toEqual(['theirs', 'n\n'])
  })

  it('is noticed when the command deleted what others changed', () =>
    refused('rm -rf src', () => writeFileSync(space.at('src/deep/c.txt'), 'theirs'), 'src/deep/c.txt'))

  it('is noticed when both made the same file', () =>
    refused('echo ours > n', () => writeFileSync(space.at('n'), 'theirs'), 'n'))

  it('is noticed when others deleted what the command changed', () =>
    refused('echo ours >> a.txt', () => rmSync(space.at('a.txt')), 'a.txt'))

  it('is noticed when others removed the directory it wrote to', () =>
    refused('echo ours > src/deep/n', () => rmSync(space.at('src'), { recursive: true }), 'src'))

  it('is noticed when others added to a directory the command removed and made anew', () =>
    refused(
      'rm -rf src/deep; mkdir src/deep; echo n > src/deep/n',
      () => writeFileSync(space.at('src/deep/late'), 'theirs'),
      'src/deep/late',
    ))

  it('does not matter when it is not one the command changed', async () => {
    const { report } = await space.run('echo ours >> a.txt', {}, () => writeFileSync(space.at('src/b.txt'), 'theirs'))
    expect([report?.outcome, text('src/b.txt'), text('a.txt')]).toEqual([
      'committed',
      'theirs',
      'one\ntwo\nthree\nours\n',
    ])
  })

  it('does not matter to files the command renamed or gave a second name', async () => {
    const { report } = await space.run(
      'mv src/b.txt moved; ln a.txt second; echo x >> tool.sh; ln tool.sh src/tool',
      {},
      () => {
        writeFileSync(space.at('theirs'), 'theirs')
        writeFileSync(space.at('src/theirs'), 'theirs')
      },
    )
    expect([report?.outcome, report?.conflicts]).toEqual(['committed', []])
    expect([text('moved'), lstatSync(space.at('second')).ino, lstatSync(space.at('src/tool')).ino]).toEqual([
      'b',
      lstatSync(space.at('a.txt')).ino,
      lstatSync(space.at('tool.sh')).ino,
    ])
  })

  it('does not matter to files and directories the command closed to everybody', async () => {
    const { report } = await space.run('echo x > n; mkdir -p d/e; echo x > d/n; chmod 000 n d/n d/e d', {}, () =>
      writeFileSync(space.at('theirs'), 'theirs'),
    )
    expect([report?.outcome, report?.conflicts]).toEqual(['committed', []])
    expect(['n', 'd'].map((name) => lstatSync(space.at(name)).mode & 0o777)).toEqual([0, 0])
  })

  it('does not matter when it changed just before the command began', async () => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(space.at('a.txt'), `${round}\n`)
      const { report } = await space.run('echo ours >> a.txt')
      expect([report?.outcome, text('a.txt')]).toEqual(['committed', `${round}\nours\n`])
    }
  })

  it('checks the second of two commands that commit to one tree', async () => {
    let second: ReturnType<typeof space.run> | null = null
    let secondHasRun = (): void => undefined
    const isRun = new Promise<void>((resolve) => {
      secondHasRun = resolve
    })
    // Each is settled only when both have run: on a busy machine one would be over before the other begins.
    const first = space.run('echo 1 >> a.txt; echo 1 > one', {}, () => {
      second = space.run('echo 2 >> a.txt; echo 2 > two', {}, secondHasRun)
      return isRun
    })
    const both = [await first, await second] as const
    const outcomes = both.map((one) => one?.report?.outcome)
    expect(outcomes.toSorted()).toEqual(['committed', 'conflict'])
    const winner = outcomes[0] === 'committed' ? '1' : '2'
    expect(text('a.txt')).toBe(`one\ntwo\nthree\n${winner}\n`)
    expect([existsSync(space.at('one')), existsSync(space.at('two'))]).toEqual([winner === '1', winner === '2'])
  })

  it('lets many commands at once commit to different files of one tree', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const all = await Promise.all(names.map((name) => space.run(`echo ${name} > ${name}; echo x >> src/${name}`)))
    expect(all.map(({ report }) => report?.outcome)).toEqual(names.map(() => 'committed'))
    expect(names.filter((name) => !existsSync(space.at(`src/${name}`)))).toEqual([])
  })

  it('never follows a symbolic link planted in place of a directory', async () => {
    const outside = join(space.top, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'b.txt'), 'precious')
    const { report } = await space.run('echo ours > src/b.txt; echo ours > src/new', {}, () => {
      renameSync(space.at('src'), space.at('was-src'))
      symlinkSync(outside, space.at('src'))
    })
    expect(report?.conflicts).toContain(space.at('src'))
    expect([readFileSync(join(outside, 'b.txt'), 'utf8'), existsSync(join(outside, 'new'))]).toEqual([
      'precious',
      false,
    ])
  })
})

describe('a host that refuses a step of a commit', () => {
  it('leaves the files exactly as they were, whichever step it is, and what the command made waits', async () => {
    const script = 'echo more >> a.txt; rm src/b.txt; mkdir d; echo n > d/n; ln -sfn src link; chmod 600 tool.sh'
    const seen: string[] = []
    const refusing = { at: -1 }
    const fault = (where: string): void => {
      seen.push(where)
      if (seen.length === refusing.at) throw new Error('no space left on device')
    }
    const space = overlayWorkspace()
    const transactions = createTransactions({ stateDirectory: space.state, fault })
    const run = async () =>
      (await transactions.during(space.plan(script), { digest: '', by: 'policy', approval: null }, launchInside)).report
    try {
      const before = treeOf(space.workspace)
      const first = await run()
      await transactions.undo(first?.id ?? '')
      const steps = seen.indexOf('finished')
      for (let at = 1; at <= steps; at += 3) {
        // Background cleanup passes fault points too.
        await transactions.close()
        seen.length = 0
        refusing.at = at
        const report = await run()
        refusing.at = -1
        expect([at, report?.outcome, report?.warning]).toEqual([
          at,
          'conflict',
          expect.stringContaining('No file was changed: no space left on device.'),
        ])
        expect([at, treeOf(space.workspace)]).toEqual([at, before])
        expect((await transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([])
        expect((await transactions.undo(report?.id ?? '')).conflicts).toEqual([])
        expect([at, treeOf(space.workspace)]).toEqual([at, before])
      }
    } finally {
      await transactions.close()
      await space.remove()
    }
  }, 300_000)
})
