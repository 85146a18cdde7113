import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { CONTEXT, factsOf } from './facts-of.js'

describe('known output of programs', () => {
  const filters = [
    'cat',
    'cat -',
    'cat -n',
    'basename /',
    'basename a/b.c .c',
    'dirname /',
    'dirname /a/b /c',
    'dirname a//b',
    'seq 3',
    'seq 3 -1 1',
    'rev',
    "grep -v '^#'",
    "grep -v '^\\s*#'",
    "grep -v '^$'",
    "grep -vE '^#|^$'",
    "grep -Ev '^\\s*(#|$)'",
    "grep -v '^#|^$'",
  ]
  const inputs = ['rm -rf a', 'b\\na\\nB\\n\\tt', 'é_ü a', 'aaa|ab', 'x,y\\n1,2', '# c\\nA=1\\n\\n \\t#d', '']
  const prints = [
    ...[
      "printf '%+d' 5",
      "printf '%u' -1",
      "printf '%#x' 255",
      "printf '%d' 0b1",
      "printf '%05s' a",
      "printf '%.1b' ab",
    ],
    ...["printf '\\%o' 114", "printf '\\%03o\\%s' 7 x", "printf 'a\\%%b\\'", "printf '\\\\%d' 3"],
    ...["printf '\\c'", "printf '%b' '\\101'", "printf '%c' é", "printf '%q' 'a b'", "printf '%3d|%-3d|%03d' 1 2 3"],
    ...["echo -e '\\101'", "echo -e '\\0101'", 'x=éa; echo ${x:1} ${#x} ${x#?}', "trap 'printf m' EXIT; printf r"],
    ...["IFS=: read a b <<< ':a:'; echo $a-$b", "IFS=: read a b <<< 'a:b::'; echo $a-$b", 'echo a=~ b~ ~/c'],
    ...['command -v eval', 'command -v if', 'f() { :; }; command -v f', 'type -t f', 'f() { :; }; type -t f echo if'],
    ...['type -p echo', 'command -v ./x', 'type -P -- cd', 'command -v nosuch', 'type -t nosuch cd'],
  ]
  const fed = inputs.flatMap((input) => [`printf '${input}\\n'`, `printf '${input}'`])
  const lines = [...prints, ...filters.flatMap((filter) => fed.map((input) => `${input} | ${filter}`))]

  it('output treated as known equals the output of the real programs', () => {
    const script = lines.map((line) => `printf '%s\\036' "$(${line} 2>/dev/null)"`).join('\n')
    const printed = execFileSync('bash', ['-c', script], { env: { ...process.env, LC_ALL: 'C', HOME: CONTEXT.home } })
      .toString()
      .split('\u001e')
    const wrong = lines.flatMap((line, i) => {
      const known = factsOf(`show "$(${line})"`).invocations.find((v) => v.program === 'show')?.argv[1]
      return typeof known === 'string' && known !== printed[i] ? [`${line} prints ${printed[i]}, not ${known}`] : []
    })
    expect(wrong).toEqual([])
  }, 120_000)
})
