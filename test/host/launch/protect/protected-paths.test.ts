import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { pathsOf } from '../../../contract/launcher-plan.js'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const sandboxed = sandboxedWorkspace()
let workspace: string
let evidence: string[]
beforeEach(() => {
  workspace = sandboxed.workspace
  evidence = []
})

const profile = pathsOf({ protected: ['.git/hooks', '.git/config', 'cordon.toml', '.claude/settings.json'] })
const run = async (script: string) => {
  const seen = await sandboxed.run(script, { profileOf: profile })
  evidence.push(...seen.evidence)
  return seen
}
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: workspace, stdio: 'pipe', env: { PATH: '/usr/bin:/bin', HOME: workspace } })

describe('protected paths that exist', () => {
  beforeEach(() => {
    mkdirSync(`${workspace}/.git/hooks`, { recursive: true })
    writeFileSync(`${workspace}/.git/config`, 'mine')
    writeFileSync(`${workspace}/cordon.toml`, 'mine')
  })

  it.each([
    ['written', 'echo x > cordon.toml'],
    ['appended to', 'echo x >> .git/config'],
    ['removed', 'rm -f cordon.toml'],
    ['renamed', 'mv cordon.toml x'],
    ['replaced by a rename', 'echo x > y; mv -f y cordon.toml'],
    ['replaced by way of their directory', 'mv .git x && mkdir -p .git/hooks'],
    ['added to', 'touch .git/hooks/pre-commit'],
    ['made writable', 'chmod 777 cordon.toml'],
    ['linked over', 'ln -sf /etc/passwd cordon.toml'],
    ['hard linked and written', 'ln cordon.toml y && echo x > y'],
    ['written through /proc', 'echo x > /proc/self/cwd/cordon.toml'],
    ['truncated', 'truncate -s 0 cordon.toml'],
    ['unmounted', 'umount .git/config && echo x > .git/config'],
    ['mounted over', 'mount --bind /etc/passwd cordon.toml'],
    ['remounted writable', 'mount -o remount,rw,bind .git/config && echo x > .git/config'],
  ])('a protected path that exists cannot be %s', async (_how, script) => {
    expect((await run(script)).status).not.toBe(0)
    expect(readFileSync(`${workspace}/cordon.toml`, 'utf8')).toBe('mine')
    expect(readFileSync(`${workspace}/.git/config`, 'utf8')).toBe('mine')
    expect(readdirSync(`${workspace}/.git/hooks`)).toEqual([])
    expect(lstatSync(`${workspace}/.git`).isDirectory()).toBe(true)
  })

  it('a protected path leaves the rest of its directory writable', async () => {
    expect((await run('touch .git/index && touch file')).status).toBe(0)
    expect(existsSync(`${workspace}/.git/index`)).toBe(true)
  })
})

describe('protected paths that do not exist yet', () => {
  it.each([
    ['a file', 'echo evil > cordon.toml'],
    ['a link', 'ln -s /etc/passwd cordon.toml'],
    ['a directory', 'mkdir cordon.toml && touch cordon.toml/x'],
    ['by a daemon at the last moment', '(setsid bash -c "while :; do echo x > cordon.toml; done" &) ; sleep 0.1'],
  ])('a missing protected path cannot be created as %s', async (_how, script) => {
    await run(script)
    expect(existsSync(`${workspace}/cordon.toml`)).toBe(false)
    expect(evidence.join()).toContain(`write: ${workspace}/cordon.toml is protected`)
  })

  it('a created protected path is moved away while the command still runs', async () => {
    const wait = 'for i in {1..1000}; do [[ -e cordon.toml ]] || exit 0; sleep 0.02; done; exit 1'
    expect((await run(`echo evil > cordon.toml; ${wait}`)).status).toBe(0)
    expect(evidence.join()).toContain(`write: ${workspace}/cordon.toml is protected`)
  }, 60_000)

  it('a missing protected path cannot be created in a new directory', async () => {
    await run(
      'mkdir -p .git/hooks && echo "#!/bin/sh" > .git/hooks/pre-commit && printf "[core]\\n\\tfsmonitor = evil\\n" > .git/config',
    )
    expect([existsSync(`${workspace}/.git/hooks`), existsSync(`${workspace}/.git/config`)]).toEqual([false, false])
  })

  it('a missing protected path cannot be created through a symlink, whose target stays', async () => {
    mkdirSync(`${workspace}/elsewhere`)
    writeFileSync(`${workspace}/elsewhere/settings.json`, '{}')
    await run('ln -s elsewhere .claude')
    expect(existsSync(`${workspace}/.claude`)).toBe(false)
    expect(readFileSync(`${workspace}/elsewhere/settings.json`, 'utf8')).toBe('{}')
  })

  it('a missing protected path leaves no stub on the host or inside', async () => {
    expect((await run('ls -A; touch made')).stdout).toBe('')
    expect(readdirSync(workspace)).toEqual(['made'])
  })

  it('missing protected paths allow git init and a first commit', async () => {
    const commit = 'git -c user.name=t -c user.email=t@t commit -qm first'
    expect((await run(`git init -q && echo a > a && git add . && ${commit} && git status --short`)).status).toBe(0)
    expect(git('log', '--format=%s').toString()).toBe('first\n')
    expect(evidence).toEqual([])
  })
})

