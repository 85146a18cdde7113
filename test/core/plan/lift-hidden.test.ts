import { describe, expect, it } from 'vitest'
import { liftedBy, type RuleMatch, strictest } from '../../../src/core/model/decision.js'
import type { Mount } from '../../../src/core/model/plan.js'
import { liftHidden } from '../../../src/core/plan/lift-hidden.js'

const MOUNTS: readonly Mount[] = [
  { op: 'write', from: '/w', at: '/w' },
  { op: 'hide-file', at: '/w/.env' },
  { op: 'hide-file', at: '/w/.env.local' },
  { op: 'hide-directory', at: '/h/.ssh' },
]
const summary = (paths: readonly string[]): string[] => liftHidden(MOUNTS, paths).map(({ op, at }) => `${op} ${at}`)
const asked = (lifts: RuleMatch['lifts']): RuleMatch => ({
  rule: 'path/hidden',
  verdict: 'ask',
  span: [0, 1],
  reason: 'x',
  ...(lifts ? { lifts } : {}),
})

describe('an approval of a hidden path', () => {
  it('opens that file and leaves the others hidden', () => {
    expect(summary(['/w/.env'])).toEqual(['write /w', 'hide-file /w/.env.local', 'hide-directory /h/.ssh'])
  })

  it('opens a hidden directory, or all that is hidden below the path', () => {
    expect(summary(['/h/.ssh'])).toEqual(['write /w', 'hide-file /w/.env', 'hide-file /w/.env.local'])
    expect(summary(['/w'])).toEqual(['write /w', 'hide-directory /h/.ssh'])
  })

  it('mounts a file of a hidden directory read-only and keeps the directory hidden', () => {
    expect(summary(['/h/.ssh/config']).slice(-2)).toEqual(['hide-directory /h/.ssh', 'read /h/.ssh/config'])
  })

  it('changes nothing where nothing is lifted', () => {
    expect(liftHidden(MOUNTS, [])).toBe(MOUNTS)
  })
})

describe('the restrictions an approval lifts', () => {
  it('are those of every question of a decision that asks', () => {
    const decision = strictest([asked({ paths: ['/w/.env'] }), asked({ hosts: ['b', 'a'] }), asked(undefined)])
    expect(liftedBy(decision)).toEqual({ paths: ['/w/.env'], writes: [], hosts: ['a', 'b'], settings: [] })
  })

  it('are none where the decision denies or allows', () => {
    const match = asked({ paths: ['/w/.env'] })
    expect(liftedBy(strictest([match, { ...match, verdict: 'deny' }])).paths).toEqual([])
    expect(liftedBy(strictest([{ ...match, verdict: 'allow' }])).paths).toEqual([])
  })
})
