import { describe, expect, it } from 'vitest'
import { generatedScripts, mutatedScripts } from './generated.js'
import { factsOf, missed } from './judge.js'
import { executedBy } from './real-bash.js'
import { SEEN } from './scripts.js'

const RUNS = Number(process.env.CORDON_ORACLE_RUNS ?? 250)
const SEED = Number(process.env.CORDON_ORACLE_SEED ?? 1)

function losses(scripts: readonly string[]): readonly string[] {
  const executed = executedBy(scripts)
  return scripts.flatMap((script, i) => {
    const lost = missed(factsOf(script, i), executed[i] ?? [])
    return lost.length > 0 ? [`${JSON.stringify(script)} → lost ${lost.map((argv) => argv.join(' ')).join(', ')}`] : []
  })
}

describe('scripts nobody wrote', () => {
  it('run no program that is neither listed nor covered by an opaque spot', () => {
    expect(losses(generatedScripts(RUNS, SEED))).toEqual([])
  }, 600_000)

  it('run none when a valid script is damaged either', () => {
    expect(losses(mutatedScripts(SEEN, RUNS, SEED))).toEqual([])
  }, 600_000)

  it('are mostly seen through, not merely covered', () => {
    const scripts = generatedScripts(200, SEED + 1)
    const hidden = scripts.filter((script) => factsOf(script).opaque.some((spot) => spot.kind === 'unknown'))
    expect(hidden.length / scripts.length).toBeLessThan(0.15)
  })
})
