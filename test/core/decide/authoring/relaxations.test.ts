import { describe, expect, it } from 'vitest'
import { relaxations } from '../../../../src/core/decide/authoring/relaxations.js'
import type { Profile } from '../../../../src/core/model/policy/profile.js'
import { PROFILE, rule } from '../fixture.js'

const STRICT: Profile = {
  ...PROFILE,
  modes: ['structured'],
  programs: { allowOnly: ['ls', 'cat'], paths: false },
  plainArguments: true,
  default: 'ask',
  rules: [rule({ id: 'no', program: ['x'] })],
  limits: { memoryBytes: 10, processes: 10, cpuSeconds: 10, fileBytes: 10, openFiles: 10, diskBytes: 10 },
  transaction: { ...PROFILE.transaction, required: true },
  agentPrograms: ['ls'],
  paths: { ...PROFILE.paths, write: false, readOutside: 'deny', writeOutside: 'deny' },
  environment: { ...PROFILE.environment, strip: ['AWS_'], home: 'workspace' },
}
const keys = (over: Partial<Profile>): string[] =>
  relaxations(STRICT, { ...STRICT, ...over }).map(({ key }) => key.join('.'))

describe('relaxations', () => {
  it('finds none between a profile and itself', () => {
    expect(relaxations(STRICT, STRICT)).toEqual([])
  })

  const looser: readonly (readonly [string, Partial<Profile>])[] = [
    ['sandbox', { sandbox: 'off' }],
    ['modes', { modes: ['structured', 'shell'] }],
    ['network', { network: 'full' }],
    ['network', { network: { hosts: ['a.example'] } }],
    ['default', { default: 'allow' }],
    ['plain_arguments', { plainArguments: false }],
    ['programs.allow_only', { programs: { allowOnly: null, paths: false } }],
    ['programs.allow_only', { programs: { allowOnly: ['ls', 'rm'], paths: false } }],
    ['programs.paths', { programs: { allowOnly: ['ls'], paths: true } }],
    ['builtins.removed', { builtins: { removed: ['sudo'] } }],
    ['rules', { rules: [] }],
    ['rules', { rules: [...STRICT.rules, rule({ id: 'yes', program: ['y'], verdict: 'allow' })] }],
    ['opaque.unknown', { opaque: { unknown: 'allow', foreign: 'allow' } }],
    ['opaque.foreign', { opaque: { unknown: 'ask', foreign: 'allow' } }],
    ['paths.roots', { paths: { ...STRICT.paths, roots: ['.', '/'] } }],
    ['paths.roots', { paths: { ...STRICT.paths, roots: ['../other'] } }],
    ['paths.readable', { paths: { ...STRICT.paths, readable: ['/srv'] } }],
    ['paths.writable', { paths: { ...STRICT.paths, writable: ['~'] } }],
    ['paths.hidden', { paths: { ...STRICT.paths, hidden: ['~/.ssh'] } }],
    ['paths.protected', { paths: { ...STRICT.paths, protected: [] } }],
    ['paths.write', { paths: { ...STRICT.paths, write: true } }],
    ['paths.read_outside', { paths: { ...STRICT.paths, readOutside: 'ask' } }],
    ['paths.write_outside', { paths: { ...STRICT.paths, writeOutside: 'allow' } }],
    ['environment.pass', { environment: { ...STRICT.environment, pass: ['PATH', 'TOKEN'] } }],
    ['environment.set', { environment: { ...STRICT.environment, set: [['PATH', '.']] } }],
    ['environment.strip', { environment: { ...STRICT.environment, strip: [] } }],
    ['environment.home', { environment: { ...STRICT.environment, home: 'real' } }],
    ['timeouts.max_ms', { timeouts: { ...STRICT.timeouts, maxMs: 700_000 } }],
    ['timeouts.none_allowed', { timeouts: { ...STRICT.timeouts, noneAllowed: true } }],
    ['output.capture_bytes', { output: { ...STRICT.output, captureBytes: 2_000_000 } }],
    ['limits.memory_bytes', { limits: { ...STRICT.limits, memoryBytes: null } }],
    ['limits.processes', { limits: { ...STRICT.limits, processes: 11 } }],
    ['concurrency.per_agent', { concurrency: { perAgent: 5 } }],
    ['approvals.wait_ms', { approvals: { ...STRICT.approvals, waitMs: 86_400_001 } }],
    ['approvals.run_ms', { approvals: { ...STRICT.approvals, runMs: 600_001 } }],
    ['programs', { agentPrograms: null }],
    ['transaction.mode', { transaction: { ...STRICT.transaction, mode: 'off' } }],
    ['transaction.on_failure', { transaction: { ...STRICT.transaction, onFailure: 'keep' } }],
    ['transaction.rollback_codes', { transaction: { ...STRICT.transaction, rollbackCodes: [2] } }],
    ['transaction.scope', { transaction: { ...STRICT.transaction, scope: ['src/**'] } }],
    ['transaction.required', { transaction: { ...STRICT.transaction, required: false } }],
  ]
  it.each(looser)('a looser value of %s is a relaxation', (key, over) => {
    const base =
      key === 'opaque.foreign' || key === 'opaque.unknown'
        ? { ...STRICT, opaque: { unknown: 'ask', foreign: 'deny' } as const }
        : STRICT
    expect(relaxations(base, { ...base, ...over }).map((one) => one.key.join('.'))).toContain(key)
  })

  it('a stricter value of any setting is no relaxation', () => {
    expect(keys({ default: 'deny', opaque: { unknown: 'deny', foreign: 'deny' }, network: 'none' })).toEqual([])
    expect(keys({ programs: { allowOnly: ['ls'], paths: false }, agentPrograms: [] })).toEqual([])
    expect(
      keys({ paths: { ...STRICT.paths, roots: ['src'], writable: [], hidden: [...STRICT.paths.hidden, 'x'] } }),
    ).toEqual([])
    expect(keys({ limits: { ...STRICT.limits, memoryBytes: 5 }, concurrency: { perAgent: 1 } })).toEqual([])
    expect(keys({ rules: [...STRICT.rules, rule({ id: 'more', program: ['y'], verdict: 'ask' })] })).toEqual([])
    expect(keys({ transaction: { ...STRICT.transaction, mode: 'review' } })).toEqual([])
  })

  it('a relaxation names its reason', () => {
    expect(relaxations(STRICT, { ...STRICT, sandbox: 'off' })).toEqual([
      { key: ['sandbox'], why: '"off" removes the sandbox' },
    ])
    expect(relaxations(STRICT, { ...STRICT, default: 'allow' })).toEqual([
      { key: ['default'], why: 'allow is less strict than ask' },
    ])
  })
})
