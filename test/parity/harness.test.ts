import { describe, expect, it } from 'vitest'
import { compare, lineDifferences } from './compare.js'
import { normalise } from './normalise.js'
import { type Case, casesOf, readCases } from './read-cases.js'
import type { Ended } from './run-command.js'

const FILE = `# Some family.
# project: git
# ignore: hashes

#### has two commands
# needs: cargo go
# ignore: times
# expect: workspace held in 2 /approve/
echo one
# -- next command
echo two

#### runs as it is
# stdin: a\\nb\\n
# a comment, then the script
cat
`

const one = casesOf('some.sh', FILE)[0] as Case
const ended = (status: number, stdout = '', stderr = ''): Ended => ({
  status,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
})
const outcome = (steps: readonly Ended[], tree: readonly (readonly [string, string])[] = []) => ({
  steps,
  tree: new Map(tree),
})
const unexpected = { ...one, expect: new Map(), steps: ['echo one'] }

describe('cases', () => {
  it('are read with their headers and their commands', () => {
    expect(one).toMatchObject({
      family: 'some',
      name: 'has two commands',
      place: 'cases/some.sh:5',
      project: 'git',
      needs: ['cargo', 'go'],
      ignore: ['hashes', 'times'],
      steps: ['echo one', 'echo two'],
    })
    expect(one.expect.get('workspace')).toMatchObject({ outcome: 'held', step: 2 })
  })

  it('keep comments that are no headers in the script', () => {
    const last = casesOf('some.sh', FILE).at(-1)
    expect(last).toMatchObject({ stdin: 'a\nb\n', steps: ['# a comment, then the script\ncat'] })
  })

  it('with a header that cannot be read are refused', () => {
    expect(() => casesOf('x.sh', '#### a\n# expect: workspace refused\ntrue\n')).toThrow('cases/x.sh:1: cannot read')
  })

  it('of the suite are at least 250, in families of several', () => {
    const cases = readCases()
    expect(cases.length).toBeGreaterThan(250)
    expect(new Set(cases.map(({ family }) => family)).size).toBeGreaterThan(12)
  })
})

describe('a comparison', () => {
  it('finds another status, other output and another tree', () => {
    const plain = outcome([ended(0, 'a\n')], [['f', 'file 644']])
    const cordon = outcome([ended(1, 'b\n', 'c\n')], [['f', 'file 600']])
    expect(compare(unexpected, plain, cordon, undefined).differences).toEqual([
      'status 0 in bash, 1 in Cordon',
      'stdout:',
      '  - a',
      '  + b',
      'stderr:',
      '  + c',
      'tree - f: file 644',
      'tree + f: file 600',
    ])
  })

  it('forgives what the named normalisers cover and nothing else', () => {
    const plain = outcome([ended(0, 'commit 0123abc in 12 ms\n')])
    const cordon = outcome([ended(0, 'commit fed9876 in 7 ms\n')])
    expect(compare(unexpected, plain, cordon, undefined).kind).toBe('same')
    expect(compare({ ...unexpected, ignore: [] }, plain, cordon, undefined).kind).toBe('different')
  })

  it('leaves out the line that tells how to undo a failed command', () => {
    const note = '1 file created; cordon undo abc\n'
    expect(compare(unexpected, outcome([ended(2)]), outcome([ended(2, '', note)]), undefined).kind).toBe('same')
    expect(compare(unexpected, outcome([ended(0)]), outcome([ended(0, '', note)]), undefined).kind).toBe('different')
  })

  it('takes an expected refusal only with its status and its message', () => {
    const held = one.expect.get('workspace')
    const first = ended(0, 'one\n')
    const judged = (last: Ended) => compare(one, outcome([first]), outcome([first, last]), held)
    expect(judged(ended(123, '', 'run cordon approve 12'))).toMatchObject({ kind: 'refused', unexplained: false })
    expect(judged(ended(123, '', 'no')).kind).toBe('different')
    expect(judged(ended(126, '', 'approve')).kind).toBe('different')
    expect(judged(ended(0, 'two\n')).kind).toBe('different')
  })

  it('counts what was stopped without a word about allowing it', () => {
    const stopped = (stderr: string) =>
      compare(unexpected, outcome([ended(0)]), outcome([ended(1, '', stderr)]), undefined)
    expect(stopped('permission denied\n').unexplained).toBe(true)
    expect(stopped('refused; cordon allow host example.com allows it\n').unexplained).toBe(false)
  })

  it('shows the lines that differ, not those that moved', () => {
    expect(lineDifferences('a\nb\nb\nc', 'a\nb\nd')).toEqual(['  - b', '  - c', '  + d'])
    expect(lineDifferences('a\nb', 'b\na')).toEqual(['  the same lines in another order'])
  })
})

describe('a normaliser', () => {
  it.each([
    ['times', 'at 2026-01-02T10:20:30.123Z after 1.5 s', 'at <time> after <time>'],
    ['hashes', '[main 0a1b2c3] message', '[main <hash>] message'],
    ['pids', 'bash: line 3:   77 Aborted', 'bash: line 3: <pid> Aborted'],
    ['temp', '/tmp/tmp.aB3dE6gH9k/x', '/tmp/<temp>/x'],
    ['order', 'b\na', 'a\nb'],
  ])('for %s replaces only those', (name, text, normal) => {
    expect(normalise(text, [name])).toBe(normal)
  })

  it('that does not exist is an error', () => {
    expect(() => normalise('', ['nothing'])).toThrow('no normaliser "nothing"')
  })
})
