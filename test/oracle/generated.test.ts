import { describe, expect, it } from 'vitest'
import { generatedScripts, mutatedScripts } from './generated.js'
import { factsOf, missed } from './judge.js'
import { executedBy } from './real-bash.js'
import { ANALYSABLE } from './scripts.js'

const RUNS = Number(process.env.CORDON_ORACLE_RUNS ?? 250)
const SEED = Number(process.env.CORDON_ORACLE_SEED ?? 1)

function losses(scripts: readonly string[]): readonly string[] {
  const executed = executedBy(scripts)
  return scripts.flatMap((script, i) => {
    const lost = missed(factsOf(script, i), executed[i] ?? [])
    return lost.length > 0 ? [`${JSON.stringify(script)} → lost ${lost.map((argv) => argv.join(' ')).join(', ')}`] : []
  })
}

describe('random scripts', () => {
  it('a random script runs only programs that are listed or covered by a report', () => {
    expect(losses(generatedScripts(RUNS, SEED))).toEqual([])
  }, 600_000)

  it('a damaged script runs only programs that are listed or covered by a report', () => {
    expect(losses(mutatedScripts(ANALYSABLE, RUNS, SEED))).toEqual([])
  }, 600_000)

  it('most programs of random scripts are listed, not merely covered', () => {
    const scripts = generatedScripts(200, SEED + 1)
    const unknown = scripts.filter((script) => factsOf(script).opaque.some((spot) => spot.kind === 'unknown'))
    expect(unknown.length / scripts.length).toBeLessThan(0.15)
  })
})
