import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type GitSetting,
  gitExcludes,
  globalGitConfig,
  isPassed,
  withGenerated,
  withGeneratedSettings,
} from '../../../src/host/private-home/git-settings.js'
import { people } from './person.js'

const person = people()

/** Returns the settings that git reads from the text. */
function readByGit(text: string): readonly (readonly [string, string])[] {
  const directory = mkdtempSync(join(tmpdir(), 'cordon-git-'))
  try {
    writeFileSync(join(directory, 'config'), text)
    const out = execFileSync('git', ['config', '--file', join(directory, 'config'), '--list', '-z'], {
      encoding: 'utf8',
    })
    return out
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)] as const)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe('the global git configuration of commands', () => {
  it('says what the person says, however odd the text', () => {
    const settings: readonly GitSetting[] = [
      ['user.name', 'A "quoted" \\ name; # no comment'],
      ['user.email', 'a@b.c'],
      ['alias.lg', 'log --format=\'%h "%s"\'\t--graph'],
      ['color.diff.meta', 'blue\nred'],
      ['pretty.My.own', 'format:%h'],
    ]
    const read = readByGit(globalGitConfig({ person: settings, excludesFile: '/home/u/.config/git/ignore' }))
    expect(read).toEqual([...settings, ['core.excludesfile', '/home/u/.config/git/ignore'], ['safe.directory', '*']])
  })

  it.each([
    ['core.pager', 'evil'],
    ['core.editor', 'evil'],
    ['core.hookspath', '/x'],
    ['core.fsmonitor', 'evil'],
    ['core.sshcommand', 'evil'],
    ['core.attributesfile', '/x'],
    ['core.excludesfile', '/x'],
    ['sequence.editor', 'evil'],
    ['pager.log', 'evil'],
    ['filter.lfs.clean', 'evil'],
    ['filter.lfs.process', 'evil'],
    ['diff.pdf.textconv', 'evil'],
    ['diff.external', 'evil'],
    ['difftool.x.cmd', 'evil'],
    ['mergetool.x.cmd', 'evil'],
    ['merge.x.driver', 'evil'],
    ['interactive.difffilter', 'evil'],
    ['gpg.program', 'evil'],
    ['gpg.ssh.defaultkeycommand', 'evil'],
    ['user.signingkey', 'ABC'],
    ['commit.gpgsign', 'true'],
    ['tag.gpgsign', 'true'],
    ['push.gpgsign', 'true'],
    ['tag.forcesignannotated', 'true'],
    ['credential.helper', 'store'],
    ['credential.https://x.username', 'u'],
    ['include.path', '/x'],
    ['includeif.gitdir:/x.path', '/x'],
    ['http.extraheader', 'Authorization: Basic x'],
    ['http.proxy', 'http://u:p@x'],
    ['http.https://x/.cookiefile', '/x'],
    ['url.https://token@x/.insteadof', 'https://x/'],
    ['sendemail.smtppass', 'x'],
    ['sendemail.smtpserver', '/usr/bin/evil'],
    ['remote.x.uploadpack', 'evil'],
    ['core.gitproxy', 'evil'],
    ['core.askpass', 'evil'],
    ['commit.template', '/x'],
    ['init.templatedir', '/x'],
    ['format.signaturefile', '/x'],
    ['blame.ignorerevsfile', '/x'],
    ['trailer.x.command', 'evil'],
    ['alias.x', '!evil'],
    ['alias.x', '  !evil'],
    ['alias.x', '-c core.pager=evil log'],
    ['alias.x', 'fetch https://user:token@host/x'],
    ['user.name', 'https://u:p@x'],
    ['uploadpack.packobjectshook', 'evil'],
    ['log.x', 'y'],
  ])('does not pass %s = %s', (key, value) => {
    expect(isPassed([key, value])).toBe(false)
  })

  it('keeps what commands have added when it is written again', () => {
    const first = withGenerated('[user]\n\tname = "A" # Cordon\n', null)
    const second = withGenerated('[user]\n\tname = "B" # Cordon\n', `${first}[core]\n\tabbrev = 12\n`)
    expect(readByGit(second)).toEqual([
      ['user.name', 'B'],
      ['core.abbrev', '12'],
    ])
    expect(withGenerated('[user]\n\tname = "B" # Cordon\n', second)).toBe(second)
    expect(readByGit(withGenerated('', '[core]\n\tabbrev = 12\n'))).toEqual([['core.abbrev', '12']])
  })

  it('keeps what git config --global changes and adds in a section that Cordon wrote', () => {
    const person = (name: string) => globalGitConfig({ person: [['user.name', name]], excludesFile: '/ignore' })
    const home = mkdtempSync(join(tmpdir(), 'cordon-git-'))
    const file = join(home, '.gitconfig')
    writeFileSync(file, withGeneratedSettings(person('A'), null))
    for (const [key, value] of [
      ['user.name', 'Robot'],
      ['core.pager', 'cat'],
    ] as const)
      execFileSync('git', ['config', '--global', key, value], { env: { ...process.env, HOME: home } })
    const kept = withGeneratedSettings(person('B'), readFileSync(file, 'utf8'))
    rmSync(home, { recursive: true })
    expect(readByGit(kept).filter(([key]) => /^(user|core.pager)/.test(key))).toEqual([
      ['user.name', 'Robot'],
      ['core.pager', 'cat'],
    ])
    expect(withGeneratedSettings(person('B'), kept)).toBe(kept)
  })

  it('ignores hidden paths by name, with any characters', () => {
    expect(gitExcludes({ person: '*.swp', hidden: ['.env', 'a*[b]?', 'x '] })).toBe(
      '*.swp\n/.env\n/a\\*\\[b\\]\\?\n/x\\ \n',
    )
  })
})

