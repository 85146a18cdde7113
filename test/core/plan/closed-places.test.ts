import { describe, expect, it } from 'vitest'
import type { Facts, PathFact } from '../../../src/core/model/facts.js'
import type { Mount } from '../../../src/core/model/plan.js'
import { closedPlaces } from '../../../src/core/plan/closed-places.js'

const MOUNTS: readonly Mount[] = [
  { op: 'read', from: '/', at: '/' },
  { op: 'dev', at: '/dev' },
  { op: 'tmpfs', at: '/tmp', bytes: null },
  { op: 'hide-directory', at: '/home/u/.ssh' },
  { op: 'write', from: '/work', at: '/work' },
  { op: 'read', from: '/work/.git/hooks', at: '/work/.git/hooks' },
  { op: 'hide-file', at: '/work/.env' },
]
const at = (path: string, more: Partial<PathFact> = {}): PathFact => ({ path, span: [0, 1], by: 'redirect', ...more })
const factsOf = (over: Partial<Facts>): Facts => ({
  invocations: [],
  reads: [],
  writes: [],
  deletes: [],
  hosts: [],
  environment: [],
  shapes: [],
  writesAnything: true,
  opaque: [],
  ...over,
})
const told = (over: Partial<Facts>, failed = true, links: Readonly<Record<string, string>> = {}, errors = '') =>
  closedPlaces({ facts: factsOf(over), mounts: MOUNTS, realPath: (path) => links[path] ?? path, failed, errors })

describe('what a failed command is told of the places it names', () => {
  it('names what it could not write or delete, by the mount on top of it', () => {
    expect(
      told({ writes: [at('/etc/x'), at('/work/y'), at('/work/.git/hooks/z'), at('/tmp/t'), at('/dev/null')] }),
    ).toEqual(['write: /etc/x read-only', 'write: /work/.git/hooks/z read-only'])
    expect(told({ deletes: [at('/usr/bin/ls'), at('/work/y')] })).toEqual(['write: /usr/bin/ls read-only'])
  })

  it("names git's settings that an error speaks of, where no transaction leaves their mount out", () => {
    const config: Mount = { op: 'read', from: '/work/.git/config', at: '/work/.git/config', reviewed: true }
    const line = 'error: could not write config file .git/config: Device or resource busy\n'
    const toldOf = (mounts: readonly Mount[], errors: string, failed = true) =>
      closedPlaces({ facts: factsOf({}), mounts, realPath: (path) => path, failed, errors })
    expect(toldOf([...MOUNTS, config], line)).toEqual(['write: /work/.git/config read-only'])
    expect(toldOf(MOUNTS, line)).toEqual([])
    expect(toldOf([...MOUNTS, config], line, false)).toEqual([])
    expect(
      toldOf([...MOUNTS, config], 'error: could not write config file other/x.git/config: No space left\n'),
    ).toEqual([])
  })

  it('names what is hidden from it, whether it would read or write it', () => {
    expect(told({ reads: [at('/home/u/.ssh/id'), at('/etc/hosts')], writes: [at('/work/.env')] })).toEqual([
      'read: /home/u/.ssh/id hidden',
      'read: /work/.env hidden',
    ])
  })

  it('names what is hidden in a tree that it reads whole, where it works', () => {
    expect(told({ reads: [at('/work', { recursive: true })] })).toEqual(['read: /work/.env hidden'])
    expect(told({ reads: [at('/', { recursive: true })] })).toEqual(['read: /work/.env hidden'])
    expect(told({ reads: [at('/work', { recursive: true })] }, false)).toEqual([])
    expect(told({ reads: [at('/work/src', { recursive: true })] })).toEqual([])
  })

  it('looks where a path leads, in both directions', () => {
    const links = { '/home/u/project/a': '/work/a', '/work/link': '/etc/link' }
    expect(told({ writes: [at('/home/u/project/a'), at('/work/link')] }, true, links)).toEqual([
      'write: /work/link read-only',
    ])
  })

  it('says nothing of paths that are only known in part', () => {
    expect(told({ writes: [at('/etc/', { partial: true }), at('relative')] })).toEqual([])
  })

  it('tells one that succeeded nothing of the places it names: names may be listed and tested', () => {
    expect(told({ reads: [at('/work/.env')], writes: [at('/etc/x')] }, false)).toEqual([])
  })

  it('names what is hidden where an error message of any of its programs does', () => {
    const named = (errors: string) => told({}, false, {}, errors)
    expect(named("ok\nPermissionError: [Errno 13] Permission denied: '.env'\n")).toEqual(['read: /work/.env hidden'])
    expect(named('Error: EACCES: permission denied, open /work/.env')).toEqual(['read: /work/.env hidden'])
    expect(named('cat: x.env: Permission denied\n.env is missing')).toEqual([])
    expect(named('cat: .env.example: Permission denied')).toEqual([])
  })
})
