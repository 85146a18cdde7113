import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'

const CONTEXT = { cwd: '/work', home: '/home/user', env: [] }

const analysed = (script: string) => analyse({ mode: 'shell', script }, CONTEXT, noAnswers())

const read = (script: string) => analysed(script).facts

const isOverBudget = (script: string): boolean => read(script).shapes.some(({ kind }) => kind === 'too-complex')

const words = (count: number, word: (i: number) => string, between: string): string =>
  Array.from({ length: count }, (_, i) => word(i)).join(between)

const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Scripts by the number of repetitions: about 8 KB with 1, about 64 KB with 8. */
const HOSTILE: readonly (readonly [name: string, script: (size: number) => string])[] = [
  ['many commands', (n) => 'a;'.repeat(3_750 * n)],
  ['a long pipeline', (n) => `${'a|'.repeat(4_000 * n)}a`],
  ['a long list', (n) => `${'a&&'.repeat(2_600 * n)}a`],
  ['quotes', (n) => `echo ${'"a"\'b\''.repeat(1_300 * n)}`],
  ['brace expansions', (n) => `echo ${'{a,b}'.repeat(1_600 * n)}`],
  ['sequences', (n) => `echo ${'{1..999}'.repeat(1_000 * n)}`],
  ['open braces', (n) => `echo ${'{'.repeat(8_000 * n)},`],
  ['branches', (n) => words(100 * n, (i) => `if x; then a${i}=1; else a${i}=2; fi`, '\n')],
  ['a long here-document', (n) => `cat <<E\n${'x $y\n'.repeat(230 * n)}E`],
  ['a deep directory', (n) => `mkdir -p ${'a/'.repeat(4_000 * n)}`],
  ['deeper and deeper', (n) => 'cd a;'.repeat(1_600 * n)],
  ['a growing stack', (n) => 'pushd a;'.repeat(1_000 * n)],
  ['a growing array', (n) => 'a+=(x);'.repeat(1_100 * n)],
  ['elements of an array', (n) => words(750 * n, (i) => `a[${i}]=x`, ';')],
  ['a loop over words', (n) => `for i in ${words(1_250 * n, (i) => `w${i}`, ' ')}; do echo $i; done`],
  ['a loop over patterns', (n) => `for i in ${'* '.repeat(4_000 * n)}; do rm $i; done`],
  ['functions', (n) => `${words(180 * n, (i) => `f${i}(){ f${i + 1}; f${i + 1}; }`, '\n')}\nf0`],
  ['loops in loops', (n) => words(15 * n, () => nested('while a; do ', 'b', '; done', 30), '\n')],
  ['files', (n) => words(600 * n, (i) => `echo>f${i}`, '\n')],
  ['process substitutions', (n) => words(30 * n, () => nested('<(', 'a', ')', 90), ' ')],
  ['text around what is not known', (n) => `x=$(a);${'x="b $x; $x c";eval "$x";'.repeat(40 * n)}`],
  ['doubling', (n) => 'x=$x$x;'.repeat(200 * n)],
  ['laughs', (n) => `${words(150 * n, (i) => `a${i + 1}="$a${i} $a${i} a"`, ';')};echo $a9`],
  ['patterns', (n) => `x=${'a'.repeat(1_000 * n)};${'[[ $x == *a*a*b ]];'.repeat(100 * n)}`],
  ['replacements', (n) => `x=a;for i in {1..${100 * n}};do x=\${x//a/aa};done`],
  ['arithmetic that names itself', (n) => `${words(100 * n, (i) => `a${i}="a${i + 1}+a${i + 1}"`, ';')};((a0))`],
  ['powers', (n) => `((x=${'9**'.repeat(120 * n)}9))`],
  ['substitutions of text', (n) => `x=${'a'.repeat(500 * n)};${'sed s/a/b/g<<<$x|b;'.repeat(30 * n)}`],
  ['expressions that go back', (n) => `echo ${'a'.repeat(1_000 * n)}|sed -E 's/a*a*a*a*a*b/c/'|sh`],
  ['commands given by patterns', (n) => '/bin/[a-z]?;'.repeat(50 * n)],
  ['options of a pager', (n) => `LESS='${'+'.repeat(8_000 * n)}' less f`],
  ['a table of cron', (n) => `crontab - <<'X'\n${'* * * * * a\n'.repeat(600 * n)}X`],
  ['statements of a database', (n) => `psql <<'X'\n${'copy drop \\! '.repeat(600 * n)}\nX`],
  ['arguments that may be variables', (n) => `set -k;f(){ f A=1;};${'f A=b;'.repeat(1_300 * n)}`],
  ['descriptors', (n) => `exec ${words(300 * n, (i) => `${i + 3}>f`, ' ')};${'a&&b;'.repeat(300 * n)}`],
  [
    'choices',
    (n) => `${words(30 * n, (i) => `if x;then a${i}=1;else a${i}=2;fi`, ';')};b ${words(30 * n, (i) => `$a${i}`, ' ')}`,
  ],
  [
    'variables that are passed on',
    (n) => `export ${words(200 * n, (i) => `a${i}=1`, ' ')};${'sh -c a;'.repeat(200 * n)}`,
  ],
]

