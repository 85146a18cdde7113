import { describe, expect, it } from 'vitest'
import { factsOf, factsWithoutScripts, missed, unseen } from './judge.js'
import { executedBy } from './real-bash.js'
import { HIDDEN, ONLY_TEXT, SEEN } from './scripts.js'

describe('real bash is the judge', () => {
  it('sees every program of scripts that can be seen through, with its arguments', () => {
    const executed = executedBy(SEEN)
    const wrong = SEEN.flatMap((script, i) => {
      const facts = factsOf(script, i)
      const lost = unseen(facts, executed[i] ?? [])
      const hidden = facts.opaque.filter((spot) => spot.kind === 'unknown')
      return lost.length > 0 || hidden.length > 0 || (executed[i] ?? []).length === 0
        ? [[script, ...lost.map((argv) => `lost ${argv.join(' ')}`), ...hidden.map((spot) => spot.reason)].join(' → ')]
        : []
    })
    expect(wrong).toEqual([])
  }, 600_000)

  it('lists nothing for text that is only data, and finds nothing opaque in it', () => {
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

  it('says hidden where the shell runs what nobody can name', () => {
    for (const script of HIDDEN)
      expect({ script, hidden: factsWithoutScripts(script).opaque.some((spot) => spot.kind === 'unknown') }).toEqual({
        script,
        hidden: true,
      })
  })
})
