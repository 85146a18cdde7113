import { describe, expect, it } from 'vitest'
import { type Changed, revertSettings } from '../../../src/core/git/revert-settings.js'

const CORE = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'
const ORIGIN = `${CORE}[remote "origin"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`
const objectionsTo = (added: string, before: string | null = ORIGIN, more: Partial<Changed> = {}): string[] =>
  revertSettings({ before, after: `${before ?? ''}${added}`, ...more }).objections.map(
    ({ key, why }) => `${why} ${key}`,
  )

const FREE = [
  '[user]\n\temail = a@example.com\n',
  '[pull]\n\trebase = true\n',
  '[core]\n\tautocrlf = input\n\teditor = true\n',
  '[remote "up"]\n\turl = https://example.com/b.git\n\tfetch = +refs/heads/*:refs/remotes/up/*\n\ttagopt = --no-tags\n',
  '[remote "up"]\n\turl = git@github.com:a/b.git\n',
  '[remote "up"]\n\turl = ../other.git\n',
  '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\trebase = true\n',
  '[branch "x"]\n\tremote = .\n\tmerge = refs/heads/main\n',
  '[alias]\n\tst = status -sb\n',
  '[alias]\n\tlg = log --oneline --stat\n',
  '[submodule "lib"]\n\turl = https://example.com/lib.git\n\tactive = true\n\tupdate = rebase\n',
  '[extensions]\n\tworktreeConfig = true\n',
  '[commit]\n\tgpgsign = false\n',
  '[push]\n\tdefault = current\n',
]
const REFUSED = [
  ['[core]\n\tfsmonitor = x\n', 'core.fsmonitor'],
  ['[core]\n\thooksPath = hooks\n', 'core.hookspath'],
  ['[core]\n\teditor = ./x\n', 'core.editor'],
  ['[core]\n\tsshCommand = x\n', 'core.sshcommand'],
  ['[include]\n\tpath = x\n', 'include.path'],
  ['[includeIf "gitdir:/"]\n\tpath = x\n', 'includeif.gitdir:/.path'],
  ['[alias]\n\tst = !x\n', 'alias.st'],
  ['[alias]\n\tst = -c core.pager=x log\n', 'alias.st'],
  ['[alias]\n\tst = log --ext-diff\n', 'alias.st'],
  ['[alias]\n\tst = rebase -x x\n', 'alias.st'],
  ['[alias]\n\tst = log --ou=x\n', 'alias.st'],
  ['[filter "x"]\n\tclean = x\n', 'filter.x.clean'],
  ['[filter "lfs"]\n\tclean = x\n', 'filter.lfs.clean'],
  ['[diff "x"]\n\ttextconv = x\n', 'diff.x.textconv'],
  ['[submodule "lib"]\n\tupdate = !x\n', 'submodule.lib.update'],
  ['[submodule "lib"]\n\turl = ext::x\n', 'submodule.lib.url'],
  ['[extensions]\n\tpartialClone = origin\n', 'extensions.partialclone'],
  ['[remote "origin"]\n\tpromisor = true\n', 'remote.origin.promisor'],
  ['[remote "up"]\n\turl = ext::sh -c x\n', 'remote.up.url'],
  ['[remote "up"]\n\turl = /home/a/.password-store\n', 'remote.up.url'],
  ['[remote "up"]\n\tuploadpack = x\n', 'remote.up.uploadpack'],
  ['[url "https://evil/"]\n\tinsteadOf = https://example.com/\n', 'url.https://evil/.insteadof'],
  ['[credential]\n\thelper = store\n', 'credential.helper'],
  ['[http]\n\tproxy = http://evil\n', 'http.proxy'],
  ['[gpg]\n\tprogram = x\n', 'gpg.program'],
  ['[hook "x"]\n\tcommand = x\n', 'hook.x.command'],
] as const
const REDIRECTS = [
  ['[remote "origin"]\n\turl = https://evil/a.git\n', 'remote.origin.url'],
  ['[remote "origin"]\n\tpushurl = https://evil/a.git\n', 'remote.origin.pushurl'],
  ['[remote]\n\tpushDefault = up\n', 'remote.pushdefault'],
  ['[remotes]\n\torigin = up\n', 'remotes.origin'],
  ['[fetch]\n\tall = true\n', 'fetch.all'],
  ['[checkout]\n\tdefaultRemote = up\n', 'checkout.defaultremote'],
  ['[push]\n\tdefault = upstream\n', 'push.default'],
  ['[branch "main"]\n\tpushRemote = up\n', 'branch.main.pushremote'],
  ['[branch "main"]\n\tremote = https://evil/a.git\n', 'branch.main.remote'],
  ['[remote "origin"]\n\tfetch = +refs/heads/*:refs/heads/*\n', 'remote.origin.fetch'],
] as const

