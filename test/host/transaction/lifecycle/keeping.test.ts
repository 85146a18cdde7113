import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/model/basics/limits.js'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { openJournal } from '../../../../src/host/transaction/undo-store/journal.js'
import { prune } from '../../../../src/host/transaction/undo-store/prune.js'
import { openStore } from '../../../../src/host/transaction/undo-store/store.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { overlayWorkspace } from '../support/overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

let space: ReturnType<typeof overlayWorkspace>
beforeEach(() => {
  space = overlayWorkspace()
})
afterEach(() => space.remove())

async function byCopy(script: string, meanwhile: () => unknown = () => {}) {
  const launch = async ({ argv: [program = '', ...args], cwd }: Plan): Promise<Ending> => {
    const status = spawnSync(program, args, { cwd }).status ?? -1
    await meanwhile()
    return { how: 'exited', status }
  }
  const { report } = await space.transactions.during(space.plan(script, { sandbox: { kind: 'none' } }), GRANT, launch)
  return report
}

/** Files below a directory, by name. */
const filesBelow = (directory: string): readonly string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
    : []

describe('what is kept of a command secured by copies', () => {
  it('is the previous version of what it changed and no more, and that is counted', async () => {
    const report = await byCopy('echo more >> a.txt; rm src/b.txt; echo n > n')
    await space.transactions.close()
    expect(filesBelow(join(space.state, 'undo-store'))).toEqual(['a.txt', 'b.txt'])
    const { keptBytes } = openJournal(join(space.state, 'transactions')).record(report?.id ?? '')
    expect(keptBytes).toBe('one\ntwo\nthree\n'.length + 'b'.length)
    expect((await space.transactions.undo(report?.id ?? '')).conflicts).toEqual([])
    expect([readFileSync(space.at('src/b.txt'), 'utf8'), existsSync(space.at('n'))]).toEqual(['b', false])
  })

  it('leaves alone what another process is writing to, and names it', async () => {
    writeFileSync(space.at('log'), 'old\n')
    const script = 'exec 3>>log 4>made; read _; echo late >&3; echo new >&4; echo written; read _'
    const other = spawn('bash', ['-c', script], { cwd: space.workspace, stdio: ['pipe', 'pipe', 'ignore'] })
    try {
      const report = await byCopy('echo ours > n; echo ours >> a.txt; exit 3', async () => {
        const written = once(other.stdout, 'data')
        other.stdin.write('go\n')
        await written
      })
      expect([report?.outcome, report?.restored, report?.deleted]).toEqual(['rolled-back', 1, 1])
      expect(report?.warning).toMatch(/^Not rolled back: another process is writing to .*\/(log|made), .*\/(log|made)$/)
      const texts = ['log', 'made', 'a.txt'].map((name) => readFileSync(space.at(name), 'utf8'))
      expect([...texts, existsSync(space.at('n'))]).toEqual(['old\nlate\n', 'new\n', 'one\ntwo\nthree\n', false])
    } finally {
      other.kill('SIGKILL')
    }
  })

  it('takes what others begin and finish meanwhile for its own: this is the price of copies', async () => {
    const report = await byCopy('echo ours > n; exit 3', () => writeFileSync(space.at('theirs'), 'theirs'))
    expect([report?.outcome, report?.deleted, existsSync(space.at('theirs'))]).toEqual(['rolled-back', 2, false])
  })
})

describe('a file with two names', () => {
  it.each([
    'chmod 600 linked; echo more >> src/also-linked',
    'chmod 600 linked src/also-linked',
    'chmod 600 src/also-linked; rm linked',
  ])('of which each was changed in its own way is no conflict with itself: %s', async (script) => {
    const before = treeOf(space.workspace)
    const { report } = await space.run(script)
    expect([report?.outcome, report?.conflicts]).toEqual(['committed', []])
    const after = treeOf(space.workspace)
    const undone = await space.transactions.undo(report?.id ?? '')
    expect([undone.conflicts, treeOf(space.workspace)]).toEqual([[], before])
    expect((await space.transactions.undo(undone.record.id)).conflicts).toEqual([])
    expect(treeOf(space.workspace)).toEqual(after)
  })
})

