import { describe, expect, it } from 'vitest'
import { liftedBy } from '../../../src/core/model/policy/decision.js'
import type { Mount } from '../../../src/core/model/policy/plan.js'
import { limitWrites, openedWrites } from '../../../src/core/plan/lift-writes.js'
import { HOME, SURROUNDINGS } from '../decide/fixture.js'
import { decidedIn } from '../decide/reading.js'

const GUARDED = {
  ...SURROUNDINGS,
  hidden: [[`${HOME}/.ssh`, 'directory'] as const],
  protected: ['/work/app/.git/hooks', `${HOME}/.config/systemd`],
}
const opened = (path: string, directory: string | null = path): readonly string[] => [
  ...openedWrites([path], GUARDED, () => directory).keys(),
]
const lifted = (profile: string, script: string): readonly string[] => liftedBy(decidedIn(profile, script)).writes

describe('a question about a write outside', () => {
  it.each([
    ['mkdir ../x', ['/work/x']],
    ['cp a ../sibling/', ['/work/sibling']],
    ['rm -r ../x', ['/work/x']],
    ['echo a > ../x', ['/work/x']],
  ])('says which path an approval opens: %s', (script, paths) => {
    expect(lifted('developer', script)).toEqual(paths)
  })

  it('opens no directory for a protected, hidden or unknown path', () => {
    expect(lifted('developer', 'echo x >> .git/hooks/pre-commit')).toEqual([])
    expect(lifted('developer', 'touch ~/.ssh/x')).toEqual([])
    expect(lifted('developer', 'touch ../x-$RANDOM')).toEqual([])
  })

  it('is a denial that names the command to allow it where the profile denies', () => {
    expect(lifted('workspace', 'mkdir ../proj/x')).toEqual([])
    expect(decidedIn('workspace', 'mkdir ../proj/x').because[0]).toMatchObject({
      verdict: 'deny',
      remedy: 'cordon allow path /work/proj --profile workspace',
    })
  })
})

describe('an approval of a write outside', () => {
  it('opens the directory for the path', () => {
    expect(openedWrites(['/srv/a/x', '/srv/a/y'], GUARDED, () => '/srv/a')).toEqual(
      new Map([['/srv/a', ['/srv/a/x', '/srv/a/y']]]),
    )
  })

  it.each([
    '/',
    '/etc',
    '/etc/app',
    '/usr/local/share',
    '/var',
    '/var/lib/app',
    '/var/tmp',
    '/proc/1',
    '/dev/shm',
    '/run/user',
    '/tmp/x',
    '/home',
    HOME,
    `${HOME}/.ssh`,
    `${HOME}/.ssh/deep`,
    `${HOME}/.config/systemd/user`,
    '/work/app/.git/hooks',
    '/srv/a*b',
  ])('opens no directory of the system, above the home, hidden, protected or named like a glob: %s', (directory) => {
    expect(opened(`${directory}/x`, directory)).toEqual([])
  })

  it('opens no directory if a symlink is on the way', () => {
    expect(opened('/srv/link/x', null)).toEqual([])
  })

  it('opens the real path of a home entry that has another path in the sandbox', () => {
    expect(openedWrites(['/run/cordon/home/notes/x'], GUARDED, (path) => path.replace(/.x$/, ''))).toEqual(
      new Map([[`${HOME}/notes`, [`${HOME}/notes/x`]]]),
    )
  })

  it('marks the writable mount of that directory and no other', () => {
    const mounts: readonly Mount[] = [
      { op: 'read', from: '/', at: '/' },
      { op: 'write', from: '/work', at: '/work' },
      { op: 'write', from: '/work/app', at: '/work/app' },
    ]
    const [base, above, workspace] = limitWrites(mounts, new Map([['/work', ['/work/x']]]))
    expect([base, workspace]).toEqual([mounts[0], mounts[2]])
    expect(above).toEqual({ ...mounts[1], only: ['/work/x'] })
    expect(limitWrites(mounts, new Map())).toBe(mounts)
  })
})
