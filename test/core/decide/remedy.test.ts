import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILTINS } from '../../../src/core/decide/denials/index.js'
import { NETWORK_BUILTIN } from '../../../src/core/decide/denials/network.js'
import { EFFECTS } from '../../../src/core/decide/effects/index.js'
import { remedyFor } from '../../../src/core/decide/match/remedy.js'
import { requestMatches } from '../../../src/core/decide/profile/request-rules.js'
import type { RuleMatch } from '../../../src/core/model/policy/decision.js'
import { PROFILE, rule } from './fixture.js'
import { decidedByReader } from './reading.js'

const SOURCE = join(import.meta.dirname, '../../../src/core/decide')
/** Ids of rules as the source writes them; `${…}` stands for a name. */
const IDS = [
  ...new Set(
    readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [
          ...readFileSync(join(SOURCE, file), 'utf8').matchAll(
            /(?:\bmatch\(\s*|\brule: )(['`])((?:[a-z-]+\/|default)(?:[\w-]|\$\{[^}]*\})*)\1/g,
          ),
        ].map(([, , id = '']) => id.replace('${SYSTEM_PATHS}', 'system-paths').replace(/\$\{[^}]*\}/g, 'name')),
      ),
  ),
]
const spoken = (id: string): RuleMatch => ({ rule: id, verdict: 'deny', span: [0, 1], reason: 'x' })
const NETWORKED = { ...PROFILE, network: 'full' as const }
const OPEN = { ...NETWORKED, rules: [] }

describe('what would allow a command', () => {
  it('is known for every kind of rule that the source names', () => {
    expect(IDS).toEqual(
      expect.arrayContaining(['builtin/name', 'path/hidden', 'opaque/name', 'profile/modes', 'default', 'git/setting']),
    )
    for (const id of [...IDS, 'confirm/drop table', 'permissions/deny/Bash(x)'])
      expect([id, remedyFor(spoken(id), PROFILE, null)]).toEqual([id, expect.any(String)])
  })

  it('is a sentence, or a command with the profile that it changes', () => {
    for (const id of IDS) {
      const remedy = remedyFor(spoken(id), PROFILE, null) ?? ''
      expect(remedy).toMatch(/^cordon allow .* --profile test|^(?:A person can|No ).*[^.]\.$/)
    }
  })

  it('every denial, question and request fault has a remedy', () => {
    const examples = [...BUILTINS, NETWORK_BUILTIN].flatMap(({ name, hits }) =>
      hits.map((hit) => decidedByReader(hit, name === 'network' ? PROFILE : NETWORKED)),
    )
    const asked = EFFECTS.flatMap(({ hits }) => hits.map((hit) => decidedByReader(hit, NETWORKED)))
    for (const { because } of [...examples, ...asked])
      for (const one of because) expect([one.rule, one.remedy]).toEqual([one.rule, expect.any(String)])
    const strict = { ...PROFILE, modes: [], plainArguments: true, programs: { allowOnly: null, paths: false } }
    for (const profile of [strict, { ...strict, modes: ['structured'] as const }])
      for (const program of ['../x', 'a b', '/bin/x', 'x'])
        for (const one of requestMatches({ mode: 'structured', program, args: ['$x'] }, 'x', profile))
          expect([one.rule, one.remedy]).toEqual([one.rule, expect.any(String)])
  })

  it('the remedy names the matching rule of the settings', () => {
    const profile = { ...PROFILE, rules: [rule({ id: 'team/migrations', program: ['alembic'], because: 'No.' })] }
    expect(decidedByReader('alembic upgrade', profile).because[0]?.remedy).toContain(
      'change the rule "team/migrations"',
    )
    expect(remedyFor(spoken('team/unheard'), profile, null)).toBeNull()
  })

  it('allows the command where it is `cordon allow program`', () => {
    let count = 0
    for (const { id, hits } of EFFECTS) {
      for (const hit of hits) {
        const before = decidedByReader(hit, OPEN).because.find((one) => one.rule === id)
        const words = /^cordon allow program (?:--profile test -- )?(.*?)(?: --profile test)?$/.exec(
          before?.remedy ?? '',
        )
        const [program, ...args] = words?.[1]?.split(' ') ?? []
        if (program === undefined) continue
        count += 1
        const allowed = { ...OPEN, rules: [rule({ program: [program], args, verdict: 'allow' })] }
        const after = decidedByReader(hit, allowed).because.filter(
          ({ span, rule: other }) => other === id && span.join() === before?.span.join(),
        )
        expect([hit, after]).toEqual([hit, []])
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  it.each([
    ['git push origin main', 'cordon allow program git push origin main --profile test'],
    ['git push --force', 'cordon allow program --profile test -- git push --force'],
    ['npm publish "a b"', 'cordon allow program npm publish --profile test'],
    ['./deploy.sh', 'cordon allow rule script-deploy --profile test'],
    ['cordon allow host x', 'No setting allows this. A person can run it in their own terminal.'],
  ])('of `%s` is as narrow as its words: %s', (command, remedy) => {
    expect(decidedByReader(command, NETWORKED).because.map((one) => one.remedy)).toContain(remedy)
  })
})
