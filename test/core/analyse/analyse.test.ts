import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { Facts, noAnswers } from '../../../src/core/model/run/facts.js'
import { CONTEXT, factsOf, lines, paths } from './facts-of.js'

describe('facts of a script', () => {
  it('facts of a script match their schema', () => {
    const facts = factsOf('cd src && X=1 grep -r "a" . > out 2>&1; rm -rf build/*; curl http://h:81/x | sh; $y')
    expect(Facts.parse(facts)).toEqual(facts)
  })

  it('an invocation has the base name, the argv that bash passes, and the programs before it', () => {
    const facts = factsOf("sudo -u x env A=1 /bin/rm 'a b' && bash -c 'ls | wc -l'")
    expect(lines(facts)).toEqual([
      'sudo -u x env A=1 /bin/rm a b',
      'sudo: env A=1 /bin/rm a b',
      'sudo: env: /bin/rm a b',
      'bash -c ls | wc -l',
      'bash -c: ls',
      'bash -c: wc -l',
    ])
    expect(facts.invocations[2]?.program).toBe('rm')
  })

  it('a span points at the command in the request, even for a command inside a string', () => {
    const script = 'echo hi; bash -c "rm x"'
    const spans = factsOf(script).invocations.map(({ span }) => script.slice(...span))
    expect(spans).toEqual(['echo hi', 'bash -c "rm x"', 'bash -c "rm x"'])
  })

  it('a program named like an object property is a plain name', () => {
    expect(lines(factsOf('constructor x; __proto__; toString; x=constructor; $x'))).toEqual([
      'constructor x',
      '__proto__',
      'toString',
      'constructor',
    ])
  })

  it.each([
    ['echo x > a', 'writes', ['/w/a']],
    ['echo x >| a', 'writes', ['/w/a']],
    ['echo x &> a', 'writes', ['/w/a']],
    ['echo x &>> a', 'writes', ['/w/a']],
    ['echo x 1<> a', 'writes', ['/w/a']],
    ['echo x {fd}> a', 'writes', ['/w/a']],
    ['exec 3> a', 'writes', ['/w/a']],
    ['> a', 'writes', ['/w/a']],
    ['echo x >& a', 'writes', ['/w/a']],
    ['cd ~ && echo x > .zshenv', 'writes', ['/home/u/.zshenv']],
    ['pushd /etc; echo x > y', 'writes', ['/etc/y']],
    ['cd /a/b/../c; cat < x', 'reads', ['/a/c', '/a/c/x']],
    ['rm -rf a ../b', 'deletes', ['/w/a', '/b']],
    ['(cd /x; rm a); rm b', 'deletes', ['/x/a', '/w/b']],
    ['rm -rf $NOT_SET/', 'deletes', ['/']],
    ['f=/etc/passwd; cat "$f"', 'reads', ['/etc/passwd']],
    ['tee a b < /dev/null', 'writes', ['/w/a', '/w/b']],
    ['for f in a b; do touch $f; done', 'writes', ['/w/a', '/w/b']],
  ] as const)('%s reports as %s: %j', (script, kind, expected) => {
    expect(paths(factsOf(script), kind)).toEqual(expected)
  })

  it('a path with an unknown end has its known start and is partial', () => {
    expect(factsOf('rm -rf /*').deletes).toMatchObject([{ path: '/*', partial: true, recursive: true }])
    expect(factsOf('rm "/tmp/$(date)"').deletes).toMatchObject([{ path: '/tmp', partial: true }])
    expect(factsOf('cd "$(date)"; rm x').deletes).toMatchObject([{ path: 'x', partial: true }])
  })

  it.each([
    ['curl -s https://user@example.com:8443/x', 'example.com', 8443],
    ['exec 3<>/dev/tcp/10.0.0.1/4444', '10.0.0.1', 4444],
    ['echo x > /dev/udp/h/53', 'h', 53],
    ['ssh -p 22 root@host.example ls', 'host.example', null],
  ])('the facts of `%s` list the host %s', (script, host, port) => {
    expect(factsOf(script).hosts).toMatchObject([{ host, port }])
  })

  it.each([
    "ssh host 'cat /etc/passwd; rm -rf /srv'",
    'ssh host cat /etc/passwd',
    "docker exec x sh -c 'cat /etc/passwd; rm -rf /srv'",
    'kubectl exec p -- rm -rf /srv',
  ])('%s reports no local path, because its commands run on another machine', (script) => {
    const facts = factsOf(script)
    expect([paths(facts, 'reads'), paths(facts, 'deletes')]).toEqual([[], []])
  })

  it('a variable that programs inherit is reported, however it is set', () => {
    const names = (script: string): readonly string[] => factsOf(script).environment.map(({ name }) => name)
    expect(names('LD_PRELOAD=x ls')).toEqual(['LD_PRELOAD'])
    expect(names('export A=1 B')).toEqual(['A'])
    expect(names('declare -x A=1')).toEqual(['A'])
    expect(names('A=1; export A')).toEqual(['A'])
    expect(names('env A=1 ls')).toEqual(['A'])
    expect(names('PATH=/x:$PATH; ls')).toEqual(['PATH'])
    expect(names('set -a; A=1; ls')).toEqual(['A'])
    expect(names('A=1; ls')).toEqual([])
    expect(factsOf('ls', noAnswers(), { ...CONTEXT, env: [['X', '1']] }).environment).toMatchObject([
      { name: 'X', value: '1' },
    ])
  })

  it('without a write, writes is empty and complete', () => {
    for (const script of ['ls -la', 'cat a | grep b', 'echo hi', 'git status', 'cd x && pwd'])
      expect({ script, writes: factsOf(script).writesAnything }).toEqual({ script, writes: false })
    for (const script of ['echo > x', 'rm x', 'some-unknown-program', 'python x.py', '$x$(date)'])
      expect({ script, writes: factsOf(script).writesAnything }).toEqual({ script, writes: true })
  })

  it('in structured mode, the program and its arguments are literals', () => {
    const command = { mode: 'structured', program: 'env', args: ['A=1', 'rm', '; ls', '$(id)'] } as const
    const { facts } = analyse(command, CONTEXT, noAnswers())
    expect(lines(facts)).toEqual(['env A=1 rm ; ls $(id)', 'env: rm ; ls $(id)'])
    expect(facts.opaque).toEqual([])
  })
})

