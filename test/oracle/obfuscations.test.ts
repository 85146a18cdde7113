import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../src/core/analyse/analyse.js'
import { decide } from '../../src/core/decide/decide.js'
import { noAnswers } from '../../src/core/model/run/facts.js'
import { loadProfiles } from '../../src/host/settings/profiles.js'
import { factsOf, missed } from './judge.js'
import { nestedObfuscations, OBFUSCATIONS } from './obfuscations.js'
import { executedBy } from './real-bash.js'

const RUNS = Number(process.env.CORDON_ORACLE_RUNS ?? 100)
const SEED = Number(process.env.CORDON_ORACLE_SEED ?? 1)
const PLACE = { workspace: '/home/user/proj', home: '/home/user' }
const profiles = loadProfiles({ ...PLACE, env: {}, builtinDir: join(import.meta.dirname, '../../profiles') })

/** Returns the profiles that allow a script without any opaque code. */
function silentlyAllowedBy(script: string): readonly string[] {
  const command = { mode: 'shell' as const, script }
  const { facts } = analyse(command, { cwd: PLACE.workspace, home: PLACE.home, env: [] }, noAnswers())
  if (facts.opaque.some((spot) => !spot.inherent)) return []
  return ['strict', 'workspace', 'developer', 'readonly', 'open'].filter((name) => {
    const surroundings = {
      ...PLACE,
      roots: [PLACE.workspace],
      writable: [],
      hidden: [],
      protected: [],
      env: [],
      bash: '/bin/bash',
    }
    const profile = profiles.profileFor(null, name)
    return (
      decide({ command, text: script, facts, answers: noAnswers(), profile, surroundings, cwd: PLACE.workspace })
        .verdict === 'allow'
    )
  })
}

/** Returns the scripts that run the command in bash, and those of which the analyser lists and covers nothing. */
function judged(scripts: readonly string[]): { readonly real: readonly string[]; readonly lost: readonly string[] } {
  const executed = executedBy(scripts)
  const ran = scripts.map((_, i) => (executed[i] ?? []).some((argv) => argv.slice(1).join(' ') === '-rf /'))
  return {
    real: scripts.filter((_, i) => ran[i]),
    lost: scripts.flatMap((script, i) => {
      const lines = missed(factsOf(script, i), executed[i] ?? []).map((argv) => argv.join(' '))
      return lines.length > 0 ? [`${JSON.stringify(script)} → ${lines.join(', ')}`] : []
    }),
  }
}

const silentlyAllowed = (scripts: readonly string[]): readonly string[] =>
  scripts.filter((script) => silentlyAllowedBy(script.replaceAll('/mnt/shims/', '/usr/bin/')).length > 0)

describe('obfuscated commands', () => {
  it('an obfuscated command is listed or reported, and never allowed without a report', () => {
    const { real, lost } = judged(OBFUSCATIONS)
    expect(OBFUSCATIONS.filter((script) => !real.includes(script))).toEqual([])
    expect(lost).toEqual([])
    expect(silentlyAllowed(real)).toEqual([])
  }, 600_000)

  it('an obfuscated command inside another one is listed or reported, and never silently allowed', () => {
    const { real, lost } = judged(nestedObfuscations(RUNS, SEED))
    expect(real.length).toBeGreaterThan(RUNS / 2)
    expect(lost).toEqual([])
    expect(silentlyAllowed(real)).toEqual([])
  }, 600_000)
})
