# npm, node, npx and friends in a day's work without a registry.
# project: npm
# needs: node npm
# ignore: times

#### installs by ci and runs an own binary
npm install --silent --package-lock-only && npm ci --silent && ls node_modules/.bin && npx --no greet Eve && npm exec -- greet Bo && npm exec -c 'greet Cy'; npm explain greeter | head -2; npm ls --all; npm outdated; echo "status $?"

#### packs a package and looks into it
cd packages/greeter && npm pack --json 2>/dev/null | node -e 'const [p] = JSON.parse(require("fs").readFileSync(0)); console.log(p.filename, p.files.map((f) => f.path).sort())'; tar -xOzf greeter-2.1.0.tgz package/package.json | head -1; ls

#### links and unlinks globally in its own home
npm config set prefix ~/.npm-global && cd packages/greeter && npm link --silent --no-update-notifier && cd ../.. && npm ls -g --depth=0 2>/dev/null | grep -c greeter; npm unlink -g greeter --silent --no-update-notifier; echo "status $?"

#### sets versions in many ways
npm version 1.2.3 --no-git-tag-version && npm version prerelease --preid=rc --no-git-tag-version && npm pkg get version && git diff --stat && npm version major -m 'v%s' 2>/dev/null; echo "status $?"; git checkout -q package.json && npm version patch --silent && git describe && git log -1 --format=%s && npm version from-git --allow-same-version --no-git-tag-version

#### runs scripts of workspaces
npm pkg delete dependencies && npm pkg set 'workspaces[]=packages/*' && (cd packages/greeter && npm pkg set scripts.test='echo testing greeter' scripts.build='echo built') && npm install --silent && npm test --workspaces && npm run build -w greeter && npm run build --workspaces --if-present && npm query '#greeter' | head -2 && npm ls

#### fails a test and reads the report
cat > test/fail.test.js <<'JS'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
describe('failing', () => { it('compares', () => assert.deepEqual({ a: 1 }, { a: 2 })); it.skip('skipped', () => {}); it.todo('later') })
JS
npm test > out.log 2>&1; echo "status $?"; grep -E '^(#|ℹ) (tests|pass|fail|skipped|todo)' out.log; grep -c 'AssertionError' out.log; node --test --test-name-pattern=adds --test-reporter=spec test/sum.test.js 2>&1 | grep -E 'adds|pass'; node --test --test-reporter=dot test/sum.test.js | head -1; node --test --test-reporter=junit test/sum.test.js 2>/dev/null | head -1; rm out.log

#### runs hooks of scripts in order
npm pkg set scripts.prebuild='echo before' scripts.postbuild='echo after' && npm run build && npm run; npm run lint -- --fix; npm start --if-present -- --help & sleep 1; kill %1 2>/dev/null; wait 2>/dev/null; npm run-script fail; echo "status $?"; npm run nope --if-present; echo "status $?"

#### shows its environment to scripts
npm pkg set scripts.env='echo $npm_package_name $npm_package_version $npm_lifecycle_event' && npm run env --silent; npm config get registry; npm prefix | sed 's|.*/||'; npm root | sed 's|.*/app|app|'; npm bin 2>/dev/null; npm get cache | sed "s|$HOME|~|"; npm -v | grep -c .; npm help >/dev/null; echo "status $?"; npm nonsense; echo "status $?"

#### installs without network what it has
npm install --offline --silent && npm install --offline --silent ./packages/greeter && git diff --stat; npm uninstall --silent greeter && cat package.json | tail -4; npm install --save-dev --silent ./packages/greeter && npm pkg get devDependencies; npm prune --silent; npm dedupe --silent; npm rebuild --silent; echo "status $?"; npm shrinkwrap --silent; ls; npm cache ls 2>/dev/null | wc -l

#### installs a package with a script
mkdir -p packages/native && cat > packages/native/package.json <<'J'
{ "name": "native", "version": "1.0.0", "main": "built.js", "scripts": { "install": "node -e \"require('fs').writeFileSync('built.js', 'module.exports = 42')\"", "prepare": "echo preparing" } }
J
npm install --silent ./packages/native && node -p 'require("native")'; ls packages/native; npm install --ignore-scripts --silent; echo "status $?"

