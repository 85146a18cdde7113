import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AttackedSandbox } from '../../support/attacked-sandbox.js'

/** Attacks repositories whose files lead elsewhere. */
export function gitAttacks(who: string, sandbox: AttackedSandbox): void {
  describe(`${who}: git`, () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd,
        stdio: 'pipe',
        env: { PATH: '/usr/bin:/bin', HOME: sandbox.top },
      })

    it('a worktree commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${sandbox.top}/main`)
      git(`${sandbox.top}/main`, 'init', '-q')
      git(`${sandbox.top}/main`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(`${sandbox.top}/main`, 'worktree', 'add', '-q', `${sandbox.top}/tree`)
      sandbox.workIn(`${sandbox.top}/tree`)
      const commit = await sandbox.run(
        'echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await sandbox.run(
        `echo x > ${sandbox.top}/main/.git/hooks/pre-commit; echo x >> ${sandbox.top}/main/.git/config; echo x > ${sandbox.top}/main/file; mv ${sandbox.top}/main/.git ${sandbox.top}/main/x; git config core.pager evil`,
      )
      expect(existsSync(`${sandbox.top}/main/.git/hooks/pre-commit`)).toBe(false)
      expect(existsSync(`${sandbox.top}/main/file`)).toBe(false)
      expect(git(`${sandbox.top}/main`, 'config', '--get-all', 'core.bare').toString()).toBe('false\n')
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a submodule commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${sandbox.top}/library`)
      git(`${sandbox.top}/library`, 'init', '-q')
      git(`${sandbox.top}/library`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(sandbox.workspace, 'init', '-q')
      git(
        sandbox.workspace,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        'add',
        '-q',
        `${sandbox.top}/library`,
        'vendor/library',
      )
      const module = `${sandbox.workspace}/.git/modules/vendor/library`
      const before = readFileSync(`${module}/config`, 'utf8')
      const commit = await sandbox.run(
        'cd vendor/library && echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await sandbox.run(
        `echo x > ${module}/hooks/pre-commit; echo x >> ${module}/config; mv ${module} x; mv .git/modules x; git -C vendor/library config core.pager evil`,
      )
      expect([readFileSync(`${module}/config`, 'utf8'), existsSync(`${module}/hooks/pre-commit`)]).toEqual([
        before,
        false,
      ])
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a .git file that names another directory makes that neither writable nor trusted', async () => {
      writeFileSync(`${sandbox.workspace}/.git`, `gitdir: ${sandbox.top}/outside\n`)
      await sandbox.run(`echo x > ${sandbox.top}/outside/secret`)
      expect(readFileSync(`${sandbox.top}/outside/secret`, 'utf8')).toBe('the secret')
      expect(statSync(`${sandbox.top}/outside`).isDirectory()).toBe(true)
    })
  })
}
