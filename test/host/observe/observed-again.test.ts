import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostContext } from '../../../src/core/model/run/surroundings.js'
import { createObserver } from '../../../src/host/observe/observer.js'
import { ownRegistries } from '../../../src/host/registries/own-registries.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'

let top: string
let workspace: string
let home: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-observed-')))
  ;[workspace, home] = ['workspace', 'home'].map((name) => join(top, name)) as [string, string]
  for (const path of [workspace, `${workspace}/packages/a`, `${home}/.config`, `${home}/real`])
    mkdirSync(path, { recursive: true })
  writeFileSync(`${workspace}/file`, 'x')
  writeFileSync(`${home}/.npmrc`, 'registry=https://one.example/\n')
  git('init', '-q')
  git('add', 'file')
  commit()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(top, { recursive: true, force: true })
})

const git = (...words: readonly string[]): void =>
  void execFileSync('git', words, { cwd: workspace, env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' })
const commit = (): void => git('-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'x')
const inWorkspace = (name: string): string => join(workspace, name)
const inHome = (name: string): string => join(home, name)

const CHANGES: Readonly<Record<string, () => void>> = {
  'a hidden file appears': () => writeFileSync(inWorkspace('.env'), 'A=1'),
  'a hidden file appears further down': () => writeFileSync(inWorkspace('packages/a/.env'), 'A=1'),
  'a directory with a hidden file is moved in': () => {
    mkdirSync(join(top, 'made'))
    writeFileSync(join(top, 'made/.env'), 'A=1')
    renameSync(join(top, 'made'), inWorkspace('packages/b'))
  },
  'a hidden name becomes a symlink': () => symlinkSync('file', inWorkspace('.env')),
  'a hidden directory of the home appears': () => mkdirSync(inHome('.ssh')),
  'a hidden file two directories down appears': () => {
    mkdirSync(inHome('.config/gh'))
    writeFileSync(inHome('.config/gh/hosts.yml'), 'token')
  },
  'a directory of the home becomes a symlink': () => {
    renameSync(inHome('.config'), inHome('real/config'))
    symlinkSync('real/config', inHome('.config'))
  },
  'a protected directory appears': () => mkdirSync(inWorkspace('.vscode')),
  'a protected file becomes a symlink': () => symlinkSync('file', inWorkspace('.mcp.json')),
  'a protected file gets a second name': () => {
    writeFileSync(inWorkspace('cordon.toml'), '')
    linkSync(inWorkspace('cordon.toml'), inWorkspace('packages/other'))
  },
  'a repository names its hooks': () => git('config', 'core.hooksPath', 'own-hooks'),
  'the person names hooks for all repositories': () =>
    writeFileSync(inHome('.gitconfig'), '[core]\n\thooksPath = ~/../workspace/packages\n'),
  'a worktree is added': () => git('worktree', 'add', '-q', '../tree'),
  'the index names another repository': () =>
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},packages/a`),
  'a hidden file is committed': () => {
    writeFileSync(inWorkspace('.env'), 'A=1')
    git('add', '-f', '.env')
    commit()
  },
  'a registry of the person changes': () => writeFileSync(inHome('.npmrc'), 'registry=https://two.example/\n'),
}

type Modules = Pick<typeof import('../../../src/host/observe/observer.js'), 'createObserver'>

function lookingAt(modules: Modules): (profile: string) => HostContext {
  const places = { workspace, home, env: { PATH: process.env.PATH } }
  const profiles = loadProfiles({ ...places, builtinDir: join(import.meta.dirname, '../../../profiles') })
  const observer = modules.createObserver({ ...places, registries: () => ownRegistries(home) })
  return (name) => observer.surroundings(profiles.profileFor(null, name))
}

/** Everything counts as looked at long ago, so that it is kept. */
const muchLater = (): void => void vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })

describe.each(['workspace', 'developer', 'readonly'])(
  'an observer that has looked before, with the profile %s',
  (name) => {
    it.each(Object.entries(CHANGES))('an observer sees as a new one does after a change: %s', async (_, change) => {
      muchLater()
      const look = lookingAt({ createObserver })
      look(name)
      expect(look(name)).toEqual(look(name))
      change()
      vi.resetModules()
      const fresh = lookingAt(await import('../../../src/host/observe/observer.js'))
      expect(look(name)).toEqual(fresh(name))
    })
  },
)

it('an observer reads nothing again while nothing has changed', () => {
  muchLater()
  const look = lookingAt({ createObserver })
  const before = look('workspace')
  expect(look('workspace').hidden).toBe(before.hidden)
  writeFileSync(inWorkspace('.env'), 'A=1')
  expect(look('workspace').hidden).not.toBe(before.hidden)
})

it('an observer looks again at what changed a moment before', () => {
  const look = lookingAt({ createObserver })
  const before = look('workspace')
  expect(look('workspace').hidden).not.toBe(before.hidden)
})
