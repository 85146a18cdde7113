import { describe, expect, it } from 'vitest'
import { factsOf, hasUnknown, lines } from './facts-of.js'

const runs = (script: string): readonly string[] => lines(factsOf(script)).map((line) => line.replace(/^.*: /, ''))

describe('an unknown command word', () => {
  it.each([
    ['f=$(mktemp); echo victim > "$f"; bash "$f"', 'victim'],
    ['f=$(mktemp); echo victim > $f; chmod +x $f; $f', 'victim'],
    ['d=$(mktemp -d); echo victim > "$d/x"; sh "$d"/x', 'victim'],
    ['f=$(mktemp); echo victim > $f; bash < $f', 'victim'],
    ['xargs command rm -rf /', 'rm -rf / ?'],
    ['BASH_CMDS[q]=/usr/bin/sudo; "${BASH_CMDS[q]}" id', '/usr/bin/sudo id'],
    ['alias q=sudo; ${BASH_ALIASES[q]} id', 'sudo id'],
    ['a=(ls sudo); "${a[RANDOM]}" id', 'sudo id'],
    ['declare -A a=([x]=/ [y]=z); rm -rf "${a[$k$(cat f)]}"', 'rm -rf /'],
  ])('a command word with known alternatives lists each: %s', (script, expected) => {
    expect(runs(script)).toContain(expected)
  })

  it.each([
    '$(stat -c %n /usr/bin/sudo) id',
    '$(git -c x.y=sudo config x.y) id',
    '$(id -un | sed s/.*/sudo/) id',
    '$(find /usr/bin -maxdepth 1 -name sudo) id',
    "git -c x.y='rm -rf /' config x.y | sh",
    "head -c -0 /bin/bash > zz; chmod 755 zz; ./zz -c 'rm -rf /'",
    "$(cat name) -c 'rm -rf /'",
    'touch a:sudo; $(find . -name "a:*" | cut -d: -f2) id',
    'su$(uname | cut -c1-0)do victim x',
    '$(ls -d /usr/bin/c??l) x',
    '/usr/bin/r? -rf x',
    '/u*r/b?n/gi[t] push',
    '/usr/bin/@(sudo|x) id',
    '/proc/$$/exe -c "rm x"',
    "trap 'cd /' TERM; kill $$; rm -rf x",
    "trap 'cd /' DEBUG; rm -rf x",
  ])('a command word without known alternatives is unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })
})

describe('partly unknown arguments', () => {
  it.each([
    ['run() { "$@"; }; run rm -rf x $(ls) y', 'rm -rf x ? y'],
    ['f() { shift; "$1" x; }; f a sudo $(ls)', 'sudo x'],
    ['set -- $(ls) sudo id; "${@: -2}"', 'sudo id'],
    ['sh -c \'"$@"\' _ sudo $(ls)', 'sudo ?'],
  ])('unknown arguments are passed on: %s', (script, expected) => {
    expect(runs(script)).toContain(expected)
  })

  it('an unknown argument of a known program is not reported as opaque', () => {
    expect(hasUnknown(factsOf('run() { echo "+ $*"; "$@"; }; run cp $(ls) x'))).toBe(false)
  })
})

describe('a script with a syntax error', () => {
  it.each([
    'echo "${x:-\'}"; rm -rf / # \'"',
    'case esac in esac) ;; (esac) rm -rf /\nesac',
    "bash -c 'echo \"'; rm -rf /",
  ])('an unparsable script is unknown, but its plain commands are listed: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
    expect(runs(script)).toContain('rm -rf /')
  })
})

describe('files that programs run on their own', () => {
  it.each([
    'mkdir -p .git/hooks; echo victim > .git/hooks/pre-commit; git commit -m x',
    "mkdir p; printf '#!/bin/sh\\nvictim\\n' > p/a; chmod +x p/a; run-parts p",
  ])('a file that git or run-parts executes is run if the script wrote it: %s', (script) => {
    expect(runs(script)).toContain('victim')
  })
})

describe('text that bash expands again', () => {
  it.each([
    ["declare 'a[$(a=([5]=victim); ${a[-1]})]'=1", 'victim'],
    ['set -- \'read -ra v <<< victim; "${v[@]}"\'; eval $*', 'victim'],
    ['x=\'victim [a]\'; bash -c "$x"', 'victim ?'],
    ["declare -n r='a[1]'; a=(z victim); $r", 'victim'],
    ['BASH_ARGV0=victim; $0 x', 'victim x'],
    ["sh -c $'alias zz=victim\\nzz'", 'victim'],
    ["echo 'echo victim > f; bash f' > f; bash f", 'victim'],
    ['mkdir -p d/e; echo victim > d/e/f; CDPATH=d; cd e; bash f', 'victim'],
    ['mkdir d; echo victim > d/zz; PATH=$PWD/d:$PATH; . zz', 'victim'],
    ['f=./t.$$; echo victim > "$f"; bash "$f"', 'victim'],
    ['echo victim > /tmp/$USER.sh; sh /tmp/$USER.sh', 'victim'],
  ])('re-expanded text runs the commands that bash runs: %s', (script, expected) => {
    expect(runs(script)).toContain(expected)
  })
})
