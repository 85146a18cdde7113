import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../src/core/analyse/analyse.js'
import { decide } from '../../src/core/decide/decide.js'
import { noAnswers } from '../../src/core/model/facts.js'
import { loadProfiles } from '../../src/host/settings/profiles.js'
import { DISGUISES, nestedDisguises } from './disguises.js'
import { factsOf, missed } from './judge.js'
import { executedBy } from './real-bash.js'

const RUNS = Number(process.env.CORDON_ORACLE_RUNS ?? 100)
const SEED = Number(process.env.CORDON_ORACLE_SEED ?? 1)
const PLACE = { workspace: '/home/user/proj', home: '/home/user' }
const profiles = loadProfiles({ ...PLACE, env: {}, builtinDir: join(import.meta.dirname, '../../profiles') })

/** Profiles that allow a script of which the analyser reports nothing unknown or foreign. */
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

/** The real ones among them, and what of each bash ran that the reader neither lists nor covers. */
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

describe('a command in disguise', () => {
  it('is listed or reported, and no profile allows it with nothing reported', () => {
    const { real, lost } = judged(DISGUISES)
    expect(DISGUISES.filter((script) => !real.includes(script))).toEqual([])
    expect(lost).toEqual([])
    expect(silentlyAllowed(real)).toEqual([])
  }, 600_000)

  it('inside another disguise is listed or reported too, and never silently allowed', () => {
    const { real, lost } = judged(nestedDisguises(RUNS, SEED))
    expect(real.length).toBeGreaterThan(RUNS / 2)
    expect(lost).toEqual([])
    expect(silentlyAllowed(real)).toEqual([])
  }, 600_000)
})
