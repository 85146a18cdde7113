# Longer stretches of work: several commands in a row, as an agent sends them.
# project: npm
# ignore: hashes times

#### explores, edits, tests and commits
# subset: yes
# needs: node npm git
git log --oneline -5 && ls -la | awk '{ print $NF }' && cat package.json | head -20
# -- next command
grep -rn "reduce" --include=*.js src test | head
# -- next command
cat > src/sum.js <<'JS'
export function sum(numbers) {
  let total = 0
  for (const number of numbers) total += number
  return total
}

export const mean = (numbers) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length)
JS
# -- next command
cat >> test/sum.test.js <<'JS'

import { mean } from '../src/sum.js'
test('averages', () => assert.equal(mean([2, 4]), 3))
JS
npm test --silent 2>&1 | grep -E '(pass|fail) [0-9]'
# -- next command
git add -A && git commit -m "Add mean" && git status --short && git show --stat --format=%s HEAD

#### breaks a test, reads the failure, repairs it
# needs: node
sed -i 's/total + number/total * number/' src/sum.js && npm test --silent > /tmp/test.log 2>&1; echo "exit $?"
# -- next command
grep -E 'not ok|✖' /tmp/test.log | head -2 | wc -l; tail -5 /tmp/test.log | wc -l
# -- next command
git diff --stat; git checkout src/sum.js && npm test --silent >/dev/null 2>&1; echo "exit $?"

#### adds a feature on a branch and merges it
# needs: git node
git checkout -b feature/report
# -- next command
mkdir -p src/report && cat > src/report/index.js <<'JS'
import { sum } from '../sum.js'
export const report = (rows) => `${rows.length} rows, total ${sum(rows.map((row) => row.amount))}`
JS
node --input-type=module -e "import { report } from './src/report/index.js'; console.log(report([{ amount: 2 }, { amount: 3 }]))"
# -- next command
git add src/report && git commit -q -m 'Add report' && git checkout main && git merge --no-ff -m 'Merge report' feature/report && git branch -d feature/report && git log --oneline --graph | head -5

#### refactors by a script and checks the result
# needs: node git
find src test -name '*.js' -print0 | xargs -0 grep -l sum | sort
# -- next command
find src test -name '*.js' -print0 | xargs -0 sed -i 's/\bsum\b/addAll/g' && git mv src/sum.js src/add-all.js && sed -i "s#/addAll.js#/add-all.js#" test/*.js
# -- next command
npm test --silent 2>&1 | grep -E '(pass|fail) [0-9]'; git status --short

#### writes a tool, its test and its documentation
# needs: python3 git
mkdir -p tools && cat > tools/count.py <<'PY'
#!/usr/bin/env python3
"""Count lines per extension."""
import collections
import pathlib
import sys

def count(root):
    totals = collections.Counter()
    for path in pathlib.Path(root).rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            totals[path.suffix or path.name] += len(path.read_text(errors="replace").splitlines())
    return totals

if __name__ == "__main__":
    for suffix, lines in sorted(count(sys.argv[1] if len(sys.argv) > 1 else ".").items()):
        print(f"{lines:6} {suffix}")
PY
chmod +x tools/count.py && ./tools/count.py
# -- next command
python3 - <<'PY'
import importlib.util
spec = importlib.util.spec_from_file_location("count", "tools/count.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert module.count("src")[".js"] > 10
print("ok")
PY
# -- next command
printf '\n## Tools\n`tools/count.py` counts lines.\n' >> README.md && rm -rf tools/__pycache__ && git add -A && git commit -qm 'Add count' && git show --stat --format= HEAD

#### cleans up after itself
# needs: git
mkdir -p build tmp && touch build/a tmp/b && cp -r src /tmp/backup-src
# -- next command
rm -rf build tmp && diff -r src /tmp/backup-src && rm -rf /tmp/backup-src && git status --porcelain | wc -l

#### looks at the machine before it works
# needs: node git
uname -sm; node --version | cut -c1; git --version | cut -d' ' -f1-2; pwd | sed 's|.*/||'; whoami; ls; git branch --show-current; df -h . | wc -l; free -m | head -1 | awk '{ print $1 }'; command -v docker cargo go java >/dev/null; echo "$?" | grep -c .

#### measures coverage by node
# needs: node
node --test --experimental-test-coverage test/ 2>&1 | grep -E 'sum\.js' | awk '{ print $2, $3 }' | head -1 | grep -c sum

#### writes a config and validates it
# needs: node
cat > app.config.json <<JSON
{ "port": ${PORT:-3000}, "root": "$(basename "$PWD")", "features": ["a", "b"] }
JSON
node -e 'const c = JSON.parse(require("fs").readFileSync("app.config.json")); if (c.port !== 3000) process.exit(2); console.log(c)'

#### bumps, changes the log and tags
# needs: npm git
set -euo pipefail
npm version minor --no-git-tag-version >/dev/null
version=$(node -p "require('./package.json').version")
{ echo "## $version"; git log --format='- %s'; echo; } > CHANGELOG.md
git add -A
git commit -qm "Release $version"
git tag "v$version"
git describe

#### repairs after a bad command
# needs: git
rm src/sum.js && sed -i 's/.*/garbage/' package.json
# -- next command
git status --short && git restore . && git status --short && node -p "require('./package.json').name"

#### generates code and formats it
# needs: node
node -e '
const names = ["red", "green", "blue"]
require("fs").writeFileSync("src/colours.js", names.map((n, i) => `export const ${n} = ${i}`).join("\n") + "\n")' && cat src/colours.js && node --input-type=module -e 'import * as c from "./src/colours.js"; console.log(Object.keys(c).sort().join())'

#### runs checks in a loop and reports
for check in 'test -f package.json' 'test -d src' 'test -f missing' 'node --check src/sum.js'; do
  if bash -c "$check" >/dev/null 2>&1; then echo "ok   $check"; else echo "FAIL $check"; failed=1; fi
done
exit "${failed:-0}"
