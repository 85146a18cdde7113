import { describe, expect, it } from 'vitest'
import { analyserOf } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { CONTEXT, factsOf, hasUnknown, lines, paths } from './facts-of.js'

describe('chains of commands', () => {
  it('in an && chain, each command runs only if all earlier ones succeed', () => {
    const facts = factsOf('mkdir -p a/b && cd a/b && touch c && make && cd ../.. && rm d')
    expect(paths(facts, 'writes')).toEqual(['/w/a/b', '/w/a/b/c'])
    expect(paths(facts, 'deletes')).toEqual(['/w/d'])
  })

  it('after an && chain, any of its commands may have been the last', () => {
    const facts = factsOf('make && cd a && make && cd b && make; rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/b/c', '/w/a/c', '/w/c', 'c'])
  })

  it('in an || chain, each command runs only if all earlier ones fail', () => {
    const facts = factsOf('make || cd a || cd b || rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/b/c'])
  })

  it('a chain with mixed operators is not analysed as a plain chain', () => {
    const facts = factsOf('make && cd a && make || rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/c', '/w/c', 'c'])
  })

  it('variables set in a chain are kept for later commands', () => {
    expect(lines(factsOf('make && x=rm && $x -rf /'))).toContain('rm -rf /')
    expect(lines(factsOf('x=ls; make && make && x=rm; $x -rf /'))).toEqual(
      expect.arrayContaining(['rm -rf /', 'ls -rf /']),
    )
    expect(lines(factsOf('make && f() { rm -rf /; } && make; f'))).toContain('rm -rf /')
  })

  it('after an exit in a chain, only reachable commands are unconditional', () => {
    expect(lines(factsOf('make && exit && rm a; rm b'))).toEqual(['make', 'exit', 'rm b'])
    expect(lines(factsOf('make || exit 1 || rm a; rm b'))).toEqual(['make', 'exit 1', 'rm b'])
  })

  it('a long chain is analysed to its end', () => {
    const facts = factsOf(`${'make && '.repeat(300)}rm a`)
    expect(lines(facts)).toContain('rm a')
    expect(hasUnknown(facts)).toBe(false)
  })

  it('a chain in a pipe passes on all its possible output', () => {
    expect(lines(factsOf("{ [ -f a ] && [ -f b ] && echo 'rm -rf /'; } | sh"))).toContain('sh: rm -rf /')
  })
})

describe('a script that is analysed again', () => {
  it('a second analysis with the same answers gives the same facts', () => {
    const read = analyserOf({ mode: 'shell', script: 'cd x && bash y.sh' }, CONTEXT)
    const first = read(noAnswers())
    const scripts = new Map([['/w/x/y.sh', 'rm -rf /\n']])
    const answered = read({ ...noAnswers(), scripts })
    expect(lines(answered.facts)).toContain('bash: rm -rf /')
    expect(read(noAnswers())).toEqual(first)
  })
})
