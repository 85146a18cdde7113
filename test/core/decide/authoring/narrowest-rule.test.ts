import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../../src/core/analyse/analyse.js'
import { checkRules } from '../../../../src/core/decide/authoring/check-examples.js'
import { lintRules } from '../../../../src/core/decide/authoring/lint.js'
import { narrowRule } from '../../../../src/core/decide/authoring/narrowest-rule.js'
import { permissionRule } from '../../../../src/core/decide/authoring/permission-syntax.js'
import { decide } from '../../../../src/core/decide/decide.js'
import type { Profile } from '../../../../src/core/model/policy/profile.js'
import { noAnswers } from '../../../../src/core/model/run/facts.js'
import type { Command } from '../../../../src/core/model/run/request.js'
import { loadProfiles } from '../../../../src/host/settings/profiles.js'
import { decided, factsOf, HOME, inputFor, PROFILE, type Setting, WORKSPACE } from '../fixture.js'

const profiles = loadProfiles({
  workspace: WORKSPACE,
  home: HOME,
  env: {},
  builtinDir: resolve(import.meta.dirname, '../../../../profiles'),
})

function readIn(script: string, profile: Profile) {
  const command = { mode: 'shell', script } as const
  const answers = noAnswers()
  const { facts } = analyse(command, { cwd: WORKSPACE, home: HOME, env: [] }, answers)
  const decision = decide({ ...inputFor(script), facts, profile })
  return { facts, decision }
}

/** The rule proposed for a held command. */
function proposed(text: string, setting: Setting = {}) {
  return narrowRule(inputFor(text, setting).facts, decided(text, setting).because)
}

describe('narrowRule', () => {
  it('covers the command that was asked about, and lifts the question', () => {
    const rule = proposed('ls; git push origin main')
    expect(rule?.action).toBe('tool:*:git push origin main')
    const profile = { rules: rule ? [rule] : [] }
    expect(decided('ls; git push origin main', { profile }).verdict).toBe('allow')
    expect(decided('git push origin main --force', { profile }).verdict).toBe('ask')
    expect(decided('git push', { profile }).verdict).toBe('ask')
    expect(lintRules({ ...PROFILE, ...profile })).toEqual([])
  })

  it('takes a * in the command for a letter', () => {
    const rule = proposed('git push origin *')
    expect(decided('git push origin evil', { profile: { rules: rule ? [rule] : [] } }).verdict).toBe('ask')
    expect(decided('git push origin *', { profile: { rules: rule ? [rule] : [] } }).verdict).toBe('allow')
  })

  it('proposes nothing where any rule would grant too much or could not help', () => {
    const ask = { default: 'ask' } as const
    for (const text of [
      'bash x',
      'env ls',
      'xargs ls',
      'sudo ls',
      'python',
      'eval x',
      './tool x',
      'git push; npm publish',
    ]) {
      expect(proposed(text, { profile: { ...ask, builtins: { removed: ['sudo'] } } }), text).toBeNull()
    }
    const hidden = { opaque: [{ span: [0, 3], kind: 'unknown', reason: 'x' }] } as const
    expect(proposed('git push', { facts: hidden })).toBeNull()
    const environment = [{ name: 'LD_PRELOAD', value: 'x', span: [0, 1] }] as const
    expect(proposed('git push', { facts: { environment } })).toBeNull()
    const unknown = {
      invocations: [{ program: 'git', argv: ['git', 'push', { unknown: 'x' }], span: [0, 8], via: [] }],
    } as const
    expect(proposed('git push $x', { facts: unknown })).toBeNull()
  })

  it('without the questions takes a single command only', () => {
    expect(narrowRule(factsOf('git push'))?.action).toBe('tool:*:git push')
    expect(narrowRule(factsOf('git push; ls'))).toBeNull()
  })

  it.each([
    ['ssh host ls', 'tool:*:ssh host ls'],
    ['git -c core.pager=./x push', 'tool:*:git -c core.pager=./x push'],
    ['git -c alias.x=log push', 'tool:*:git -c alias.x=log push'],
    ["docker run --privileged alpine sh -c 'x'", 'tool:*:docker run --privileged alpine sh -c x'],
    ['npx foo', 'tool:*:npx foo'],
    ['uv run x.py', 'tool:*:uv run x.py'],
    ["tmux new 'x'", 'tool:*:tmux new x'],
    ['awk \'BEGIN{system("x")}\'', 'tool:*:awk \'BEGIN{system("x")}\''],
    ["bash -c 'python3 x.py'", 'tool:*:python3 x.py'],
    ['timeout 5 git push', 'tool:*:git push'],
    ['echo "$(python3 x.py)"', 'tool:*:python3 x.py'],
  ])('is about the program that was asked about, and what it brings with it: %s', (script, action) => {
    const open = profiles.profileFor(null, 'open')
    const { facts, decision } = readIn(script, open)
    expect(decision.verdict).toBe('ask')
    const rule = narrowRule(facts, decision.because)
    expect(rule?.action ?? null).toBe(action)
    if (rule) expect(readIn(script, { ...open, rules: [rule] }).decision.verdict).toBe('allow')
  })

  it('proposes nothing for a command in which something cannot be seen', () => {
    for (const letter of ['\u202e', '\u200b', '\u00a0', '\u3164', '\u001b'])
      expect(proposed(`git push o${letter}rigin`), letter).toBeNull()
    expect(proposed('git push häuser')?.action).toBe("tool:*:git push 'häuser'")
  })

  it.each([
    "'my tool' x",
    'tool "" x',
    "tool 'a  b' $'c\\nd' 'e\"f' \"g'h\"",
    'tool "#x" "~" "!" "[a]" "{b,c}" "a=b"',
    'tool a\\ b',
    'T=1 tool',
    'tool *.c',
    'tool -- -x',
    'tool "tool:bash:x"',
    'tool "a:*"',
    'tool \\\\',
    'tool ünïcode 😀',
    'if tool x; then tool x; fi',
    'sleep 1',
    'exit 3',
    'cd x',
    ': a',
    'test -f x',
    '[ -f x ]',
    '[[ -f x ]]',
    'x=1',
    'export A=b',
    'local',
    'time tool x',
    '! tool x',
    'npm -- exec x',
    'if',
    'git commit -m "a\nb"',
    "'if' x",
    "'time' x",
    "'[[' x ]]",
    'FOO=bar',
    "'FOO=bar' x",
    "'-x' y",
  ])('is saved so that its own examples are right when it is loaded: %s', (script) => {
    const asking = { ...PROFILE, default: 'ask' } as const
    const { facts, decision } = readIn(script, asking)
    const rule = narrowRule(facts, decision.because)
    if (rule === null) return
    const read = (command: Command) => analyse(command, { cwd: WORKSPACE, home: HOME, env: [] }, noAnswers()).facts
    expect(checkRules([rule], read)).toEqual([])
    expect(permissionRule(rule.action ?? '', 'allow', 'x').action).toBe(rule.action)
  })
})
