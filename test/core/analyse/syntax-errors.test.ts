import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { type Answers, noAnswers } from '../../../src/core/model/facts.js'
import { CONTEXT, factsOf, hidden, lines } from './facts-of.js'

/** What the host answers where bash runs so many lines before it finds an error. */
const ranBefore = (script: string, count: number): Answers => ({ ...noAnswers(), syntax: new Map([[script, count]]) })

describe('a script with a syntax error', () => {
  it('is unknown until bash has been asked', () => {
    const { facts, questions } = analyse({ mode: 'shell', script: 'if then' }, CONTEXT, noAnswers())
    expect(hidden(facts)).toBe(true)
    expect(questions).toContainEqual({ ask: 'syntax', text: 'if then' })
  })

  it('is no question where bash refuses it before it runs anything', () => {
    expect(hidden(factsOf('if then', ranBefore('if then', 0)))).toBe(false)
  })

  it('stays unknown where bash accepts it', () => {
    expect(hidden(factsOf('if then', ranBefore('if then', -1)))).toBe(true)
  })

  it('runs the lines before the error', () => {
    const script = 'cd /tmp\nrm -rf "$PWD"/x\nif then'
    const facts = factsOf(script, ranBefore(script, 2))
    expect(lines(facts)).toContain('rm -rf /tmp/x')
    expect(hidden(facts)).toBe(false)
  })

  it('is unknown where the lines before it run something that cannot be named', () => {
    const script = '"$(cat x)"\nif then'
    expect(hidden(factsOf(script, ranBefore(script, 1)))).toBe(true)
  })

  it.each([
    'shopt -s expand_aliases\nalias q="if :; then"\nq rm -rf /; fi',
    'shopt -s extglob\nif then',
    '. ./aliases\nif then',
    'eval "$x"\nif then',
    'BASH_ALIASES[q]="if :; then"\nq rm -rf /; fi',
    'set -o posix\nif then',
  ])('is unknown where the lines before it change how bash reads the rest: %j', (script) => {
    expect(hidden(factsOf(script, ranBefore(script, script.split('\n').length - 1)))).toBe(true)
  })
})

describe('a script file that is not there', () => {
  const missing = (path: string): Answers => ({
    ...noAnswers(),
    paths: new Map([[path, { real: path, kind: 'missing' as const }]]),
    scripts: new Map([[path, null]]),
  })

  it.each(['bash x.sh', 'sh ./x.sh', '. ./x.sh', 'source x.sh', './x.sh', 'cat a; bash x.sh'])(
    'is no question, for bash says so: %s',
    (script) => {
      expect(factsOf(script, missing('/w/x.sh')).opaque.filter(({ inherent }) => !inherent)).toEqual([])
    },
  )

  it.each(['make; bash x.sh', 'git clone a . && . ./x.sh', 'cp -r a/. . && bash x.sh', 'tar xf a && bash x.sh'])(
    'is a question where a program before may have made it: %s',
    (script) => {
      expect(hidden(factsOf(script, missing('/w/x.sh')))).toBe(true)
    },
  )

  it('is a question where it is there and cannot be read', () => {
    const answers = missing('/w/x.sh')
    answers.paths.set('/w/x.sh', { real: '/w/x.sh', kind: 'file' })
    expect(hidden(factsOf('bash x.sh', answers))).toBe(true)
  })
})

describe('a shell without a script', () => {
  it.each(['bash', 'sh', 'ls; bash', 'cat | bash'])('ends at once where there is nothing to read: %s', (script) => {
    expect(hidden(factsOf(script, noAnswers(), { ...CONTEXT, stdin: '' }))).toBe(false)
    expect(hidden(factsOf(script))).toBe(true)
  })

  it('runs what the request gives it to read', () => {
    expect(lines(factsOf('bash', noAnswers(), { ...CONTEXT, stdin: 'rm -rf /\n' }))).toContain('bash: rm -rf /')
  })
})

describe('a directory that is not there', () => {
  const missing: Answers = { ...noAnswers(), paths: new Map([['/w/x', { real: '/w/x', kind: 'missing' as const }]]) }
  const written = (script: string) => factsOf(script, missing).writes.map(({ path }) => path)

  it.each([
    'mkdir -p x && cd x && echo > ../f',
    'git clone https://h/x && cd x && echo > ../f',
    'npm create vite x; cd x && echo > ../f',
    'tar xf x.tgz && cd x && echo > ../f',
    'cp -r a x && cd x && echo > ../f',
  ])('is gone to where a program before may have made it: %s', (script) => {
    expect(written(script)).toContain('/w/f')
    expect(written(script)).not.toContain('/f')
  })

  it('is not gone to where nothing can have made it', () => {
    expect(written('cd x; echo > ../f')).toEqual(['/f'])
  })
})