describe('previous versions', () => {
  const store = () => openStore(space.state, () => {})
  /** As if it had been so long ago, or so large. */
  const amend = (id: string, fields: { at?: string; keptBytes?: number }) => {
    const { journal } = store()
    journal.write({ ...journal.record(id), ...fields }, journal.steps(id), false)
  }
  const ids = async (...scripts: readonly string[]) => {
    const made: string[] = []
    for (const script of scripts) made.push((await space.run(script)).report?.id ?? '')
    await space.transactions.close()
    return made
  }
  const stateOf = (id: string) => space.transactions.history().find((one) => one.id === id)

  it('are dropped past the age limit, which the history and an attempt to undo both tell', async () => {
    const [old = '', young = ''] = await ids('echo 1 >> a.txt', 'echo 2 >> src/b.txt')
    amend(old, { at: new Date(Date.now() - LIMITS.undoAgeMs - 1_000).toISOString() })
    await prune(store())
    expect([stateOf(old), stateOf(young)]).toMatchObject([
      { undo: 'dropped', note: 'past the age limit', state: 'committed' },
      { undo: 'possible', note: null },
    ])
    await expect(space.transactions.undo(old)).rejects.toThrow(
      'its earlier file versions are deleted (past the age limit)',
    )
    expect(existsSync(join(space.state, 'undo-store', old))).toBe(false)
    expect(space.transactions.diff(old)[0]?.note).toContain('this version is deleted')
    expect((await space.transactions.undo(young)).conflicts).toEqual([])
  })

  it('are dropped past the size limit, the oldest first', async () => {
    const [first = '', second = '', third = ''] = await ids('echo 1 >> a.txt', 'echo 2 >> a.txt', 'echo 3 >> a.txt')
    amend(second, { keptBytes: LIMITS.undoBytes - 1_000 })
    amend(first, { keptBytes: 2_000 })
    await prune(store())
    expect([first, second, third].map((id) => stateOf(id)?.undo)).toEqual(['dropped', 'possible', 'possible'])
    expect(stateOf(first)?.note).toBe('past the size limit')
  })

  it('of restored changes are dropped past the age limit, which diff and an attempt to keep them tell', async () => {
    const [old = ''] = await ids('echo 1 >> a.txt; exit 2')
    amend(old, { at: new Date(Date.now() - LIMITS.undoAgeMs - 1_000).toISOString() })
    await prune(store())
    expect(stateOf(old)).toMatchObject({ state: 'rolled-back', undo: 'dropped' })
    expect(existsSync(join(space.state, 'undo-store', old))).toBe(false)
    expect(space.transactions.diff(old)[0]?.note).toContain('this version is deleted')
    await expect(space.transactions.settle(old, 'keep')).rejects.toThrow('its changes are deleted (past the age limit)')
  })

  it('of what waits for a review are never dropped', async () => {
    const { report } = await space.run('echo 1 >> a.txt', { transaction: 'review' })
    amend(report?.id ?? '', { at: new Date(0).toISOString() })
    await prune(store())
    expect((await space.transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([])
    expect(readFileSync(space.at('a.txt'), 'utf8')).toBe('one\ntwo\nthree\n1\n')
  })
})

describe('modes and owners', () => {
  it('special mode bits of files and directories are kept, rolled back and undone', async () => {
    mkdirSync(space.at('shared'))
    chmodSync(space.at('shared'), 0o2770)
    const before = treeOf(space.workspace)
    const script = 'chmod 1777 src; mkdir shared/in; echo x > shared/x; chmod 4755 tool.sh; chmod 2775 src/deep'
    await space.run(`${script}; exit 3`)
    expect(treeOf(space.workspace)).toEqual(before)
    const { report } = await space.run(script)
    const modes = ['src', 'shared', 'shared/in', 'tool.sh', 'src/deep'].map(
      (name) => lstatSync(space.at(name)).mode & 0o7777,
    )
    expect([report?.outcome, ...modes.map((mode) => mode.toString(8))]).toEqual([
      'committed',
      '1777',
      '2770',
      '2755',
      '4755',
      '2775',
    ])
    await space.transactions.undo(report?.id ?? '')
    expect(treeOf(space.workspace)).toEqual(before)
  })

  it('of another user are kept, rolled back and undone by root, and cannot be changed by an ordinary user', async () => {
    if (process.geteuid?.() !== 0) {
      expect((await space.run('chown 77:88 a.txt; true')).report?.outcome).toBe('none')
      return
    }
    chownSync(space.at('src'), 1234, 2345)
    chownSync(space.at('src/b.txt'), 1234, 2345)
    const before = treeOf(space.workspace)
    const script = 'chown 77:88 src/deep a.txt; echo x >> src/b.txt; chown -h 5:6 link; mkdir n; chown 9:9 n'
    await space.run(`${script}; exit 3`)
    expect(treeOf(space.workspace)).toEqual(before)
    const { report } = await space.run(script)
    const owners = ['src/deep', 'a.txt', 'src/b.txt', 'link', 'n', 'src'].map((name) => {
      const { uid, gid } = lstatSync(space.at(name))
      return `${uid}:${gid}`
    })
    expect([report?.outcome, ...owners]).toEqual([
      'committed',
      '77:88',
      '77:88',
      '1234:2345',
      '5:6',
      '9:9',
      '1234:2345',
    ])
    await space.transactions.undo(report?.id ?? '')
    expect(treeOf(space.workspace)).toEqual(before)
  })

  it('that close a file to its owner are no obstacle', async () => {
    writeFileSync(space.at('closed'), 'closed')
    chmodSync(space.at('closed'), 0)
    const script = 'mv closed moved; echo n > n; chmod 0 n; chmod 0 a.txt'
    const { report } = await space.run(script)
    const modes = ['moved', 'n', 'a.txt'].map((name) => lstatSync(space.at(name)).mode & 0o777)
    expect([report?.outcome, report?.warning, ...modes]).toEqual(['committed', null, 0, 0, 0])
    const { conflicts } = await space.transactions.undo(report?.id ?? '')
    expect([conflicts, lstatSync(space.at('closed')).size, lstatSync(space.at('a.txt')).mode & 0o777]).toEqual([
      [],
      6,
      0o644,
    ])
  })

  it('and times of directories are those the command gave them', async () => {
    const { report } = await space.run("echo x > n; touch -d '2001-02-03 04:05:06' src")
    expect([report?.outcome, lstatSync(space.at('src')).mtime.getFullYear()]).toEqual(['committed', 2001])
    utimesSync(space.at('empty'), 1, 1)
    expect((await space.run('touch empty/x; rm empty/x')).report?.outcome).toBe('none')
  })
})