describe('a hostile script', () => {
  it.each(HOSTILE)(
    'a hostile script takes bounded work, or work in proportion to its size: %s',
    (_, script) => {
      const { cost, facts } = analysed(script(8))
      const isRefused = facts.shapes.some(({ kind }) => kind === 'too-complex')
      // The last step can be large, but not much larger than the limit.
      expect(cost).toBeLessThan(isRefused ? 1_500_000 : 24 * Math.max(5_000, analysed(script(1)).cost))
    },
    120_000,
  )

  it.each([
    ['array', `${'a+=(x);'.repeat(2_000)} "\${a[@]}"`],
    ['element', `${words(2_000, (i) => `a[${i}]=x`, ';')}; "\${a[1999]}"`],
    ['loops in loops', nested('for i in *; do ', 'a', '; done', 20)],
    ['conditions in loops', nested('while [[ a ]]; do ', '[[ b ]]', '; done', 20)],
    ['more commands than are listed', words(5_001, (i) => `a${i}`, ';')],
    ['padding before a command', `${'true;'.repeat(10_001)} rm -rf /`],
    ['nesting around a command', nested('{ ', 'rm -rf /', ';}', 150)],
    ['substitutions before a command', `${': $x;'.repeat(2_001)} rm -rf /`],
    ['more pipes than honest scripts have', `${'a|'.repeat(10_001)}a; rm -rf /`],
  ])(
    'a script over budget is too-complex: %s',
    (_, script) => {
      expect(isOverBudget(script)).toBe(true)
      expect(read(script).opaque.some(({ kind }) => kind === 'unknown')).toBe(true)
    },
    60_000,
  )

  it.each([
    ['prints', 'for i in $(seq 1 100000); do echo $i; done'],
    ['counts', 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo $i'],
    ['writes files', 'for i in {1..9000}; do echo "$i" > out/file-$i.txt; done'],
    ['calls itself', 'down() { if [ $1 -gt 0 ]; then echo $1; down $(($1-1)); fi; }; down 500'],
    ['writes a table', `cat > x <<'EOF'\n${'| name | kind | a number |\n'.repeat(2_000)}EOF`],
    ['is long and flat', `cat > x <<'EOF'\n${'some text, as it is written every day\n'.repeat(3_000)}EOF`],
  ])('a long honest script is not too-complex: one that %s', (_, script) => {
    expect(isOverBudget(script)).toBe(false)
  })

  it.each([
    ['built by a long loop', 'for((i=0;i<9000;i++));do ((i==8999)) && c=rm; done; $c -rf /'],
    ['picked by a long count', 'a=(x rm);i=0;while ((i<9000));do ((i++));done;${a[i-8999]} -rf /'],
    ['behind many numbers', `${words(200, (i) => `x${i}=x${i + 1}`, ';')};x200='a[$(rm -rf /)]';((x0))`],
    ['in a number deep inside', `x='a[$(rm -rf /)]';eval '((${'-+'.repeat(400)}x))'`],
  ])('padding hides no command %s', (_, script) => {
    expect(read(script).invocations.some(({ program }) => program === 'rm')).toBe(true)
  })

  it.each([
    ['braces', `${'{a,b}'.repeat(2_000)} x`],
    ['words of a loop', `for i in ${words(5_000, (i) => `w${i}`, ' ')}; do $i; done`],
  ])('a value that is no longer followed is unknown: %s', (_, script) => {
    expect(read(script).opaque.some(({ kind }) => kind === 'unknown')).toBe(true)
  })

  it('a script of pipes alone is too-complex before it is parsed', () => {
    expect(analysed('a|'.repeat(32_000)).cost).toBe(0)
  })

  it('after popd on an empty stack, the working directory is unknown', () => {
    const { deletes } = read(`${'pushd /a;'.repeat(200)}${'popd;'.repeat(200)} rm x`)
    expect(deletes).toMatchObject([{ path: 'x', partial: true }])
  })
})