describe('git in a private home', () => {
  it('commits as the person, without signing, and follows what is included for this directory', async () => {
    const { home, workspace, write, open } = person()
    write(
      '.gitconfig',
      '[user]\n\tname = Someone\n\temail = s@x\n[commit]\n\tgpgsign = true\n[includeIf "gitdir:~/projects/"]\n\tpath = work.inc\n[core]\n\tpager = evil\n\texcludesFile = ~/ignored\n[http]\n\textraHeader = Authorization: Basic abc\n',
    )
    write('work.inc', '[user]\n\temail = work@x\n')
    write('ignored', '*.swp\n')
    execFileSync('git', ['init', '-q'], { cwd: workspace })
    writeFileSync(join(workspace, '.env'), 'SECRET')
    writeFileSync(join(workspace, 'a.swp'), '')
    const cordon = await open()
    const { stdout, exitCode } = await cordon.run(
      'echo 1 > f; git add -A && git commit -qm one && git log --format="%an %ae" && git ls-files; git config --list',
    )
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Someone work@x\nf\n/)
    expect(stdout).not.toMatch(/abc|evil|gpgsign/)
    write('work.inc', '[user]\n\temail = new@x\n')
    await cordon.run('git config --global alias.st status')
    expect((await cordon.run('git config user.email; git st --short; git config --global user.name')).stdout).toBe(
      'new@x\nSomeone\n',
    )
    expect(
      execFileSync('git', ['config', '--file', join(home, '.gitconfig'), '--get-regexp', 'alias.*|user.name'], {
        encoding: 'utf8',
      }),
    ).toBe('user.name Someone\n')
  })

  it('starts commands where the ignore file of the person is a pipe', async () => {
    const { home, write, open } = person()
    write('.gitconfig', '[core]\n\texcludesFile = ~/ignored\n')
    execFileSync('mkfifo', [join(home, 'ignored')])
    expect((await (await open()).run('echo started')).stdout).toBe('started\n')
  })

  it('ends as git itself does where the person has no name', async () => {
    const { workspace, open } = person()
    mkdirSync(join(workspace, 'x'))
    execFileSync('git', ['init', '-q'], { cwd: workspace })
    const cordon = await open()
    const { exitCode, stderr } = await cordon.run('git -c user.useConfigOnly=true commit -q --allow-empty -m x')
    expect(exitCode).toBe(128)
    expect(stderr).toContain('user.email')
  })
})
