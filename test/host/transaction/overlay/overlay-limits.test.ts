import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { storeName } from '../../../../src/host/transaction/undo-store/locations.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { needs } from '../../../tools.js'
import { overlayWorkspace } from '../support/overlay-run.js'

/** Extended attributes of a tree, as tar lists them. */
const attributesOf = (directory: string): string =>
  execFileSync(
    'sh',
    ['-c', 'tar -C "$0" --xattrs --xattrs-include="*" -cf - . | tar --xattrs --xattrs-include="*" -tvvf -', directory],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((line) => /^\s+x:/.test(line))
    .join('\n')

/** Lists the command lines of all processes. */
const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })

/** A tar archive whose one entry carries a user attribute: how tests set one without `setfattr`. */
const WITH_ATTRIBUTE = [
  'tar --format=posix --xattrs -cf t.tar',
  '--pax-option="SCHILY.xattr.user.colour:=blue" f && tar --xattrs --xattrs-include="*" -xf t.tar && rm t.tar',
].join(' ')

describe('inside a transaction by overlay', () => {
  let space: ReturnType<typeof overlayWorkspace>
  beforeEach(() => {
    space = overlayWorkspace({ empty: true })
  })
  afterEach(() => space.remove())
  const outcome = async (script: string) => (await space.run(script)).report?.outcome
  const text = (path: string): string => readFileSync(space.at(path), 'utf8')

  it('git works, and its index needs no re-reading afterwards', async () => {
    execFileSync('git', ['init', '-q', '-b', 'main', space.workspace])
    const id = '-c user.name=a -c user.email=a@b'
    expect(
      await outcome(
        `export HOME=/nonexistent; echo 1 > f; git add f; git ${id} commit -qm one; git checkout -qb other; git gc -q`,
      ),
    ).toBe('committed')
    const git = (...args: string[]) => execFileSync('git', ['-C', space.workspace, ...args], { encoding: 'utf8' })
    expect([git('status', '--porcelain'), git('log', '--format=%s'), git('fsck', '--no-progress')]).toEqual([
      '',
      'one\n',
      '',
    ])
    const before = treeOf(space.workspace)
    expect(await outcome(`echo 2 > f; git ${id} commit -qam two; git branch -D main; exit 7`)).toBe('rolled-back')
    expect(treeOf(space.workspace)).toEqual(before)
  })

  it('make builds what is out of date and nothing else afterwards', async (context) => {
    needs(context, 'make')
    writeFileSync(space.at('Makefile'), 'out/a: a\n\tmkdir -p out\n\tcp a out/a\n\techo built >> log\n')
    writeFileSync(space.at('a'), '1')
    expect(await outcome('make -s')).toBe('committed')
    expect(await outcome('make -s')).toBe('none')
    expect(text('log')).toBe('built\n')
  })

  it('npm installs a package and its links, and all of it can be undone', async () => {
    mkdirSync(space.at('dep'))
    writeFileSync(space.at('dep/package.json'), '{"name":"dep","version":"1.0.0","bin":{"dep":"run.js"}}')
    writeFileSync(space.at('dep/run.js'), '#!/usr/bin/env node\n')
    writeFileSync(space.at('package.json'), '{"name":"app","version":"1.0.0"}')
    const before = treeOf(space.workspace)
    const { report } = await space.run(
      'HOME=$PWD npm install --offline --no-audit --no-fund --install-links ./dep && rm -rf .npm',
    )
    expect(report?.outcome).toBe('committed')
    expect(readlinkSync(space.at('node_modules/.bin/dep'))).toBe('../dep/run.js')
    await space.transactions.undo(report?.id ?? '')
    expect(treeOf(space.workspace)).toEqual(before)
  }, 60_000)

  it('SQLite in WAL mode works, and a failed command leaves the database as it was', async () => {
    const sqlite = (body: string) =>
      `${process.execPath} -e "const{DatabaseSync:D}=require('@photostructure/sqlite');const d=new D('db');d.exec('pragma journal_mode=WAL');${body};d.close()"`
    const node = `export NODE_PATH=${join(process.cwd(), 'node_modules')}; `
    expect(await outcome(node + sqlite("d.exec('create table t(x); insert into t values (1)')"))).toBe('committed')
    const before = treeOf(space.workspace)
    expect(await outcome(`${node + sqlite("d.exec('insert into t values (2)')")}; exit 9`)).toBe('rolled-back')
    expect(treeOf(space.workspace)).toEqual(before)
    expect(await outcome(node + sqlite("d.exec('insert into t values (3)')"))).toBe('committed')
    expect(await outcome(node + sqlite("if(d.prepare('select sum(x) s from t').get().s!==4)process.exit(5)"))).not.toBe(
      'rolled-back',
    )
  })

  it('a 1 GB file changed by one byte is kept, holes and all, and put back', async () => {
    writeFileSync(space.at('big'), 'start')
    truncateSync(space.at('big'), 1024 ** 3)
    const before = treeOfSizes(space.at('big'))
    expect(await outcome('printf X | dd of=big bs=1 seek=500000000 conv=notrunc status=none; exit 4')).toBe(
      'rolled-back',
    )
    expect(treeOfSizes(space.at('big'))).toEqual(before)
    expect(await outcome('printf X | dd of=big bs=1 seek=500000000 conv=notrunc status=none')).toBe('committed')
    expect(statSync(space.at('big')).size).toBe(1024 ** 3)
    expect(statSync(space.at('big')).blocks * 512).toBeLessThan(1024 ** 2)
  }, 60_000)

  it('a file without holes that was changed is not copied a second time, and one with holes is', async () => {
    writeFileSync(space.at('whole'), Buffer.alloc(300_000, 'x'))
    writeFileSync(space.at('holed'), 'start')
    truncateSync(space.at('holed'), 8_000_000)
    const { report } = await space.run('for f in whole holed; do printf X | dd of=$f conv=notrunc status=none; done', {
      transaction: 'review',
    })
    const [layer = ''] = readdirSync(join(space.state, 'undo-store', report?.id ?? ''))
    expect(readdirSync(join(space.state, 'undo-store', report?.id ?? '', layer, 'staged'))).toEqual(['holed'])
    expect((await space.transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([])
    expect([text('whole').length, text('whole').slice(0, 2), text('holed').slice(0, 5)]).toEqual([
      300_000,
      'Xx',
      'Xtart',
    ])
    expect(statSync(space.at('holed')).blocks * 512).toBeLessThan(100_000)
    expect(attributesOf(space.workspace)).toBe('')
  })

  it('a directory moved is moved, though the kernel will not rename it', async () => {
    mkdirSync(space.at('d/e'), { recursive: true })
    writeFileSync(space.at('d/e/f'), 'f')
    expect(await outcome('mv d moved')).toBe('committed')
    expect([existsSync(space.at('d')), text('moved/e/f')]).toEqual([false, 'f'])
  })

  it('file names in an overlay differ by case', async () => {
    expect(await outcome('echo a > a; echo A > A; mv a b; mv A a')).toBe('committed')
    expect([text('a'), text('b'), existsSync(space.at('A'))]).toEqual(['A\n', 'a\n', false])
  })

  it('nothing of the overlay is left on committed files, and their own attributes are', async () => {
    writeFileSync(space.at('f'), 'f')
    writeFileSync(space.at('g'), 'g')
    mkdirSync(space.at('d'))
    writeFileSync(space.at('d/h'), 'h')
    expect(
      await outcome(
        `${WITH_ATTRIBUTE}; echo more >> f; echo more >> g; mv g moved; mkdir -p n/m; mv d/h n/m/h; rm -rf d; mkdir d`,
      ),
    ).toBe('committed')
    expect(attributesOf(space.workspace)).toBe('  x: 4 user.colour')
  })

  it('one of two names of a file, when written to, becomes a file of its own', async () => {
    writeFileSync(space.at('a'), 'same')
    linkSync(space.at('a'), space.at('b'))
    expect(await outcome('echo more >> a')).toBe('committed')
    expect([text('a'), text('b')]).toEqual(['samemore\n', 'same'])
    expect(lstatSync(space.at('a')).ino).not.toBe(lstatSync(space.at('b')).ino)
  })

  it('names made for one file by the command stay names of one file', async () => {
    expect(await outcome('echo x > a; ln a b; mkdir d; ln a d/c')).toBe('committed')
    expect(['a', 'b', 'd/c'].map((name) => lstatSync(space.at(name)).ino)).toEqual(
      Array(3).fill(lstatSync(space.at('a')).ino),
    )
  })

  it('a file that lost its first name to a second is marked, and in doubt when others were there, as an ordinary user', async () => {
    const isRoot = process.geteuid?.() === 0
    writeFileSync(space.at('a'), 'a')
    writeFileSync(space.at('c'), 'c')
    expect(await outcome('ln a b; rm a')).toBe('committed')
    expect(text('b')).toBe('a')
    if (isRoot) expect(attributesOf(space.workspace)).toBe('')
    else expect(attributesOf(space.workspace)).toMatch(/^ {2}x: +\d+ user\.overlay\.origin$/)
    const { report } = await space.run('ln c d; rm c', {}, () => writeFileSync(space.at('theirs'), ''))
    expect([report?.outcome, report?.conflicts]).toEqual(isRoot ? ['committed', []] : ['conflict', [space.at('d')]])
  })

  it('directories nobody may write to are changed as their owner would change them', async () => {
    mkdirSync(space.at('locked/in'), { recursive: true })
    writeFileSync(space.at('locked/in/f'), 'f')
    execFileSync('chmod', ['-R', 'a-w', space.at('locked')])
    expect(
      await outcome(
        'chmod u+w locked/in; echo n > locked/in/n; rm -f locked/in/f; chmod u-w locked/in; mkdir x; chmod 500 x',
      ),
    ).toBe('committed')
    expect([readdirSync(space.at('locked/in')), lstatSync(space.at('locked/in')).mode & 0o777]).toEqual([['n'], 0o555])
    const before = treeOf(space.workspace)
    expect(await outcome('chmod -R u+w locked; rm -rf locked; exit 2')).toBe('rolled-back')
    expect(treeOf(space.workspace)).toEqual(before)
    const { report } = await space.run('chmod -R u+w locked; rm -rf locked')
    await space.transactions.undo(report?.id ?? '')
    expect(treeOf(space.workspace)).toEqual(before)
    execFileSync('chmod', ['-R', 'u+w', space.workspace])
  })

  it('several roots are kept or rolled back together', async () => {
    const two = overlayWorkspace({ roots: ['second root, with: odd name'] })
    try {
      const second = join(two.top, 'second root, with: odd name')
      expect((await two.run(`echo 1 > one; echo 2 > '${second}/two'`)).report?.outcome).toBe('committed')
      expect(readFileSync(join(second, 'two'), 'utf8')).toBe('2\n')
      const before = [treeOf(two.workspace), treeOf(second)]
      expect((await two.run(`rm one; rm '${second}/two'; exit 2`)).report?.outcome).toBe('rolled-back')
      expect([treeOf(two.workspace), treeOf(second)]).toEqual(before)
    } finally {
      await two.remove()
    }
  })

  it('no mount and no process is left behind', async () => {
    expect(await outcome('echo x > x')).toBe('committed')
    await space.transactions.close()
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(space.top)
    expect(commandLines().filter((line) => line.includes(space.top))).toEqual([])
  })

  it('a command cannot change the records of transactions, though they lie in its workspace', async () => {
    const inner = overlayWorkspace({ empty: true, stateInside: true })
    try {
      await inner.run('echo 1 > one')
      expect((await inner.run('rm -rf .local/state; echo 2 > two')).report?.outcome).toBe('committed')
      expect((await inner.run('rm -rf .local')).report).toMatchObject({
        outcome: 'conflict',
        conflicts: [inner.at('.local')],
      })
      expect(inner.transactions.history().map(({ state }) => state)).toEqual(['conflict', 'committed', 'committed'])
    } finally {
      await inner.remove()
      await removeTree(join('/var/tmp', storeName(inner.state)))
    }
  })
})

/** Size, time and mode: a hash of a gigabyte would only be slow. */
const treeOfSizes = (path: string): readonly bigint[] => {
  const { size, mtimeNs, mode, ino } = lstatSync(path, { bigint: true })
  return [size, mtimeNs, mode, ino]
}
