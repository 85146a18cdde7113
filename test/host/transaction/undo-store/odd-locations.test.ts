import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Cordon, createCordon } from '../../../../src/node.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { overlayWorkspace } from '../support/overlay-run.js'

describe('a workspace that is named by a symbolic link', () => {
  async function withLink(work: (cordon: Cordon, top: string) => Promise<void>): Promise<void> {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-linked-')))
    for (const name of ['real', 'other', 'home/cordon']) mkdirSync(join(top, name), { recursive: true })
    writeFileSync(join(top, 'real/kept'), 'old\n')
    writeFileSync(join(top, 'home/cordon/cordon.toml'), '[profiles.workspace]\ntransaction.on_failure = "restore"\n')
    symlinkSync('real', join(top, 'link'))
    const env = { ...process.env, HOME: join(top, 'home'), XDG_CONFIG_HOME: join(top, 'home') }
    const cordon = await createCordon({ workspace: join(top, 'link'), stateDirectory: join(top, 'state'), env })
    try {
      await work(cordon, top)
    } finally {
      await cordon.close()
      rmSync(top, { recursive: true, force: true })
    }
  }

  it(
    'is the directory it leads to: changes are rolled back, kept and undone there',
    () =>
      withLink(async (cordon, top) => {
        const real = join(top, 'real')
        const before = treeOf(real)
        const failed = await cordon.run('echo new > made; echo more >> kept; touch "a\nb"; exit 3')
        expect([failed.transaction?.outcome, treeOf(real)]).toEqual(['rolled-back', before])
        const kept = await cordon.run('echo new > made; echo more >> kept')
        expect(kept.transaction?.outcome).toBe('committed')
        expect(readFileSync(join(real, 'kept'), 'utf8')).toBe('old\nmore\n')
        expect(lstatSync(join(top, 'link')).isSymbolicLink()).toBe(true)
        expect((await cordon.transactions.undo(kept.transaction?.id ?? '')).conflicts).toEqual([])
        expect(treeOf(real)).toEqual(before)
      }),
    60_000,
  )

  it(
    'is that directory still when the link is made to lead elsewhere',
    () =>
      withLink(async (cordon, top) => {
        rmSync(join(top, 'link'))
        symlinkSync('other', join(top, 'link'))
        expect((await cordon.run('echo new > made')).transaction?.outcome).toBe('committed')
        expect([readdirSync(join(top, 'real')).sort(), readdirSync(join(top, 'other'))]).toEqual([['kept', 'made'], []])
      }),
    60_000,
  )
})

const chattr = (flag: '+i' | '-i', path: string): boolean => spawnSync('chattr', [flag, path]).status === 0

/** It takes root, and a filesystem that knows the flag. */
function canBeImmutable(): boolean {
  const top = mkdtempSync(join(tmpdir(), 'cordon-immutable-'))
  try {
    return chattr('+i', top) && chattr('-i', top)
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

describe('a directory that has become immutable', () => {
  it.skipIf(!canBeImmutable())('refuses the commit as a whole, and takes it when it is no longer', async () => {
    const space = overlayWorkspace()
    try {
      const before = treeOf(space.workspace)
      const { report } = await space.run('echo n > a-new; echo n > src/new; echo more >> a.txt', {}, () =>
        chattr('+i', space.at('src')),
      )
      expect([report?.outcome, report?.conflicts]).toEqual(['conflict', []])
      expect(report?.warning).toMatch(
        /^Not committed\. No file was changed: EPERM[^/]*'\w+'\. See the command's version/,
      )
      chattr('-i', space.at('src'))
      expect(treeOf(space.workspace)).toEqual(before)
      expect((await space.transactions.settle(report?.id ?? '', 'keep')).conflicts).toEqual([])
      expect([existsSync(space.at('a-new')), existsSync(space.at('src/new'))]).toEqual([true, true])
    } finally {
      chattr('-i', space.at('src'))
      await space.remove()
    }
  })
})
