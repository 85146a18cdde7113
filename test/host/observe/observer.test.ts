import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Observer } from '../../../src/engine/ports/ports.js'
import { createObserver } from '../../../src/host/observe/observer.js'
import { pathsOf, plainProfile, removeDirectory, temporaryDirectory } from '../../contract/launcher-plan.js'

let top: string
let workspace: string
let observer: Observer
beforeEach(() => {
  top = realpathSync(temporaryDirectory())
  workspace = join(top, 'work')
  mkdirSync(join(workspace, 'sub'), { recursive: true })
  mkdirSync(join(top, 'home/.ssh'), { recursive: true })
  observer = createObserver({
    workspace,
    home: join(top, 'home'),
    env: { PATH: '/usr/bin:/bin', SECRET: 'x', LANG: 'C' },
  })
})
afterEach(() => removeDirectory(top))

const errorOf = (act: () => unknown): CordonError => {
  try {
    act()
  } catch (error) {
    if (error instanceof CordonError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
const realOf = (path: string) => observer.answer([{ ask: 'path', path }]).paths.get(path)

describe('the working directory', () => {
  it('is the workspace when none is named, and is resolved through links', () => {
    symlinkSync('sub', join(workspace, 'link'))
    expect(observer.directory(null, plainProfile)).toBe(workspace)
    expect(observer.directory('link/.', plainProfile)).toBe(join(workspace, 'sub'))
  })

  it('has a clear error of its own for each way of being wrong', () => {
    writeFileSync(join(workspace, 'file'), '')
    symlinkSync('/etc', join(workspace, 'out'))
    const errors = ['missing', 'file', '../../../etc', 'out', 'a\0b'].map((cwd) =>
      errorOf(() => observer.directory(cwd, plainProfile)),
    )
    expect(errors.map(({ code }) => code)).toEqual([
      'DIRECTORY_NOT_FOUND',
      'NOT_A_DIRECTORY',
      'PATH_NOT_ALLOWED',
      'PATH_NOT_ALLOWED',
      'INVALID_ARGUMENTS',
    ])
    const [missing, file, outside, link] = errors.map(({ message }) => message)
    expect(missing).toMatch(/does not exist .*Create it first/)
    expect(file).toMatch(/not a directory but a file/)
    expect(outside).toMatch(/lies outside the allowed roots/)
    expect(link).toContain(`the symbolic link ${join(workspace, 'out')}, which leads to /etc`)
  })

  it('goes where the kernel goes: up from the target of a link, not from the link', () => {
    mkdirSync(join(top, 'elsewhere/deep'), { recursive: true })
    symlinkSync(join(top, 'elsewhere/deep'), join(workspace, 'link'))
    expect(errorOf(() => observer.directory('link/..', plainProfile)).code).toBe('PATH_NOT_ALLOWED')
  })

  it('does not tell what exists outside the roots', () => {
    const [there, notThere] = ['/etc', '/no-such-directory'].map((cwd) =>
      errorOf(() => observer.directory(cwd, plainProfile)),
    )
    expect(there?.message.replace('/etc', 'X')).toBe(notThere?.message.replace('/no-such-directory', 'X'))
  })

  it('is not fooled by a root that is only the beginning of another name', () => {
    mkdirSync(join(top, 'work-secret'))
    expect(errorOf(() => observer.directory('../work-secret', plainProfile)).code).toBe('PATH_NOT_ALLOWED')
  })
})

describe('where a path really is', () => {
  it('follows a dangling link to where a write would land', () => {
    symlinkSync('/etc/not-there-yet', join(workspace, 'dangling'))
    expect(realOf(join(workspace, 'dangling'))).toEqual({ real: '/etc/not-there-yet', kind: 'missing' })
    expect(realOf(join(workspace, 'dangling/below/it'))?.real).toBe('/etc/not-there-yet/below/it')
  })

  it('resolves the part that exists and appends the rest', () => {
    symlinkSync('sub', join(workspace, 'link'))
    expect(realOf(join(workspace, 'link/new/file'))).toEqual({ real: join(workspace, 'sub/new/file'), kind: 'missing' })
  })

  it('gives up on a ring of links without hanging', () => {
    symlinkSync('b', join(workspace, 'a'))
    symlinkSync('a', join(workspace, 'b'))
    expect(realOf(join(workspace, 'a/x'))?.kind).toBe('other')
  })

  it('tells files, directories and the rest apart', () => {
    writeFileSync(join(workspace, 'file'), '')
    const kinds = [join(workspace, 'file'), workspace, '/dev/null', join(workspace, 'none')].map(
      (path) => realOf(path)?.kind,
    )
    expect(kinds).toEqual(['file', 'directory', 'other', 'missing'])
  })
})

describe('programs and scripts', () => {
  it('finds a program on the path, and none where there is none', () => {
    writeFileSync(join(workspace, 'data'), '')
    const { programs } = observer.answer(['ls', 'no-such-program', './data'].map((name) => ({ ask: 'program', name })))
    expect(programs.get('ls')).toBe(realpathSync('/usr/bin/ls'))
    expect([programs.get('no-such-program'), programs.get('./data')]).toEqual([null, null])
  })

  it('reads a small text file and nothing else', () => {
    writeFileSync(join(workspace, 'ok.sh'), 'echo é\n')
    writeFileSync(join(workspace, 'binary'), Buffer.from([0x65, 0, 0x65]))
    writeFileSync(join(workspace, 'latin'), Buffer.from([0xe9, 0x0a]))
    writeFileSync(join(workspace, 'large'), 'x'.repeat(256 * 1024 + 1))
    execFileSync('mkfifo', [join(workspace, 'pipe')])
    const names = ['ok.sh', 'binary', 'latin', 'large', 'pipe', 'sub', 'none', '/dev/zero']
    const { scripts } = observer.answer(names.map((path) => ({ ask: 'script', path })))
    expect(names.map((name) => scripts.get(name))).toEqual(['echo é\n', null, null, null, null, null, null, null])
  })
})

describe('the surroundings of a plan', () => {
  it('pass on the variables a profile lists and no others', () => {
    expect(observer.surroundings(plainProfile).env).toEqual([
      ['PATH', '/usr/bin:/bin'],
      ['LANG', 'C'],
    ])
  })

  it('expand home, globs and symlinks to existing real paths', () => {
    mkdirSync(join(workspace, 'deep/er'), { recursive: true })
    for (const file of ['.env', '.env.local', 'deep/er/key.pem', 'README']) writeFileSync(join(workspace, file), '')
    symlinkSync(join(top, 'home/.ssh'), join(workspace, 'keys'))
    const hidden = ['~/.ssh', '~/.aws', '.env*', '**/*.pem', 'keys']
    expect(observer.surroundings(pathsOf({ hidden })).hidden.toSorted()).toEqual(
      [
        [join(top, 'home/.ssh'), 'directory'],
        [join(workspace, '.env'), 'file'],
        [join(workspace, '.env.local'), 'file'],
        [join(workspace, 'deep/er/key.pem'), 'file'],
      ].toSorted(),
    )
  })

  it('list missing protected paths in every root', () => {
    mkdirSync(join(workspace, '.git'))
    writeFileSync(join(workspace, '.git/config'), '')
    const seen = observer.surroundings(pathsOf({ roots: ['.', join(top, 'home')], protected: ['.git/config'] }))
    const git = ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `.git/${name}`)
    const home = ['.git', ...git, 'HEAD'].map((name) => join(top, 'home', name))
    const own = [...git, 'HEAD'].map((name) => join(workspace, name))
    expect(seen.protected.toSorted()).toEqual([...own, ...home].toSorted())
    expect(seen.absent?.toSorted()).toEqual(
      [...own, ...home].filter((path) => path !== join(workspace, '.git/config')).toSorted(),
    )
  })

  it('leave git alone in a profile that protects nothing of it', () => {
    mkdirSync(join(workspace, '.git'))
    expect(observer.surroundings(pathsOf({ protected: ['x'] })).protected).toEqual([join(workspace, 'x')])
  })

  it('refuses a workspace that is not a directory at once', () => {
    expect(errorOf(() => createObserver({ workspace: join(top, 'nope'), home: '/', env: {} })).code).toBe(
      'DIRECTORY_NOT_FOUND',
    )
  })
})

describe('git worktrees', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
      cwd,
      stdio: 'pipe',
      env: { PATH: '/usr/bin:/bin', HOME: top },
    })

  it('keep their common directory writable, its hooks and configuration protected', () => {
    const main = join(top, 'main')
    mkdirSync(main)
    git(main, 'init')
    git(main, 'commit', '--allow-empty', '-m', 'first')
    git(main, 'worktree', 'add', join(top, 'tree'))
    const seen = createObserver({ workspace: join(top, 'tree'), home: top, env: {} }).surroundings(plainProfile)
    expect(seen.writable).toEqual([join(main, '.git')])
    expect(seen.protected).toEqual(
      expect.arrayContaining([join(main, '.git/hooks'), join(main, '.git/config'), join(top, 'tree/.git')]),
    )
  })

  it('cannot be forged: a .git file that points anywhere makes nothing writable', () => {
    mkdirSync(join(top, 'home/worktrees/x'), { recursive: true })
    writeFileSync(join(workspace, '.git'), `gitdir: ${join(top, 'home/worktrees/x')}\n`)
    expect(observer.surroundings(plainProfile).writable).toEqual([])
    writeFileSync(join(top, 'home/worktrees/x/gitdir'), '/somewhere/else/.git\n')
    writeFileSync(join(top, 'home/worktrees/x/commondir'), '../..\n')
    expect(observer.surroundings(plainProfile).writable).toEqual([])
  })
})

it('a program without leave to be executed is not found', () => {
  writeFileSync(join(workspace, 'tool'), '#!/bin/sh\n')
  chmodSync(join(workspace, 'tool'), 0o755)
  const before = observer.answer([{ ask: 'program', name: './tool' }]).programs.get('./tool')
  chmodSync(join(workspace, 'tool'), 0o644)
  const after = observer.answer([{ ask: 'program', name: './tool' }]).programs.get('./tool')
  expect([before, after]).toEqual([join(workspace, 'tool'), null])
})
