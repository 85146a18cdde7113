import { describe, expect, it } from 'vitest'
import { PROFILE } from '../fixture.js'
import { decidedByReader, rulesOf } from '../reading.js'

const OPEN = {
  ...PROFILE,
  sandbox: 'off',
  network: 'full',
  opaque: { unknown: 'ask', foreign: 'allow' },
  paths: { ...PROFILE.paths, roots: ['.', '~', '/'], writeOutside: 'allow' },
} as const

describe('system paths without a sandbox', () => {
  it.each([
    'echo x > /etc/hosts',
    'tee /etc/passwd < x',
    'echo b > /proc/sysrq-trigger',
    'echo 1 > /proc/sys/kernel/sysrq',
    'chmod 777 /etc/passwd',
    'ln -sf /dev/null /etc/resolv.conf',
    'cp tool /usr/local/bin/tool',
    'rm /usr/bin/ls',
    'cd /etc && echo x >> hosts',
  ])('without a sandbox, a write to a system path asks: %s', (script) => {
    expect(decidedByReader(script, OPEN)).toMatchObject({ verdict: 'ask' })
    expect(rulesOf(decidedByReader(script, OPEN))).toContain('path/system-paths')
  })

  it.each([
    'cat /etc/hosts',
    'echo x > /tmp/x',
    'echo x > ~/notes',
    'echo x > /srv/x',
    'touch /usr/share/x',
    'echo x > f',
  ])('without a sandbox, other paths do not ask: %s', (script) => {
    expect(rulesOf(decidedByReader(script, OPEN))).not.toContain('path/system-paths')
  })

  it('are not asked about where the profile says so by name', () => {
    const removed = { ...OPEN, builtins: { removed: ['system-paths'] } }
    expect(decidedByReader('echo x > /etc/hosts', removed).verdict).toBe('allow')
  })
})
