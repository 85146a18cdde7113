import { describe, expect, it } from 'vitest'
import { liftedBy } from '../../../../src/core/model/policy/decision.js'
import { decidedIn, rulesOf } from '../reading.js'

const rules = (profile: string, script: string): readonly string[] =>
  rulesOf(decidedIn(profile, script)).filter((rule) => rule.startsWith('git/') || rule.startsWith('path/'))

describe("a change of a repository's settings", () => {
  it.each([
    'git config user.email a@example.com',
    'git config --local pull.rebase true',
    'git -C sub config set core.autocrlf input',
    'git config --unset user.email',
    'git config core.hooksPath',
    'git config --get-all remote.origin.url',
    'git config --remove-section branch.x',
    'git remote add up https://example.com/up.git',
    'git remote add -f -t main up git@github.com:a/b.git',
    'git remote add local ../other.git',
    'git remote -v',
    'git remote show origin',
    'git branch -u origin/main',
    'git branch -d x',
    'git config branch.main.remote origin',
    'git config -f .gitmodules submodule.x.url https://example.com/x',
    'git config alias.st "status -sb"',
    'git clone --depth 1 ./a b',
  ])('is allowed where it runs nothing and redirects nothing: %s', (script) => {
    expect(rules('workspace', script)).toEqual([])
  })

  it.each([
    'git remote set-url origin https://example.com/b.git',
    'git remote set-url --push origin https://example.com/b.git',
    'git remote rename origin old',
    'git remote rm origin',
    'git config remote.origin.url https://example.com/b.git',
    'git config remote.pushDefault up',
    'git config branch.main.pushRemote up',
    'git config branch.main.remote https://example.com/b.git',
    'git submodule set-url lib https://example.com/lib.git',
  ])('asks where later pushes would go elsewhere: %s', (script) => {
    for (const profile of ['workspace', 'developer', 'open']) expect(rules(profile, script)).toEqual(['git/redirect'])
    expect(decidedIn('workspace', script).verdict).toBe('ask')
  })

  it.each([
    'git config core.hooksPath x',
    "git config alias.p '!id'",
    'git config --add core.fsmonitor x',
    'git config set http.proxy http://x',
    'git config --unset core.hooksPath',
    'git config --rename-section a.b include',
    'git config extensions.partialClone origin',
    'git -c user.name=a config core.sshCommand x',
    "git remote add up 'ext::sh -c id'",
    'git remote add up /srv/.keys/store',
    'git clone --filter=blob:none ./a b',
  ])('is denied, or asks, where git could run or trust something for it: %s', (script) => {
    expect(rules('workspace', script)).toContain('git/setting')
    expect(decidedIn('workspace', script).verdict).toBe('deny')
    expect(decidedIn('developer', script).verdict).toBe('ask')
  })

  it('is lifted by an approval for the keys that were asked about', () => {
    const lifted = (script: string): readonly string[] => liftedBy(decidedIn('developer', script)).settings
    expect(lifted('git config Core.hooksPath x')).toEqual(['core.hookspath'])
    expect(lifted('git remote rename Old new')).toEqual(['remote.Old.*', 'remote.new.*'])
  })
})
