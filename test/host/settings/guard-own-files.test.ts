import { describe, expect, it } from 'vitest'
import type { Profiles } from '../../../src/engine/ports/ports.js'
import { guardOwnFiles } from '../../../src/host/settings/guard-own-files.js'
import { plainProfile } from '../../contract/launcher-plan.js'

const profiles: Profiles = { list: () => [], profileFor: () => plainProfile }
const places = (env: Readonly<Record<string, string>>) => ({ workspace: '/h', home: '/h', env })

describe('profiles with guarded files of Cordon', () => {
  it('hide the state directory and protect the settings, besides what the profile names', () => {
    const { paths } = guardOwnFiles(profiles, places({}), '/state').profileFor(null, null)
    expect(paths.hidden).toEqual([...plainProfile.paths.hidden, '/state'])
    expect(paths.protected).toEqual([...plainProfile.paths.protected, '/h/.config/cordon'])
  })

  it('protect the settings that are read, where XDG_CONFIG_HOME is set, and where it is relative and therefore ignored', () => {
    const protectedBy = (config: string): readonly string[] =>
      guardOwnFiles(profiles, places({ XDG_CONFIG_HOME: config }), '/state').profileFor(null, null).paths.protected
    expect(protectedBy('/etc/person')).toContain('/etc/person/cordon')
    expect(protectedBy('relative')).toContain('/h/.config/cordon')
  })

  it('are the same object for the same profile, so that what is prepared for a profile is prepared once', () => {
    const guarded = guardOwnFiles(profiles, places({}), '/state')
    expect(guarded.profileFor('a', null)).toBe(guarded.profileFor('b', null))
  })
})
