import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { failure, host, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

const SYSTEM =
  'allowed_profiles = ["workspace", "developer", "readonly", "mine"]\n[agents.builder]\nprofile = "workspace"\n'

describe('with a system file, the settings of a user', () => {
  const found = (user: string, system = SYSTEM): string =>
    failure(() => profilesOf({ system, user }).profileFor(null, null))

  it.each([
    ['open the network', '[profiles.workspace]\nnetwork = "full"\n', 'profiles.workspace.network|network'],
    ['switch the sandbox off', '[profiles.workspace]\nsandbox = "off"\n', 'sandbox'],
    ['remove a built-in denial', '[profiles.workspace]\nbuiltins.removed = ["sudo"]\n', 'sudo'],
    ['allow a command', '[permissions]\nallow = ["Bash(sudo id)"]\n', 'allows'],
    ['choose a looser default', 'profile = "developer"\n', 'developer'],
    ['define a looser profile under a new name', '[profiles.mine]\nextends = "open"\n', 'open'],
    ['allow one more profile', 'allowed_profiles = ["workspace", "open"]\n', 'open'],
    ['add an agent', '[agents.other]\n', 'other'],
    ['give an agent a looser profile', '[agents.builder]\nprofile = "developer"\n', 'developer'],
    ['show a hidden path', '[profiles.workspace]\npaths.hidden = []\n', 'hidden'],
  ])("with a system file, a user's settings cannot %s", (_, user, names) => {
    const message = found(user)
    expect(message).toMatch(/^SETTINGS_INVALID/)
    expect(message).toContain('binds your settings, which can only tighten')
    expect(message).toMatch(new RegExp(names))
    expect(message).toContain('administrator')
  })

  it("with a system file, a user's settings can still tighten", () => {
    const profiles = profilesOf({
      system: SYSTEM,
      user: 'profile = "readonly"\n[profiles.readonly]\ntimeouts.max_ms = 1000\n',
    })
    expect(profiles.profileFor(null, null)).toMatchObject({ name: 'readonly', timeouts: { maxMs: 1000 } })
  })

  it('are free where there is no system file', () => {
    const profiles = profilesOf({ user: '[profiles.workspace]\nnetwork = "full"\n' })
    expect(profiles.profileFor(null, null).network).toBe('full')
  })

  it('are bound by what the system file itself loosens or tightens, not by the built-in profiles', () => {
    const system = '[profiles.workspace]\nnetwork = "full"\n'
    expect(
      profilesOf({ system, user: '[profiles.workspace]\nnetwork = "full"\n' }).profileFor(null, null).network,
    ).toBe('full')
  })

  it('are refused when a group or everyone can write the system file', () => {
    const here = host({ system: SYSTEM })
    chmodSync(here.files.system, 0o666)
    expect(failure(() => loadProfiles(here).profileFor(null, null))).toMatch(/is writable by every user/)
    if (process.getuid?.() === 0) {
      chmodSync(here.files.system, 0o664)
      chownSync(here.files.system, 0, 65_534)
      expect(failure(() => loadProfiles(here).profileFor(null, null))).toMatch(/is writable by a group/)
    }
  })

  it('are refused if the system file does not belong to root', () => {
    const here = host({ system: SYSTEM })
    if (process.getuid?.() === 0) chownSync(here.files.system, 65_534, 0)
    expect(failure(() => loadProfiles({ ...here, systemOwner: undefined }).profileFor(null, null))).toMatch(
      /does not belong to root/,
    )
  })

  it('bind a project as well', () => {
    const here = host({ system: SYSTEM })
    writeFileSync(here.files.project, '[profiles.workspace]\nnetwork = "full"\n')
    expect(failure(() => loadProfiles(here).profileFor(null, null))).toMatch(/a project can only tighten/)
  })
})
