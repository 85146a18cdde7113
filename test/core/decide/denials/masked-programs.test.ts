import { describe, expect, it } from 'vitest'
import { deniedPrograms } from '../../../../src/core/decide/denials/masked-programs.js'
import { PROFILE, rule } from '../fixture.js'

describe('deniedPrograms', () => {
  it('lists programs that are denied with any arguments, and no others', () => {
    const names = deniedPrograms(PROFILE)
    expect(names).toEqual(expect.arrayContaining(['sudo', 'su', 'doas', 'shutdown', 'passwd', 'visudo', 'mkfs']))
    for (const name of ['rm', 'dd', 'nc', 'systemctl', 'find', 'mkfs.*']) expect(names).not.toContain(name)
  })

  it('lists programs that rules of the profile deny, and none that it removed or only asks about', () => {
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
