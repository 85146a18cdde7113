import { afterAll, describe, expect, it } from 'vitest'
import { failure, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

const outcome = (project: string, user = ''): string =>
  failure(() => profilesOf({ project, user }).profileFor(null, null))

describe("a project's settings", () => {
  it.each([
    'profile = "readonly"',
    'profile = "strict"',
    '[profiles.workspace]\nconcurrency.per_agent = 1\n',
    '[profiles.workspace]\ntimeouts.max_ms = 5000\nopaque.foreign = "ask"\npaths.hidden = ["...", "private"]\n',
    '[profiles.workspace.programs]\nallow_only = ["ls"]\n',
    '[permissions]\ndeny = ["Bash(git push:*)"]\nask = ["Bash(make:*)"]\n',
    '[profiles.mine]\nextends = "readonly"\ndefault = "ask"\n',
    'allowed_profiles = ["workspace"]',
    '[agents.builder]\nprofile = "readonly"\nprograms = ["ls"]\n',
    '[[profiles.workspace.rules]]\nprogram = "make"\nverdict = "ask"\nbecause = "Builds take long."\n',
  ])("a project's settings can tighten the profile: %j", (text) => {
    expect(outcome(text)).toBe('nothing was thrown')
  })

  it("a project's settings apply to its commands", () => {
    const profiles = profilesOf({
      project: 'profile = "mine"\n[profiles.mine]\nextends = "readonly"\ndefault = "ask"\n',
    })
    expect(profiles.profileFor(null, null)).toMatchObject({ name: 'mine', default: 'ask', paths: { write: false } })
  })

  it.each([
    [
      'profile = "open"',
      'work/cordon.toml:1:1: a project can only tighten: the profile "open" is looser than "workspace" in `sandbox`: "off" removes the sandbox. Remove it, or set it in your own settings.',
    ],
    ['profile = "developer"', 'the profile "developer" is looser than "workspace" in `network`'],
    [
      '[profiles.workspace]\nsummary = "x"\nsandbox = "off"',
      'work/cordon.toml:3:1: a project can only tighten: `sandbox` is looser here than in profile "workspace": "off" removes the sandbox.',
    ],
    [
      '[profiles.workspace.paths]\nhidden = []',
      'work/cordon.toml:2:1: a project can only tighten: `paths.hidden` is looser',
    ],
    ['[profiles.workspace]\nnetwork = { hosts = ["x.example"] }', 'it adds "x.example"'],
    ['[profiles.workspace]\nbuiltins.removed = ["sudo"]', 'it adds "sudo"'],
    ['[profiles.workspace]\npaths.readable = [".env"]', 'it adds ".env"'],
    [
      '[profiles.mine]\nextends = "readonly"\npaths.write = true',
      '`paths.write` is looser here than in profile "readonly"',
    ],
    ['[profiles.readonly]\nextends = "workspace"', '`paths.write` is looser here than in profile "readonly"'],
    ['[permissions]\nallow = ["Bash(git push:*)"]', 'it allows `Bash(git push:*)`'],
    ['[profiles.workspace]\npermissions.allow = ["Bash(git push)"]', 'allows something'],
    [
      '[[profiles.workspace.rules]]\nprogram = "git"\nverdict = "allow"\nbecause = "x"',
      'the rule "rules/1" allows something',
    ],
    ['[profiles.workspace.environment.set]\nPATH = "."', 'it adds "PATH=."'],
    ['[agents.x]\nprofile = "open"', 'work/cordon.toml:2:1: a project can only tighten: the profile "open" is looser'],
    ['[profiles.unused]\nextends = "readonly"\nsandbox = "off"', '`sandbox` is looser'],
  ])("a project's settings cannot relax the profile: %j", (text, expected) => {
    expect(outcome(text)).toMatch(/^SETTINGS_INVALID/)
    expect(outcome(text)).toContain(expected)
  })

  it('are held to what the user chose, not to what Cordon comes with', () => {
    expect(outcome('profile = "developer"', 'profile = "open"')).toBe('nothing was thrown')
    expect(outcome('profile = "workspace"', 'profile = "strict"')).toContain(
      'the profile "workspace" is looser than "strict"',
    )
    expect(outcome('allowed_profiles = ["open"]', 'allowed_profiles = ["workspace"]')).toContain(
      'it adds "open" to `allowed_profiles`',
    )
    expect(outcome('[agents.b]\n', '[agents.a]\n')).toContain('it adds the agent "b", and the settings serve only a')
    expect(outcome('[agents.a]\nprograms = ["rm"]\n', '[agents.a]\nprograms = ["ls"]\n')).toContain(
      'it adds the program "rm" to the agent "a"',
    )
    expect(outcome('[agents.a]\nprofile = "workspace"\n', '[agents.a]\nprofile = "readonly"\n')).toContain(
      'the profile "workspace" is looser than "readonly"',
    )
  })
})
