import { describe, expect, it } from 'vitest'
import { factsOf, factsWithoutScripts, missed, unlisted } from './judge.js'
import { executedBy } from './real-bash.js'
import { ANALYSABLE, ONLY_TEXT, UNKNOWN_SCRIPTS } from './scripts.js'

describe('real bash and the analyser agree', () => {
  it('every program of an analysable script is listed with its arguments', () => {
    const executed = executedBy(ANALYSABLE)
    const wrong = ANALYSABLE.flatMap((script, i) => {
      const facts = factsOf(script, i)
      const lost = unlisted(facts, executed[i] ?? [])
      const unknown = facts.opaque.filter((spot) => spot.kind === 'unknown')
      return lost.length > 0 || unknown.length > 0 || (executed[i] ?? []).length === 0
        ? [[script, ...lost.map((argv) => `lost ${argv.join(' ')}`), ...unknown.map((spot) => spot.reason)].join(' → ')]
        : []
    })
    expect(wrong).toEqual([])
  }, 600_000)

  it('text that is only data runs nothing and is not opaque', () => {
    const executed = executedBy(ONLY_TEXT)
    ONLY_TEXT.forEach((script, i) => {
      const facts = factsOf(script, i)
      expect({ script, opaque: facts.opaque, missed: missed(facts, executed[i] ?? []) }).toEqual({
        script,
        opaque: [],
        missed: [],
      })
      const external = facts.invocations.filter((v) => !/^(echo|printf|true)$/.test(v.program ?? ''))
      expect(external.map((v) => v.program)).toEqual((executed[i] ?? []).map((argv) => argv[0]))
    })
  }, 600_000)

  it('a script with an unknown command is reported as unknown', () => {
    for (const script of UNKNOWN_SCRIPTS)
      expect({ script, isUnknown: factsWithoutScripts(script).opaque.some((spot) => spot.kind === 'unknown') }).toEqual(
        {
          script,
          isUnknown: true,
        },
      )
  })
})
