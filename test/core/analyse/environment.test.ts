import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { type Facts, noAnswers } from '../../../src/core/model/run/facts.js'
import { hasUnknown, lines, paths } from './facts-of.js'

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
  ])('a variable with an undisclosed value makes the command that it names unknown: %s', (script) => {
    expect(hasUnknown(read(script, [['X', null]]))).toBe(true)
  })

  it.each(['echo $X', 'ls $X', 'ls "$X"/src', 'cd $X && make', 'git -C "$X" status', 'test -n "$X"'])(
    'a variable with an undisclosed value is data if nothing runs it: %s',
    (script) => {
      expect(hasUnknown(read(script, [['X', null]]))).toBe(false)
    },
  )

  it('a variable with a disclosed value is followed', () => {
    expect(lines(read('$X -rf /', [['X', 'rm']]))).toEqual(['rm -rf /'])
    expect(paths(read('cat $X/key', [['X', '/home/u/.ssh']]), 'reads')).toEqual(['/home/u/.ssh/key'])
  })

  it('a missing variable is empty, and nothing is unknown', () => {
    const facts = read('$X rm -rf / $TMPDIR', [['LANG', null]])
    expect(lines(facts)).toEqual(['rm -rf /'])
    expect(hasUnknown(facts)).toBe(false)
  })

  it('a variable of an unknown environment can hold anything', () => {
    expect(hasUnknown(read('$X rm -rf /'))).toBe(true)
    expect(hasUnknown(read('unset X; $X rm -rf /'))).toBe(false)
  })

  it('a variable that bash sets itself is not empty', () => {
    for (const name of ['MACHTYPE', 'BASH_COMMAND', 'BASH_EXECUTION_STRING', 'GROUPS'])
      expect(hasUnknown(read(`\${${name}:0:2}`, []))).toBe(true)
  })
})

describe('variables removed from the environment of a program', () => {
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
  ])('a removed variable is empty in the program: %s', (script) => {
    expect(lines(read(script, [['X', 'true']])).map((line) => line.replace(/^.*: /, ''))).toContain('rm a')
  })
})

describe('home directories', () => {
  it.each([
    'HOME=/x true; rm -rf ~',
    'f() { local HOME=/x; }; f; rm -rf ~',
    'unset HOME; rm -rf ~',
    'env -i bash -c "rm -rf ~"',
    'cd ~; rm -rf ~+',
  ])('the home directory keeps its value: %s', (script) => {
    expect(paths(read(script), 'deletes')).toEqual(['/home/u'])
  })

  it('~user reports the home of that user', () => {
    expect(paths(read('cat ~u/.ssh/id_rsa'), 'reads')).toEqual(['/home/u/.ssh/id_rsa'])
    expect(paths(read('cat ~other/.ssh/id_rsa'), 'reads')).toEqual(['/home/other/.ssh/id_rsa'])
  })
})
