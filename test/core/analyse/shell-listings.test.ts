import { describe, expect, it } from 'vitest'
import { factsOf, hasUnknown, lines } from './facts-of.js'

const ran = (script: string): readonly string[] => lines(factsOf(script)).map((line) => line.replace(/^.*: /, ''))

describe('text that bash prints about its state', () => {
  it.each([
    ['an error message', 'x=$(cd rm 2>&1); x=${x#*cd: }; ${x%%:*} -rf /'],
    ['an error message in a file', "type $'/\\nrm -rf /\\n' 2> x; bash x"],
    ['an error message of test', "[ '$(rm -rf /)' -eq 1 ] 2>&1 | sh"],
    ['the message of a parameter that is not set', 'x=$( (: ${nope?rm -rf /}) 2>&1 ); ${x##*: }'],
    ['what time prints', "TIMEFORMAT='rm -rf /'; x=$( { time :; } 2>&1 ); $x"],
    ['a trace', 'x=$( { PS4=; set -x; : rm -rf /; } 2>&1 ); ${x#: }'],
    ['a trace through a pipe', "bash -xc ': rm -rf /' |& sed 's/^+ : //' | bash"],
    ['a trace on another descriptor', 'exec 9>f; BASH_XTRACEFD=9; set -x; : rm; set +x; . ./f'],
    ['a function', 'f() { : "rm -rf /"; }; x=$(declare -f f); x=${x#*\\"}; ${x%\\"*}'],
    ['a function for another shell', 'f() { rm x; }; bash -c "$(declare -f f); f"'],
    ['an alias', `alias z='rm -rf /'; alias z | cut -d"'" -f2 | bash`],
    ['variables', `x='rm -rf /'; set | grep ^x= | cut -d"'" -f2 | bash`],
    ['a trap', `trap 'rm -rf /' USR1; eval "$(trap -p USR1 | cut -d"'" -f2)"`],
    ['a variable with its keys', 'declare -A m=([k]=\'rm -rf /\'); set -- "${m[@]@k}"; $2'],
    ['a variable written out', 'x=\'rm -rf /\'; y=${x@A}; eval "${y#*=}"'],
    ['attributes', 'declare -r z; ${z@a}m -${z@a}f /'],
  ])('a script that runs the output of %s is unknown', (_, script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it('a loop over the keys of an array runs with each key', () => {
    const script = 'declare -A m=([a]=1 [b]=2); for k in "${!m[@]}"; do echo "$k ${m[$k]}"; done'
    expect(ran(script)).toEqual(expect.arrayContaining(['echo a 1', 'echo b 2']))
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('traps', () => {
  it.each([
    ['when something fails', "trap 'x=rm' ERR; x=ls; false; $x -rf /"],
    ['in a program that inherits it', "trap 'x=rm' ERR; export x=ls; false; bash -c '$x -rf /'"],
    ['when a signal comes', "trap 'x=rm' USR1; x=ls; kill -USR1 $$; $x -rf /"],
    ['when a function ends', "f() { trap 'x=rm' RETURN; }; f; $x -rf /"],
    ['before every command', "trap 'x=${x:-$BASH_COMMAND}' DEBUG; : rm -rf /; trap - DEBUG; ${x#: }"],
    ['as a function', "trap 'ls() { rm -rf /; }' ERR; false; ls"],
    ['as the directory', "trap 'cd /' USR1; kill -USR1 $$; rm -rf *"],
  ])('a variable that a trap sets is unknown: %s', (_, script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it.each([
    ['a function that is defined after it', 'trap f EXIT; f() { rm -rf /; }'],
    ['a variable that is set after it', "trap '$x -rf /' EXIT; x=rm"],
    ['a variable that is set twice', "trap '$x -rf /' ERR; x=rm; false; x=ls"],
    ['a variable of a subshell', "(trap '$x -rf /' EXIT; x=rm)"],
  ])('a trap runs again at the end with later values: %s', (_, script) => {
    expect(ran(script)).toContain('rm -rf /')
  })

  it.each([
    'trap \'echo "$BASH_COMMAND"\' EXIT; ls',
    "trap 'echo failed; exit 1' ERR; ls",
    'trap \'kill "$pid"\' EXIT INT; ./server & pid=$!; ls',
    'trap \'rm -rf "$tmp"\' EXIT INT TERM; tmp=$(mktemp -d); cp a "$tmp"',
  ])('a trap that only deletes files is not unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('shell options', () => {
  it.each([
    'set -k; f a X=b c',
    'set -o keyword',
    'bash -o keyword -c ls',
    'umask 777; echo ls > f',
    'hash -p /bin/rm ls; ls',
    'BASH_CMDS[ls]=/bin/rm; ls',
  ])('a shell option that changes parsing is reported: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it.each(['umask 022', 'umask 0077', 'umask u=rwx,go=', 'umask -S', 'set -euo pipefail'])(
    'another shell option is not reported: %s',
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(false)
    },
  )
})

describe('failing expansions', () => {
  it.each([
    ['because the variable cannot be changed', 'readonly x=rm\nx=ls\n$x -rf /'],
    ['because it refers to nothing', 'x=rm\nx=${!nope}\n$x -rf /'],
    ['because there is less text than is taken away', 'x=rm\nx=${x:0:-9}\n$x -rf /'],
    ['and takes the rest of its line with it', 'x=rm; : ${!nope}; x=ls\n$x -rf /'],
  ])('a failing expansion is reported: %s', (_, script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })
})

describe('values with alternatives', () => {
  it.each([
    ['fields of read', 'IFS=Q read -ra a <<< "$v"; "${a[@]}"'],
    ['a sourced descriptor', 'exec 4<<< "${v//Q/ }"; . /dev/fd/4'],
    ['the body of a function', 'eval "f() { ${v//Q/ }; }"; f'],
    ['input of xargs', 'echo "${v//Q/ }" | xargs env'],
  ])('each alternative of a value runs as %s', (_, script) => {
    expect(ran(`[ -e /nonesuch ] && v=ls || v=rmQ-rfQ/; ${script}`)).toContain('rm -rf /')
  })

  it('a text that a loop joins from words is unknown', () => {
    const script = 'IFS=Q; for w in $(echo "$v"); do k+=("$w"); done; "${k[@]}"'
    expect(hasUnknown(factsOf(`[ -e /nonesuch ] && v=ls || v=rmQ-rfQ/; ${script}`))).toBe(true)
  })

  it('a name that can be a function or a program runs both', () => {
    expect(ran('[ -e /nonesuch ] && rm() { :; }; rm -rf /')).toContain('rm -rf /')
  })
})

describe('extended patterns', () => {
  it.each(['shopt -s extglob; x=QQWrm; ${x##+([QW])} -rf /', 'x=rm; ${x##+(rm)} -rf /'])(
    'an operation with an extended pattern gives an unknown value: %s',
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(true)
    },
  )
})
