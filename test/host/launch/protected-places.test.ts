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
import { pathsOf } from '../../contract/launcher-plan.js'
import { walledWorkspace } from '../../contract/walled-workspace.js'

const walled = walledWorkspace()
let workspace: string
let evidence: string[]
beforeEach(() => {
  workspace = walled.workspace
  evidence = []
})

const profile = pathsOf({ protected: ['.git/hooks', '.git/config', 'cordon.toml', '.claude/settings.json'] })
const run = async (script: string) => {
  const seen = await walled.run(script, { profileOf: profile })
  evidence.push(...seen.evidence)
  return seen
}
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: workspace, stdio: 'pipe', env: { PATH: '/usr/bin:/bin', HOME: workspace } })

describe('protected places that exist', () => {
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
  ])('cannot be %s', async (_how, script) => {
    expect((await run(script)).status).not.toBe(0)
    expect(readFileSync(`${workspace}/cordon.toml`, 'utf8')).toBe('mine')
    expect(readFileSync(`${workspace}/.git/config`, 'utf8')).toBe('mine')
    expect(readdirSync(`${workspace}/.git/hooks`)).toEqual([])
    expect(lstatSync(`${workspace}/.git`).isDirectory()).toBe(true)
  })

  it('leave the rest of their directory writable', async () => {
    expect((await run('touch .git/index && touch file')).status).toBe(0)
    expect(existsSync(`${workspace}/.git/index`)).toBe(true)
  })
})

describe('protected places that do not exist yet', () => {
  it.each([
    ['a file', 'echo evil > cordon.toml'],
    ['a link', 'ln -s /etc/passwd cordon.toml'],
    ['a directory', 'mkdir cordon.toml && touch cordon.toml/x'],
    ['by a daemon at the last moment', '(setsid bash -c "while :; do echo x > cordon.toml; done" &) ; sleep 0.1'],
  ])('do not come to exist as %s', async (_how, script) => {
    await run(script)
    expect(existsSync(`${workspace}/cordon.toml`)).toBe(false)
    expect(evidence.join()).toContain(`write: ${workspace}/cordon.toml is protected`)
  })

  it('are taken away while the command still runs, so that nobody else finds them', async () => {
    const wait = 'for i in {1..1000}; do [[ -e cordon.toml ]] || exit 0; sleep 0.02; done; exit 1'
    expect((await run(`echo evil > cordon.toml; ${wait}`)).status).toBe(0)
    expect(evidence.join()).toContain(`write: ${workspace}/cordon.toml is protected`)
  }, 60_000)

  it('do not come to exist in a directory the command makes for them', async () => {
    await run(
      'mkdir -p .git/hooks && echo "#!/bin/sh" > .git/hooks/pre-commit && printf "[core]\\n\\tfsmonitor = evil\\n" > .git/config',
    )
    expect([existsSync(`${workspace}/.git/hooks`), existsSync(`${workspace}/.git/config`)]).toEqual([false, false])
  })

  it('do not come to exist by way of a link that leads elsewhere, and what is elsewhere stays', async () => {
    mkdirSync(`${workspace}/elsewhere`)
    writeFileSync(`${workspace}/elsewhere/settings.json`, '{}')
    await run('ln -s elsewhere .claude')
    expect(existsSync(`${workspace}/.claude`)).toBe(false)
    expect(readFileSync(`${workspace}/elsewhere/settings.json`, 'utf8')).toBe('{}')
  })

  it('leave no stub behind, and none to be seen inside', async () => {
    expect((await run('ls -A; touch made')).stdout).toBe('')
    expect(readdirSync(workspace)).toEqual(['made'])
  })

  it('do not stand in the way of git init and a first commit', async () => {
    const commit = 'git -c user.name=t -c user.email=t@t commit -qm first'
    expect((await run(`git init -q && echo a > a && git add . && ${commit} && git status --short`)).status).toBe(0)
    expect(git('log', '--format=%s').toString()).toBe('first\n')
    expect(evidence).toEqual([])
  })
})

describe('protected places that have other names', () => {
  it.each([
    ['cordon.toml', 'notes/copy'],
    ['.git/config', 'copy'],
    ['.git/hooks/pre-commit', 'src/deep/down/hook'],
  ])('cannot be changed by a hard link made before: %s', async (file, twin) => {
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

  it('are not read by a hard link made before, where they are hidden', async () => {
    writeFileSync(`${workspace}/.env`, 'the secret')
    mkdirSync(`${workspace}/backup`)
    linkSync(`${workspace}/.env`, `${workspace}/backup/settings`)
    const script = 'cat .env backup/settings; grep -r secret .; mv backup x; cat x/settings'
    expect((await walled.run(script, { profileOf: pathsOf({ hidden: ['.env'] }) })).stdout).toBe('')
    expect(readFileSync(`${workspace}/x/settings`, 'utf8')).toBe('the secret')
  })

  it.each([
    ['replaced by a directory', 'rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit'],
    ['replaced by another link', 'mkdir evil; touch evil/pre-commit; ln -sfn ../evil .git/hooks'],
    ['removed', 'rm .git/hooks'],
    ['renamed', 'mv .git/hooks .git/x'],
    ['taken away with their directory', 'mv .git x; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
  ])('are links that stay what they are when they are %s', async (_how, script) => {
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

  it('are put back while the command still runs, so that nobody else finds another', async () => {
    mkdirSync(`${workspace}/.git`)
    mkdirSync(`${workspace}/shared`)
    symlinkSync('../shared', `${workspace}/.git/hooks`)
    const wait = 'for i in {1..1000}; do [[ -L .git/hooks ]] && exit 0; sleep 0.02; done; exit 1'
    expect((await run(`rm .git/hooks; mkdir .git/hooks; ${wait}`)).status).toBe(0)
  }, 60_000)

  it('are links on the way to them too', async () => {
    mkdirSync(`${workspace}/dotfiles`)
    writeFileSync(`${workspace}/dotfiles/settings.json`, 'mine')
    symlinkSync('dotfiles', `${workspace}/.claude`)
    await run('rm .claude; mkdir .claude; echo evil > .claude/settings.json; echo evil > dotfiles/settings.json')
    expect(readlinkSync(`${workspace}/.claude`)).toBe('dotfiles')
    expect(readFileSync(`${workspace}/.claude/settings.json`, 'utf8')).toBe('mine')
  })
})