#### starts a project from nothing
export npm_config_update_notifier=false; mkdir -p /tmp/new && cd /tmp/new && npm init -y >/dev/null && npm pkg set type=module scripts.test='node --test' && mkdir src && echo 'export default 42' > src/index.js && printf "import x from './index.js'\nimport test from 'node:test'\ntest('x', () => { if (x !== 42) throw 1 })\n" > src/index.test.js && npm test 2>&1 | grep -cE '(pass) 1'; git init -q && printf 'node_modules\n' > .gitignore && git add . && git commit -qm Start && git log --oneline | wc -l
# -- next command
ls /tmp/new; rm -rf /tmp/new

#### runs node with its options
node --check src/sum.js; node -c nope.js 2>/dev/null; echo "status $?"; node -r fs -p 'typeof fs'; NODE_OPTIONS=--max-old-space-size=64 node -p 'v8.getHeapStatistics().heap_size_limit < 2e8'; node --input-type=module -e 'console.log(import.meta.url.slice(0, 5), (await import("node:os")).EOL.length)'; echo 'console.log(__filename === "[stdin]")' | node; node -e 'process.stdin.on("data", (d) => process.stdout.write(String(d).toUpperCase()))' <<< shout; node --trace-warnings -e 'process.emitWarning("w")' 2>&1 | grep -c Warning; node --watch --version >/dev/null; node --print-bytecode -e 0 >/dev/null; echo "status $?"; node nope.js 2>&1 | grep -c 'Cannot find module'; node -e 'setTimeout(() => {}, 1e6)' & sleep 0.3; kill %1; wait %1; echo "status $?"; node --prof -e 0; rm -f isolate*; node --inspect=0 -e 'console.log("inspected")' 2>/dev/null; node --cpu-prof --cpu-prof-dir=/tmp/prof -e 0 && ls /tmp/prof | wc -l

#### uses the file system by node
node -e '
const fs = require("fs"), os = require("os"), path = require("path")
const d = fs.mkdtempSync(path.join(os.tmpdir(), "n-")); fs.writeFileSync(path.join(d, "a"), "x"); fs.cpSync("src", path.join(d, "src"), { recursive: true })
console.log(fs.readdirSync(d)); fs.rmSync(d, { recursive: true }); fs.symlinkSync("package.json", "l"); console.log(fs.readlinkSync("l")); fs.unlinkSync("l")
fs.appendFileSync("log.txt", "1\n"); fs.renameSync("log.txt", "log2.txt"); fs.chmodSync("log2.txt", 0o600); console.log((fs.statSync("log2.txt").mode & 0o777).toString(8)); fs.truncateSync("log2.txt"); fs.utimesSync("log2.txt", 1, 1); console.log(fs.statSync("log2.txt").mtimeMs)
fs.mkdirSync("deep/er", { recursive: true }); fs.createWriteStream("deep/s").end("streamed", () => { console.log(fs.readFileSync("deep/s", "utf8")); fs.rmSync("deep", { recursive: true }) })
fs.accessSync("package.json", fs.constants.W_OK); try { fs.readFileSync("nope") } catch (e) { console.log(e.code) }
console.log(os.homedir() === process.env.HOME, os.userInfo().username.length > 0, os.cpus().length > 0, os.hostname().length > 0, os.networkInterfaces().lo?.[0].address)'

#### serves and asks in one process
node -e '
const http = require("http")
const s = http.createServer((q, r) => { let b = ""; q.on("data", (d) => (b += d)); q.on("end", () => { r.setHeader("x-a", "b"); r.end(q.method + b.length) }) }).listen(0, async () => {
  const u = "http://localhost:" + s.address().port
  const r = await fetch(u, { method: "POST", body: "x".repeat(200000) }); console.log(r.status, r.headers.get("x-a"), await r.text())
  const c = new AbortController(); setTimeout(() => c.abort(), 5); await fetch(u, { signal: c.signal }).catch((e) => e.name)
  s.closeAllConnections(); s.close(() => console.log("closed"))
})'

