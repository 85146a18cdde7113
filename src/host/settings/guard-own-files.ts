import { dirname } from 'node:path'
import type { Profile } from '../../core/model/policy/profile.js'
import type { Profiles } from '../../engine/ports/ports.js'
import { type SettingsPlaces, userFile } from './layers.js'

/**
 * Hides the state directory and protects the user's settings in every profile and workspace. Otherwise an agent in the
 * home directory could change the audit log, the approvals or its own settings.
 */
export function guardOwnFiles(profiles: Profiles, places: SettingsPlaces, stateDirectory: string): Profiles {
  const settings = dirname(userFile(places))
  const known = new WeakMap<Profile, Profile>()
  const guarded = (profile: Profile): Profile => ({
    ...profile,
    paths: {
      ...profile.paths,
      hidden: [...profile.paths.hidden, stateDirectory],
      protected: [...profile.paths.protected, settings],
    },
  })
  return {
    list: () => profiles.list(),
    profileFor: (agent, name) => {
      const profile = profiles.profileFor(agent, name)
      const made = known.get(profile) ?? guarded(profile)
      known.set(profile, made)
      return made
    },
  }
}
