import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { narrowRule } from '../../../src/core/decide/authoring/narrowest-rule.js'
import type { Rule } from '../../../src/core/model/policy/profile.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { saveRule } from '../../../src/host/settings/save-rule.js'
import { factsOf } from '../../core/decide/fixture.js'
import { decidedByReader } from '../../core/decide/reading.js'
import { failure, host, removeHosts } from './fixture.js'

afterAll(removeHosts)

function proposed(text: string): Rule {
  const rule = narrowRule(factsOf(text))
  if (!rule) throw new Error(`no rule for ${text}`)
  return rule
}

describe('saveRule', () => {
  it('makes the command allowed from the next start on, and no other', () => {
    const options = host()
    expect(saveRule(options, proposed('git push origin main'), 'workspace')).toBe(options.files.user)
    const profile = loadProfiles(options).profileFor(null, 'workspace')
    expect(decidedByReader('git push origin main', profile).verdict).toBe('allow')
    expect(decidedByReader('git push origin other', profile).verdict).toBe('ask')
    expect(decidedByReader('git push origin main --force', profile).verdict).toBe('ask')
    expect(statSync(options.files.user).mode & 0o777).toBe(0o600)
  })

  it('keeps other lines, comments and the mode, and adds no rule twice', () => {
    const before =
      '# mine\nprofile = "developer"\n\n[[profiles.workspace.rules]]\nprogram = "make"\nverdict = "ask"\nbecause = "x"'
    const options = host({ user: before })
    chmodSync(options.files.user, 0o640)
    saveRule(options, proposed('git push'), 'workspace')
    saveRule(options, proposed('git push'), 'workspace')
    saveRule(options, proposed('npm publish'), 'workspace')
    const after = readFileSync(options.files.user, 'utf8')
    expect(after.startsWith(`${before}\n`)).toBe(true)
    expect(after.match(/\[\[profiles\.workspace\.rules\]\]/g)).toHaveLength(3)
    expect(statSync(options.files.user).mode & 0o777).toBe(0o640)
    expect(
      loadProfiles(options)
        .profileFor(null, 'workspace')
        .rules.map(({ id }) => id),
    ).toEqual(['rules/1', 'always/2', 'always/3'])
  })

  it('writes through a link, and leaves the link', () => {
    const options = host()
    writeFileSync(`${options.root}/dotfiles.toml`, '')
    symlinkSync(`${options.root}/dotfiles.toml`, options.files.user)
    saveRule(options, proposed('git push'), 'mine')
    expect(readFileSync(`${options.root}/dotfiles.toml`, 'utf8')).toContain('tool:*:git push')
  })

  it('survives words that mean something in TOML or in patterns', () => {
    const options = host()
    const facts = factsOf('x', {
      invocations: [{ program: 'git', argv: ['git', 'push', `a"b'c\\d\n*\t]`], span: [0, 1], via: [] }],
    })
    const rule = narrowRule(facts)
    if (!rule) throw new Error('no rule')
    const action = `${rule.action}\u007f`
    saveRule(options, { ...rule, action, hits: [], misses: [] }, 'workspace')
    expect(loadProfiles(options).profileFor(null, 'workspace').rules[0]?.action).toBe(action)
  })

  it('refuses a file it could only break, and says what to add', () => {
    const user = '[profiles.workspace]\nrules = [{ program = "make", verdict = "ask", because = "x" }]\n'
    const options = host({ user })
    const said = failure(() => saveRule(options, proposed('git push'), 'workspace'))
    expect(said).toMatch(/^SETTINGS_INVALID Cordon cannot add the rule/)
    expect(said).toContain('action = "tool:*:git push"')
    expect(readFileSync(options.files.user, 'utf8')).toBe(user)
    const broken = host({ user: 'x = [' })
    expect(failure(() => saveRule(broken, proposed('git push'), 'workspace'))).toMatch(
      /^SETTINGS_INVALID .*not valid TOML/,
    )
  })
})
