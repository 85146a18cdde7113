import { describe, expect, it } from 'vitest'
import type { PathFact } from '../../../../src/core/model/run/facts.js'
import { decided, HOME, PROFILE, path, type Setting, SURROUNDINGS, WORKSPACE } from '../fixture.js'

const reason = (fact: PathFact, setting: Setting = {}): string | undefined =>
  decided('tool x', { ...setting, facts: { deletes: [fact] } }).because[0]?.rule
const all = (where: string, by = 'rm'): PathFact => path(where, by, { recursive: true })
const glob = (where: string, by = 'rm'): PathFact => path(where, by, { recursive: true, partial: true })

describe('deletes that leave nothing', () => {
  it.each(['/', '/etc', '/usr', '/home', '/proc/self/root'])('deleting the whole of %s is denied', (where) => {
    expect(reason(all(where))).toBe('builtin/delete-root')
    expect(reason(all(where, 'find'))).toBe('builtin/delete-root')
  })

  it.each(['/*', '/e*', '/.*', '/[a-z]*', '/u?r', '/@(etc)', '/!(tmp)', '/+(usr|x)', '/?(x)etc', '/@(*)'])(
    'are denied for the pattern %s',
    (where) => {
      expect(reason(glob(where))).toBe('builtin/delete-root')
    },
  )

  it('are denied where the host says that the path leads elsewhere', () => {
    const fact = path(`${WORKSPACE}/etc`, 'rm', { recursive: true })
    const paths = new Map([[WORKSPACE, { real: '/', kind: 'directory' as const }]])
    expect(decided('rm -r etc', { facts: { deletes: [fact] } }).verdict).toBe('allow')
    const answers = { paths, programs: new Map(), scripts: new Map() }
    const { matches } = decided('rm -r etc', { facts: { deletes: [fact] }, answers })
    expect(matches.map(({ rule }) => rule)).toEqual(['builtin/delete-root', 'default', 'path/outside-delete'])
  })

  it('are denied for a home inside the workspace', () => {
    const surroundings = {
      ...SURROUNDINGS,
      workspace: '/home/all/of',
      home: '/home/all/of/me',
      roots: ['/home/all/of'],
    }
    expect(reason(all('/home/all/of/me'), { surroundings })).toBe('builtin/delete-home')
  })

  it.each([HOME, '/root', '/home/other', '/Users/me'])('are denied for the home %s and all in it', (where) => {
    const expected = where === '/root' ? 'builtin/delete-root' : 'builtin/delete-home'
    expect(reason(all(where))).toBe(expected)
    expect(reason(glob(`${where}/*`))).toBe(expected)
  })

  it('are denied for a home named by a pattern', () => {
    expect(reason(glob('/home/m*'))).toBe('builtin/delete-home')
    expect(reason(glob('/h*/me'))).toBe('builtin/delete-home')
  })

  it('are denied through a link and through the option that says so', () => {
    const answers = {
      paths: new Map([[`${WORKSPACE}/l`, { real: '/', kind: 'directory' as const }]]),
      programs: new Map(),
      scripts: new Map(),
    }
    expect(reason(all(`${WORKSPACE}/l`, 'find'), { answers })).toBe('builtin/delete-root')
    expect(decided('rm -r --no-preserve-root x').because[0]?.rule).toBe('builtin/delete-root')
    expect(decided('rm -fr /').because[0]?.rule).toBe('builtin/delete-root')
    expect(decided('rm --recursive //').because[0]?.rule).toBe('builtin/delete-root')
  })

  it('deletes inside the workspace, /tmp and ~/.cache match no rule', () => {
    for (const fact of [
      all(`${WORKSPACE}/build`),
      glob(`${WORKSPACE}/*`),
      path(`${WORKSPACE}/x`, 'rm'),
      all('/tmp/x'),
      all(`${HOME}/.cache/x`),
    ]) {
      expect(reason(fact), fact.path).toBe('default')
    }
    expect(reason(path(`${HOME}/x`, 'rm'))).toBe('path/outside-delete')
    expect(reason(all(`${HOME}/projects`))).toBe('path/outside-delete')
  })

  it('let a command whose home is the workspace empty it, and not remove it', () => {
    const jailed: Setting = { profile: { environment: { ...PROFILE.environment, home: 'workspace' } } }
    expect(reason(glob(`${WORKSPACE}/*`), jailed)).toBe('default')
    expect(reason(all(WORKSPACE), jailed)).toBe('builtin/delete-home')
    expect(reason(all(WORKSPACE, 'find'), jailed)).toBe('default')
    expect(reason(all(WORKSPACE, 'git'), jailed)).toBe('default')
    const atHome = { ...jailed, surroundings: { ...SURROUNDINGS, workspace: HOME, roots: [HOME] } }
    expect(reason(glob(`${HOME}/*`), atHome)).toBe('builtin/delete-home')
    expect(reason(all(HOME, 'find'), atHome)).toBe('default')
    expect(reason(all('/root', 'find'), atHome)).toBe('builtin/delete-root')
  })

  it('give the path in the reason', () => {
    expect(decided('find / -delete', { facts: { deletes: [all('/', 'find')] } }).because[0]).toEqual({
      rule: 'builtin/delete-root',
      verdict: 'deny',
      span: [0, 1],
      reason: 'Command not allowed: find. It deletes / recursively. It deletes the system.',
      instead: 'Delete the files you mean by name.',
      remedy: expect.any(String),
      program: 'find',
    })
  })
})
