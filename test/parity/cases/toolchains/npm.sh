# npm and node without a registry: scripts, tests, local dependencies.
# project: npm
# needs: node npm
# ignore: times

#### installs a local dependency and runs with it
# subset: yes
npm install --no-audit --no-fund && node -e "import('greeter').then((g) => console.log(g.greet('Ada')))"

#### installs, tests and builds in separate commands
npm install --no-audit --no-fund --silent
# -- next command
npm test --silent 2>&1 | grep -E '^# (pass|fail)|^ℹ (pass|fail)'
# -- next command
npm run build && cat dist/bundle.js
# -- next command
npm ls --depth=0

#### installs from the lock file
npm install --package-lock-only --no-audit --no-fund --silent && npm ci --no-audit --no-fund && ls node_modules

#### runs the tests and fails with one
# subset: yes
sed -i 's/total + number/total - number/' src/sum.js && npm test >out.txt 2>&1; echo "status $?"; grep -c 'not ok\|✖' out.txt; rm out.txt

#### runs the tests with node alone
node --test --test-reporter=tap | grep -E '^# (tests|pass|fail)'

#### runs a script that fails
# subset: yes
npm run fail; echo "status $?"

#### ends with the status of a script that fails
npm run fail --silent

#### names a script that is missing
npm run nothing 2>&1 | grep -v 'complete log\|_logs'; echo "${PIPESTATUS[0]}"

#### lints with findings
echo 'var x = 1' >> src/sum.js
npm run lint --silent; echo "status $?"

#### runs a local binary by npx
npm install --no-audit --no-fund --silent && npx greet Ada && npx --no-install greet && ./node_modules/.bin/greet Bob

#### starts a package
# subset: yes
mkdir lib && cp .npmrc lib && cd lib && npm init -y >/dev/null && cat package.json && npm pkg set scripts.test='node --version >/dev/null' && npm test --silent && npm pkg get scripts

#### sets a version and makes a tarball
npm version --no-git-tag-version minor && npm pack --silent --dry-run && npm pack --silent && tar -tzf app-1.1.0.tgz | sort | head -5

#### bumps the version with a commit and a tag
npm version patch -m 'Release %s' && git log --oneline -1 --format=%s && git tag

#### installs a tarball
(cd packages/greeter && npm pack --no-update-notifier --silent) && mkdir -p other && cp .npmrc other && cd other && npm init -y >/dev/null && npm install --no-audit --no-fund --silent ../packages/greeter/greeter-2.1.0.tgz && ls node_modules && npx greet tar

#### uses workspaces
npm pkg delete dependencies && npm pkg set 'workspaces[]=packages/*' && npm install --no-audit --no-fund --silent && npm exec --workspace=greeter -- node -p 1+1 && readlink node_modules/greeter

#### links a package of the project
npm config set prefix ~/.npm-global && cd packages/greeter && npm link --no-update-notifier --silent --no-audit --no-fund && cd ../.. && npm link greeter --silent --no-audit --no-fund; node -e "import('greeter').then(() => console.log('linked'))"

#### writes npm's cache and finds it again
npm config get cache | sed "s|$HOME|~|"
# -- next command
npm install --no-audit --no-fund --silent; test -d ~/.npm && echo 'has a cache'
# -- next command
test -d ~/.npm && ls ~/.npm

#### leaves nothing of its own in the tree
npm install --no-audit --no-fund --silent && npm run build --silent && git status --short && ls -A

#### prints JSON with a one-liner
# subset: yes
node -p "JSON.stringify(require('./package.json').scripts, null, 1)"
node -e 'const fs = require("fs"); const p = JSON.parse(fs.readFileSync("package.json")); p.version = "9.9.9"; fs.writeFileSync("package.json", JSON.stringify(p, null, 2) + "\n")' && git diff --stat

#### runs a script from standard input
node - a b <<'JS'
console.log(process.argv.slice(2), process.cwd().split('/').at(-1))
process.exitCode = 4
JS

#### runs TypeScript-like checks that fail with status 2
cat > tsc.js <<'JS'
console.log("src/index.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.")
process.exit(2)
JS
sed -i 's/1, 2, 3/1, 2, 4/' test/sum.test.js && node tsc.js; echo "status $?"; git diff --stat

#### keeps the edit of a command that fails with status 2
# subset: yes
sed -i 's/reduce/reduceRight/' src/sum.js && exit 2
# -- next command
git diff --stat

#### uses worker threads and child processes
node -e '
const { Worker, isMainThread } = require("worker_threads")
const { execSync, spawnSync, fork } = require("child_process")
new Worker("require(\"worker_threads\").parentPort.postMessage(6 * 7)", { eval: true }).on("message", (m) => console.log("worker", m))
console.log(execSync("echo child").toString().trim(), spawnSync("false").status)'

#### watches a file
node -e '
const fs = require("fs")
fs.writeFileSync("watched.txt", "a")
const watcher = fs.watch("watched.txt", () => { console.log("changed"); watcher.close() })
setTimeout(() => fs.writeFileSync("watched.txt", "b"), 50)'

#### crashes with a stack trace
node -e 'function f() { throw new Error("boom") } f()' 2>&1 | grep -c 'boom'; node -e 'process.exit(13)'; echo $?; node -e 'Promise.reject(new Error("no"))' 2>/dev/null; echo $?

#### keeps a lock file unchanged
npm install --no-audit --no-fund --silent && sha256sum package-lock.json > before && npm install --no-audit --no-fund --silent && sha256sum -c before

#### runs scripts in order with run and and
npm run lint --silent && npm run build --silent && npm test --silent >/dev/null && echo all good || echo failed

#### passes arguments and variables to a script
PORT=8123 FOO='a b' npm run start --silent -- --flag & 
sleep 1.5; kill %1; wait %1 2>/dev/null; echo ended
