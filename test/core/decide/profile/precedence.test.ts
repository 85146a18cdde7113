import { describe, expect, it } from 'vitest'
import { stricter, type Verdict } from '../../../../src/core/model/policy/decision.js'
import type { Rule } from '../../../../src/core/model/policy/profile.js'
import { fc } from '../../../property.js'
import { decided, rule } from '../fixture.js'

const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny')
const name = fc.constantFrom('a', 'b', 'c', 'sudo')
const rules = fc.array(fc.record({ program: name, verdict }), { maxLength: 6 })
const script = fc.array(name, { minLength: 1, maxLength: 5 })

const toRules = (list: readonly { program: string; verdict: Verdict }[]): Rule[] =>
  list.map((one, i) => rule({ id: `rules/${i}`, program: [one.program], verdict: one.verdict }))

/** The order of the documents, written down once more in the plainest way. */
function expected(
  program: string,
  list: readonly { program: string; verdict: Verdict }[],
  byDefault: Verdict,
): Verdict {
  const own = list.filter((one) => one.program === program).map((one) => one.verdict)
  if (program === 'sudo' || own.includes('deny')) return 'deny'
  return own.includes('ask') ? 'ask' : own.includes('allow') ? 'allow' : byDefault
}

describe('precedence, over generated rules and scripts', () => {
  it('gives every script the strictest verdict of its parts', () => {
    fc.assert(
      fc.property(script, rules, verdict, (words, list, byDefault) => {
        const decision = decided(words.join('; '), { profile: { rules: toRules(list), default: byDefault } })
        expect(decision.verdict).toBe(words.map((word) => expected(word, list, byDefault)).reduce(stricter))
      }),
      { numRuns: 400 },
    )
  })

  it('never becomes weaker by a rule against something, nor by one more part', () => {
    fc.assert(
      fc.property(
        script,
        rules,
        verdict,
        name,
        fc.constantFrom<Verdict>('ask', 'deny'),
        (words, list, byDefault, extra, against) => {
          const before = decided(words.join('; '), { profile: { rules: toRules(list), default: byDefault } }).verdict
          const more = [...list, ...words.map((program) => ({ program, verdict: 'deny' as const }))]
          expect(decided(words.join('; '), { profile: { rules: toRules(more), default: byDefault } }).verdict).toBe(
            'deny',
          )
          const longer = decided([...words, extra].join('; '), {
            profile: { rules: toRules(list), default: byDefault },
          }).verdict
          expect(stricter(before, longer)).toBe(longer)
          const asked = decided(words.join('; '), {
            profile: {
              rules: [
                ...toRules(list),
                ...words.map((program, i) => rule({ id: `x/${i}`, program: [program], verdict: against })),
              ],
            },
          }).verdict
          expect(stricter(against, asked)).toBe(asked)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('brings the evidence: every reason has the verdict, and every match of that verdict is a reason', () => {
    fc.assert(
      fc.property(script, rules, verdict, (words, list, byDefault) => {
        const {
          verdict: whole,
          because,
          matches,
        } = decided(words.join('; '), { profile: { rules: toRules(list), default: byDefault } })
        expect(because).toEqual(matches.filter((match) => match.verdict === whole))
        expect(because.length).toBeGreaterThan(0)
      }),
    )
  })
})
