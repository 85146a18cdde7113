import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/facts.js'

const CONTEXT = { cwd: '/work', home: '/home/user', env: [] }

const read = (script: string) => analyse({ mode: 'shell', script }, CONTEXT, noAnswers()).facts

function cpuMs(script: string): number {
  const before = process.cpuUsage()
  read(script)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The quicker of two: a busy machine and a collector's pause only ever add. */
const quickest = (script: string): number => Math.min(cpuMs(script), cpuMs(script))

const words = (count: number, word: (i: number) => string, between: string): string =>
  Array.from({ length: count }, (_, i) => word(i)).join(between)

const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Scripts by how often their piece is repeated: about 8 KB with 1, about 64 KB with 8. */
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
]

describe('a hostile script', () => {
  it.each(HOSTILE)(
    'takes time in proportion to its size: %s',
    (_, script) => {
      // Eight times the size in 24 times the time leaves room for noise; the square would be 64. Below the floor all is noise.
      expect(quickest(script(8))).toBeLessThan(Math.max(250, 24 * quickest(script(1))))
    },
    120_000,
  )

  it.each([
    ['array', `${'a+=(x);'.repeat(2_000)} "\${a[@]}"`],
    ['element', `${words(2_000, (i) => `a[${i}]=x`, ';')}; "\${a[1999]}"`],
    ['braces', `${'{a,b}'.repeat(2_000)} x`],
    ['loops in loops', nested('for i in *; do ', 'a', '; done', 20)],
    ['conditions in loops', nested('while [[ a ]]; do ', '[[ b ]]', '; done', 20)],
    ['more commands than are listed', words(5_001, (i) => `a${i}`, ';')],
    ['words of a loop', `for i in ${words(5_000, (i) => `w${i}`, ' ')}; do $i; done`],
  ])(
    'is hidden where it is no longer followed: %s',
    (_, script) => {
      expect(read(script).opaque.some(({ kind }) => kind === 'hidden')).toBe(true)
    },
    60_000,
  )

  it('may pop more directories than were remembered: where it is then is not known', () => {
    const { deletes } = read(`${'pushd /a;'.repeat(200)}${'popd;'.repeat(200)} rm x`)
    expect(deletes).toMatchObject([{ path: 'x', partial: true }])
  })
})
