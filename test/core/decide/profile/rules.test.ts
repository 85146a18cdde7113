import { describe, expect, it } from 'vitest'
import { permissionRule } from '../../../../src/core/decide/authoring/permission-syntax.js'
import { CordonError } from '../../../../src/core/model/basics/errors.js'
import type { Verdict } from '../../../../src/core/model/policy/decision.js'
import type { Rule } from '../../../../src/core/model/policy/profile.js'
import type { Invocation } from '../../../../src/core/model/run/facts.js'
import { fc } from '../../../property.js'
import { decided, PROFILE, rule, type Setting, structured } from '../fixture.js'
import { decidedByReader } from '../reading.js'

const under = (one: Rule, text: string, setting: Setting = {}): Verdict =>
  decided(text, {
    ...setting,
    profile: {
      rules: [one],
      default: one.verdict === 'allow' ? 'deny' : 'allow',
      builtins: { removed: ['git-push', 'force-push'] },
    },
  }).verdict

describe('rules over programs and arguments', () => {
  const forcePush = rule({ program: ['git'], args: ['push', ['-f', '--force']], verdict: 'deny' })

  it('that deny or ask match arguments in order, with gaps', () => {
    for (const text of [
      'git push -f',
      'git -C app push origin main --force',
      '/usr/bin/git push --force',
      'GIT push -f',
    ])
      expect(under(forcePush, text), text).toBe('deny')
    for (const text of [
      'git push',
      'git push --force-with-lease',
      'git -f push',
      'echo git push -f',
      'git commit -m -f',
    ])
      expect(under(forcePush, text), text).toBe('allow')
  })

  it('against a subcommand speak of one that cannot be known', () => {
    const unknown = (argv: Invocation['argv']): Setting => ({
      facts: { invocations: [{ program: 'git', argv, span: [0, 3], via: [] }] },
    })
    const push = rule({ program: ['git'], args: ['push'], verdict: 'deny' })
    expect(under(push, 'git $x', unknown(['git', { unknown: 'x' }]))).toBe('deny')
    expect(under(push, 'git -C $x status', unknown(['git', '-C', { unknown: 'x' }, 'status']))).toBe('allow')
  })

  it('in favour take the arguments at the beginning only, and the program only from where programs are', () => {
    const status = rule({ program: ['git'], args: ['status'], verdict: 'allow' })
    for (const text of ['git status', 'git status -s', '/usr/bin/git status'])
      expect(under(status, text), text).toBe('allow')
    for (const text of ['git push status', 'git -c x status', './git status', '/tmp/git status', 'Git status', 'git'])
      expect(under(status, text), text).toBe('deny')
  })

  it('a rule with a pattern matches program names', () => {
    expect(under(rule({ program: ['python*'], verdict: 'deny' }), 'python3.12 x')).toBe('deny')
    expect(under(rule({ program: ['python*'], verdict: 'deny' }), 'py x')).toBe('allow')
  })
})

describe('action patterns', () => {
  const deny = (action: string): Rule => rule({ action, verdict: 'deny' })
  const allow = (action: string): Rule => rule({ action, verdict: 'allow' })

  it('against something look at the whole request and at every part', () => {
    expect(under(deny('tool:bash:*<<<*'), 'cat <<< x')).toBe('deny')
    expect(under(deny('tool:bash:git push*'), 'ls; git push origin')).toBe('deny')
    expect(under(deny('tool:bash:git push*'), 'ls; git pull')).toBe('allow')
    expect(under(deny('tool:exec:git *'), 'git push')).toBe('allow')
    expect(under(deny('tool:exec:git *'), 'git push', { command: structured('git', 'push') })).toBe('deny')
    expect(under(deny('tool:*:git *'), 'git push', { command: structured('git', 'push') })).toBe('deny')
  })

  it('in favour look at parts, so that nothing can be hung onto an allowed command', () => {
    expect(under(allow('tool:bash:git status*'), 'git status')).toBe('allow')
    expect(under(allow('tool:bash:git status*'), 'git status; evil x')).toBe('deny')
    expect(under(allow('tool:bash:ls; evil x'), 'ls; evil x')).toBe('allow')
    expect(under(allow('tool:bash:ls; evil *'), 'ls; evil x')).toBe('deny')
  })

  it('against something are read in any letter case, in favour in their own', () => {
    expect(under(deny('tool:bash:*drop table*'), 'psql -c DROP TABLE x')).toBe('deny')
    expect(under(allow('tool:bash:Ls'), 'ls')).toBe('deny')
  })

  it('keep the tool apart from the command', () => {
    expect(under(allow('tool:*:git push'), 'evil x:git push')).toBe('deny')
  })

  it('in favour do not mistake one argument with blanks for several', () => {
    const argv = ['npm', 'run test']
    const facts = { invocations: [{ program: 'npm', argv, span: [0, 14] as const, via: [] }] }
    expect(under(allow('tool:bash:npm run test'), "npm 'run test'", { facts })).toBe('deny')
    expect(under(deny('tool:bash:npm run test'), "npm 'run test'", { facts })).toBe('deny')
  })

  it('lift no explicit question and no denial', () => {
    const rules = [
      rule({ id: 'a', program: ['x'], verdict: 'ask' }),
      rule({ id: 'b', action: 'tool:bash:x', verdict: 'allow' }),
    ]
    expect(decided('x', { profile: { rules } }).verdict).toBe('ask')
  })
})

