import { describe, expect, it } from 'vitest'
import { lintRules } from '../../../../src/core/decide/authoring/lint.js'
import { permissionRule } from '../../../../src/core/decide/authoring/permission-syntax.js'
import type { Verdict } from '../../../../src/core/model/policy/decision.js'
import type { Profile, Rule } from '../../../../src/core/model/policy/profile.js'
import { PROFILE, rule } from '../fixture.js'

const kinds = (rules: readonly Rule[], over: Partial<Profile> = {}): string[] =>
  lintRules({ ...PROFILE, ...over, rules }).map(({ rule: id, kind }) => `${id} ${kind}`)
const allow = (entry: string): Rule => permissionRule(entry, 'allow', entry)

describe('lintRules', () => {
  it.each([
    'Bash(bash:*)',
    'Bash(python:*)',
    'Bash(env:*)',
    'Bash(xargs:*)',
    'Bash(git -c:*)',
    'Bash(*)',
    'Bash',
    'tool:bash:*',
    'Bash(sh -c:*)',
    'Bash(python3 -c:*)',
    'Bash(npx:*)',
    'Bash(find:*)',
    'tool:bash:env *',
    'Bash(uv run:*)',
    'Bash(poetry run *)',
    'Bash(docker run:*)',
    'Bash(kubectl exec:*)',
    'Bash(bundle exec:*)',
    'Bash(nix-shell:*)',
    'Bash(bun x:*)',
    'Bash(tmux:*)',
  ])('an allow rule for %s gets a warning that it is over-broad', (entry) => {
    expect(kinds([allow(entry)])).toContain(`${entry} over-broad`)
  })

  it('finds a pattern of names over-broad when a shell or an interpreter is among them', () => {
    expect(kinds([rule({ id: 'a', program: ['p*'], verdict: 'allow' })])).toContain('a over-broad')
    expect(kinds([rule({ id: 'a', program: ['zq*'], verdict: 'allow' })])).toEqual([])
  })

  it.each([
    'Bash(git push:*)',
    'Bash(npm run test)',
    'Bash(git status:*)',
    'Bash(python manage.py test:*)',
    'tool:bash:ls *',
    'Bash(uv sync:*)',
    'Bash(docker ps:*)',
    'Bash(uv run pytest:*)',
    'Bash(bundle exec rspec:*)',
  ])('an allow rule for %s gets no warning', (entry) => {
    expect(kinds([allow(entry)])).toEqual([])
  })

  it('rules that contradict or repeat each other get a warning', () => {
    const a = rule({ id: 'a', program: ['x'], verdict: 'ask' })
    expect(kinds([a, { ...a, id: 'b', verdict: 'allow' }])).toEqual(['b contradictory'])
    expect(kinds([a, { ...a, id: 'b' }])).toEqual(['b duplicate'])
  })

  it('finds rules that a stricter rule always overrides', () => {
    const deny = rule({ id: 'deny', program: ['git'], args: ['push'], verdict: 'deny' })
    expect(kinds([deny, rule({ id: 'a', program: ['git'], args: ['push', 'origin'], verdict: 'allow' })])).toEqual([
      'a unreachable',
    ])
    expect(kinds([deny, rule({ id: 'a', program: ['git'], args: ['pull'], verdict: 'allow' })])).toEqual([])
    expect(kinds([rule({ id: 'a', program: ['sudo'], args: ['ls'], verdict: 'allow' })])).toContain('a unreachable')
    expect(
      kinds([rule({ id: 'a', program: ['visudo'], verdict: 'allow' })], { builtins: { removed: ['visudo'] } }),
    ).toEqual([])
    expect(
      kinds([rule({ id: 'a', program: ['cat'], verdict: 'allow' })], { programs: { allowOnly: ['ls'], paths: true } }),
    ).toEqual(['a unreachable'])
  })

  it('finds a command that a stricter rule covers', () => {
    const entry = (verdict: Verdict, text: string) => permissionRule(text, verdict, `permissions/${verdict}/${text}`)
    const push = 'permissions/allow/Bash(git push origin main)'
    const allowed = entry('allow', 'Bash(git push origin main)')
    expect(kinds([entry('deny', 'Bash(git push:*)'), allowed])).toEqual([`${push} unreachable`])
    expect(kinds([entry('deny', 'tool:*:git push *'), allowed])).toEqual([`${push} unreachable`])
    expect(kinds([entry('ask', 'tool:bash:git push *'), allowed])).toEqual([])
    expect(kinds([entry('deny', 'Bash(git pull:*)'), allowed])).toEqual([])
    expect(kinds([entry('deny', 'Bash(git push origin main)'), entry('allow', 'Bash(git push:*)')])).toEqual([])
  })

  it('finds an entry that says what a wider one says, and leaves rules with a reason of their own', () => {
    const entry = (text: string) => permissionRule(text, 'deny', `permissions/deny/${text}`)
    expect(kinds([entry('Bash(git push:*)'), entry('Bash(git push --force:*)')])).toEqual([
      'permissions/deny/Bash(git push --force:*) duplicate',
    ])
    expect(kinds([entry('Bash(git push:*)'), entry('Bash(git push origin main)')])).toEqual([
      'permissions/deny/Bash(git push origin main) duplicate',
    ])
    const force = rule({ id: 'a', program: ['git'], args: ['push', '--force'], verdict: 'deny' })
    expect(kinds([entry('Bash(git push:*)'), force])).toEqual([])
  })

  it('each warning says what to do', () => {
    expect(lintRules({ ...PROFILE, rules: [allow('Bash(bash:*)')] })[0]).toEqual({
      rule: 'Bash(bash:*)',
      kind: 'over-broad',
      message: 'Allowing `bash` with any arguments allows every command. Name the commands it may run.',
    })
  })
})
