import { describe, expect, it } from 'vitest'
import { factsOf, hasUnknown, paths } from './facts-of.js'

/** Ways to make a program print a path from text of the script. */
const PRINTING: readonly string[] = [
  `sqlite3 :memory: "select '/etc/'||'shadow'"`,
  `sqlite3 :memory: "select char(47,101,116,99)"`,
  "getopt -u -o '' -- /etc/shadow | cut -c5-",
  "find . -maxdepth 0 -printf '/etc/shadow'",
  "find README.md -printf '.' -printf 'en'",
  "find README.md -exec echo '/etc/shadow' \\;",
  'find /etc/shadow -maxdepth 0 | cat',
  `awk 'NR==1{print "/etc/shadow"}' README.md`,
  `awk 'NR==1{printf "%c%c", 47, 101}' README.md`,
  "awk '{print a b; exit}' a=. b=./other README.md",
  `p=/etc/shadow awk 'NR==1{print ENVIRON["p"]}' README.md`,
  "sed -n '1s|.*|/etc/shadow|p' README.md",
  "sed '1c /etc/shadow' README.md | head -1",
  "sed -n '1s/.*/\\x2f\\x65/p' README.md",
  "sed -n '1{s/.*/\\/rgp/;y/abcdefghijklmnopqrstuvwxyz/nopqrstuvwxyzabcdefghijklm/;p}' README.md",
  `jq -r '"/etc/shadow"' package.json`,
  "jq -r '[47,101]|implode' package.json",
  "jq -r --arg x /etc/shadow '$x' package.json",
  'stat -c /etc/shadow README.md',
  'date +/etc/shadow',
  'git log -1 --format=/etc/shadow',
  'git rev-parse --sq-quote /etc/shadow',
  "git for-each-ref --count=1 --format='/etc/shadow'",
  'git config a.b /etc/shadow; git config a.b',
  'git -c a.b=/etc/shadow config a.b',
  'grep -l --label=/etc/shadow x -',
  'ln -s /etc/shadow l; readlink l',
  "ln -s /etc/shadow l; ls -l l | sed 's/.*-> //'",
  "ls -l --time-style=+.env README.md | cut -d' ' -f6",
  'ls -d /etc/shadow | head -1',
  "mkdir -p d/etc/shadow; find d | tail -1 | sed 's,^d,,'",
  'mktemp -u /etc/shadowXXX | sed s/...$//',
  'systemd-escape -pu etc-shadow',
  'column -t -N /etc/shadow README.md',
  "tar -cf - --transform 's,.*,/etc/shadow,' README.md | tar -tf -",
  'echo /etc/shadow > f; tar cf a f; tar xOf a',
  'echo /etc/shadow > f; git add f; git show :f',
  'sort -o f <<< /etc/shadow; cat f',
  "sed -n '1w f' <<< /etc/shadow; cat f",
  `awk 'NR==1{print "/etc/shadow" > "f"}' README.md; cat f`,
  "ssh-keygen -q -N '' -C /etc/shadow -f key; cut -d' ' -f3 key.pub",
  'p=/etc/shadow cat /proc/self/environ',
  'export p=/etc/shadow; printenv | grep ^p=',
  'ls /etc/shadow.x 2>&1 | cut -d"\'" -f2',
  'cd /etc/shadow.x 2>&1 | cut -d: -f4',
  "f() { : '/etc/shadow'; }; declare -f f | sed -n 's/.*: //p'",
  '(exec -a /etc/shadow sh -c \'echo "$0"\')',
  'mkfifo p; echo /etc/shadow > p & cat p',
]

/** Commands that use the printed text. */
const USES: readonly ((print: string) => string)[] = [
  (print) => `cat $(${print})`,
  (print) => `x=$(${print}); cp "$x" .`,
  (print) => `x=$(${print}); : > "$x"`,
  (print) => `cd "$(${print})"; make`,
  (print) => `{ ${print}; } | xargs rm -rf`,
  (print) => `f() { touch "$1"; }; f "$(${print})"`,
]

