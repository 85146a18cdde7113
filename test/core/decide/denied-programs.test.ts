import { describe, expect, it } from 'vitest'
import { deniedPrograms } from '../../../src/core/decide/denied-programs.js'
import { PROFILE, rule } from './fixture.js'

describe('deniedPrograms', () => {
  it('names what is denied whatever its arguments are, and nothing that may also do honest work', () => {
    const names = deniedPrograms(PROFILE)
    expect(names).toEqual(expect.arrayContaining(['sudo', 'su', 'doas', 'shutdown', 'passwd', 'visudo', 'mkfs']))
    for (const name of ['rm', 'dd', 'nc', 'systemctl', 'find', 'mkfs.*']) expect(names).not.toContain(name)
  })

  it('follows the profile', () => {
    const rules = [
      rule({ program: ['kubectl', 'helm*'] }),
      rule({ program: ['git'], args: ['push'] }),
      rule({ program: ['npm'], verdict: 'ask' }),
    ]
    const names = deniedPrograms({ ...PROFILE, rules, builtins: { removed: ['sudo'] } })
    expect(names).toContain('kubectl')
    for (const name of ['sudo', 'git', 'npm', 'helm*']) expect(names).not.toContain(name)
  })
})
