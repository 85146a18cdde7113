import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asInHead } from '../../../src/host/git/head-blobs.js'

let tree: string
beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-head-')))
  git('init', '-q', '-b', 'main')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: tree,
    env: { PATH: '/usr/bin:/bin', HOME: tree },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
const write = (name: string, text: string): void => writeFileSync(join(tree, name), text)
function commit(...names: readonly string[]): void {
  git('add', '-f', ...names)
  git('commit', '-qm', 'x')
}
const isTracked = (name = '.env'): boolean => asInHead([join(tree, name)], tree).length === 1

describe('a file that HEAD has', () => {
  it('counts as tracked while its bytes are those of the commit', () => {
    write('.env', 'A=1\n')
    commit('.env')
    expect(isTracked()).toBe(true)
    write('.env', 'A=2\n')
    expect(isTracked()).toBe(false)
    git('checkout', '-q', '.env')
    expect(isTracked()).toBe(true)
  })

  it('is found among others that are asked about at once', () => {
    mkdirSync(join(tree, 'a b'))
    write('.env', 'A=1\n')
    write('a b/.env', 'B=1\n')
    write('c', 'C\n')
    commit('.env', 'a b/.env')
    write('.env', 'A=2\n')
    const paths = ['missing', '.env', 'a b/.env', 'line\nbreak', 'c'].map((name) => join(tree, name))
    expect(asInHead(paths, tree)).toEqual([join(tree, 'a b/.env')])
  })

  it('counts as tracked when it is a copy of its example', () => {
    write('.env.example', 'A=\n')
    commit('.env.example')
    write('.env', 'A=\n')
    expect(isTracked()).toBe(true)
    write('.env', 'A=secret\n')
    expect(isTracked()).toBe(false)
  })

  it('is found in packs, with a detached HEAD, in a linked worktree and in a repository of SHA-256', () => {
    write('.env', 'A=1\n')
    commit('.env')
    git('gc', '-q')
    expect(isTracked()).toBe(true)
    git('worktree', 'add', '-q', 'linked')
    expect(asInHead([join(tree, 'linked/.env')], join(tree, 'linked'))).toHaveLength(1)
    git('checkout', '-q', '--detach')
    expect(isTracked()).toBe(true)
    rmSync(join(tree, '.git'), { recursive: true })
    git('init', '-q', '--object-format=sha256')
    commit('.env')
    expect(isTracked()).toBe(true)
  })
})

describe('a file that a command says is tracked', () => {
  it('is not when only the index names it', () => {
    write('a', 'a\n')
    commit('a')
    write('.env', 'A=secret\n')
    const other = git('hash-object', '-w', 'a').trim()
    git('update-index', '--add', '--cacheinfo', `100644,${other},.env`)
    expect(isTracked()).toBe(false)
    git('commit', '-qm', 'forged')
    expect(isTracked()).toBe(false)
  })

  it('is not with a git replacement, a pipe or a configuration, and runs and waits for no process', () => {
    write('.env', 'A=secret\n')
    write('a', 'a\n')
    commit('a')
    const marker = join(tree, 'marker')
    git('config', 'core.fsmonitor', `touch ${marker}`)
    git('config', 'core.alternateRefsCommand', `touch ${marker}`)
    expect(isTracked()).toBe(false)
    const begun = Date.now()
    for (const place of ['objects/pack/x.idx', 'objects/info/alternates'])
      execFileSync('mkfifo', [join(tree, '.git', place)])
    write('.env', 'A=secret 2\n')
    git('symbolic-ref', 'HEAD', 'refs/heads/other')
    expect(isTracked()).toBe(false)
    rmSync(join(tree, '.git/HEAD'))
    execFileSync('mkfifo', [join(tree, '.git/HEAD')])
    expect(isTracked()).toBe(false)
    expect(Date.now() - begun).toBeLessThan(5_000)
  })

  it('is not where there is no repository, no commit, or no such file', () => {
    expect(isTracked()).toBe(false)
    write('.env', '')
    expect(isTracked()).toBe(false)
    mkdirSync(join(tree, 'plain'))
    writeFileSync(join(tree, 'plain/.env'), '')
    expect(asInHead([join(tree, 'plain/.env')], join(tree, 'plain'))).toEqual([])
  })
})
