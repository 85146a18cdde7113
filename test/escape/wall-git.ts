import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AttackedWall } from './attacked-wall.js'

/** Repositories, which lead elsewhere by their own files. */
export function gitAttacks(who: string, wall: AttackedWall): void {
  describe(`${who}: git`, () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd,
        stdio: 'pipe',
        env: { PATH: '/usr/bin:/bin', HOME: wall.top },
      })

    it('a worktree commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${wall.top}/main`)
      git(`${wall.top}/main`, 'init', '-q')
      git(`${wall.top}/main`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(`${wall.top}/main`, 'worktree', 'add', '-q', `${wall.top}/tree`)
      wall.workIn(`${wall.top}/tree`)
      const commit = await wall.run(
        'echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await wall.run(
        `echo x > ${wall.top}/main/.git/hooks/pre-commit; echo x >> ${wall.top}/main/.git/config; echo x > ${wall.top}/main/file; mv ${wall.top}/main/.git ${wall.top}/main/x; git config core.pager evil`,
      )
      expect(existsSync(`${wall.top}/main/.git/hooks/pre-commit`)).toBe(false)
      expect(existsSync(`${wall.top}/main/file`)).toBe(false)
      expect(git(`${wall.top}/main`, 'config', '--get-all', 'core.bare').toString()).toBe('false\n')
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a submodule commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${wall.top}/library`)
      git(`${wall.top}/library`, 'init', '-q')
      git(`${wall.top}/library`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(wall.workspace, 'init', '-q')
      git(
        wall.workspace,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        'add',
        '-q',
        `${wall.top}/library`,
        'vendor/library',
      )
      const module = `${wall.workspace}/.git/modules/vendor/library`
      const before = readFileSync(`${module}/config`, 'utf8')
      const commit = await wall.run(
        'cd vendor/library && echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await wall.run(
        `echo x > ${module}/hooks/pre-commit; echo x >> ${module}/config; mv ${module} x; mv .git/modules x; git -C vendor/library config core.pager evil`,
      )
      expect([readFileSync(`${module}/config`, 'utf8'), existsSync(`${module}/hooks/pre-commit`)]).toEqual([
        before,
        false,
      ])
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a .git file that names another directory makes it neither writable nor trusted', async () => {
      writeFileSync(`${wall.workspace}/.git`, `gitdir: ${wall.top}/outside\n`)
      await wall.run(`echo x > ${wall.top}/outside/secret`)
      expect(readFileSync(`${wall.top}/outside/secret`, 'utf8')).toBe('the secret')
      expect(statSync(`${wall.top}/outside`).isDirectory()).toBe(true)
    })
  })
}
