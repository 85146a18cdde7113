import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { CONTEXT, factsOf } from './facts-of.js'

describe('text that is taken for known', () => {
  const filters = [
    ...['tr a b c', 'tr -t abc de', 'tr -d a x', "tr 'é' e", 'tr a-c x', 'tr -c a-z x', "tr '\\x41' b"],
    ...["cut -d '' -f1", 'cut -c2', 'rev', 'rev -', 'tac', 'sort', 'uniq', 'head -c 3', 'tail -c 3', 'tail -n +2'],
    ...["sed 's/a*/X/g'", "sed 's/./\\U&/'", "sed 's/^/> /'", "sed 's/$/$/'", "sed 's/\\x61/H/'", "sed 's/a/\\x41/'"],
    ...[
      "sed 's/a|b/X/'",
      "sed -E 's/a|ab/X/'",
      "sed 's/[\\n]/x/g'",
      "sed 's/\\t/T/'",
      'sed y/abc/xyz/',
      "sed 's/a^b/X/'",
    ],
    ...[
      'paste -s',
      'paste -sd,',
      'paste -s -d ,',
      "paste -sd ',;'",
      'base64 -w 4',
      'base64',
      'basename /',
      'dirname /',
    ],
    ...['base64 | base64 -d', 'base64 | base64 -di', 'base64 | base64 --dec', 'base64 -w0 | base64 -id -', 'base64 -i'],
    ...['base32 | base32 -d', 'base32 | base32 -di', 'basenc --base64 | basenc --base64 -d', 'xxd -p | xxd -r -ps'],
    ...["base64 | sed 's/^/ /' | base64 -d", "base64 | sed 's/^/ -/' | base64 -di", 'base64 | openssl base64 -d'],
    ...['base64 | openssl enc -d -a', 'basenc --base16 | basenc -d --base16', 'xxd -p | basenc -d --base16'],
    ...['dirname /a/b /c', 'dirname a//b', 'seq 3', 'xxd -p | xxd -r -p'],
    ...['grep a', 'grep -v a', 'grep -iv A', 'grep -x aaa', 'grep -o a*', 'grep -oi B', 'grep -F .', 'grep -e a -e b'],
    ...[
      "grep -E 'a+|b'",
      "grep 'a\\+'",
      "grep '^[^a]'",
      "grep -E '^(r)m'",
      "grep -o '[a-c]*,'",
      "egrep 'y$'",
      "fgrep '|'",
    ],
    ...[
      'awk 1',
      'awk NR==2',
      "awk 'NR>1'",
      "awk 'NR<=1'",
      "awk 'NR!=2'",
      'fold',
      'fold -w2',
      "paste -sd '\\0'",
      'rev | tac | tac',
    ],
    ...["grep ''", "grep -v ''", "grep '*a'", "grep 'a{2}'", "grep -E 'a{2}'", 'grep -c a', 'grep -n a', 'grep -ov a'],
  ]
  const inputs = ['rm -rf a', 'b\\na\\nB\\n\\tt', 'é_ü a', 'aaa|ab', 'x,y\\n1,2']
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

  it('is what the programs really print', () => {
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
