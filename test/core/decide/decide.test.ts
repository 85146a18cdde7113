import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/core/model/policy/decision.js'
import { decided, rule, structured } from './fixture.js'

describe('decide', () => {
  it('allows what no rule names, and says so of every part', () => {
    expect(decided('ls; git status')).toEqual({
      verdict: 'allow',
      because: [
        {
          rule: 'default',
          verdict: 'allow',
          span: [0, 2],
          reason: 'Profile "test" allows commands that no rule denies.',
          program: 'ls',
        },
        {
          rule: 'default',
          verdict: 'allow',
          span: [4, 14],
          reason: 'Profile "test" allows commands that no rule denies.',
          program: 'git',
        },
      ],
      matches: [
        {
          rule: 'default',
          verdict: 'allow',
          span: [0, 2],
          reason: 'Profile "test" allows commands that no rule denies.',
          program: 'ls',
        },
        {
          rule: 'default',
          verdict: 'allow',
          span: [4, 14],
          reason: 'Profile "test" allows commands that no rule denies.',
          program: 'git',
        },
      ],
    })
  })

  it('denies the whole for one part, and points at that part', () => {
    const decision = decided('ls; sudo id')
    expect(decision.verdict).toBe('deny')
    expect(decision.because).toEqual([
      {
        rule: 'builtin/sudo',
        verdict: 'deny',
        span: [4, 11],
        reason: 'Command not allowed: sudo. It would run a command with the rights of another user.',
        instead: 'Run the command as the current user. Ask a person to run the steps that need root.',
        remedy: expect.any(String),
        program: 'sudo',
      },
    ])
    expect(decision.matches.map((m) => m.rule)).toEqual(['builtin/sudo', 'default', 'default'])
  })

  it('applies the default to a script that runs no program', () => {
    expect(decided('x=1', { facts: { invocations: [] } }).because).toMatchObject([{ rule: 'default', span: [0, 3] }])
    expect(decided('> x', { facts: { invocations: [] }, profile: { default: 'deny' } }).verdict).toBe('deny')
  })

  it('does not let a question weaken a default that denies', () => {
    expect(decided('git push', { profile: { default: 'deny' } }).verdict).toBe('deny')
    expect(
      decided('eval $x', {
        profile: { default: 'deny' },
        facts: { invocations: [], opaque: [{ span: [0, 7], kind: 'unknown', reason: 'x' }] },
      }).verdict,
    ).toBe('deny')
  })

  it('asks about hidden code and lets foreign code be, as the profile says', () => {
    const opaque = [{ span: [0, 4], kind: 'unknown', reason: 'The word is computed' }] as const
    expect(decided('eval x', { facts: { opaque } }).because).toEqual([
      {
        rule: 'opaque/unknown',
        verdict: 'ask',
        span: [0, 4],
        reason: 'Cordon cannot tell what this would run: The word is computed.',
        instead: 'Write the command out, without computed parts.',
        remedy: expect.any(String),
      },
    ])
    const foreign = [{ span: [0, 11], kind: 'foreign', reason: 'python' }] as const
    expect(decided('python a.py', { facts: { opaque: foreign } }).verdict).toBe('allow')
    expect(
      decided('python a.py', { facts: { opaque: foreign }, profile: { opaque: { unknown: 'ask', foreign: 'ask' } } })
        .verdict,
    ).toBe('ask')
  })

  it('lets an allow rule lift questions asked by default, foreign code included, and nothing else', () => {
    const allow = (program: string): ReturnType<typeof rule> => rule({ program: [program], verdict: 'allow' })
    const unwalled = { opaque: { unknown: 'ask', foreign: 'ask' } } as const
    expect(decided('git push', { profile: { rules: [allow('git')] } }).verdict).toBe('allow')
    const foreign = { opaque: [{ span: [0, 11], kind: 'foreign', reason: 'python' }] } as const
    expect(decided('python a.py', { facts: foreign, profile: { ...unwalled, rules: [allow('python')] } }).verdict).toBe(
      'allow',
    )
    const hidden = { opaque: [{ span: [0, 7], kind: 'unknown', reason: 'x' }] } as const
    expect(decided('bash $x', { facts: hidden, profile: { rules: [allow('bash')] } }).verdict).toBe('ask')
    expect(decided('sudo id', { profile: { rules: [allow('sudo')] } }).verdict).toBe('deny')
    expect(decided('curl x', { profile: { rules: [allow('curl')] } }).verdict).toBe('deny')
    expect(decided('ls', { profile: { rules: [allow('ls')], default: 'deny' } }).verdict).toBe('allow')
    expect(decided('ls; cat x', { profile: { rules: [allow('ls')], default: 'deny' } }).verdict).toBe('deny')
  })

  it('removes a built-in denial, a question or the look at the environment only by name', () => {
    expect(decided('sudo id', { profile: { builtins: { removed: ['sudo'] } } }).verdict).toBe('allow')
    expect(decided('curl x', { profile: { builtins: { removed: ['network'] } } }).verdict).toBe('allow')
    expect(decided('git push', { profile: { builtins: { removed: ['git-push'] } } }).verdict).toBe('allow')
    const environment = [{ name: 'LD_PRELOAD', value: 'x.so', span: [0, 4] }] as const
    expect(decided('ls', { facts: { environment } }).verdict).toBe('ask')
    expect(decided('ls', { facts: { environment }, profile: { builtins: { removed: ['environment'] } } }).verdict).toBe(
      'allow',
    )
  })

  it('refuses in structured mode what shell mode may do, in any letter case', () => {
    for (const program of ['rm', 'RM', '/bin/rm', 'sudo', 'dd', 'mkfs', 'shutdown', 'reboot', 'passwd', 'visudo']) {
      const decision = decided(`${program} x`, { command: structured(program, 'x') })
      expect(decision.verdict, program).toBe('deny')
      expect(decision.because[0]?.reason, program).toMatch(
        new RegExp(`^Command not allowed: ${program.split('/').at(-1)}\\b`),
      )
    }
    expect(decided('rm x').verdict).toBe('allow')
    expect(decided('dd if=a of=b').verdict).toBe('allow')
  })

  const ORDER: readonly Verdict[] = ['allow', 'ask', 'deny']

  it('holds to the precedence: built-in denial, deny, ask, allow, default', () => {
    for (const builtin of [false, true])
      for (const deny of [false, true])
        for (const ask of [false, true])
          for (const allow of [false, true])
            for (const byDefault of ORDER) {
              const program = builtin ? 'sudo' : 'tool'
              const rules = [deny && 'deny', ask && 'ask', allow && 'allow'].flatMap((verdict) =>
                verdict ? [rule({ id: verdict, program: [program], verdict: verdict as Verdict })] : [],
              )
              const expected = builtin || deny ? 'deny' : ask ? 'ask' : allow ? 'allow' : byDefault
              const decision = decided(`${program} x`, { profile: { rules, default: byDefault } })
              expect(decision.verdict, JSON.stringify({ builtin, deny, ask, allow, byDefault })).toBe(expected)
            }
  })
})
