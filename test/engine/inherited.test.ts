import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/core/model/run/request.js'
import { inheritedBy } from '../../src/engine/stages/inherited.js'
import { plainProfile } from '../contract/launcher-plan.js'

const request: Request = {
  id: 'x',
  command: { mode: 'shell', script: 'true' },
  text: 'true',
  agent: null,
  caller: 'library',
  cwd: '/w',
  timeoutMs: null,
  stdin: null,
  hasLiveStdin: false,
  env: [['BROUGHT', 'b']],
}
const profile = {
  ...plainProfile,
  network: { hosts: ['example.org'] },
  environment: {
    pass: ['TOKEN', 'BROUGHT'],
    set: [['EDITOR', 'vi'] as const],
    strip: [],
    home: 'workspace' as const,
    shared: [],
    homeBytes: null,
  },
}
const surroundings = {
  workspace: '/w',
  home: '/h',
  roots: ['/w'],
  writable: [],
  hidden: [],
  protected: [],
  env: [['TOKEN', 'secret'] as const, ['BROUGHT', 'host'] as const],
  bash: '/bin/bash',
}

describe('inheritedBy()', () => {
  const told = new Map(inheritedBy(request, profile, surroundings))

  it('has the variables that Cordon and the profile set, with their values', () => {
    expect(told.get('EDITOR')).toBe('vi')
    expect(told.get('HOME')).toBe('/w')
    expect(told.get('SHELL')).toBe('/bin/bash')
  })

  it('names variables passed on from the host without their values', () => {
    expect(told.get('TOKEN')).toBeNull()
    expect(told.get('PATH')).toBeNull()
  })

  it('names the variables that the launcher adds for a list of hosts', () => {
    expect(told.get('https_proxy')).toBeNull()
    expect(new Map(inheritedBy(request, { ...profile, network: 'none' }, surroundings)).has('https_proxy')).toBe(false)
  })

  it('leaves out the variables of the request, and PWD', () => {
    expect(told.has('BROUGHT')).toBe(false)
    expect(told.has('PWD')).toBe(false)
    expect(told.has('UNHEARD_OF')).toBe(false)
  })
})