describe('permission lists', () => {
  it.each([
    ['Bash(git push:*)', 'git push', true],
    ['Bash(git push:*)', 'git push origin main', true],
    ['Bash(git push:*)', 'git pushx', false],
    ['Bash(git *)', 'git status', true],
    ['Bash(git *)', 'gitx status', false],
    ['Bash(npm run test)', 'npm run test', true],
    ['Bash(npm run test)', 'npm run test more', false],
    ['Bash(npm run *:unit)', 'npm run test:unit', true],
    ['Bash', 'anything at all', true],
    ['Bash(*)', 'anything at all', true],
    ['tool:bash:ls*', 'ls -l', true],
  ])('%s of %s is %s, for and against', (entry, text, expected) => {
    expect(under(permissionRule(entry, 'allow', 'p'), text)).toBe(expected ? 'allow' : 'deny')
    expect(under(permissionRule(entry, 'deny', 'p'), text)).toBe(expected ? 'deny' : 'allow')
  })

  it('refuse what they do not understand, and say what to write', () => {
    for (const entry of ['', 'Read(x)', 'Bash(', 'git push', 'Bash()']) {
      expect(() => permissionRule(entry, 'deny', 'p'), entry).toThrow(CordonError)
      expect(() => permissionRule(entry, 'deny', 'p'), entry).toThrow(/Write `Bash\(git push:\*\)`/)
    }
  })

  it('never allow a command that begins with other words', () => {
    const word = fc.stringMatching(/^[a-z]{1,4}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (allowed, tried) => {
          const verdict = under(permissionRule(`Bash(${allowed.join(' ')}:*)`, 'allow', 'p'), tried.join(' '))
          const begins = allowed.every((one, i) => one === tried[i])
          expect(verdict === 'allow').toBe(begins && !['dd', 'su', 'nc', 'at'].includes(tried[0] ?? ''))
        },
      ),
    )
  })
})

describe('code of another language', () => {
  const open = { ...PROFILE, sandbox: 'off', opaque: { unknown: 'ask', foreign: 'ask' } } as const
  const allowing = (program: string, script: string) =>
    decidedByReader(script, { ...open, rules: [rule({ program: [program], verdict: 'allow' })] }).verdict

  it('is allowed with the program that owns the code, through any wrapper', () => {
    for (const script of ['python3 x.py', "bash -c 'python3 x.py'", 'timeout 5 python3 x.py', 'cd a && python3 x.py'])
      expect(allowing('python3', script), script).toBe('allow')
    expect(allowing('npx', 'npx ls')).toBe('allow')
    expect(allowing('bash', "bash -c 'python3 x.py'")).toBe('allow')
  })

  it.each([
    'docker run image ls',
    'npx ls',
    'uv run ls',
    'awk \'BEGIN{system("ls"); x()}\'',
    'ls "$(python3 x.py)"',
    'ls $(make)',
    'ls <(python3 x.py)',
    'python3 x.py; ls',
  ])('is not allowed with a program that it runs, or that it is an argument of: %s', (script) => {
    expect(allowing('ls', script)).toBe('ask')
  })
})
