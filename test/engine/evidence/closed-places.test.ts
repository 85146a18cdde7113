import { describe, expect, it } from 'vitest'
import type { Mount } from '../../../src/core/model/policy/plan.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import type { Facts, PathFact } from '../../../src/core/model/run/facts.js'
import { closedPlaces } from '../../../src/engine/evidence/closed-places.js'

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
  closedPlaces({
    facts: factsOf(over),
    mounts: MOUNTS,
    realPath: (path) => links[path] ?? path,
    failed,
    errors,
    withoutWrites: false,
  }).map(evidenceLine)

describe('evidence about closed paths that a command names', () => {
  it('names read-only paths of a failed write or delete, by the topmost mount', () => {
    expect(
      told({ writes: [at('/etc/x'), at('/work/y'), at('/work/.git/hooks/z'), at('/tmp/t'), at('/dev/null')] }),
    ).toEqual(['write: /etc/x read-only', 'write: /work/.git/hooks/z read-only'])
    expect(told({ deletes: [at('/usr/bin/ls'), at('/work/y')] })).toEqual(['write: /usr/bin/ls read-only'])
  })

  it('names the package that npm cannot install into the system', () => {
    const error = "npm error rofs EROFS: read-only file system, symlink '../../w' -> '/usr/lib/node_modules/app'\n"
    const npm = { invocations: [{ program: 'npm', argv: ['npm', 'link'], span: [0, 8] as const, via: [] }] }
    expect(told(npm, true, {}, error)).toEqual(['write: /usr/lib/node_modules/app read-only'])
    expect(told(npm, false, {}, error)).toEqual([])
    expect(told({}, true, {}, error)).toEqual([])
  })

  it("names git's settings that an error speaks of, where no transaction leaves their mount out", () => {
    const config: Mount = { op: 'read', from: '/work/.git/config', at: '/work/.git/config', reviewed: 'git' }
    const line = 'error: could not write config file .git/config: Device or resource busy\n'
    const toldOf = (mounts: readonly Mount[], errors: string, failed = true) =>
      closedPlaces({ facts: factsOf({}), mounts, realPath: (path) => path, failed, errors, withoutWrites: false }).map(
        evidenceLine,
      )
    expect(toldOf([...MOUNTS, config], line)).toEqual(['write: /work/.git/config read-only'])
    expect(toldOf(MOUNTS, line)).toEqual([])
    expect(toldOf([...MOUNTS, config], line, false)).toEqual([])
    expect(
      toldOf([...MOUNTS, config], 'error: could not write config file other/x.git/config: No space left\n'),
    ).toEqual([])
  })

  it('names hidden paths that a failed command would read or write', () => {
    expect(told({ reads: [at('/home/u/.ssh/id'), at('/etc/hosts')], writes: [at('/work/.env')] })).toEqual([
      'read: /home/u/.ssh/id hidden',
      'read: /work/.env hidden',
    ])
  })

  it('names hidden paths in a tree that a failed command reads', () => {
    expect(told({ reads: [at('/work', { recursive: true })] })).toEqual(['read: /work/.env hidden'])
    expect(told({ reads: [at('/', { recursive: true })] })).toEqual(['read: /work/.env hidden'])
    expect(told({ reads: [at('/work', { recursive: true })] }, false)).toEqual([])
    expect(told({ reads: [at('/work/src', { recursive: true })] })).toEqual([])
  })

  it('resolves symlinks to and from closed paths', () => {
    const links = { '/home/u/project/a': '/work/a', '/work/link': '/etc/link' }
    expect(told({ writes: [at('/home/u/project/a'), at('/work/link')] }, true, links)).toEqual([
      'write: /work/link read-only',
    ])
  })

  it('leaves out paths that are known in part', () => {
    expect(told({ writes: [at('/etc/', { partial: true }), at('relative')] })).toEqual([])
  })

  it('leaves out named paths after success, because they may only be listed or tested', () => {
    expect(told({ reads: [at('/work/.env')], writes: [at('/etc/x')] }, false)).toEqual([])
  })

  it('names hidden paths that an error message of any program names', () => {
    const named = (errors: string) => told({}, false, {}, errors)
    expect(named("ok\nPermissionError: [Errno 13] Permission denied: '.env'\n")).toEqual(['read: /work/.env hidden'])
    expect(named('Error: EACCES: permission denied, open /work/.env')).toEqual(['read: /work/.env hidden'])
    expect(named('cat: x.env: Permission denied\n.env is missing')).toEqual([])
    expect(named('cat: .env.example: Permission denied')).toEqual([])
  })
})
