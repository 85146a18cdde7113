import { resolve } from 'node:path'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { decide } from '../../../src/core/decide/decide.js'
import type { Example } from '../../../src/core/decide/denials/denial.js'
import type { Decision } from '../../../src/core/model/policy/decision.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import { displayCommand } from '../../../src/core/model/run/display.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import type { Command } from '../../../src/core/model/run/request.js'
import type { HostContext } from '../../../src/core/model/run/surroundings.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { HOME, PROFILE, SURROUNDINGS, WORKSPACE } from './fixture.js'

/** As a private home is planned: under the state, with one shared entry. */
const WITH_PRIVATE_HOME: HostContext = {
  ...SURROUNDINGS,
  privateDirectories: {
    tmp: '/state/tmp',
    home: '/state/home',
    shared: [[`${HOME}/.nvm`, `${HOME}/.nvm`]],
    sharesAll: false,
  },
}

const toCommand = (example: Example): Command => {
  if (typeof example === 'string') return { mode: 'shell', script: example }
  const [program, ...args] = example
  return { mode: 'structured', program, args }
}

/** The decision about a command as the real reader reads it, on a machine nobody asks. */
export function decidedByReader(example: Example, profile: Profile = PROFILE): Decision {
  const command = toCommand(example)
  const answers = noAnswers()
  const home = profile.environment.home === 'workspace' ? WORKSPACE : HOME
  const { facts } = analyse(command, { cwd: WORKSPACE, home, env: [] }, answers)
  return decide({
    command,
    text: displayCommand(command),
    facts,
    answers,
    profile,
    surroundings: profile.environment.home === 'private' ? WITH_PRIVATE_HOME : SURROUNDINGS,
    cwd: WORKSPACE,
  })
}

const BUILTIN_PROFILES = loadProfiles({
  workspace: WORKSPACE,
  home: HOME,
  env: {},
  builtinDir: resolve(import.meta.dirname, '../../../profiles'),
})

/** Decides the example under a built-in profile. */
export const decidedIn = (profile: string, example: Example): Decision =>
  decidedByReader(example, BUILTIN_PROFILES.profileFor(null, profile))

/** `developer` with the one line that allows a forge, as its file shows it. */
export function developerWithForges(): Profile {
  const developer = BUILTIN_PROFILES.profileFor(null, 'developer')
  if (typeof developer.network === 'string') throw new Error('developer has a list of hosts')
  return { ...developer, network: { ...developer.network, sets: [...(developer.network.sets ?? []), 'github'] } }
}

export const rulesOf = ({ matches }: Decision): readonly string[] => matches.map(({ rule }) => rule)
