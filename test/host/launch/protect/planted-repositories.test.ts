import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { pathsOf, sandboxAround } from '../../../contract/launcher-plan.js'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const sandboxed = sandboxedWorkspace()
let top: string
let workspace: string
let evidence: string[]
beforeEach(() => {
  top = sandboxed.top
  workspace = sandboxed.workspace
  evidence = []
})

const profile = pathsOf({ protected: ['.git/hooks', '.git/config'] })
const AS = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL'].map(
  (name) => `${name}=t`,
)
const IDENTITY = `export ${AS.join(' ')}`

async function run(script: string): Promise<number> {
  const seen = await sandboxed.run(`${IDENTITY}; ${script}`, { sandbox: sandboxAround(workspace, profile, top) })
  evidence.push(...seen.evidence)
  return seen.status
}

/** Runs git on the host as the person, without concurrent commands. */
function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: '/usr/bin:/bin', HOME: top, GIT_CONFIG_NOSYSTEM: '1' },
  })
}

/** Runs git in the workspace as a person does. A program that git runs leaves a file. */
function hasRun(): boolean {
  try {
    git(workspace, 'status')
  } catch {
    // No repository, or a broken one.
  }
  return existsSync(`${top}/ran`)
}

/** Returns a configuration that makes git run a program at once. */
const evil = (): string =>
  `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tfsmonitor = "touch ${top}/ran; false"\\n'`

function repository(): void {
  git(workspace, 'init', '-q')
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first')
}

function withSubmodule(): void {
  execFileSync('mkdir', [`${workspace}/other`])
  git(`${workspace}/other`, 'init', '-q')
  git(`${workspace}/other`, 'commit', '-q', '--allow-empty', '-m', 'other')
  repository()
  git(workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `${workspace}/other`, 'sub')
  git(workspace, 'commit', '-qm', 'second')
}

describe('a person who looks at the workspace with git runs nothing that a command left there', () => {
  it.each([
    ['another directory for all that is shared', `cp -r .git evil; EVIL > evil/config; echo ../evil > .git/commondir`],
    ['a configuration for this worktree alone', `EVIL > .git/config.worktree`],
    ['a repository instead of a tree', `rm .git/HEAD; git init -q --bare b; mv b/* .; EVIL > config`],
    [
      'a repository inside, in the index',
      `git init -q a; (cd a; git commit -q --allow-empty -m x); git add a; EVIL > a/.git/config`,
    ],
    [
      'one inside that, in its index',
      `git init -q a; (cd a; git init -q b; cd b; git commit -q --allow-empty -m x; cd ..; git add b; git commit -qm y); git add a; EVIL > a/b/.git/config`,
    ],
    [
      'one with hooks in place of a configuration',
      `git init -q a; (cd a; git commit -q --allow-empty -m x); git add a; EVIL > x; echo ../../x > a/.git/commondir`,
    ],
    [
      'one whose index is kept in two files',
      `git init -q a; (cd a; git commit -q --allow-empty -m x); git add a; git update-index --split-index; EVIL > a/.git/config`,
    ],
    [
      'one whose index is of the fourth form',
      `git init -q a; (cd a; git commit -q --allow-empty -m x); git add a; git update-index --index-version 4; EVIL > a/.git/config`,
    ],
  ])('%s', async (_what, script) => {
    repository()
    await run(script.replaceAll('EVIL', evil()))
    expect(hasRun()).toBe(false)
    expect(evidence.join()).toContain('is protected')
  })

  it.each([
    ['a file in place of .git', `git init -q a; mv a/.git gd; EVIL > gd/config; echo 'gitdir: gd' > .git`],
    ['a link in place of .git', `git init -q a; mv a/.git gd; EVIL > gd/config; ln -s gd .git`],
    ['a repository instead of a tree, where there was none', `git init -q --bare b; mv b/* .; EVIL > config`],
  ])('%s', async (_what, script) => {
    await run(script.replaceAll('EVIL', evil()))
    expect(hasRun()).toBe(false)
    expect(evidence.join()).toContain('is protected')
  })

  it.each([
    ['another repository of a submodule', `mv sub/.git sub/x; cp -r .git/modules/sub sub/.git; EVIL > sub/.git/config`],
    [
      'another directory for what a submodule shares',
      `cp -r .git/modules/sub evil; EVIL > evil/config; echo ../../../evil > .git/modules/sub/commondir`,
    ],
    ['another tree above a submodule', `mv sub x; mkdir sub; cp -r .git/modules/sub sub/.git; EVIL > sub/.git/config`],
  ])('%s', async (_what, script) => {
    withSubmodule()
    await run(script.replaceAll('EVIL', evil()))
    expect(hasRun()).toBe(false)
    expect(git(`${workspace}/sub`, 'log', '--format=%s')).toBe('other\n')
  })

  it.each([
    ['hooks that its configuration keeps in the tree', '[core]\n\thooksPath = .husky/_', '.husky/_/post-commit'],
    ['the same, quoted and on one line', '[Core] HOOKSPATH = "./my hooks" ; ours', 'my hooks/post-commit'],
    ['a configuration in the tree that it includes', '[include]\n\tpath = ../.gitconfig', '.gitconfig'],
    ['one that it includes here and there', '[includeIf "gitdir:/"]\n\tpath = ../team/config', 'team/config'],
    ['one that is included by what it includes', `[include]\n\tpath = TOP/outside`, 'more/config'],
  ])('%s', async (_what, setting, file) => {
    repository()
    appendFileSync(`${workspace}/.git/config`, setting.replace('TOP', top))
    writeFileSync(`${top}/outside`, `[include]\n\tpath = ${workspace}/more/config\n`)
    const planted = file.endsWith('commit') ? `printf '#!/bin/sh\\ntouch ${top}/ran\\n'` : evil()
    await run(`mkdir -p "${dirname(file)}"; ${planted} > "${file}"; chmod +x "${file}"`)
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'second')
    expect(hasRun()).toBe(false)
    expect(evidence.join()).toContain('is protected')
  })

  it('existing hooks in the tree stay unchanged', async () => {
    repository()
    mkdirSync(`${workspace}/hooks`)
    writeFileSync(`${workspace}/hooks/post-commit`, '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(`${top}/.gitconfig`, '[core]\n\thooksPath = hooks\n')
    expect(await run(`echo 'touch ${top}/ran' >> hooks/post-commit`)).not.toBe(0)
    expect(await run(`mv hooks others`)).not.toBe(0)
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'second')
    expect(hasRun()).toBe(false)
  })

  it('a configuration of another worktree of the same repository stays unchanged', async () => {
    repository()
    git(workspace, 'worktree', 'add', '-q', `${top}/tree`)
    await run(`cp -r .git evil; ${evil()} > evil/config; echo ../../../evil > .git/worktrees/tree/commondir`)
    git(`${top}/tree`, 'status')
    expect(existsSync(`${top}/ran`)).toBe(false)
  })
})

