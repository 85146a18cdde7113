import { describe, expect, it } from 'vitest'
import { factsOf } from './facts-of.js'

const readsOf = (script: string): readonly string[] => factsOf(script).reads.map(({ path }) => path)
const runsOf = (script: string): readonly (string | null)[] =>
  factsOf(script)
    .invocations.slice(1)
    .map(({ program }) => program)

describe('unlisted programs', () => {
  it('an unlisted program reads the paths among its arguments', () => {
    const words = ['/etc/shadow', '--in=/etc/shadow', '@/etc/shadow', 'data=@/etc/shadow', 'file:///etc/shadow']
    for (const word of words) expect(readsOf(`zork ${word}`), word).toEqual(['/etc/shadow'])
  })

  it('words, addresses and sentences of an unlisted program are not paths', () => {
    for (const word of ['push', '-x', 'https://example.com/a', '"see /etc/shadow"', '//x', 'a=b', '/'])
      expect(readsOf(`zork ${word}`), word).toEqual([])
  })

  it('an unlisted program can run a command among its arguments', () => {
    for (const line of ['zork sudo id', 'zork -v sudo id', 'zork x -- sudo id'])
      expect(runsOf(line), line).toContain('sudo')
    for (const line of ['zork rm -rf x', 'zork -- rm x', 'zork /bin/rm -r x'])
      expect(runsOf(line), line).toContain('rm')
    expect(factsOf('zork sudo id').invocations[1]?.conditional).toBe(true)
  })

  it('an unlisted program is foreign without an effect on the verdict', () => {
    expect(factsOf('zork --flag').opaque).toMatchObject([{ kind: 'foreign', inherent: true }])
    expect(factsOf('gcc -c x.c').opaque).toMatchObject([{ kind: 'foreign', inherent: true }])
    expect(factsOf('ls -la').opaque).toEqual([])
  })

  it("words that equal a program's name are not run", () => {
    for (const line of [
      'zork rm x',
      'zork install',
      'zork bash',
      'zork init bash',
      'zork "sudo is a word" x',
      'zork -m "rm -rf /"',
    ])
      expect(runsOf(line), line).toEqual([])
  })
})
