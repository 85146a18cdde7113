import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lintRules } from '../../../src/core/decide/authoring/lint.js'
import { REMOVABLE } from '../../../src/core/decide/denials/index.js'
import { failure, profilesOf, removeHosts } from './fixture.js'

afterAll(removeHosts)

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/policy.md'), 'utf8')

describe('docs/policy.md', () => {
  it('lists every built-in denial and question, and no other', () => {
    const section = (title: string): string => PAGE.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    const rows = section('Built-in denials').matchAll(/^\| (`[^|]+) \|/gm)
    const items = section('Built-in questions').matchAll(/^- (`[^:]+):/gm)
    const listed = [...rows, ...items].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    expect(listed.toSorted()).toEqual([...REMOVABLE].toSorted())
  })

  it('lists every built-in profile', () => {
    for (const { name } of profilesOf().list()) expect(PAGE).toContain(`| \`${name}\` |`)
  })

  it('shows settings that load, with rules without lint warnings', () => {
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
