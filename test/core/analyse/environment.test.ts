import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { type Facts, noAnswers } from '../../../src/core/model/facts.js'
import { hidden, lines, paths } from './facts-of.js'

const read = (script: string, inherited?: readonly (readonly [string, string | null])[]): Facts =>
  analyse(
    { mode: 'shell', script },
    { cwd: '/w', home: '/home/u', env: [], ...(inherited ? { inherited } : {}) },
    noAnswers(),
  ).facts

describe('variables of the environment', () => {
  it.each([
    'env $X rm -rf /',
    'env -S "$X"',
    'xargs $X',
    'find . -exec $X \\;',
    'bash -c "$X"',
    'eval "$X"',
    '$X',
    '${X:-ls}',
    'y=$X; $y',
    'nice $X',
    'echo "$X" | sh',
  ])('that hold what nobody told make what runs hidden: %s', (script) => {
    expect(hidden(read(script, [['X', null]]))).toBe(true)
  })

  it.each(['echo $X', 'ls $X', 'ls "$X"/src', 'cd $X && make', 'git -C "$X" status', 'test -n "$X"'])(
    'are only data where nothing is run by them: %s',
    (script) => {
      expect(hidden(read(script, [['X', null]]))).toBe(false)
    },
  )

  it('whose values are told are followed', () => {
    expect(lines(read('$X -rf /', [['X', 'rm']]))).toEqual(['rm -rf /'])
    expect(paths(read('cat $X/key', [['X', '/home/u/.ssh']]), 'reads')).toEqual(['/home/u/.ssh/key'])
  })

  it('that are not there are empty, and nothing is hidden', () => {
    const facts = read('$X rm -rf / $TMPDIR', [['LANG', null]])
    expect(lines(facts)).toEqual(['rm -rf /'])
    expect(hidden(facts)).toBe(false)
  })

  it('may hold anything where nobody said what is there', () => {
    expect(hidden(read('$X rm -rf /'))).toBe(true)
    expect(hidden(read('unset X; $X rm -rf /'))).toBe(false)
  })

  it('that bash sets by itself are not empty', () => {
    for (const name of ['MACHTYPE', 'BASH_COMMAND', 'BASH_EXECUTION_STRING', 'GROUPS'])
      expect(hidden(read(`\${${name}:0:2}`, []))).toBe(true)
  })
})

describe('variables taken from a program that is started', () => {
  it.each([
    "export X=true; env -i bash -c '$X rm a'",
    "export X=true; env - bash -c '$X rm a'",
    "export X=true; env -u X bash -c '$X rm a'",
    "export X=true; env -uX bash -c '$X rm a'",
    "export X=true; env --unset=X bash -c '$X rm a'",
    "export X=true; env -vi A=1 bash -c '$X rm a'",
    "export X=true; exec -c bash -c '$X rm a'",
    "export X=true; unset X; bash -c '$X rm a'",
    "true() { :; }; export -f true; env -i bash -c 'rm a'",
    "X=true bash -c 'unset X; $X rm a'",
  ])('are empty there: %s', (script) => {
    expect(lines(read(script, [['X', 'true']])).map((line) => line.replace(/^.*: /, ''))).toContain('rm a')
  })
})

describe('the home directory', () => {
  it.each([
    'HOME=/x true; rm -rf ~',
    'f() { local HOME=/x; }; f; rm -rf ~',
    'unset HOME; rm -rf ~',
    'env -i bash -c "rm -rf ~"',
    'cd ~; rm -rf ~+',
  ])('is where it was: %s', (script) => {
    expect(paths(read(script), 'deletes')).toEqual(['/home/u'])
  })

  it('of a named user is at least looked for', () => {
    expect(paths(read('cat ~u/.ssh/id_rsa'), 'reads')).toEqual(['/home/u/.ssh/id_rsa'])
    expect(paths(read('cat ~other/.ssh/id_rsa'), 'reads')).toEqual(['/home/other/.ssh/id_rsa'])
  })
})
