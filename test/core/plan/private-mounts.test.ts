import { describe, expect, it } from 'vitest'
import type { Mount } from '../../../src/core/model/policy/plan.js'
import { type HostContext, SHARED_HOME } from '../../../src/core/model/run/surroundings.js'
import { privateMounts } from '../../../src/core/plan/private-mounts.js'

const HOME = '/home/u'
const WORKSPACE = '/home/u/projects/app'
const OPEN: readonly Mount[] = [{ op: 'write', from: WORKSPACE, at: WORKSPACE }]
const CLOSED: readonly Mount[] = [
  { op: 'hide-directory', at: '/home/u/.ssh' },
  { op: 'hide-file', at: '/home/u/.nvm/token' },
  { op: 'hide-file', at: '/tmp/x' },
  { op: 'hide-file', at: '/etc/shadow' },
  { op: 'mask', at: '/home/u/tools/sudo' },
]

function planned(over: Partial<NonNullable<HostContext['privateDirectories']>>, closed = CLOSED) {
  const privateDirectories = { tmp: '/s/tmp', home: '/s/home', shared: [], sharesAll: false, ...over }
  const surroundings: HostContext = {
    workspace: WORKSPACE,
    home: HOME,
    roots: [WORKSPACE],
    writable: [],
    hidden: [],
    protected: [],
    env: [],
    bash: '/bin/bash',
    privateDirectories,
  }
  const { open, closed: left } = privateMounts(surroundings, OPEN, closed)
  const inWords = (mount: Mount): string => `${mount.op} ${'from' in mount ? `${mount.from} ` : ''}${mount.at}`
  return { open: open.map(inWords), closed: left.map(inWords) }
}

describe('the mounts of a private home', () => {
  it('stand at the home and at /tmp, with every directory above a mount point pinned', () => {
    expect(planned({}).open).toEqual([
      'write /s/tmp /tmp',
      'write /s/home /home/u',
      'write /s/home/projects /home/u/projects',
    ])
  })

  it('need no closed paths in a private directory, and keep those of shared entries', () => {
    expect(planned({}).closed).toEqual(['hide-file /etc/shadow'])
    expect(planned({ shared: [['/home/u/.nvm', '/home/u/.nvm']] }).closed).toEqual([
      'hide-file /home/u/.nvm/token',
      'hide-file /etc/shadow',
    ])
    expect(planned({ shared: [['/home/u/.nvm', `${SHARED_HOME}/.nvm`]] }).closed).toEqual([
      'hide-file /etc/shadow',
      `hide-file ${SHARED_HOME}/.nvm/token`,
    ])
  })

  it('close every secret again where all of the home is mounted', () => {
    expect(planned({ sharesAll: true }).closed).toEqual([
      'hide-file /etc/shadow',
      `read /home/u ${SHARED_HOME}`,
      `hide-directory ${SHARED_HOME}/.ssh`,
      `hide-file ${SHARED_HOME}/.nvm/token`,
      `mask ${SHARED_HOME}/tools/sudo`,
    ])
  })

  it('cover a root with hidden files where all of the home is mounted', () => {
    const { closed } = planned({ sharesAll: true }, [{ op: 'hide-file', at: `${WORKSPACE}/.env` }])
    expect(closed).toEqual([
      `hide-file ${WORKSPACE}/.env`,
      `read /home/u ${SHARED_HOME}`,
      `empty-directory ${SHARED_HOME}/projects/app`,
    ])
  })

  it('change nothing if the plan has no private directories', () => {
    const surroundings = {
      workspace: WORKSPACE,
      home: HOME,
      roots: [],
      writable: [],
      hidden: [],
      protected: [],
      env: [],
      bash: '/bin/bash',
    }
    expect(privateMounts(surroundings, OPEN, CLOSED)).toEqual({ open: [], closed: CLOSED })
  })
})
