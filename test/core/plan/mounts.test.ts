import { describe, expect, it } from 'vitest'
import type { HostContext } from '../../../src/core/model/run/surroundings.js'
import { mountsFor } from '../../../src/core/plan/mounts.js'
import { pathsOf, plainProfile } from '../../contract/launcher-plan.js'

const place = (over: Partial<HostContext>): HostContext => ({
  workspace: '/w',
  home: '/h',
  roots: ['/w'],
  writable: [],
  hidden: [],
  protected: [],
  env: [],
  bash: '/bin/bash',
  ...over,
})
const summary = (surroundings: HostContext, profile = plainProfile): string[] =>
  mountsFor(profile, surroundings).map(({ op, at }) => `${op} ${at}`)
const SYSTEM = ['read /', 'dev /dev', 'proc /proc', 'tmpfs /tmp']

describe('the mounts of a sandbox', () => {
  it('lay fresh system directories over a read-only root, and the workspace on top', () => {
    expect(summary(place({ runtime: { hidden: ['/run'], resolver: '/run/resolv.conf' } }))).toEqual([
      ...SYSTEM,
      'empty-directory /run',
      'write /w',
    ])
  })

  it('show the resolver only where there is a network to use it for', () => {
    const runtime = { hidden: ['/run'], resolver: '/run/resolv.conf' }
    expect(summary(place({ runtime }), { ...plainProfile, network: 'full' })).toContain('read /run/resolv.conf')
  })

  it('mount inner paths over outer ones', () => {
    const mounts = summary(
      place({
        roots: ['/tmp/w'],
        writable: ['/h/.cache/x'],
        hidden: [
          ['/h/.cache', 'directory'],
          ['/tmp/w/.env', 'file'],
        ],
      }),
    )
    expect(mounts.slice(4)).toEqual([
      'write /tmp/w',
      'hide-directory /h/.cache',
      'write /h/.cache/x',
      'hide-file /tmp/w/.env',
    ])
  })

  it('pin every directory above a protected path, so that none can be renamed', () => {
    const guarded = place({ protected: ['/w/a/b/config', '/w/cordon.toml'], absent: ['/w/cordon.toml'] })
    expect(summary(guarded).slice(4)).toEqual([
      'write /w',
      'pin /w/a',
      'forbid /w/cordon.toml',
      'pin /w/a/b',
      'read /w/a/b/config',
    ])
  })

  it('never reopen a protected path because of another one inside it', () => {
    expect(summary(place({ protected: ['/w/.git', '/w/.git/hooks'] })).slice(4)).toEqual(['write /w', 'read /w/.git'])
  })

  it('pin every directory above a hidden path in a root, so that no command can replace it', () => {
    const hidden = place({
      hidden: [
        ['/w/.local/state/cordon', 'directory'],
        ['/elsewhere/deep/.ssh', 'directory'],
      ],
    })
    expect(summary(hidden).slice(4)).toEqual([
      'write /w',
      'pin /w/.local',
      'pin /w/.local/state',
      'hide-directory /elsewhere/deep/.ssh',
      'hide-directory /w/.local/state/cordon',
    ])
  })

  it('never reopen a protected path because of a hidden path inside it', () => {
    const mounts = summary(
      place({ protected: ['/w/.config/git'], hidden: [['/w/.config/git/more/credentials', 'file']] }),
    )
    expect(mounts.slice(4)).toEqual([
      'write /w',
      'pin /w/.config',
      'read /w/.config/git',
      'hide-file /w/.config/git/more/credentials',
    ])
  })

  it('never show a hidden directory because of a protected path inside it, unless a root is inside too', () => {
    const hidden = [['/w/secret', 'directory']] as const
    const guarded = ['/w/secret/repository/.git/config', '/w/secret/root/.git/config']
    expect(summary(place({ hidden, protected: guarded, absent: [] })).slice(4)).toEqual([
      'write /w',
      'hide-directory /w/secret',
    ])
    expect(summary(place({ hidden, protected: guarded, writable: ['/w/secret/root'] })).slice(4)).toEqual([
      'write /w',
      'hide-directory /w/secret',
      'write /w/secret/root',
      'pin /w/secret/root/.git',
      'read /w/secret/root/.git/config',
    ])
  })

  it('make nothing writable in a read-only profile', () => {
    const ops = summary(place({ protected: ['/w/.git/hooks'] }), pathsOf({ write: false }))
    expect(ops).toEqual([...SYSTEM, 'read /w'])
  })

  it('keep the system directories fresh even when the root itself is the workspace', () => {
    expect(summary(place({ roots: ['/'] }))).toEqual(['write /', 'dev /dev', 'proc /proc', 'tmpfs /tmp'])
  })
})
