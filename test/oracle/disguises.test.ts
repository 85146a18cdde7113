import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../src/core/analyse/analyse.js'
import { decide } from '../../src/core/decide/decide.js'
import { noAnswers } from '../../src/core/model/facts.js'
import { loadProfiles } from '../../src/host/settings/profiles.js'
import { DISGUISES, nestedDisguises, PLAIN } from './disguises.js'
import { factsOf, missed } from './judge.js'
import { executedBy } from './real-bash.js'

const RUNS = Number(process.env.CORDON_ORACLE_RUNS ?? 100)
const SEED = Number(process.env.CORDON_ORACLE_SEED ?? 1)
const SEVERITY = { allow: 0, ask: 1, deny: 2 }
const PLACE = { workspace: '/home/user/proj', home: '/home/user' }
const profiles = loadProfiles({ ...PLACE, env: {}, builtinDir: join(import.meta.dirname, '../../profiles') })

function verdictsOf(script: string): readonly number[] {
  const command = { mode: 'shell' as const, script }
  const { facts } = analyse(command, { cwd: PLACE.workspace, home: PLACE.home, env: [] }, noAnswers())
  return ['strict', 'workspace', 'developer', 'readonly', 'open'].map((name) => {
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
    return SEVERITY[
      decide({ command, text: script, facts, answers: noAnswers(), profile, surroundings, cwd: PLACE.workspace })
        .verdict
    ]
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

function weaker(scripts: readonly string[]): readonly string[] {
  const plain = verdictsOf(PLAIN)
  return scripts.filter((script) =>
    verdictsOf(script.replaceAll('/mnt/shims/', '/usr/bin/')).some((verdict, i) => verdict < (plain[i] ?? 0)),
  )
}

describe('a command in disguise', () => {
  it('is found, and gains nothing by it under any profile', () => {
    const { real, lost } = judged(DISGUISES)
    expect(DISGUISES.filter((script) => !real.includes(script))).toEqual([])
    expect(lost).toEqual([])
    expect(weaker(real)).toEqual([])
  }, 600_000)

  it('is found inside other disguises too', () => {
    const { real, lost } = judged(nestedDisguises(RUNS, SEED))
    expect(real.length).toBeGreaterThan(RUNS / 2)
    expect(lost).toEqual([])
    expect(weaker(real)).toEqual([])
  }, 600_000)
})