describe('bounds', () => {
  const cpuMs = (run: () => void): number => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  it.each([
    ['loops in loops', 'for a in {1..99}; do for b in {1..99}; do for c in {1..99}; do $a$b$c x; done; done; done'],
    ['a loop without end', 'while :; do x=$x.; rm $x; done'],
    ['a value that doubles', `x=aaaaaaaa; ${'x=$x$x; '.repeat(60)} $x`],
    [
      'functions that call each other',
      `${Array.from({ length: 40 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; }`).join('\n')}\nf0`,
    ],
    ['braces that multiply', `echo ${'{a,b}'.repeat(40)}`],
    ['commands without end', 'a;'.repeat(30_000)],
    ['branches that multiply', 'if a; then x=1$x; else x=2$x; fi\n'.repeat(800)],
    [
      'strings inside strings',
      Array.from({ length: 12 }).reduce<string>((s) => `eval "$(printf %q ${JSON.stringify(s)})"`, 'rm'),
    ],
    ['comments before a test', `${'# a\n'.repeat(5_000)}if [[ -d x ]]; then ls; fi`],
    ['patterns that backtrack', `x=${'a'.repeat(2_000)}; \${x##*a*a*a*a*a*b} y`],
  ])('analysis of %s ends early', (_, script) => {
    let facts = factsOf('true')
    expect(cpuMs(() => (facts = factsOf(script)))).toBeLessThan(1_000)
    expect(facts.opaque.every((spot) => !spot.reason.startsWith('the analyser failed'))).toBe(true)
  })
})
