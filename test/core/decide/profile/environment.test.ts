import { describe, expect, it } from 'vitest'
import { injects } from '../../../../src/core/decide/profile/environment.js'
import { decided } from '../fixture.js'

describe('variables that make programs run things', () => {
  it.each([
    ['LD_PRELOAD', 'x.so'],
    ['LD_LIBRARY_PATH', '.'],
    ['GIT_SSH_COMMAND', 'sh x'],
    ['GIT_EXTERNAL_DIFF', 'x'],
    ['GIT_CONFIG_COUNT', '1'],
    ['GIT_CONFIG_KEY_0', 'core.pager'],
    ['GIT_CONFIG_GLOBAL', 'evil'],
    ['BASH_ENV', 'x'],
    ['ENV', './x'],
    ['PROMPT_COMMAND', 'x'],
    ['PS4', '$(x)'],
    ['EDITOR', 'sh -c x'],
    ['EDITOR', "sed -i '1d'"],
    ['GIT_EDITOR', "sed -i '1d'; x"],
    ['GIT_EDITOR', "sed -i '1d' '$(x)'"],
    ['GIT_EDITOR', 'sh -c x'],
    ['GIT_EDITOR', 'python3 -c x'],
    ['GIT_EDITOR', 'x'],
    ['GIT_SEQUENCE_EDITOR', './edit.sh; x'],
    ['GIT_SEQUENCE_EDITOR', 'cat todo > $(x)'],
    ['GIT_SEQUENCE_EDITOR', 'sed -i "$(x)"'],
    ['GIT_SEQUENCE_EDITOR', "perl -e 'x' | sh"],
    ['EDITOR', './edit.sh'],
    ['PAGER', './x'],
    ['GIT_PAGER', 'sh x'],
    ['AWS_PAGER', 'x'],
    ['NODE_OPTIONS', '--require ./x.js'],
    ['PYTHONSTARTUP', 'x.py'],
    ['PERL5OPT', '-Mx'],
    ['RUBYOPT', '-rx'],
    ['VIMINIT', ':!x'],
    ['LUA_INIT', 'x'],
    ['JAVA_TOOL_OPTIONS', '-javaagent:x.jar'],
    ['BASH_FUNC_ls%%', '() { x; }'],
    ['CARGO_TARGET_X86_RUNNER', 'x'],
    ['LESSOPEN', '|x %s'],
    ['LESSKEY_CONTENT', '#command'],
    ['LESSKEYIN', './keys'],
  ])('a command with the variable %s=%s asks', (name, value) => {
    expect(injects({ name, value })).toBe(true)
    expect(injects({ name, value: null })).toBe(true)
  })

  it.each(['+!id', '-R +!id', '+&x|id', '+v', '-R ++!id'])('a command with LESS=%s asks', (value) => {
    expect(injects({ name: 'LESS', value })).toBe(true)
  })

  it.each(['-R', 'FRX', '-R +G', '-i -M -R +Gg', null])('a command with LESS=%s does not ask', (value) => {
    expect(injects({ name: 'LESS', value })).toBe(false)
  })

  it.each([
    ['NODE_ENV', 'test'],
    ['GIT_PAGER', 'cat'],
    ['PAGER', ''],
    ['GIT_EDITOR', 'true'],
    ['GIT_SEQUENCE_EDITOR', ':'],
    ['GIT_SEQUENCE_EDITOR', "sed -i '1s/pick/drop/'"],
    ['GIT_EDITOR', "sed -i.bak -e '/^#/d'"],
    ['GIT_SEQUENCE_EDITOR', "sed -i -e '2s/pick/squash/' -e '3s/pick/fixup/'"],
    ['GIT_SEQUENCE_EDITOR', 'sed -i "1s/pick/edit/"'],
    ['GIT_SEQUENCE_EDITOR', 'sed -i 1s/pick/edit/'],
    ['GIT_SEQUENCE_EDITOR', "perl -i -pe 's/pick/drop/ if $. == 1'"],
    ['GIT_SEQUENCE_EDITOR', 'cp /tmp/todo'],
    ['GIT_SEQUENCE_EDITOR', 'cat todo >'],
    ['GIT_EDITOR', "printf 'New subject\\n' >"],
    ['GIT_EDITOR', '/tmp/edit.sh'],
    ['GIT_EDITOR', 'python3 scripts/edit.py'],
    ['NODE_OPTIONS', '--max-old-space-size=4096 --no-warnings'],
    ['JAVA_TOOL_OPTIONS', '-Xmx2g -Dfile.encoding=UTF-8'],
    ['GIT_CONFIG_GLOBAL', '/dev/null'],
    ['ENV', 'production'],
    ['PS4', '+ '],
    ['LD_PRELOAD', ''],
    ['PYTHONPATH', 'src'],
    ['CC', 'clang'],
    ['constructor', 'x'],
    ['__proto__', 'x'],
  ])('a command with the variable %s=%s does not ask', (name, value) => {
    expect(injects({ name, value })).toBe(false)
  })

  it('is a question that names the variable and points at it', () => {
    const environment = [{ name: 'LD_PRELOAD', value: 'x.so', span: [0, 15] }] as const
    expect(decided('LD_PRELOAD=x.so ls', { facts: { environment } }).because).toEqual([
      {
        rule: 'environment/LD_PRELOAD',
        verdict: 'ask',
        span: [0, 15],
        reason: 'LD_PRELOAD can make programs run other code.',
        instead: 'Run the command without LD_PRELOAD.',
        remedy: expect.any(String),
      },
    ])
  })
})
