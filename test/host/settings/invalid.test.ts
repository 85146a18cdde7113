import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { readSettingsFile } from '../../../src/host/settings/read-settings-file.js'
import { failure, host, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

const wrong = (user: string): string =>
  failure(() => profilesOf({ user }).profileFor(null, null)).replace('home/.config/cordon/', '')

describe('settings that are wrong', () => {
  it.each([
    ['x = [', 'SETTINGS_INVALID cordon.toml:1:'],
    [
      'wal = "off"',
      'SETTINGS_INVALID cordon.toml:1:1: unknown key `wal`. The keys here are profile, allowed_profiles,',
    ],
    ['profil = "x"', 'SETTINGS_INVALID cordon.toml:1:1: unknown key `profil`. Did you mean `profile`?'],
    [
      '[profiles.a]\nsummary = "x"\n  [profiles.a.timeouts]\n  max = 5\n',
      'SETTINGS_INVALID cordon.toml:4:3: unknown key `profiles.a.timeouts.max`. Did you mean `max_ms`?',
    ],
    [
      '[profiles.a]\nsandbox = "none"\n',
      'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.sandbox` must be one of required, off.',
    ],
    [
      '[profiles.a]\nsandbox = 1\n',
      'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.sandbox` must be one of required, off.',
    ],
    ['[profiles.a]\ntimeouts = { max_ms = -1 }\n', 'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.timeouts.max_ms`: '],
    ['[profiles."a b"]\n', 'SETTINGS_INVALID cordon.toml:1:1: the name `a b` is made of letters, digits, ., - and _.'],
    ['profile = "nope"', 'SETTINGS_INVALID cordon.toml:1:1: there is no profile "nope". There are workspace,'],
    ['[agents.x]\nprofile = "nope"', 'SETTINGS_INVALID cordon.toml:2:1: there is no profile "nope".'],
    ['[profiles.a]\nextends = "nope"', 'SETTINGS_INVALID cordon.toml:2:1: there is no profile "nope" to extend.'],
    [
      '[profiles.a]\nextends = "b"\n[profiles.b]\nextends = "a"',
      'SETTINGS_INVALID cordon.toml:2:1: profiles extend each other in a circle: a → b → a.',
    ],
    [
      '[profiles.a]\nbuiltins.removed = ["sudoo"]',
      'SETTINGS_INVALID cordon.toml:2:1: there is no built-in named "sudoo". Did you mean "sudo"?',
    ],
    [
      '[profiles.a]\nrules = [{ verdict = "allow", because = "x" }]',
      'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.rules.0`: names neither',
    ],
    [
      '[[profiles.a.rules]]\nid = "builtin/x"\nprogram = "x"\nverdict = "deny"\nbecause = "x"',
      'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.rules.0.id`: is made of',
    ],
    ['[profiles.a]\npaths.hidden = ["a{b"]', 'SETTINGS_INVALID cordon.toml:2:1: `profiles.a.paths.hidden.0`: '],
    ['\n[permissions]\ndeny = ["Read(x)"]', 'cordon.toml:2:1: the permission "Read(x)" names the tool Read'],
    ['[permissions]\nallow = ["bash(ls)"]', '"bash(ls)" must write the tool name as `Bash`.'],
    ['[permissions]\nallow = ["tool:bahs:ls"]', '"tool:bahs:ls" names the tool bahs, which Cordon does not run.'],
    ['[permissions]\nallow = ["tool:"]', '"tool:" is not valid.'],
    [
      '[[profiles.a.rules]]\naction = "tool:bahs:x"\nverdict = "deny"\nbecause = "x"',
      '`profiles.a.rules.0.action`: has to begin with tool:bash:, tool:exec: or tool:*:.',
    ],
    ['[profiles.a]\nextends = "a"', 'cordon.toml:2:1: the profile "a" extends itself. There are workspace,'],
    ['[profiles.a.network]\nhosts = ["http://x"]', 'SETTINGS_INVALID cordon.toml:'],
  ])('invalid settings are an error that names the reason: %j', (text, expected) => {
    expect(wrong(text)).toContain(expected)
  })

  it('refuse a rule that does not do what its examples say, with the rule and the example', () => {
    const rules = (examples: string): string =>
      `[[profiles.a.rules]]\nid = "mine"\nprogram = "git"\nargs = ["push"]\nverdict = "deny"\nbecause = "x"\n${examples}\n`
    expect(wrong(rules('hits = ["git push", "git pull"]'))).toBe(
      'SETTINGS_INVALID cordon.toml:1:1: the rule "mine" does not match its example `git pull`. Correct the rule or the example.',
    )
    expect(wrong(rules('misses = ["echo git push", "git -C x push"]'))).toBe(
      'SETTINGS_INVALID cordon.toml:1:1: the rule "mine" matches a command it must miss: `git -C x push`. Correct the rule or the example.',
    )
    expect(wrong(rules('hits = ["ls && git push"]\nmisses = ["git commit -m push"]'))).toBe('nothing was thrown')
  })
})

describe('a settings file that is no plain file', () => {
  const project = (make: (file: string) => void): string => {
    const { files, ...options } = host()
    make(files.project)
    return failure(() => loadProfiles(options).profileFor(null, null))
  }

  it('is refused as a link, a directory, a pipe, too large, or not UTF-8, each in its own words', () => {
    expect(project((file) => symlinkSync('/etc/hostname', file))).toBe(
      'SETTINGS_INVALID work/cordon.toml is a symlink. Project settings must be a regular file in the project. Replace the symlink by a copy.',
    )
    expect(project((file) => symlinkSync('/nowhere', file))).toContain('is a symlink')
    expect(project((file) => mkdirSync(file))).toContain('is not a regular file')
    expect(project((file) => execFileSync('/usr/bin/mkfifo', [file]))).toContain('is not a regular file')
    expect(project((file) => writeFileSync(file, '#'.repeat(300_000)))).toContain('is larger than 262144 bytes')
    expect(project((file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41])))).toContain('is not valid UTF-8')
  })

  it('is refused when it cannot be read, and when everybody can write what should bind them', () => {
    const { files, ...options } = host({ user: 'profile = "strict"' })
    chmodSync(files.user, 0o666)
    expect(failure(() => loadProfiles(options).profileFor(null, null))).toContain('is writable by every user')
    chmodSync(files.user, 0o000)
    // Root reads everything; what matters there is that the file is not ignored.
    const outcome = failure(() => loadProfiles(options).profileFor(null, null))
    expect(outcome).toMatch(process.getuid?.() === 0 ? /^nothing was thrown$/ : /cannot be read \(permission denied\)/)
  })

  it('may be missing, with any of the directories above it', () => {
    const { root, ...options } = host()
    rmSync(root, { recursive: true })
    expect(loadProfiles(options).profileFor(null, null).name).toBe('workspace')
    expect(readSettingsFile('/etc/hostname/x', 'user')).toBeNull()
  })

  it('lets the user link to where their settings are kept', () => {
    const { root, files, ...options } = host()
    writeFileSync(`${root}/dotfiles.toml`, 'profile = "strict"')
    symlinkSync(`${root}/dotfiles.toml`, files.user)
    expect(loadProfiles(options).profileFor(null, null).name).toBe('strict')
  })

  it('is looked for where XDG_CONFIG_HOME says, unless that is relative', () => {
    const { root, files, ...options } = host({ user: 'profile = "strict"' })
    mkdirSync(`${root}/xdg/cordon`, { recursive: true })
    writeFileSync(`${root}/xdg/cordon/cordon.toml`, 'profile = "readonly"')
    expect(loadProfiles({ ...options, env: { XDG_CONFIG_HOME: `${root}/xdg` } }).profileFor(null, null).name).toBe(
      'readonly',
    )
    expect(loadProfiles({ ...options, env: { XDG_CONFIG_HOME: 'xdg' } }).profileFor(null, null).name).toBe('strict')
  })
})