describe('words that a program prints from text of the script', () => {
  it.each(PRINTING)('printed text that names an outside path is reported in any use: %s', (print) => {
    const silent = USES.map((use) => use(print)).filter((script) => !hasUnknown(factsOf(script)))
    expect(silent).toEqual([])
  })

  it.each([
    'cat .en$(stat -c v README.md)',
    'cat /etc/sh$(git for-each-ref --format=adow)',
    'rm -rf .$(basename x)$(hostname)',
    'echo x > .git/con$(nproc)',
    'rm -rf $(stat -c . x)git',
    'dd if=/dev/zero $(hostname)/dev/sda',
    'cd /home/us$(nproc)/out && : > x',
    "echo x > cor$(sed -n '1{s/.*/qba/;y/abcdefghijklmnopqrstuvwxyz/nopqrstuvwxyzabcdefghijklm/;p}' a).toml",
  ])('printed text that completes a hidden name is reported: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it.each([
    'f=$(find . -name x | head -1); cat "$f"',
    'cd "$(git rev-parse --show-toplevel)" && make',
    'rm "$(mktemp)"',
    't=$(mktemp -d /tmp/build.XXXX); cp a "$t"',
    'd=build; f=$(mktemp "$d/x.XXXXXX"); echo hi > "$f"',
    'f=$(mktemp "$PWD/out/x.XXXXXX"); echo hi > "$f"',
    'set -- -o out.txt; while getopts o: c; do echo hi > "$OPTARG"; done',
    'cat $(which foo)',
    'kill $(pgrep -f "node server.js")',
    'docker rm $(docker ps -aq --filter name=web)',
    `docker inspect -f '{{.State.Pid}}' web | xargs kill`,
    `kubectl logs $(kubectl get pods -l app=x -o jsonpath='{.items[0].metadata.name}')`,
    'git push origin "$(git branch --show-current)"',
    "git diff --name-only origin/main...HEAD | grep '\\.ts$' | xargs npx eslint",
    "git diff --name-only | sed 's|^frontend/||' | xargs ls",
    'for f in *.ts; do mv "$f" "$(echo "$f" | sed \'s/\\.ts$/.js/\')"; done',
    `v=$(node -p "require('./package.json').version"); docker build -t "app:$v" .`,
    'v=$(jq -r .version package.json); git tag "v$v"',
    "grep -rl 'a/b' src --include='*.ts' | xargs sed -i 's|a/b|c/d|'",
    "rg -l foo -g '!.git' | xargs wc -l",
    "find . -name '*.py' -not -path './.venv/*' | xargs grep foo",
    "find src -type f -printf '%p\\n' | xargs wc -l",
    "ps aux | grep node | awk '{print $2}' | xargs kill",
    'tail -f "$(ls -t logs/*.log | head -1)"',
    'tar czf "backup-$(date +%Y%m%d).tgz" src',
    'ls "/lib/modules/$(uname -r)"',
    'commit=$(git log -1 --format=%H); git show "$commit"',
    'cat "$(npm root -g)/x/package.json"',
    'wc -l $(git ls-files "*.ts")',
  ])('printed text in everyday commands is not reported: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('the value of an option from getopts', () => {
  it.each([
    'getopts a: o -a /etc/shadow; cat "$OPTARG"',
    'getopts a: o -a/etc/shadow; cat "$OPTARG"',
    'getopts va: o -va/etc/shadow; cat "$OPTARG"',
    'cat "$(getopts a: o -a /etc/shadow; echo "$OPTARG")"',
  ])('OPTARG can be any argument: %s', (script) => {
    expect(paths(factsOf(script), 'reads')).toContain('/etc/shadow')
  })

  it('OPTARG can be an unlisted letter', () => {
    expect(paths(factsOf('getopts : o -/; rm -rf "$OPTARG"'), 'deletes')).toContain('/')
  })

  it('OPTARG is unknown after too many arguments', () => {
    const words = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ')
    expect(hasUnknown(factsOf(`getopts a: o -a ${words}; cat "$OPTARG"`))).toBe(true)
  })
})
