import { describe, expect, it } from 'vitest'
import { decided, rule, structured } from '../fixture.js'

const only = (...allowOnly: string[]) => ({ programs: { allowOnly, paths: true } })

describe('the allowlist', () => {
  it('runs what it lists, and names the program and itself for anything else', () => {
    expect(decided('ls', { profile: only('ls') }).because).toEqual([
      {
        rule: 'profile/allowlist',
        verdict: 'allow',
        span: [0, 2],
        reason: 'The allowlist of profile "test" contains it.',
        program: 'ls',
      },
    ])
    expect(decided('ls; cat x', { profile: only('ls', 'wc') }).because).toEqual([
      {
        rule: 'profile/allowlist',
        verdict: 'deny',
        span: [4, 9],
        reason: 'Command not allowed: cat. It is not on the allowlist of profile "test" (ls, wc).',
        instead: 'Use one of these programs.',
        remedy: expect.any(String),
        program: 'cat',
      },
    ])
  })

  it('replaces the default, and comes before allow rules', () => {
    expect(decided('ls', { profile: { ...only('ls'), default: 'deny' } }).verdict).toBe('allow')
    expect(
      decided('cat', { profile: { ...only('ls'), rules: [rule({ program: ['cat'], verdict: 'allow' })] } }).verdict,
    ).toBe('deny')
  })

  it('is not fooled by a name from elsewhere, nor by letter case', () => {
    for (const name of ['./ls', '/tmp/ls', 'x/ls', 'LS'])
      expect(decided(name, { profile: only('ls') }).verdict, name).toBe('deny')
    expect(decided('/usr/bin/ls', { profile: only('ls') }).verdict).toBe('allow')
  })

  it('does not trust a name that the script itself may have put on the path', () => {
    const environment = [{ name: 'PATH', value: '.', span: [0, 6] }] as const
    expect(decided('ls', { profile: only('ls'), facts: { environment } }).verdict).toBe('deny')
    const rules = [rule({ program: ['git'], verdict: 'allow' })]
    expect(decided('git push', { profile: { rules }, facts: { environment } }).verdict).toBe('ask')
    expect(decided('git push', { profile: { rules } }).verdict).toBe('allow')
  })

  it('lets the shell be a shell, and refuses what it cannot name', () => {
    expect(decided('cd x; export A=1; ls', { profile: only('ls') }).verdict).toBe('allow')
    expect(decided('cd x', { profile: only('ls'), command: structured('cd', 'x') }).verdict).toBe('deny')
    const unnamed = [{ program: null, argv: [{ unknown: 'computed' }], span: [0, 2], via: [] }] as const
    expect(decided('$x', { profile: only('ls'), facts: { invocations: unnamed } }).verdict).toBe('deny')
  })
})

describe("an agent's own list", () => {
  it('needs bash for shell mode, and the program itself for structured mode', () => {
    expect(decided('echo hello', { profile: { agentPrograms: ['ls'] } }).because).toEqual([
      {
        rule: 'agent/programs',
        verdict: 'deny',
        span: [0, 10],
        reason: 'Command not allowed: bash. This agent may run only ls.',
        instead: 'Use one of these programs.',
        remedy: expect.any(String),
        program: 'bash',
      },
    ])
    expect(decided('echo hello', { profile: { agentPrograms: ['bash'] } }).verdict).toBe('allow')
    expect(decided('ls', { command: structured('ls'), profile: { agentPrograms: ['ls'] } }).verdict).toBe('allow')
    expect(decided('echo', { command: structured('echo'), profile: { agentPrograms: ['ls'] } }).verdict).toBe('deny')
    expect(decided('./ls', { command: structured('./ls'), profile: { agentPrograms: ['ls'] } }).verdict).toBe('deny')
    expect(decided('ls', { command: structured('ls'), profile: { agentPrograms: [] } }).because[0]?.reason).toContain(
      'no program',
    )
  })
})
