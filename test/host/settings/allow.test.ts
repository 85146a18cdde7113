import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hostsOf } from '../../../src/core/model/policy/network-sets.js'
import { type Allowance, allowInSettings } from '../../../src/host/settings/allow.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { failure, type Host, host, removeHosts } from './fixture.js'

afterAll(removeHosts)

const allow = (where: Host, what: Allowance['what'], words: readonly string[], profile?: string, read = false) =>
  allowInSettings({ what, words, profile, read }, where)
const userText = (where: Host): string => readFileSync(where.files.user, 'utf8')
const profileIn = (where: Host, name: string) => loadProfiles(where).profileFor(null, name)

describe('cordon allow host', () => {
  it('writes one line into new settings, for the profile that requests use, and shows it', () => {
    const where = host()
    const { lines, ...more } = allow(where, 'host', ['Example.com'])
    expect(more).toEqual({ profile: 'workspace', file: where.files.user })
    expect(lines).toBe('[profiles.workspace.network]\nhosts = ["...", "example.com"]')
    expect(userText(where)).toBe(`${lines}\n`)
    expect(profileIn(where, 'workspace').network).toEqual({ hosts: ['example.com'] })
    expect(allow(where, 'host', ['example.com']).lines).toBeNull()
  })

  it('adds to the list that is there, and leaves every comment and every other line alone', () => {
    const user = [
      '# mine',
      'profile = "developer"',
      '',
      '[profiles.developer.network] # forges',
      'sets = ["...", "github"]',
      'hosts = [',
      '  "...", # inherited',
      '  "a.test", # ours',
      ']',
      '',
      '[profiles.other]',
      'extends = "workspace"',
      '',
    ].join('\n')
    const where = host({ user })
    allow(where, 'host', ['b.test:8443'])
    expect(userText(where)).toBe(user.replace('hosts = [', 'hosts = ["b.test:8443", '))
    const { network } = profileIn(where, 'developer')
    expect(hostsOf(network)).toEqual(expect.arrayContaining(['a.test', 'b.test:8443', 'github.com:443']))
  })

  it.each([
    ['a table without a list', '[profiles.workspace.network]\nunlisted = "ask"\n'],
    ['a dotted key', '[profiles.workspace]\nnetwork.hosts = ["a.test"]\n'],
    ['an inline table', '[profiles.workspace]\nnetwork = { hosts = ["a.test"] }\n'],
    ['another table', '[profiles.workspace]\nsummary = "x"\n'],
    ['an empty list', '[profiles.workspace.network]\nhosts = []\n'],
  ])('cordon allow host adds the host to settings with %s', (_, user) => {
    const where = host({ user })
    allow(where, 'host', ['b.test', 'c.test'])
    expect(hostsOf(profileIn(where, 'workspace').network)).toEqual(expect.arrayContaining(['b.test', 'c.test']))
  })

  it('prints the line to add by hand if it cannot change the file, and leaves the file unchanged', () => {
    const user = '[profiles.workspace]\nnetwork = "none"\n'
    const where = host({ user })
    expect(failure(() => allow(where, 'host', ['b.test']))).toMatch(/^SETTINGS_INVALID .*by hand:\nnetwork\.hosts = /s)
    expect(userText(where)).toBe(user)
  })

  it('refuses what is no host, a whole domain of the top, and the loopback without a port', () => {
    const where = host()
    for (const odd of [
      '*',
      '*.com',
      'a b',
      'http://a.test',
      'a/b',
      'a:99999',
      'a:0',
      '',
      'a"]',
      '[x]',
      'localhost',
      '127.0.0.1',
      '::1',
    ])
      expect([odd, failure(() => allow(where, 'host', [odd]))]).toEqual([
        odd,
        expect.stringMatching(/^INVALID_ARGUMENTS/),
      ])
    expect(existsSync(where.files.user)).toBe(false)
    expect(allow(where, 'host', ['localhost:5432', '[::2]:80', '*.example.com']).lines).not.toBeNull()
  })

  it('puts the settings back where a project has the last word', () => {
    const project = '[profiles.workspace]\nnetwork = "none"\n'
    const user = '# mine\n'
    const where = host({ user, project })
    expect(failure(() => allow(where, 'host', ['b.test']))).toMatch(/^SETTINGS_INVALID .*forbid/)
    expect(userText(where)).toBe(user)
  })
})

