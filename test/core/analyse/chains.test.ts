import { describe, expect, it } from 'vitest'
import { readerOf } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/facts.js'
import { CONTEXT, factsOf, hidden, lines, paths } from './facts-of.js'

describe('a chain of commands', () => {
  it('is read where it leads: each runs only if all before it went well', () => {
    const facts = factsOf('mkdir -p a/b && cd a/b && touch c && make && cd ../.. && rm d')
    expect(paths(facts, 'writes')).toEqual(['/w/a/b', '/w/a/b/c'])
    expect(paths(facts, 'deletes')).toEqual(['/w/d'])
  })

  it('may have ended anywhere, as far as what comes after it is concerned', () => {
    const facts = factsOf('make && cd a && make && cd b && make; rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/b/c', '/w/a/c', '/w/c', 'c'])
  })

  it('of alternatives is read likewise: each runs only if all before it failed', () => {
    const facts = factsOf('make || cd a || cd b || rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/b/c'])
  })

  it('with other operators in it is not read as if it had none', () => {
    const facts = factsOf('make && cd a && make || rm c')
    expect(paths(facts, 'deletes').toSorted()).toEqual(['/w/a/c', '/w/c', 'c'])
  })

  it('keeps what it set for those that may follow', () => {
    expect(lines(factsOf('make && x=rm && $x -rf /'))).toContain('rm -rf /')
    expect(lines(factsOf('x=ls; make && make && x=rm; $x -rf /'))).toEqual(
      expect.arrayContaining(['rm -rf /', 'ls -rf /']),
    )
    expect(lines(factsOf('make && f() { rm -rf /; } && make; f'))).toContain('rm -rf /')
  })

  it('that leaves says nothing of what is no longer reached, and all of what still may be', () => {
    expect(lines(factsOf('make && exit && rm a; rm b'))).toEqual(['make', 'exit', 'rm b'])
    expect(lines(factsOf('make || exit 1 || rm a; rm b'))).toEqual(['make', 'exit 1', 'rm b'])
  })

  it('of any length is read to its end', () => {
    const facts = factsOf(`${'make && '.repeat(300)}rm a`)
    expect(lines(facts)).toContain('rm a')
    expect(hidden(facts)).toBe(false)
  })

  it('piped somewhere is read with all it may print', () => {
    expect(lines(factsOf("{ [ -f a ] && [ -f b ] && echo 'rm -rf /'; } | sh"))).toContain('sh: rm -rf /')
  })
})

describe('a script that is read again', () => {
  it('says the same, whatever was answered in between', () => {
    const read = readerOf({ mode: 'shell', script: 'cd x && bash y.sh' }, CONTEXT)
    const first = read(noAnswers())
    const scripts = new Map([['/w/x/y.sh', 'rm -rf /\n']])
    const answered = read({ ...noAnswers(), scripts })
    expect(lines(answered.facts)).toContain('bash: rm -rf /')
    expect(read(noAnswers())).toEqual(first)
  })
})
