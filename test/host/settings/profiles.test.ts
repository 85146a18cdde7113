import { afterAll, describe, expect, it } from 'vitest'
import { Profile } from '../../../src/core/model/policy/profile.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { failure, host, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

describe('loadProfiles', () => {
  it('returns workspace without a name, and the same object each time', () => {
    const profiles = profilesOf()
    const profile = profiles.profileFor(null, null)
    expect(profile.name).toBe('workspace')
    expect(profiles.profileFor(null, null)).toBe(profile)
    expect(profiles.profileFor('anybody', null).name).toBe('workspace')
  })

  it('lists every profile with its summary and the file it comes from', () => {
    const { files, ...options } = host({ user: '[profiles.mine]\nsummary = "Mine."\n' })
    const list = loadProfiles(options).list()
    expect(list.map(({ name }) => name)).toEqual(['workspace', 'developer', 'readonly', 'strict', 'open', 'mine'])
    expect(list.at(-1)).toEqual({ name: 'mine', summary: 'Mine.', source: files.user })
    for (const { name, summary, source } of list)
      expect([name, summary.length > 20 || name === 'mine', source.endsWith('.toml')]).toEqual([name, true, true])
  })

  it('names the profiles there are when one is not there', () => {
    expect(failure(() => profilesOf().profileFor(null, 'workspaec'))).toBe(
      'NOT_FOUND There is no profile "workspaec". Did you mean "workspace"? There are workspace, developer, readonly, strict, open.',
    )
    expect(failure(() => profilesOf().profileFor(null, '../../etc/passwd'))).toMatch(/^NOT_FOUND/)
    expect(failure(() => profilesOf().profileFor(null, '__proto__'))).toMatch(/^NOT_FOUND/)
  })

  it('takes a stricter default from the user before the system, and one from the caller before both', () => {
    expect(profilesOf({ system: 'profile = "strict"' }).profileFor(null, null).name).toBe('strict')
    expect(
      profilesOf({ system: 'profile = "workspace"', user: 'profile = "strict"' }).profileFor(null, null).name,
    ).toBe('strict')
    expect(
      loadProfiles({ ...host({ user: 'profile = "developer"' }), defaultProfile: 'readonly' }).profileFor(null, null)
        .name,
    ).toBe('readonly')
  })

  it('builds own profiles upon others, and keeps what they do not say', () => {
    const profiles = profilesOf({
      user: `
[profiles.mine]
extends = "developer"
network = { hosts = ["...", "db.example.com"] }
paths.hidden = ["...", "secrets"]
environment.set = { NODE_ENV = "test" }

[profiles.narrow]
extends = "mine"
network = "none"
`,
    })
    const developer = profiles.profileFor(null, 'developer')
    const mine = profiles.profileFor(null, 'mine')
    if (typeof developer.network === 'string') throw new Error('developer has a list of hosts')
    expect(mine).toEqual({
      ...developer,
      name: 'mine',
      network: { ...developer.network, hosts: ['db.example.com'] },
      paths: { ...developer.paths, hidden: [...developer.paths.hidden, 'secrets'] },
      environment: { ...developer.environment, set: [['NODE_ENV', 'test']] },
    })
    expect(profiles.profileFor(null, 'narrow')).toEqual({ ...mine, name: 'narrow', network: 'none' })
  })

  it('lists hosts by name, domain and address, with a port where one is meant', () => {
    const hosts = ['db.test:5432', '*.sub.test:443', '127.0.0.1:80', '[::1]:80', '::1', '*', '*:443', 'localhost']
    const listing = (list: readonly string[]) =>
      profilesOf({ user: `[profiles.online]\nextends = "workspace"\nnetwork = { hosts = ${JSON.stringify(list)} }\n` })
    expect(listing(hosts).profileFor(null, 'online').network).toEqual({ hosts })
    for (const odd of ['a b', 'a:b', 'a:', '*.*', '*a', 'a/b', 'u@h', 'a..b', '[a]', 'a:123456', ':1']) {
      expect(
        failure(() => listing([odd]).profileFor(null, 'online')),
        odd,
      ).toMatch(/^SETTINGS_INVALID/)
    }
  })

  it('adds sets of hosts to those of the profile below, and refuses a name that is none', () => {
    const with_ = (network: string) => profilesOf({ user: `[profiles.developer.network]\n${network}\n` })
    expect(with_('sets = ["...", "github"]').profileFor(null, 'developer').network).toMatchObject({
      sets: ['npm', 'pypi', 'crates', 'go', 'debian', 'maven', 'rubygems', 'github'],
      unlisted: 'ask',
    })
    expect(with_('sets = []\nunlisted = "deny"').profileFor(null, 'developer').network).toEqual({
      hosts: [],
      unlisted: 'deny',
    })
    expect(failure(() => with_('sets = ["nmp"]').profileFor(null, 'developer'))).toMatch(/^SETTINGS_INVALID/)
    expect(failure(() => with_('unlisted = "allow"').profileFor(null, 'developer'))).toMatch(/^SETTINGS_INVALID/)
  })

  it('lets a known name be changed, in layers', () => {
    const profiles = profilesOf({
      system: '[profiles.workspace]\nconcurrency.per_agent = 8\ntimeouts.max_ms = 5000\n',
      user: '[profiles.workspace]\ntimeouts.max_ms = 4000\n',
    })
    expect(profiles.profileFor(null, null)).toMatchObject({
      name: 'workspace',
      concurrency: { perAgent: 8 },
      timeouts: { maxMs: 4000 },
    })
  })

  it('takes constructor for a name', () => {
    const profiles = profilesOf({
      user: '[profiles.constructor]\nsandbox = "off"\n[agents.toString]\nprofile = "constructor"\n',
    })
    expect(profiles.profileFor(null, 'constructor').sandbox).toBe('off')
    expect(profiles.profileFor('toString', null).name).toBe('constructor')
    expect(failure(() => profiles.profileFor('valueOf', null))).toBe(
      'NOT_FOUND There is no agent "valueOf" in the settings. There are toString.',
    )
    expect(
      failure(() => profilesOf({ user: '[profiles.__proto__]\nsandbox = "off"\n' }).profileFor(null, null)),
    ).toMatch(/^SETTINGS_INVALID .*:1:1: the name `__proto__`/)
  })

  it('gives every agent its profile and its list, and refuses to loosen it', () => {
    const profiles = profilesOf({
      user: '[agents.reader]\nprofile = "readonly"\nprograms = ["ls", "cat"]\n[agents.free]\n',
    })
    expect(profiles.profileFor('reader', null)).toMatchObject({ name: 'readonly', agentPrograms: ['ls', 'cat'] })
    expect(profiles.profileFor('reader', 'strict')).toMatchObject({ name: 'strict', agentPrograms: ['ls', 'cat'] })
    expect(failure(() => profiles.profileFor('reader', 'open'))).toMatch(
      /^POLICY_DENIED The agent "reader" has the profile "readonly", and "open" is looser in `sandbox`/,
    )
    expect(profiles.profileFor('free', 'developer')).toMatchObject({ name: 'developer', agentPrograms: null })
    expect(failure(() => profiles.profileFor('nobody', null))).toMatch(/^NOT_FOUND There is no agent "nobody"/)
  })

  it('restricts which profiles may be named, the more files the narrower', () => {
    const profiles = profilesOf({
      system: 'allowed_profiles = ["workspace", "readonly"]',
      user: 'allowed_profiles = ["workspace"]',
    })
    expect(profiles.profileFor(null, 'workspace').name).toBe('workspace')
    expect(failure(() => profiles.profileFor(null, 'open'))).toBe(
      'POLICY_DENIED The profile "open" may not be used: the settings allow only workspace (`allowed_profiles`).',
    )
    expect(failure(() => profiles.profileFor(null, 'readonly'))).toMatch(/^POLICY_DENIED/)
  })

  it('adds permission lists and texts to confirm as rules', () => {
    const profiles = profilesOf({
      user: '[permissions]\ndeny = ["Bash(git push:*)"]\n[profiles.mine]\nconfirm = ["$("]\npermissions.ask = ["Bash(npm publish)"]\n',
    })
    expect(profiles.profileFor(null, 'mine').rules).toEqual([
      {
        id: 'permissions/ask/Bash(npm publish)',
        program: null,
        args: [],
        action: 'tool:*:npm publish',
        verdict: 'ask',
        because: 'The permission list asks for `Bash(npm publish)`.',
        instead: null,
        hits: [],
        misses: [],
      },
      {
        id: 'confirm/$(',
        program: null,
        args: [],
        action: 'tool:*:*$(*',
        verdict: 'ask',
        because: 'The command contains "$(", which needs approval.',
        instead: null,
        hits: [],
        misses: [],
      },
      {
        id: 'permissions/deny/Bash(git push:*)',
        program: ['git'],
        args: ['push'],
        action: null,
        verdict: 'deny',
        because: 'The permission list denies `Bash(git push:*)`.',
        instead: null,
        hits: [],
        misses: [],
      },
    ])
  })

  it('gives profiles that the schema of the model accepts', () => {
    const profiles = profilesOf({
      user: '[profiles.mine]\nrules = [{ program = "x", verdict = "deny", because = "No." }]\n',
    })
    for (const { name } of profiles.list())
      expect(Profile.safeParse(profiles.profileFor(null, name)).error, name).toBeUndefined()
  })

  it('reads nothing before it is asked', () => {
    const options = host({ user: 'broken = [' })
    const profiles = loadProfiles(options)
    expect(failure(() => profiles.profileFor(null, null))).toMatch(/^SETTINGS_INVALID/)
  })
})
