import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { alternatives, escapeGlob, globMatches, shellGlobMatches } from '../../../../src/core/decide/match/glob.js'
import { fc } from '../../../property.js'

describe('text patterns', () => {
  it.each([
    ['git push*', 'git push --force', true],
    ['git push*', 'git pull', false],
    ['*', '', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*.pem', 'a.b.pem', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['\\?', '?', true],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1b2b3', false],
    ['(a)+', '(a)+', true],
    ['a\\', 'a\\', true],
  ])('%s against %s is %s', (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected)
  })

  it('agrees with a regular expression on anything', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*', '?'), { maxLength: 8 }).map((chars) => chars.join(''))
    const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 10 }).map((chars) => chars.join(''))
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        const regex = new RegExp(`^${p.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
        expect(globMatches(p, t)).toBe(regex.test(t))
      }),
      { numRuns: 500 },
    )
  })

  it('matches an escaped text with that text alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(globMatches(escapeGlob(a), a)).toBe(true)
        expect(globMatches(escapeGlob(a), b)).toBe(a === b)
      }),
    )
  })

  it('takes no time over a hostile pattern', () => {
    const started = performance.now()
    expect(globMatches(`${'*a'.repeat(50)}b`, 'a'.repeat(5_000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(500)
  })

  it('matches dot files of a pathname pattern only with a dot', () => {
    expect(shellGlobMatches('*', '.ssh')).toBe(false)
    expect(shellGlobMatches('.s?h', '.ssh')).toBe(true)
    expect(shellGlobMatches('.[s]sh', '.ssh')).toBe(true)
  })

  it('matches with an extended pattern all that bash matches with it', () => {
    const piece = fc.constantFrom('a', 'b', '.', '*', '?', '@(', '!(', '+(', '*(', '?(', '|', ')', ')')
    const pairs = fc.sample(
      fc.tuple(fc.array(piece, { maxLength: 9 }), fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 4 })),
      2_000,
    )
    const texts = pairs.map(([pattern, text]) => [pattern.join(''), text.join('')] as const)
    const script = 'while IFS= read -r pattern && IFS= read -r text; do [[ $text == $pattern ]]; echo $?; done'
    const input = texts.map((pair) => `${pair.join('\n')}\n`).join('')
    const said = execFileSync('bash', ['-c', script], { input, encoding: 'utf8' }).split('\n')
    const missed = texts.filter(
      ([pattern, text], i) =>
        said[i] === '0' && text !== '' && !text.startsWith('.') && !shellGlobMatches(pattern, text),
    )
    expect(said.filter((status) => status === '0').length).toBeGreaterThan(100)
    expect(missed).toEqual([])
  })

  it('takes an extended pattern apart, and only so far', () => {
    expect(alternatives('a@(b|c@(d|e))f').toSorted()).toEqual(['abf', 'acdf', 'acef'])
    expect(alternatives('a?(b)').toSorted()).toEqual(['a', 'ab'])
    expect(alternatives('+(a|b)c')).toEqual(expect.arrayContaining(['a*c', 'b*c']))
    expect(alternatives('.!(a)')).toEqual(['.*'])
    expect(alternatives('@(a|b)'.repeat(40)).length).toBeLessThan(200)
  })

  it('a pattern of one repeated character is searched for in linear time', () => {
    const text = 'a'.repeat(1_000_000)
    const begun = performance.now()
    expect(globMatches(`*${'a'.repeat(20_000)}b*`, text)).toBe(false)
    expect(globMatches(`*b${'a'.repeat(20_000)}*`, text)).toBe(false)
    expect(globMatches(`*${'a'.repeat(20_000)}*`, text)).toBe(true)
    // The old search took minutes.
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
