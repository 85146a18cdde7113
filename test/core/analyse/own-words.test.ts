import { describe, expect, it } from 'vitest'
import { factsOf, hidden, lines } from './facts-of.js'

const ran = (script: string): readonly string[] => lines(factsOf(script)).map((line) => line.replace(/^.*: /, ''))

describe('what bash itself says', () => {
  it.each([
    ['of a parameter that is not set', 'x=$( (: ${nope?rm -rf /}) 2>&1 ); ${x##*: }'],
    ['of a directory that is not there', 'x=$(cd rm 2>&1); x=${x#*cd: }; ${x%%:*} -rf /'],
    ['of the time that something took', "TIMEFORMAT='rm -rf /'; x=$( { time :; } 2>&1 ); $x"],
    ['of its commands, after set -x', 'x=$( { PS4=; set -x; : rm -rf /; } 2>&1 ); ${x#: }'],
    ['of directories it remembers', "pushd -n 'rm -rf /' >/dev/null; $(dirs +1)"],
    ['of a function', 'f() { : "rm -rf /"; }; x=$(declare -f f); x=${x#*\\"}; ${x%\\"*}'],
  ])('%s is read', (_, script) => {
    expect(ran(script)).toContain('rm -rf /')
  })

  it('of a function that is sent elsewhere is the function, and nothing is hidden', () => {
    const script = 'f() { echo hi; ls -l; }; bash -c "$(declare -f f); f"'
    expect(ran(script)).toContain('ls -l')
    expect(hidden(factsOf(script))).toBe(false)
  })

  it.each([
    ['with its keys', 'declare -A m=([k]=\'rm -rf /\'); set -- "${m[@]@k}"; $2'],
    ['as its attributes', 'declare -r z; ${z@a}m -${z@a}f /'],
    ['cut by an extended pattern', 'shopt -s extglob; x=QQWrm; ${x##+([QW])} -rf /'],
    ['cut by an extended pattern that is off', 'x=rm; ${x##+(rm)} -rf /'],
  ])('of a variable is unknown: %s', (_, script) => {
    expect(hidden(factsOf(script))).toBe(true)
  })

  it('of an array with names for keys may come in any order', () => {
    expect(ran('declare -A m=([a]=x [b]=reboot); "${m[@]}"').some((line) => line.startsWith('reboot'))).toBe(true)
  })
})

describe('a command that a trap runs', () => {
  it.each([
    ['when something fails', "trap 'x=rm' ERR; x=ls; false; $x -rf /"],
    ['when a signal comes', "trap 'x=rm' USR1; x=ls; kill -USR1 $$; $x -rf /"],
    ['when a function ends', "f() { trap 'x=rm' RETURN; }; f; $x -rf /"],
    ['before every command', "trap 'x=${x:-$BASH_COMMAND}' DEBUG; : rm -rf /; trap - DEBUG; ${x#: }"],
    ['at the end, by a function that is defined after it', 'trap f EXIT; f() { rm -rf /; }'],
  ])('%s leaves what it sets', (_, script) => {
    expect(ran(script)).toContain('rm -rf /')
  })

  it('with the command it was set off by does not run itself', () => {
    expect(hidden(factsOf('trap \'echo "$BASH_COMMAND"\' EXIT; ls'))).toBe(false)
  })
})

describe('an assignment that fails', () => {
  it.each([
    ['because the variable cannot be changed', 'readonly x=rm\nx=ls\n$x -rf /'],
    ['because it refers to nothing', 'x=rm\nx=${!nope}\n$x -rf /'],
    ['because there is less text than is taken away', 'x=rm\nx=${x:0:-9}\n$x -rf /'],
    ['takes the rest of its line with it', 'x=rm; : ${!nope}; x=ls\n$x -rf /'],
  ])('%s', (_, script) => {
    expect(ran(script)).toContain('rm -rf /')
  })
})

describe('a value that is one of several', () => {
  it.each([
    ['is taken apart by read', 'IFS=Q read -ra a <<< "$v"; "${a[@]}"'],
    ['is what a descriptor gives', 'exec 4<<< "${v//Q/ }"; . /dev/fd/4'],
    ['is the body of a function', 'eval "f() { ${v//Q/ }; }"; f'],
    ['is what xargs is given', 'echo "${v//Q/ }" | xargs env'],
  ])('%s', (_, script) => {
    expect(ran(`[ -e /nonesuch ] && v=ls || v=rmQ-rfQ/; ${script}`)).toContain('rm -rf /')
  })

  it('is unknown where a loop puts its words together again', () => {
    const script = 'IFS=Q; for w in $(echo "$v"); do k+=("$w"); done; "${k[@]}"'
    expect(hidden(factsOf(`[ -e /nonesuch ] && v=ls || v=rmQ-rfQ/; ${script}`))).toBe(true)
  })

  it('is a function or a program where it may be either', () => {
    expect(ran('[ -e /nonesuch ] && rm() { :; }; rm -rf /')).toContain('rm -rf /')
  })
})
