import { describe, expect, it } from 'vitest'
import { liftedBy, type RuleMatch, strictest } from '../../../src/core/model/policy/decision.js'
import type { Mount } from '../../../src/core/model/policy/plan.js'
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

  it('removes the pins above it, unless something else needs them', () => {
    const mounts: readonly Mount[] = [
      ...['/w/p', '/w/p/a', '/w/p/b'].map((at): Mount => ({ op: 'pin', at })),
      ...['/w/p/a/.env', '/w/p/b/.env'].map((at): Mount => ({ op: 'hide-file', at })),
    ]
    const summaryOf = (path: string): string[] => liftHidden(mounts, [path]).map(({ op, at }) => `${op} ${at}`)
    expect(summaryOf('/w/p/a')).toEqual(['pin /w/p', 'pin /w/p/b', 'hide-file /w/p/b/.env'])
    expect(summaryOf('/w/p')).toEqual([])
  })

  it('changes nothing where nothing is lifted', () => {
    expect(liftHidden(MOUNTS, [])).toBe(MOUNTS)
  })
})

describe('the restrictions an approval lifts', () => {
  it('are those of every question of a decision that asks', () => {
    const decision = strictest([asked({ paths: ['/w/.env'] }), asked({ hosts: ['b', 'a'] }), asked(undefined)])
    expect(liftedBy(decision)).toEqual({ paths: ['/w/.env'], reads: [], writes: [], hosts: ['a', 'b'], settings: [] })
  })

  it('are none where the decision denies or allows', () => {
    const match = asked({ paths: ['/w/.env'] })
    expect(liftedBy(strictest([match, { ...match, verdict: 'deny' }])).paths).toEqual([])
    expect(liftedBy(strictest([{ ...match, verdict: 'allow' }])).paths).toEqual([])
  })
})
