import { describe, expect, it } from 'vitest'
import { parseScript } from '../../../src/core/shell/parse-script.js'

const problems = (text: string): readonly string[] => parseScript(text).parseErrors.map(({ reason }) => reason)

describe('parsing a script', () => {
  it('the tree is plain data, including substitutions', () => {
    const script = parseScript('echo "$(rm -rf /)" `ls` <(id)')
    expect(script.parseErrors).toEqual([])
    expect(JSON.stringify(script)).toContain('"value":"rm"')
    expect(structuredClone(script)).toEqual(script)
  })

  it.each([
    'echo \\',
    'echo \0',
    'echo 2>(rm)',
    'x=<(a) rm',
    '${!-$(rm)}',
    'y=1 >f x[;rm;]=2',
    'echo 1234567890>f',
    'a=b f() { rm; }',
    'echo $[1',
    'cat <<E\nfoo',
    'echo <&-rm',
    'echo >&-rm',
    "echo $'a\\\nb'",
    'a<(rm)',
    '<(rm)a',
    '${ rm; }',
    '${| rm; }',
    'echo ${x:-<(rm)}',
    'f() rm',
    'echo "a$(rm"',
    'if x; then',
    '"${x',
    "'a",
  ])('the tree of %j has parse errors', (text) => {
    expect(problems(text)).not.toEqual([])
  })

  it.each([
    'ls -la | head -5 && echo "done" || exit 1',
    'for f in *.c; do gcc -c "$f" -o "${f%.c}.o"; done',
    'if [[ $x =~ ^a.*$ && ! -f y ]]; then echo $((x + y[2])); fi',
    'case $1 in a|b) x;; *) y;& esac',
    'cat <<-E >f 2>&1\n\thello $USER\n\tE\necho after',
    "awk '{print $1}' f | sort -u # comment with 'quotes and $(stuff)",
    'x=(1 2 [5]=3); declare -A m=([a]=b); echo ${x[@]:1} ${!m[@]}',
    'f() { local x=$1; return; }; function g { f; }; g',
    'time -p ls; ! ls; coproc cat; select x in a b; do break; done',
    'echo a{b,c}d ~/x "\\$y" $\'\\n\' @(a|b)',
  ])('the tree covers every character of %j', (text) => {
    expect(problems(text)).toEqual([])
  })

  it('a slash inside a substitution does not end the pattern of a replacement', () => {
    expect(JSON.stringify(parseScript('echo "${x/$(rm -rf a/b)/c}"'))).toContain('"value":"a/b"')
  })

  it.each([
    ['$(', 10_000],
    ['"$(', 10_000],
    ["$(')'", 10_000],
    ['{a,', 20_000],
    ['((', 30_000],
    ['if ', 20_000],
    ['`a', 30_000],
    ['${x:-', 12_000],
    ['<<E ', 16_000],
    ['f() { ', 8_000],
    ['x[', 30_000],
    ['case x in x) ', 5_000],
  ])('%j nested without end is rejected in linear time', (piece, count) => {
    const text = piece.repeat(count)
    const before = process.cpuUsage()
    expect(problems(text)).not.toEqual([])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(250)
  })

  it('64 KB of flat text is parsed', () => {
    for (const text of ['a;'.repeat(30_000), `((${'1+'.repeat(30_000)}1))`, 'a && '.repeat(12_000).concat('a')])
      expect(problems(text)).toEqual([])
  })

  it('only blank, tab and newline separate words', () => {
    for (const separator of ['\r', '\f', '\u00a0']) {
      const [statement] = parseScript(`rm${separator}x`).statements
      expect(statement?.node.kind === 'simple' && statement.node.words.length).toBe(1)
    }
  })
})