describe('protected paths with other names', () => {
  it.each([
    ['cordon.toml', 'notes/copy'],
    ['.git/config', 'copy'],
    ['.git/hooks/pre-commit', 'src/deep/down/hook'],
  ])('a protected file cannot be changed by an earlier hard link: %s', async (file, twin) => {
    for (const directory of ['.git/hooks', 'notes', 'src/deep/down'])
      mkdirSync(`${workspace}/${directory}`, { recursive: true })
    writeFileSync(`${workspace}/${file}`, 'mine')
    linkSync(`${workspace}/${file}`, `${workspace}/${twin}`)
    const { stderr } = await run(
      `echo evil > ${twin}; echo evil >> ${twin}; rm -f ${twin}; mv ${twin} x; mv ${dirname(`./${twin}`)}/ y; f=$(find . -samefile ${file} ! -path ./${file}); echo evil > $f; true`,
    )
    expect(stderr).toMatch(/Read-only file system/)
    expect(readFileSync(`${workspace}/${file}`, 'utf8')).toBe('mine')
  })

  it('a hidden file cannot be read by an earlier hard link', async () => {
    writeFileSync(`${workspace}/.env`, 'the secret')
    mkdirSync(`${workspace}/backup`)
    linkSync(`${workspace}/.env`, `${workspace}/backup/settings`)
    const script = 'cat .env backup/settings; grep -r secret .; mv backup x; cat x/settings'
    expect((await sandboxed.run(script, { profileOf: pathsOf({ hidden: ['.env'] }) })).stdout).toBe('')
    expect(readFileSync(`${workspace}/x/settings`, 'utf8')).toBe('the secret')
  })

  it.each([
    ['replaced by a directory', 'rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit'],
    ['replaced by another link', 'mkdir evil; touch evil/pre-commit; ln -sfn ../evil .git/hooks'],
    ['removed', 'rm .git/hooks'],
    ['renamed', 'mv .git/hooks .git/x'],
    ['taken away with their directory', 'mv .git x; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
  ])('a symlink to a protected path stays the same if it is %s', async (_how, script) => {
    mkdirSync(`${workspace}/.git`)
    mkdirSync(`${workspace}/shared`)
    writeFileSync(`${workspace}/shared/pre-commit`, 'mine')
    symlinkSync('../shared', `${workspace}/.git/hooks`)
    await run(`${script}; echo evil > shared/pre-commit; true`)
    expect(readlinkSync(`${workspace}/.git/hooks`)).toBe('../shared')
    expect(readFileSync(`${workspace}/.git/hooks/pre-commit`, 'utf8')).toBe('mine')
    if (!script.startsWith('mv .git x'))
      expect(evidence.join()).toContain(`write: ${workspace}/.git/hooks is protected`)
  })

  it('a replaced symlink to a protected path is restored while the command still runs', async () => {
    mkdirSync(`${workspace}/.git`)
    mkdirSync(`${workspace}/shared`)
    symlinkSync('../shared', `${workspace}/.git/hooks`)
    const wait = 'for i in {1..1000}; do [[ -L .git/hooks ]] && exit 0; sleep 0.02; done; exit 1'
    expect((await run(`rm .git/hooks; mkdir .git/hooks; ${wait}`)).status).toBe(0)
  }, 60_000)

  it('a symlink on the way to a protected path is restored too', async () => {
    mkdirSync(`${workspace}/dotfiles`)
    writeFileSync(`${workspace}/dotfiles/settings.json`, 'mine')
    symlinkSync('dotfiles', `${workspace}/.claude`)
    await run('rm .claude; mkdir .claude; echo evil > .claude/settings.json; echo evil > dotfiles/settings.json')
    expect(readlinkSync(`${workspace}/.claude`)).toBe('dotfiles')
    expect(readFileSync(`${workspace}/.claude/settings.json`, 'utf8')).toBe('mine')
  })
})
