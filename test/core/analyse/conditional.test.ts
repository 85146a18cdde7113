import { describe, expect, it } from 'vitest'
import { factsOf } from './facts-of.js'

describe('conditional commands', () => {
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
  ])('only a command that may not run is conditional: %s', (script, expected) => {
    expect(conditional(script)).toEqual(expected)
  })
})
