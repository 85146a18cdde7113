import { describe, expect, it } from 'vitest'
import { lintRules } from '../../../src/core/decide/lint-rules.js'
import { narrowRule } from '../../../src/core/decide/narrow-rule.js'
import { decided, factsOf, inputFor, PROFILE, type Setting } from './fixture.js'

/** The rule proposed for a held command. */
function proposed(text: string, setting: Setting = {}) {
  return narrowRule(inputFor(text, setting).facts, decided(text, setting).because)
}

describe('narrowRule', () => {
  it('covers the command that was asked about, and lifts the question', () => {
    const rule = proposed('ls; git push origin main')
    expect(rule?.action).toBe('tool:*:git push origin main')
    const profile = { rules: rule ? [rule] : [] }
    expect(decided('ls; git push origin main', { profile }).verdict).toBe('allow')
    expect(decided('git push origin main --force', { profile }).verdict).toBe('ask')
    expect(decided('git push', { profile }).verdict).toBe('ask')
    expect(lintRules({ ...PROFILE, ...profile })).toEqual([])
  })

  it('takes a * in the command for a letter', () => {
    const rule = proposed('git push origin *')
    expect(decided('git push origin evil', { profile: { rules: rule ? [rule] : [] } }).verdict).toBe('ask')
    expect(decided('git push origin *', { profile: { rules: rule ? [rule] : [] } }).verdict).toBe('allow')
  })

  it('proposes nothing where any rule would grant too much or could not help', () => {
    const ask = { default: 'ask' } as const
    for (const text of [
      'bash x',
      'env ls',
      'xargs ls',
      'sudo ls',
      'python',
      'eval x',
      './tool x',
      'git push; npm publish',
    ]) {
      expect(proposed(text, { profile: { ...ask, builtins: { removed: ['sudo'] } } }), text).toBeNull()
    }
    const hidden = { opaque: [{ span: [0, 3], kind: 'hidden', reason: 'x' }] } as const
    expect(proposed('git push', { facts: hidden })).toBeNull()
    const environment = [{ name: 'LD_PRELOAD', value: 'x', span: [0, 1] }] as const
    expect(proposed('git push', { facts: { environment } })).toBeNull()
    const unknown = {
      invocations: [{ program: 'git', argv: ['git', 'push', { unknown: 'x' }], span: [0, 8], via: [] }],
    } as const
    expect(proposed('git push $x', { facts: unknown })).toBeNull()
  })

  it('without the questions takes a single command only', () => {
    expect(narrowRule(factsOf('git push'))?.action).toBe('tool:*:git push')
    expect(narrowRule(factsOf('git push; ls'))).toBeNull()
  })
})
