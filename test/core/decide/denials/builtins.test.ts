import { describe, expect, it } from 'vitest'
import type { Example } from '../../../../src/core/decide/denials/denial.js'
import { BUILTINS, REMOVABLE } from '../../../../src/core/decide/denials/index.js'
import { NETWORK_BUILTIN } from '../../../../src/core/decide/denials/network.js'
import { EFFECTS } from '../../../../src/core/decide/effects/index.js'
import { PROFILE } from '../fixture.js'
import { decidedByReader, rulesOf } from '../reading.js'

const show = (example: Example): string => (typeof example === 'string' ? example : `exec ${example.join(' ')}`)
const ALL = [...BUILTINS, NETWORK_BUILTIN]
/** With the network free, so that a miss of one denial is not another's hit. */
const profileFor = (name: string) => (name === 'network' ? PROFILE : { ...PROFILE, network: 'full' as const })

describe('built-in denials', () => {
  it('each have a name of their own, hits and misses', () => {
    expect(REMOVABLE.size).toBe(ALL.length + EFFECTS.length + ['environment', 'system-paths'].length)
    for (const { name, hits, misses } of ALL)
      expect([name, hits.length > 0, misses.length > 0]).toEqual([name, true, true])
  })

  for (const { name, hits, misses } of ALL) {
    it.each(hits.map((example) => [show(example), example] as const))(`${name} refuses \`%s\``, (_, example) => {
      const decision = decidedByReader(example, profileFor(name))
      expect(decision.verdict).toBe('deny')
      expect(rulesOf(decision)).toContain(`builtin/${name}`)
      expect(decision.because[0]?.reason).toMatch(/^Command not allowed: /)
    })

    it.each(misses.map((example) => [show(example), example] as const))(`${name} leaves \`%s\` alone`, (_, example) => {
      expect(rulesOf(decidedByReader(example, profileFor(name)))).not.toContain(`builtin/${name}`)
    })

    it(`${name} is lifted by no allow rule, and by its name alone`, () => {
      const everything = {
        id: 'all',
        program: null,
        args: [],
        action: null,
        verdict: 'allow' as const,
        because: 'x',
        instead: null,
        hits: [],
        misses: [],
      }
      for (const example of hits) {
        expect(decidedByReader(example, { ...profileFor(name), rules: [everything] }).verdict, show(example)).toBe(
          'deny',
        )
        const removed = { ...profileFor(name), builtins: { removed: [name] } }
        expect(rulesOf(decidedByReader(example, removed)), show(example)).not.toContain(`builtin/${name}`)
      }
    })
  }
})

describe('effects that ask by default', () => {
  for (const { id, hits, misses } of EFFECTS) {
    it.each(hits)(`${id} asks about \`%s\``, (example) => {
      const decision = decidedByReader(example, { ...PROFILE, network: 'full' })
      expect(decision.verdict).toBe('ask')
      expect(rulesOf(decision)).toContain(id)
    })

    it.each(misses)(`${id} leaves \`%s\` alone`, (example) => {
      expect(rulesOf(decidedByReader(example, { ...PROFILE, network: 'full' }))).not.toContain(id)
    })
  }
})