describe('cordon allow path', () => {
  it('opens one directory for writing, below the home by its short name', () => {
    const where = host()
    mkdirSync(join(where.home, 'notes'))
    mkdirSync(join(where.root, 'sibling'))
    allow(where, 'path', ['~/notes', join(where.root, 'sibling')])
    expect(profileIn(where, 'workspace').paths.writable.toSorted()).toEqual([join(where.root, 'sibling'), '~/notes'])
  })

  it('opens a path for reading with --read, one that only writing is closed to among them', () => {
    const where = host()
    for (const name of ['models', '.config/cordon']) mkdirSync(join(where.home, name), { recursive: true })
    mkdirSync(join(where.root, 'remote.git'))
    const lines = allow(where, 'path', ['~/models', join(where.root, 'remote.git')], undefined, true).lines
    expect(lines).toContain('[profiles.workspace.paths]\nreadable = ["...", "~/models"]')
    const { paths } = profileIn(where, 'workspace')
    expect([paths.readable.toSorted(), paths.writable]).toEqual([[join(where.root, 'remote.git'), '~/models'], []])
    expect(allow(where, 'path', ['~/models'], undefined, true).lines).toBeNull()
  })

  it('shows a path hidden by path or name for reading only, and refuses to open it for writing', () => {
    const where = host()
    mkdirSync(join(where.home, '.ssh'))
    writeFileSync(join(where.home, '.ssh/config'), '')
    writeFileSync(join(where.workspace, '.env'), '')
    for (const path of ['~/.ssh/config', join(where.workspace, '.env')]) {
      expect(failure(() => allow(where, 'path', [path]))).toContain('is hidden or protected by the profile (')
      expect(allow(where, 'path', [path], undefined, true).lines).toContain('.env' === path.slice(-4) ? path : '~/.ssh')
    }
    expect(failure(() => allow(where, 'path', [where.workspace], undefined, true))).toMatch(/^INVALID_ARGUMENTS/)
  })

  it('refuses what is relative, missing, too much, secret, protected or in the workspace', () => {
    const where = host()
    for (const name of ['.ssh/keys', '.config/cordon']) mkdirSync(join(where.home, name), { recursive: true })
    symlinkSync(join(where.home, '.ssh'), join(where.root, 'innocent'))
    const odd = [
      'notes',
      '/nowhere',
      '/',
      '/etc',
      '/usr',
      '~',
      where.home,
      where.root,
      where.workspace,
      '~/.ssh',
      '~/.ssh/keys',
    ]
    for (const path of [...odd, '~/.config/cordon', join(where.root, 'innocent'), '/tm*'])
      expect([path, failure(() => allow(where, 'path', [path]))]).toEqual([
        path,
        expect.stringMatching(/^INVALID_ARGUMENTS/),
      ])
  })
})

describe('cordon allow rule', () => {
  it('removes a built-in rule by its name or by the id that refusals show', () => {
    const where = host()
    const { lines } = allow(where, 'rule', ['sudo', 'builtin/nc-exec'])
    expect(lines).toBe('[profiles.workspace.builtins]\nremoved = ["...", "sudo"]\nremoved = ["nc-exec", …]')
    expect(profileIn(where, 'workspace').builtins.removed.toSorted()).toEqual(['nc-exec', 'sudo'])
    expect(allow(where, 'rule', ['builtin/sudo']).lines).toBeNull()
    for (const odd of ['path/hidden', 'nothing', 'default'])
      expect(failure(() => allow(where, 'rule', [odd]))).toMatch(/^INVALID_ARGUMENTS/)
  })
})

describe('cordon allow program', () => {
  it('adds the program to the list of a profile that has one', () => {
    const where = host()
    expect(allow(where, 'program', ['hostname'], 'strict').lines).toContain('allow_only = ["...", "hostname"]')
    expect(profileIn(where, 'strict').programs.allowOnly).toContain('hostname')
  })

  it('adds a rule for the program with its first words, and no other', () => {
    const where = host({ user: '[[profiles.workspace.rules]]\nprogram = "x"\nverdict = "ask"\nbecause = "y"\n' })
    allow(where, 'program', ['git', 'push'])
    expect(profileIn(where, 'workspace').rules.at(-1)).toMatchObject({
      program: ['git'],
      args: ['push'],
      verdict: 'allow',
    })
    expect(allow(where, 'program', ['git', 'push']).lines).toBeNull()
  })

  it('refuses programs that run other commands, paths and words that need quotes', () => {
    const where = host()
    for (const words of [
      ['bash'],
      ['env', 'x'],
      ['python3'],
      ['sudo', 'id'],
      ['./x'],
      ['git', 'a b'],
      ['git', '*'],
      [''],
    ])
      expect([words, failure(() => allow(where, 'program', words))]).toEqual([
        words,
        expect.stringMatching(/^INVALID_ARGUMENTS/),
      ])
    writeFileSync(where.files.user, '')
  })
})
