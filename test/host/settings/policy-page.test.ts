import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { REMOVABLE } from '../../../src/core/decide/builtins.js'
import { lintRules } from '../../../src/core/decide/lint-rules.js'
import { failure, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/policy.md'), 'utf8')

describe('docs/policy.md', () => {
  it('lists every built-in denial and question, and no other', () => {
    const tables = PAGE.slice(PAGE.indexOf('## Built-in denials'))
    const listed = [...tables.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    expect(listed.toSorted()).toEqual([...REMOVABLE].toSorted())
  })

  it('lists every built-in profile', () => {
    for (const { name } of profilesOf().list()) expect(PAGE).toContain(`| \`${name}\` |`)
  })

  it('shows settings that load, with rules nobody has to complain about', () => {
    const text = /```toml\n(.*?)```/s.exec(PAGE)?.[1] ?? ''
    const profiles = profilesOf({ user: text })
    expect(failure(() => profiles.profileFor(null, null))).toBe('nothing was thrown')
    expect(profiles.profileFor(null, null)).toMatchObject({
      name: 'mine',
      sandbox: 'required',
      timeouts: { maxMs: 900_000 },
    })
    expect(profiles.profileFor('reviewer', null).agentPrograms).toEqual(['bash', 'git', 'ls'])
    expect(lintRules(profiles.profileFor(null, 'mine'))).toEqual([])
  })
})