#### starts a cluster and streams
node -e '
const cluster = require("cluster"), { pipeline } = require("stream/promises"), zlib = require("zlib"), fs = require("fs"), crypto = require("crypto")
if (cluster.isPrimary) { const w = cluster.fork(); w.on("message", (m) => { console.log(m); w.kill() }); w.on("exit", async () => { await pipeline(fs.createReadStream("package.json"), zlib.createGzip(), fs.createWriteStream("p.gz")); console.log(zlib.gunzipSync(fs.readFileSync("p.gz")).equals(fs.readFileSync("package.json")), crypto.createHash("sha1").update("a").digest("hex")); fs.unlinkSync("p.gz") }) }
else process.send("from worker")'

#### spawns with options
node -e '
const { spawn, execFileSync, exec, fork } = require("child_process")
const c = spawn("sh", ["-c", "echo out; echo err >&2; cat; exit 3"], { stdio: ["pipe", "pipe", "pipe"], cwd: "src", env: { ...process.env, A: "1" } })
c.stdout.on("data", (d) => process.stdout.write("o:" + d)); c.stderr.on("data", (d) => process.stdout.write("e:" + d)); c.on("close", (code, sig) => { console.log(code, sig); exec("kill -9 $$", (e) => { console.log(e.signal); const t = spawn("sleep", ["9"], { timeout: 100 }); t.on("exit", (a, b) => console.log(a, b)) }) }); c.stdin.end("in\n")
console.log(execFileSync("git", ["rev-parse", "--abbrev-ref", "HEAD"], { encoding: "utf8" }).trim())' | sort

#### keeps a dev server in the background and edits under it
# needs: curl
cat > dev.js <<'JS'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((q, r) => r.end(readFileSync('page.html'))).listen(4100, () => console.log('ready'))
JS
echo '<h1>one</h1>' > page.html; node dev.js > dev.log 2>&1 & pid=$!; until grep -q ready dev.log 2>/dev/null; do sleep 0.05; done; curl -s localhost:4100; sed -i s/one/two/ page.html; curl -s http://127.0.0.1:4100/; curl -sI localhost:4100 | head -1 | tr -d '\r'; curl -s -o /dev/null -w '%{http_code} %{size_download}\n' http://[::1]:4100/; curl --max-time 2 -s http://0.0.0.0:4100/; kill $pid; wait $pid; echo "status $?"; curl -s --connect-timeout 1 localhost:4100; echo "status $?"; rm dev.js dev.log page.html

#### restarts what watches files
timeout 6 node --watch-path=src src/sum.js > w.log 2>&1 & sleep 1.5; touch src/sum.js; sleep 1.5; kill %1; wait 2>/dev/null; grep -c 'Restarting\|Completed' w.log | grep -c '[1-9]'; rm w.log

#### hits a failing build and repairs it
npm pkg set scripts.build='node scripts/build.js && test -f dist/missing.js' >/dev/null && npm run build; echo "status $?"; npm run build 2>&1 | tail -3 | head -1; npm pkg set scripts.build='node scripts/build.js' && npm run build --silent && git status --short

#### writes many files and removes them
for i in $(seq 1 500); do mkdir -p "node_modules/p$i" && echo "module.exports = $i" > "node_modules/p$i/index.js"; done; ls node_modules | wc -l; node -p 'require("p77")'; rm -rf node_modules; ls; git status --short
# -- next command
mkdir -p node_modules/x && touch node_modules/x/y && rm -rf node_modules && npm install --silent && ls node_modules

#### uses yarn, pnpm, corepack, tsc or bun where they are
for t in yarn pnpm bun deno tsc eslint prettier jest vite; do command -v $t >/dev/null && echo "$t" || $t --version; echo "$?"; done 2>&1 | sed 's/line [0-9]*/line N/'
