import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'

/** Tests git and common tools in a workspace with hidden files. */
export function hiddenFilesInGit(who: string): void {
  let top: string
  let workspace: string
  let cordon: Cordon
  const env = (): NodeJS.ProcessEnv => ({ PATH: '/usr/bin:/bin', HOME: `${top}/home`, GIT_CONFIG_NOSYSTEM: '1' })
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: workspace, env: env(), stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  beforeEach(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-hidden-')))
    workspace = join(top, 'workspace')
    for (const name of ['workspace', 'home', 'state']) mkdirSync(join(top, name))
    git('init', '-q', '-b', 'main')
    git('config', 'user.name', 't')
    git('config', 'user.email', 't@t')
    writeFileSync(join(workspace, 'a'), 'a\n')
    git('add', '-A')
    git('commit', '-qm', 'first')
    writeFileSync(join(workspace, '.env'), 'SECRET=1\n')
    cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env: env() })
  })
  afterEach(async () => {
    await cordon.close()
    await removeTree(top)
  })

  describe(`${who}: git with an untracked hidden file`, () => {
    it.each([
      'git status --short',
      'echo b >> a && git add -A && git commit -qm b',
      'echo b >> a && git stash -qu && git stash pop -q',
      'git clean -n',
      'git diff && git log --oneline',
    ])('git with an untracked hidden file works and never commits it: %s', async (script) => {
      const { exitCode, stderr } = await cordon.run(script)
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(git('log', '--all', '--name-only', '--format=')).not.toContain('.env')
      expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('SECRET=1\n')
    })

    it.each([
      ['cp -r . ../copy', 'cp: cannot open'],
      ['grep -r SECRET .', 'Permission denied'],
      ['tar cf ../x.tar .', 'Permission denied'],
    ])(
      'a hidden file is refused to tools that read all files, and never looks empty: %s',
      async (script, complaint) => {
        const { exitCode, stdout, stderr } = await cordon.run(script.replaceAll('../', '/tmp/'))
        expect([exitCode === 0, stdout.includes('SECRET'), stderr.includes(complaint)]).toEqual([false, false, true])
      },
    )
  })

  describe(`${who}: a hidden file that HEAD has`, () => {
    it('a hidden file that HEAD has is readable while its bytes are those of the commit', async () => {
      git('add', '-f', '.env')
      git('commit', '-qm', 'env')
      const { exitCode, stdout } = await cordon.run('cat .env && echo b >> a && git add -A && git commit -qm b')
      expect([exitCode, stdout]).toEqual([0, 'SECRET=1\n'])
      expect(git('show', 'HEAD:.env')).toBe('SECRET=1\n')
      writeFileSync(join(workspace, '.env'), 'SECRET=2\n')
      await expect(cordon.run('cat .env')).rejects.toThrow(/hides \.env/)
    })

    it('a hidden file stays hidden if a command adds its name to the index and a commit', async () => {
      const forge = 'git update-index --add --cacheinfo 100644,$(git hash-object -w a),.env && git commit -qm forged'
      expect((await cordon.run(forge)).exitCode).toBe(0)
      const { stdout, stderr } = await cordon.run(`perl -e 'open F, ".e"."nv"; print <F> // $!'`)
      expect([stdout.includes('SECRET'), stderr.includes('SECRET')]).toEqual([false, false])
    })
  })

  describe(`${who}: a hidden file further down in the workspace`, () => {
    const put = (path: string, text: string): void => {
      mkdirSync(join(workspace, path, '..'), { recursive: true })
      writeFileSync(join(workspace, path), text)
    }
    const READ = `perl -MFile::Find -e 'find(sub { /^.e(nv)$/ && open(F, $_) && print <F> }, ".")'`

    it('a nested hidden file cannot be read, moved with its directory or linked, by two commands', async () => {
      put('packages/a/.env', 'SECRET=2\n')
      put('packages/a/deep/er/.env.local', 'SECRET=3\n')
      const attacks = [
        READ,
        `perl -e 'link glob("packages/a/.en*"), "x"; rename "packages", "other"; rename "packages/a", "b"'; ${READ}`,
        `perl -e 'chmod 0777, glob "packages/a/.en*"; open F, glob "packages/*/*/*/.e*" or exit; print <F>'; ${READ}`,
      ]
      for (const script of attacks) {
        const { stdout, stderr } = await cordon.run(script)
        expect([script, stdout.includes('SECRET'), stderr.includes('SECRET')]).toEqual([script, false, false])
      }
      expect(readFileSync(join(workspace, 'packages/a/.env'), 'utf8')).toBe('SECRET=2\n')
    })

    it('a hidden file created between two commands is hidden from the second', async () => {
      put('packages/a/x', '')
      expect((await cordon.run(READ)).stdout).toBe('')
      put('packages/a/.env', 'SECRET=2\n')
      expect((await cordon.run(READ)).stdout).toBe('')
    })

    it('a hidden file that HEAD has is readable while its bytes are those of the commit', async () => {
      put('packages/a/.env', 'SECRET=2\n')
      git('add', '-f', 'packages/a/.env')
      git('commit', '-qm', 'env')
      expect((await cordon.run('cat packages/a/.env')).stdout).toBe('SECRET=2\n')
      put('packages/a/.env', 'SECRET=4\n')
      expect((await cordon.run(READ)).stdout).toBe('')
    })

    it('with more hidden files than the sandbox can hide, every command is refused', async () => {
      for (let n = 0; n < 130; n++) put(`p/${n}/.env`, 'SECRET=2\n')
      await expect(cordon.run(READ)).rejects.toThrow(/hides 131 files .* at most 128/)
    })
  })
}
