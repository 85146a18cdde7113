import { describe, expect, it } from 'vitest'
import { PROFILE, rule } from '../decide/fixture.js'
import { decidedByReader } from '../decide/reading.js'
import { factsOf } from './facts-of.js'

const implied = (script: string): readonly string[] =>
  factsOf(script)
    .invocations.filter((part) => part.implied)
    .map(({ argv, conditional }) =>
      [...argv.map((arg) => (typeof arg === 'string' ? arg : '…')), ...(conditional ? ['?'] : [])].join(' '),
    )

describe('what a program starts by itself', () => {
  it.each([
    ['zcat a.gz b.gz', ['gzip -cd a.gz b.gz']],
    ['gunzip -k a.gz', ['gzip -d -k a.gz']],
    ['egrep -n x f', ['grep -E -n x f']],
    ['zgrep x f.gz', ['grep …', 'gzip … ?']],
    ['bzgrep x f.bz2', ['grep …', 'bzip2 … ?', 'sed …']],
    ['xzdiff a b', ['diff …', 'xz … ?']],
    ['sdiff -W a b', ['diff …']],
    ['tar czf a.tgz src', ['/bin/sh -c gzip', 'gzip']],
    ['tar -caf a.tar.xz src', ['/bin/sh -c xz', 'xz']],
    ['tar cf a.tar src', []],
    ['tar xf a.tar.bz2', ['bzip2 -d ?']],
    ['tar --zstd -xf a.bin', ['zstd -d ?']],
    ['groff a.roff', ['troff …', 'grops …']],
    ['groff -t -e -Tutf8 -ms a.roff', ['tbl …', 'eqn …', 'troff …', 'grotty …']],
    ['groff -Tpdf -Z a.roff', ['troff …']],
    ['gcc -o a a.c b.c', ['cc1 …']],
    ['g++ a.c b.cpp', ['cc1plus …']],
    ['gcc -o a a.o', []],
    ['gem list', ['ruby … list']],
    ['gem --version', []],
    ['script x.log', ['bash -i']],
    ['script -qc "ls" x.log', []],
    ['zcat', ['gzip -cd']],
    ['./zcat x', []],
  ])('is listed apart from what the line says: %s', (script, expected) => {
    expect(implied(script)).toEqual(expected)
  })

  it.each(['gcc -c x.c', 'git daemon --export-all', 'lsb_release -a', 'no-such-program --flag', 'git help status'])(
    'is said to be there where it is not always the same: %s',
    (script) => {
      expect(factsOf(script).opaque).toContainEqual(expect.objectContaining({ kind: 'foreign', inherent: true }))
    },
  )

  it.each(['git status', 'ls -la', 'grep -r x .', 'echo hi', 'true'])('is nothing for %s', (script) => {
    expect({ implied: implied(script), opaque: factsOf(script).opaque }).toEqual({ implied: [], opaque: [] })
  })
})

describe('a command that need not run', () => {
  const conditional = (script: string): readonly (string | null)[] =>
    factsOf(script)
      .invocations.filter((part) => part.conditional)
      .map(({ program }) => program)

  it.each([
    ['make && make install', ['make']],
    ['grep -q x f || touch f', ['touch']],
    ['true && ls', []],
    ['false && ls', ['ls']],
    ['if [ -f x ]; then cat x; else ls; fi', ['cat', 'ls']],
    ['for f in *.c; do wc "$f"; done', ['wc']],
    ['for f in a b; do wc "$f"; done', []],
    ['find . -name x -exec rm {} +', ['rm']],
    ['ls | xargs wc', ['wc']],
    ['echo a b | xargs wc', []],
    ['ls; make; ls | wc', []],
    ['cd src && make', ['make']],
    ['make || true; make', ['true']],
  ])('is told from one that does: %s', (script, expected) => {
    expect(conditional(script)).toEqual(expected)
  })
})

describe('what a program starts by itself and the decision', () => {
  it('needs no place on an allowlist, and no allow rule', () => {
    const listed = { ...PROFILE, programs: { allowOnly: ['zcat'], paths: true } }
    expect(decidedByReader('zcat a.gz', listed).verdict).toBe('allow')
    expect(decidedByReader('zcat a.gz; gzip a', listed).verdict).toBe('deny')
    const ruled = { ...PROFILE, default: 'ask', rules: [rule({ program: ['zcat'], verdict: 'allow' })] } as const
    expect(decidedByReader('zcat a.gz', ruled).verdict).toBe('allow')
  })

  it('is stopped by a rule against it', () => {
    const denied = { ...PROFILE, rules: [rule({ program: ['gzip'] })] }
    expect(decidedByReader('zcat a.gz', denied).verdict).toBe('deny')
  })

  it('does not ask where foreign code asks', () => {
    const unwalled = { ...PROFILE, opaque: { unknown: 'ask', foreign: 'ask' } } as const
    expect(decidedByReader('gcc -c x.c', unwalled).verdict).toBe('allow')
    expect(decidedByReader('make', unwalled).verdict).toBe('ask')
  })
})
