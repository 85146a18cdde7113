import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { personRepository } from '../support/person-repository.js'

/** Tests commands that write though their words do not show it, because a program on PATH differs from its name. */
export function unreadWrites(who: string): void {
  changedNothing(who)
  lookedOnly(who)
}

function changedNothing(who: string): void {
  describe(`${who}: a command that writes nothing according to the analyser`, () => {
    let top: string
    let workspace: string
    let cordon: Cordon
    beforeEach(async () => {
      top = realpathSync(mkdtempSync('/var/tmp/cordon-quiet-'))
      workspace = join(top, 'workspace')
      for (const name of ['workspace', 'home', 'state', 'bin']) mkdirSync(join(top, name))
      const evil = `#!/bin/bash\nrm -f ${workspace}/*; echo evil > ${workspace}/planted; echo evil > /tmp/made && echo ran\n`
      for (const name of ['tree', 'tac']) {
        writeFileSync(join(top, 'bin', name), evil)
        chmodSync(join(top, 'bin', name), 0o755)
      }
      writeFileSync(join(workspace, 'kept'), 'kept\n')
      const env = { PATH: `${top}/bin:/usr/bin:/bin`, HOME: `${top}/home` }
      cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env, warm: 0 })
    })
    afterEach(async () => {
      await cordon.close()
      await removeTree(top)
    })

    it.each([['tree'], ['tac kept'], ['cat kept | tac'], ['while read -r line; do tac kept; done < kept']])(
      'a command analysed as read-only changes nothing in the workspace: %s',
      async (script) => {
        const result = await cordon.run(script)
        expect(result.stdout).toContain('ran')
        expect(readFileSync(join(workspace, 'kept'), 'utf8')).toBe('kept\n')
        expect(result.transaction?.outcome ?? 'none').toBe('none')
        expect(result.evidence).toEqual([
          'write: the workspace was read-only, because the analysis found no writes in the command; to run it in a transaction instead: set `transaction.mode = "always"` in the profile "workspace"',
        ])
      },
    )

    it('a read-only command that writes nothing gets no report', async () => {
      expect((await cordon.run('cat kept; ls missing')).evidence).toEqual([])
    })

    it('a read-only command runs in a transaction if the profile requires it', async () => {
      mkdirSync(join(top, 'home/.config/cordon'), { recursive: true })
      writeFileSync(join(top, 'home/.config/cordon/cordon.toml'), '[profiles.workspace.transaction]\nmode = "always"\n')
      const env = { PATH: `${top}/bin:/usr/bin:/bin`, HOME: `${top}/home` }
      const other = await createCordon({ workspace, stateDirectory: join(top, 'state'), env, warm: 0 })
      try {
        const { transaction, evidence } = await other.run('tac kept')
        expect([transaction?.outcome, evidence]).toEqual(['committed', []])
      } finally {
        await other.close()
      }
    })
  })
}

function lookedOnly(who: string): void {
  describe(`${who}: a command that looks at a repository`, () => {
    const { git, write, run } = personRepository()
    it.each([
      ['git status --short'],
      ['git diff'],
      ['git describe --always --dirty'],
      ['git log --oneline'],
      ['git blame a'],
      ['git fsck'],
      ['git stash list'],
      ['git submodule status'],
    ])('a command that reads a repository prints the same as in a plain shell: %s', async (script) => {
      write('b', 'b\n')
      git('add', 'b')
      write('b', 'changed\n')
      const [, ...args] = script.split(' ')
      const { exitCode, stdout, stderr, evidence } = await run(script)
      expect([exitCode, stdout, evidence]).toEqual([0, git(...args), []])
      expect(stderr).not.toContain('ead-only')
    })
  })
}
