import { describe, expect, it } from 'vitest'
import { pathQuestions } from '../../../../src/core/decide/decide.js'
import type { Answers, PathFact } from '../../../../src/core/model/run/facts.js'
import { decided, factsOf, HOME, PROFILE, path, type Setting, SURROUNDINGS, WORKSPACE } from '../fixture.js'

const answers = (...links: (readonly [string, string])[]): Answers => ({
  paths: new Map(links.map(([from, real]) => [from, { real, kind: 'file' as const }])),
  programs: new Map(),
  scripts: new Map(),
})
const verdictOf = (kind: 'reads' | 'writes' | 'deletes', fact: PathFact, setting: Setting = {}): string => {
  const { verdict, because } = decided('tool x', { ...setting, facts: { [kind]: [fact] } })
  return verdict === 'allow' ? 'allow' : `${verdict} ${because[0]?.rule}`
}
const paths = (over: Partial<typeof PROFILE.paths>): Setting => ({ profile: { paths: { ...PROFILE.paths, ...over } } })

describe('paths in a decision', () => {
  it('denies reads, writes and deletes of a hidden path and all paths below it', () => {
    for (const kind of ['reads', 'writes', 'deletes'] as const) {
      expect(verdictOf(kind, path(`${HOME}/.ssh/id_rsa`, 'cat'))).toBe('deny path/hidden')
    }
    expect(verdictOf('reads', path(`${HOME}/.ssh`, 'ls'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path('/etc/shadow', 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path('/home/other/.ssh/id_rsa', 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path('/root/.ssh/id_rsa', 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path(`${HOME}/.sshx`, 'cat'))).toBe('allow')
    expect(verdictOf('reads', path('/etc/shadow-old', 'cat'))).toBe('allow')
  })

  it('knows a secret by its name at any depth', () => {
    expect(verdictOf('reads', path(`${WORKSPACE}/.env`, 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path(`${WORKSPACE}/a/b/.env`, 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path('.env', 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path(`${WORKSPACE}/.env.example`, 'cat'))).toBe('allow')
  })

  it('allows a hidden path that a person shows for reading, and nothing beside it', () => {
    const surroundings = { ...SURROUNDINGS, shown: [`${HOME}/.ssh/config`, `${WORKSPACE}/.env`] }
    const seen = (kind: 'reads' | 'writes' | 'deletes', fact: PathFact): string =>
      verdictOf(kind, fact, { surroundings })
    for (const shown of [`${HOME}/.ssh/config`, `${WORKSPACE}/.env`]) {
      expect(seen('reads', path(shown, 'cat'))).toBe('allow')
      const there = answers([shown, shown])
      expect(verdictOf('writes', path(shown, 'redirect'), { surroundings, answers: there })).toMatch(/ path.hidden$/)
      expect(seen('reads', path(`${shown}*`, 'cat', { partial: true }))).toBe('deny path/hidden')
    }
    for (const other of [`${HOME}/.ssh/id_rsa`, `${WORKSPACE}/a/.env`, `${HOME}/.ssh`])
      expect(seen('reads', path(other, 'cat'))).toBe('deny path/hidden')
  })

  it('denies a glob that matches a specific hidden path', () => {
    const glob = (text: string): PathFact => path(text, 'cat', { partial: true })
    expect(verdictOf('reads', glob(`${HOME}/.s?h/id_rsa`))).toBe('deny path/hidden')
    expect(verdictOf('reads', glob(`${HOME}/.ss[h]/*`))).toBe('deny path/hidden')
    for (const extended of ['.@(env)', '.+(env|x)', '@(.env|x)', '.e!(x)', '*(.env)', '.?(x)env', '.e@(n@(v|w)|x)'])
      expect(verdictOf('reads', glob(`${WORKSPACE}/${extended}`)), extended).toBe('deny path/hidden')
    expect(verdictOf('reads', glob(`${WORKSPACE}/*.@(js|ts)`))).toBe('allow')
    expect(verdictOf('reads', glob(`${WORKSPACE}/!(x)`))).toBe('allow')
    expect(verdictOf('reads', glob(`${HOME}/.ssh/*`))).toBe('deny path/hidden')
    expect(verdictOf('reads', glob('/h*/me/.ssh/id_rsa'))).toBe('deny path/hidden')
    expect(verdictOf('reads', glob(`${WORKSPACE}/.en*`))).toBe('deny path/hidden')
    expect(verdictOf('reads', glob(`${WORKSPACE}/.*`))).toBe('allow')
    expect(verdictOf('reads', glob(`${WORKSPACE}/*`))).toBe('allow')
    expect(verdictOf('reads', path(`${WORKSPACE}/*`, 'cat'))).toBe('allow')
  })

  it('follows a link to where it really leads, for reading and for writing', () => {
    const link = path(`${WORKSPACE}/link`, 'cat')
    expect(verdictOf('reads', link, { answers: answers([link.path, `${HOME}/.ssh/id_rsa`]) })).toBe('deny path/hidden')
    expect(verdictOf('writes', link, { answers: answers([link.path, '/etc/passwd']) })).toBe('ask path/outside-write')
    const glob = path(`${WORKSPACE}/dir/*`, 'cat', { partial: true })
    expect(verdictOf('reads', glob, { answers: answers([`${WORKSPACE}/dir`, `${HOME}/.ssh`]) })).toBe(
      'deny path/hidden',
    )
  })

  it('lets a command write what it has open, wherever that leads', () => {
    for (const stream of ['/dev/fd/63', '/dev/stdout', '/dev/stderr']) {
      const leads = { answers: answers([stream, '/proc/7/fd/pipe:[9]']) }
      expect(verdictOf('writes', path(stream, 'tee'), leads)).toBe('allow')
    }
    expect(verdictOf('writes', path('/dev/stderr/x', 'tee'))).toBe('ask path/outside-write')
  })

  it('lets a link be removed that leads out, and not what it leads to', () => {
    const link = path(`${WORKSPACE}/link`, 'rm')
    expect(verdictOf('deletes', link, { answers: answers([link.path, '/etc/passwd']) })).toBe('allow')
    const below = path(`${WORKSPACE}/link/x`, 'rm')
    expect(verdictOf('deletes', below, { answers: answers([`${WORKSPACE}/link`, '/etc']) })).toBe(
      'ask path/outside-delete',
    )
    expect(verdictOf('deletes', path(`${WORKSPACE}/link`, 'find'), { answers: answers([link.path, '/etc']) })).toBe(
      'ask path/outside-delete',
    )
  })

  it('asks or denies outside the roots by the profile, and names the path', () => {
    const { because } = decided('touch /etc/x', {
      facts: { writes: [path('/etc/x', 'touch', { span: [6, 12] })] },
      ...paths({ writeOutside: 'deny' }),
    })
    expect(because).toEqual([
      {
        rule: 'path/outside-write',
        verdict: 'deny',
        span: [6, 12],
        reason: '`touch` writes /etc/x, outside the allowed roots (/work/app).',
        instead: 'Use a path inside /work/app or /tmp.',
        remedy: expect.any(String),
      },
    ])
    const outside = decided('touch /srv/site/x', { facts: { writes: [path('/srv/site/x', 'touch')] } })
    expect(outside.because[0]).toMatchObject({
      instead: 'Use a path inside /work/app or /tmp.',
      remedy: expect.stringContaining('cordon allow path /srv/site --profile test'),
    })
    expect(verdictOf('reads', path('/etc/hosts', 'cat'), paths({ readOutside: 'deny' }))).toBe('deny path/outside-read')
    expect(verdictOf('reads', path('/etc/hosts', 'cat'))).toBe('allow')
    expect(verdictOf('writes', path('/work/application/x', 'touch'))).toBe('ask path/outside-write')
    expect(verdictOf('writes', path(`${WORKSPACE}/../x`, 'touch'))).toBe('ask path/outside-write')
  })

  it('allows writes to scratch paths, streams and caches', () => {
    for (const place of ['/tmp/x', '/dev/null', '/dev/stderr', '/dev/fd/3', `${HOME}/.cache/x`, `${WORKSPACE}/x`]) {
      expect(verdictOf('writes', path(place, 'redirect')), place).toBe('allow')
    }
    expect(verdictOf('writes', path('/tmpx', 'redirect'))).toBe('ask path/outside-write')
  })

  it('denies writes to protected paths and allows reads', () => {
    const hook = path(`${WORKSPACE}/.git/hooks/pre-commit`, 'redirect')
    expect(verdictOf('writes', hook)).toBe('ask path/protected')
    expect(verdictOf('writes', hook, paths({ writeOutside: 'deny' }))).toBe('deny path/protected')
    expect(verdictOf('deletes', path(`${WORKSPACE}/cordon.toml`, 'rm'))).toBe('ask path/protected')
    expect(verdictOf('reads', hook)).toBe('allow')
    expect(verdictOf('writes', path(`${WORKSPACE}/sub/cordon.toml`, 'touch'))).toBe('allow')
    const below = (text: string): PathFact => path(`${WORKSPACE}/${text}`, 'rm', { partial: true, recursive: true })
    expect(verdictOf('deletes', below('*/node_modules'))).toBe('allow')
    expect(verdictOf('deletes', below('*.toml'))).toBe('ask path/protected')
    const surroundings = { ...SURROUNDINGS, protected: [`${WORKSPACE}/locked`] }
    expect(verdictOf('writes', path(`${WORKSPACE}/locked/x`, 'touch'), { surroundings })).toBe('ask path/protected')
  })

  it('writes nothing but scratch where the profile writes nothing', () => {
    const readonly = paths({ write: false })
    expect(verdictOf('writes', path(`${WORKSPACE}/x`, 'touch'), readonly)).toBe('deny path/read-only')
    expect(verdictOf('deletes', path(`${WORKSPACE}/x`, 'rm'), readonly)).toBe('deny path/read-only')
    expect(verdictOf('writes', path('/tmp/x', 'touch'), readonly)).toBe('allow')
    expect(verdictOf('writes', path('', 'redirect', { partial: true }), readonly)).toBe('allow')
    const surroundings = { ...SURROUNDINGS, workspace: '/tmp/w', roots: ['/tmp/w'] }
    expect(verdictOf('writes', path('/tmp/w/x', 'touch'), { ...readonly, surroundings })).toBe('deny path/read-only')
    expect(verdictOf('writes', path('/tmp/x', 'touch'), { ...readonly, surroundings })).toBe('allow')
    const unwalled = { profile: { sandbox: 'off', paths: { ...PROFILE.paths, write: false } } } as const
    expect(verdictOf('writes', path('', 'redirect', { partial: true }), unwalled)).toBe('deny path/read-only')
  })

  it('without a sandbox, asks for an unknown directory and for a recursive read of secrets', () => {
    const unwalled = { profile: { sandbox: 'off' } } as const
    expect(verdictOf('writes', path('x', 'touch'), unwalled)).toBe('ask path/unknown')
    expect(verdictOf('writes', path('x', 'touch'))).toBe('allow')
    expect(verdictOf('reads', path(HOME, 'tar', { recursive: true }), unwalled)).toBe('ask path/contains-hidden')
    expect(verdictOf('reads', path(HOME, 'tar', { recursive: true }))).toBe('allow')
    expect(verdictOf('reads', path(HOME, 'ls'), unwalled)).toBe('allow')
  })

  it('sees through the root of a process', () => {
    expect(verdictOf('reads', path('/proc/self/root/etc/shadow', 'cat'))).toBe('deny path/hidden')
    expect(verdictOf('reads', path('/proc/1/root/etc/shadow', 'cat'))).toBe('deny path/hidden')
  })

  it('holds a command whose home is the workspace to the same secrets', () => {
    const jailed = { profile: { environment: { ...PROFILE.environment, home: 'workspace' } } } as const
    expect(verdictOf('reads', path(`${WORKSPACE}/.ssh/id_rsa`, 'cat'), jailed)).toBe('deny path/hidden')
    expect(verdictOf('writes', path(`${WORKSPACE}/.bashrc`, 'redirect'), jailed)).toBe('ask path/protected')
  })
})

describe('pathQuestions', () => {
  it('asks once for every absolute path, the known part of a pattern, and the directory of what is deleted', () => {
    const facts = factsOf('x', {
      reads: [path('/a/b', 'cat'), path('/a/b', 'cat'), path('rel', 'cat'), path('/g/*/x', 'ls', { partial: true })],
      writes: [path('/w', 'redirect')],
      deletes: [path('/d/e', 'rm')],
    })
    expect(pathQuestions(facts)).toEqual(['/a/b', '/g', '/w', '/d/e', '/d'].map((one) => ({ ask: 'path', path: one })))
  })
})
