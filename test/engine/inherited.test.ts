import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/core/model/request.js'
import { inheritedBy } from '../../src/engine/inherited.js'
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

describe('the environment the reader is told of', () => {
  const told = new Map(inheritedBy(request, profile, surroundings))

  it('holds what Cordon and the profile set, with its values', () => {
    expect(told.get('EDITOR')).toBe('vi')
    expect(told.get('HOME')).toBe('/w')
    expect(told.get('SHELL')).toBe('/bin/bash')
  })

  it('names what is passed on without telling its value', () => {
    expect(told.get('TOKEN')).toBeNull()
    expect(told.get('PATH')).toBeNull()
  })

  it('names what the launcher adds where the network is a list of hosts', () => {
    expect(told.get('https_proxy')).toBeNull()
    expect(new Map(inheritedBy(request, { ...profile, network: 'none' }, surroundings)).has('https_proxy')).toBe(false)
  })

  it('leaves out what the request brings, and the directory, which the reader has already', () => {
    expect(told.has('BROUGHT')).toBe(false)
    expect(told.has('PWD')).toBe(false)
    expect(told.has('UNHEARD_OF')).toBe(false)
  })
})
