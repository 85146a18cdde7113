import { describe, expect, it } from 'vitest'
import { pathMatches, placesOf, quietAt } from '../../../src/core/decide/path-matches.js'
import type { DecideInput } from '../../../src/core/decide/scene.js'
import type { Facts, PathFact } from '../../../src/core/model/facts.js'
import { fc } from '../../property.js'
import { decided, factsOf, HOME, PROFILE, path, SURROUNDINGS, WORKSPACE } from './fixture.js'

const NAMES = [
  ...['src', 'a.ts', '.env', '.ssh', '.git', 'hooks', 'cordon.toml', '.bashrc', '..', '.', '', 'é', '.e', 'x.toml'],
  ...['*', '*.ts', '.*', '.e*', '*v', '?env', '.en[v]', '[a', '*.toml', 'c*l', '*ks', '.g?t', '*]', 'a\\*'],
]
/** Names that are a place together, and not alone. */
const PAIRS = [
  '.git/hooks',
  '.g*/hooks',
  '.git/h*',
  '.claude/settings.json',
  'git/hooks',
  '.git/x/hooks',
  '[.]git/config',
]
const segments = fc.array(fc.constantFrom(...NAMES, ...PAIRS), { maxLength: 5 })
const place = fc.tuple(
  fc.constantFrom(WORKSPACE, `${WORKSPACE}/`, HOME, '/etc', '', '/', '/work', '/work/application'),
  segments,
)
const kind = fc.constantFrom('reads', 'writes', 'deletes' as const)

const inputOf = (facts: Facts): DecideInput => ({
  command: { mode: 'shell', script: 'x' },
  text: 'x',
  facts,
  answers: { paths: new Map(), programs: new Map(), scripts: new Map() },
  profile: PROFILE,
  surroundings: { ...SURROUNDINGS, protected: [`${WORKSPACE}/locked`], hidden: [[`${WORKSPACE}/kept/x`, 'file']] },
  cwd: WORKSPACE,
})

describe('a path that no place speaks of', () => {
  it('is one of which nothing is said when every place is asked', () => {
    fc.assert(
      fc.property(place, kind, fc.boolean(), fc.boolean(), ([root, names], which, partial, recursive) => {
        const fact: PathFact = path([root, ...names].join('/').replace('//', '/'), 'tool', {
          ...(partial ? { partial } : {}),
          ...(recursive ? { recursive } : {}),
        })
        const input = inputOf({ ...factsOf('tool'), [which]: [fact] })
        const places = placesOf(PROFILE)
        const quiet = quietAt(places, input)
        const asked = JSON.stringify(pathMatches(input, places, null))
        return quiet !== null && JSON.stringify(pathMatches(input, places, quiet)) === asked
      }),
      { numRuns: 3_000 },
    )
  }, 120_000)

  it('is asked about where the host says that it leads elsewhere', () => {
    const fact = path(`${WORKSPACE}/etc`, 'rm', { recursive: true })
    const paths = new Map([[WORKSPACE, { real: '/', kind: 'directory' as const }]])
    const answers = { paths, programs: new Map(), scripts: new Map() }
    expect(decided('rm -r etc', { facts: { deletes: [fact] } }).verdict).toBe('allow')
    const { matches } = decided('rm -r etc', { facts: { deletes: [fact] }, answers })
    expect(matches.map(({ rule }) => rule)).toEqual(['builtin/delete-root', 'default', 'path/outside-delete'])
  })

  it('is still a home where the workspace is around one', () => {
    const surroundings = {
      ...SURROUNDINGS,
      workspace: '/home/all/of',
      home: '/home/all/of/me',
      roots: ['/home/all/of'],
    }
    const facts = { deletes: [path('/home/all/of/me', 'rm', { recursive: true })] }
    const { because } = decided('rm -rf me', { facts, surroundings })
    expect(because.map(({ rule }) => rule)).toContain('builtin/delete-home')
  })
})