describe('changed configurations', () => {
  it.each(FREE)('a setting that runs and redirects nothing is kept: %j', (added) => {
    expect(objectionsTo(added)).toEqual([])
  })

  it.each(REFUSED)('a setting that makes git run or trust something is reverted: %j', (added, key) => {
    expect(objectionsTo(added)).toEqual([`refused ${key}`])
    expect(revertSettings({ before: ORIGIN, after: ORIGIN + added }).text).not.toMatch(
      /helper|= .*(?:x|https:..evil|https:..example.com.)$|ext::|password/m,
    )
  })

  it.each(REDIRECTS)('a setting that redirects the next push is reverted: %j', (added, key) => {
    expect(objectionsTo(added)).toEqual([`redirects ${key}`])
  })

  it('an approved setting is kept, others are reverted', () => {
    const added = '[remote "origin"]\n\tpushurl = https://b/a.git\n[core]\n\thooksPath = x\n'
    expect(objectionsTo(added, ORIGIN, { approved: ['remote.origin.pushurl'] })).toEqual(['refused core.hookspath'])
    expect(objectionsTo(added, ORIGIN, { approved: ['remote.origin.*', 'core.hookspath'] })).toEqual([])
  })

  it('a revert restores old values and keeps other changes', () => {
    const before = `${ORIGIN}[core]\n\thooksPath = .husky # mine\n`
    const after = before.replace('hooksPath = .husky', 'hooksPath = evil').replace('a.git', 'evil.git')
    const { text } = revertSettings({ before, after: `${after}[user]\n\tname = A\n` })
    expect(text).toContain('[core]\n\thookspath = ".husky"')
    expect(text).toContain('[remote "origin"]\n\turl = "https://example.com/a.git"')
    expect(text).toContain('name = A')
    expect(text).not.toContain('evil')
  })

  it('a forbidden removal is reverted', () => {
    const before = `${CORE}[core]\n\thooksPath = /dev/null\n`
    expect(revertSettings({ before, after: CORE }).text).toContain('hookspath = "/dev/null"')
  })

  it('a branch can follow a new remote only if the repository had none', () => {
    const added = '[remote "up"]\n\turl = https://b/a.git\n[branch "main"]\n\tremote = up\n'
    expect(objectionsTo(added, CORE)).toEqual([])
    expect(objectionsTo(added, ORIGIN)).toEqual(['redirects branch.main.remote'])
  })

  it('a configuration that git refuses is reverted as a whole', () => {
    expect(revertSettings({ before: CORE, after: `${CORE}[x` }).text).toBeNull()
    expect(revertSettings({ before: '[x', after: CORE }).text).toBeNull()
  })

  it('a new repository is judged by all its keys; a submodule can name its work tree', () => {
    expect(
      objectionsTo(
        `${CORE}[remote "origin"]\n\turl = https://b/a\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`,
        null,
      ),
    ).toEqual(['refused remote.origin.promisor', 'refused remote.origin.partialclonefilter'])
    expect(objectionsTo('[core]\n\tworktree = ../../../lib\n', null)).toEqual(['refused core.worktree'])
    expect(objectionsTo('[core]\n\tworktree = ../../../lib\n', null, { isModule: true })).toEqual([])
  })
})