describe('what a command may do with repositories', () => {
  it('a command may create repositories that run nothing, also inside others', async () => {
    repository()
    const nested = 'git init -q a && (cd a && git commit -q --allow-empty -m x) && git add a && git commit -qm nested'
    expect(await run(`${nested} && git init -q b && git -C b status`)).toBe(0)
    expect(evidence).toEqual([])
    expect(git(`${workspace}/a`, 'log', '--format=%s')).toBe('x\n')
    expect(git(workspace, 'log', '-1', '--format=%s')).toBe('nested\n')
  })

  it('a command may work in submodules and fetch missing ones', async () => {
    withSubmodule()
    rmSync(`${workspace}/.git/modules`, { recursive: true })
    rmSync(`${workspace}/sub/.git`)
    expect(await run('git -c protocol.file.allow=always submodule --quiet update')).toBe(0)
    expect(evidence).toEqual([])
    expect(git(`${workspace}/sub`, 'log', '--format=%s')).toBe('other\n')
    expect(await run('cd sub && git commit -q --allow-empty -m more && cd .. && git commit -qam moved')).toBe(0)
    expect(git(workspace, 'log', '-1', '--format=%s')).toBe('moved\n')
  })

  it('an index that names a repository elsewhere does not remove it', async () => {
    repository()
    git(top, 'init', '-q', 'other')
    git(`${top}/other`, 'config', 'alias.x', '!true')
    symlinkSync('..', `${workspace}/link`)
    writeFileSync(
      `${workspace}/attack.pl`,
      `sub entry { my $e = pack('N10', (0) x 6, 0160000, 0, 0, 0) . 'x' x 20 . pack('n', length $_[0]) . $_[0]; $e . "\\0" x (8 - length($e) % 8) }
       my @names = ('${top}/other', '../other', 'link/other', './../other', 'link/../../other');
       open(my $index, '>', '.git/index') or die; print $index 'DIRC', pack('NN', 2, scalar @names), map(entry($_), @names), "\\0" x 20`,
    )
    expect(await run('perl attack.pl')).toBe(0)
    expect([existsSync(`${top}/other/.git/HEAD`), evidence]).toEqual([true, []])
  })

  it("a command cannot change a person's repositories with any configuration", async () => {
    repository()
    git(workspace, 'init', '-q', 'a')
    git(`${workspace}/a`, 'commit', '-q', '--allow-empty', '-m', 'x')
    git(workspace, 'add', 'a')
    writeFileSync(
      `${workspace}/a/.git/config`,
      `${readFileSync(`${workspace}/a/.git/config`)}\n[core]\n\tpager = mine\n`,
    )
    expect(await run(`${evil()} > a/.git/config`)).not.toBe(0)
    expect(await run('touch a/file && git -C a add file')).toBe(0)
    expect(readFileSync(`${workspace}/a/.git/config`, 'utf8')).toContain('pager = mine')
    expect(lstatSync(`${workspace}/a/.git`).isDirectory()).toBe(true)
    expect(hasRun()).toBe(false)
  })
})
