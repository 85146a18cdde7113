# Node and npm as agents use them, without a registry.
# project: npm
# ignore: times
# needs: npm

#### installs, tests, builds and lints in one line
npm install --silent && npm test --silent 2>&1 | grep -E '^# (tests|pass|fail)' && npm run -s build && npm run -s lint; echo "status $?"

#### installs and shows its tree in the next command
npm install 2>&1 | grep -v '^$' | sed 's/ in .*//'
# -- next command
npm ls --all; npm explain greeter | head -1; node -e "import('greeter').then(g => console.log(g.greet('x')))"; npx greet you
# -- next command
rm -rf node_modules && npm ci --silent && ls node_modules

#### adds and removes a local dependency
mkdir -p packages/extra && printf '{"name":"extra","version":"0.0.1","main":"i.js"}' > packages/extra/package.json && echo 'module.exports = 5' > packages/extra/i.js
npm install --silent ./packages/extra && grep extra package.json && node -p "process.version.length > 3" && npm uninstall --silent extra && grep -c extra package.json

#### packs a tarball and installs it
(cd packages/greeter && npm pack --silent --pack-destination /tmp) && tar tzf /tmp/greeter-2.1.0.tgz && npm install --silent /tmp/greeter-2.1.0.tgz && npm ls greeter | tail -2

#### makes a monorepo with workspaces
mkdir mono && cd mono && npm init -y >/dev/null && npm pkg set private=true --json && npm pkg set 'workspaces[0]=libs/*' && mkdir -p libs/a libs/b && echo '{"name":"a","version":"1.0.0","scripts":{"test":"echo test a"}}' > libs/a/package.json && echo '{"name":"b","version":"1.0.0","dependencies":{"a":"^1.0.0"},"scripts":{"test":"echo test b && exit 3"}}' > libs/b/package.json && npm install --silent && ls -l node_modules | awk '{ print $(NF-2), $NF }' | tail -2; npm test --workspaces --silent; echo "status $?"; npm run test -w a --silent; npm query .workspace | node -p 'JSON.parse(require("fs").readFileSync(0)).length'

#### starts a project from nothing and tests it
mkdir fresh && cd fresh && npm init -y | head -1 && npm pkg set type=module scripts.test='node --test' && mkdir test && cat > test/a.test.js <<'E'
import { describe, it, before, after, mock } from 'node:test'
import assert from 'node:assert'
describe('a', () => {
  before(() => {})
  it('passes', () => assert.ok(true))
  it('is skipped', { skip: true }, () => {})
  it('mocks', () => { const f = mock.fn(); f(1); assert.equal(f.mock.callCount(), 1) })
})
E
npm test 2>&1 | grep -E '^# (tests|pass|fail|skipped)'

#### reports a failing test with its status
sed -i 's/6)/7)/' test/sum.test.js; npm test > out.txt 2>&1; echo "status $?"; grep -cE 'not ok|✖' out.txt | head -1; grep -E '^# fail' out.txt; rm out.txt

#### runs tests by spec, tap and name
node --test --test-reporter=tap test/ | grep -E '^(ok|not ok)' ; node --test --test-name-pattern=nothing --test-reporter=tap | grep -E '^# (pass|skipped|tests)'; node --test --test-reporter=dot | tail -1

#### fails by a missing script and a missing module
npm run nothing 2>&1 | head -2; node -e "require('left-pad')" 2>&1 | grep -E "^Error|code:"; node missing.js 2>&1 | grep Error; echo "${PIPESTATUS[0]}"; npm run fail --silent; echo "status $?"

#### reads and writes package.json in many ways
npm pkg get name version scripts.test; npm version patch --no-git-tag-version; npm pkg set description='A "quoted" thing'; node -p "require('./package.json').description"; npm pkg delete description; jq -r .version package.json; npm config get prefix >/dev/null; npm config get registry; npm prefix | sed 's|.*/||'; npm root | sed 's|.*/app||'

#### links a package for development
npm install --silent; ls -ld node_modules/greeter | cut -c1; echo "export const bye = () => 'bye'" >> packages/greeter/index.js; node -e "import('greeter').then(g => console.log(g.bye()))"; npm outdated --offline >/dev/null 2>&1; npm dedupe --offline --silent; npm prune --silent; git status --short

#### executes a binary of the project by npx and npm exec
npm install --silent; npx --no-install greet a; npm exec --offline -- greet b; npx --offline missing-tool-xyz 2>&1 | grep -m1 -oE 'ENOTCACHED|canceled|could not determine'; PATH=$PWD/node_modules/.bin:$PATH greet c; npx -c 'echo $npm_package_name'

#### runs lifecycle scripts of the project
npm pkg set scripts.postinstall='node -e "require(\"fs\").writeFileSync(\"post.txt\", process.env.npm_lifecycle_event)"' scripts.prepare='echo prepared'; npm install 2>&1 | grep -c prepared; cat post.txt; npm install --ignore-scripts --silent; npm rebuild --silent; rm post.txt

#### type strips, transpiles and checks syntax
node --check src/sum.js && echo fine; echo 'const x = ;' > bad.js; node --check bad.js 2>&1 | tail -3 | head -1; echo "status $?"; node --input-type=module -e 'import fs from "fs"; console.log(typeof fs.cp)'; node -e 'console.log([1,2,3].at(-1), structuredClone({a:1}), Object.groupBy ? 1 : 0)'; echo 'console.log(require.main === module)' | node -; node --print '1+1'; rm bad.js

#### serves, waits for health and asks with curl
# needs: npm curl
PORT=4555 node src/server.js > server.log 2>&1 &
pid=$!
for i in $(seq 50); do curl -sf localhost:4555/health >/dev/null && break; sleep 0.1; done
curl -s localhost:4555/todos | jq -c .; curl -s -X POST -H 'content-type: application/json' -d '{"title":"more"}' -w '\n%{http_code}\n' http://127.0.0.1:4555/todos; curl -s -o /dev/null -w '%{http_code}\n' localhost:4555/none
kill $pid; wait $pid; echo "status $?"; cat server.log

#### watches a file until it changes
node -e 'const fs = require("fs"); fs.writeFileSync("w", "1"); const w = fs.watch("w", (e) => { console.log(e); w.close() }); setTimeout(() => fs.appendFileSync("w", "2"), 100)'; node -e 'const fs = require("fs"); fs.watchFile("w", { interval: 50 }, (c, p) => { console.log(c.size > p.size); fs.unwatchFile("w") }); setTimeout(() => fs.appendFileSync("w", "3"), 200)'; rm w

#### uses child processes, workers, clusters and IPC
cat > /tmp/ipc.mjs <<'E'
import { fork, spawn, execFileSync, spawnSync } from 'node:child_process'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
if (process.argv[2] === 'child') { process.on('message', (m) => { process.send({ echo: m }); process.disconnect() }) }
else {
  const c = fork(new URL(import.meta.url), ['child'])
  c.on('message', (m) => console.log('ipc', m))
  c.send('hi')
  c.on('exit', (code) => {
    console.log('exit', code, execFileSync('echo', ['sync']).toString().trim(), spawnSync('sh', ['-c', 'kill -9 $$']).signal)
    const w = new Worker('require("worker_threads").parentPort.postMessage(6 * 7)', { eval: true })
    w.on('message', (m) => console.log('worker', m))
    const cat = spawn('cat', { stdio: ['pipe', 'inherit', 'inherit'] })
    cat.stdin.end('through cat\n')
  })
}
E
node /tmp/ipc.mjs
# -- next command
node -e 'const c = require("cluster"), h = require("http"); if (c.isPrimary) { let n = 0; for (let i = 0; i < 2; i++) c.fork(); c.on("listening", () => { if (++n === 2) h.get("http://localhost:4601", (r) => { console.log(r.statusCode); for (const w of Object.values(c.workers)) w.kill() }) }) } else h.createServer((q, r) => r.end("x")).listen(4601)'

#### uses a module cache, a loader and environment files
printf 'A=from file\nB="two words"\n' > dev.vars; node --env-file=dev.vars -p 'process.env.A + process.env.B'; NODE_OPTIONS=--max-old-space-size=256 node -p 'require("v8").getHeapStatistics().heap_size_limit < 400e6'; echo 'console.log("first")' > pre.cjs; node -r ./pre.cjs -e 'console.log("then")'; NODE_ENV=test node -p process.env.NODE_ENV; node --title=x -p process.title; node -p 'process.argv.length' a b; rm pre.cjs dev.vars

#### crashes, exits and rejects with statuses
node -e 'process.exit(9)'; echo $?; node -e 'throw new Error("no")' 2>&1 | grep -c Error; node -e 'Promise.reject(new Error("r"))' 2>/dev/null; echo $?; node -e 'process.kill(process.pid, "SIGTERM")'; echo $?; node -e 'process.abort()' 2>/dev/null; echo $?; node -e 'process.exitCode = 4'; echo $?; node --bad-option; echo $?; timeout 1 node -e 'setInterval(() => {}, 1000)'; echo $?; node -e 'process.on("SIGINT", () => { console.log("int"); process.exit(0) }); setTimeout(() => process.kill(process.pid, "SIGINT"), 50); setTimeout(() => {}, 5000)'

#### streams, compresses and hashes files
node -e 'const fs=require("fs"),z=require("zlib"),{pipeline}=require("stream/promises");(async()=>{fs.writeFileSync("b","x".repeat(1e6));await pipeline(fs.createReadStream("b"),z.createGzip(),fs.createWriteStream("b.gz"));await pipeline(fs.createReadStream("b.gz"),z.createGunzip(),fs.createWriteStream("c"));console.log(require("crypto").createHash("sha256").update(fs.readFileSync("c")).digest("hex").slice(0,12))})()'; cmp b c && rm b b.gz c; cat package.json | node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>console.log(JSON.parse(s).name))'

#### makes and runs a command line tool with a shebang
cat > cli.mjs <<'E'
#!/usr/bin/env node
import { parseArgs } from 'node:util'
const { values, positionals } = parseArgs({ options: { verbose: { type: 'boolean', short: 'v' }, name: { type: 'string' } }, allowPositionals: true })
console.log(JSON.stringify({ ...values, positionals }))
process.stderr.write('done\n')
E
chmod +x cli.mjs && ./cli.mjs -v --name=x one two; ./cli.mjs --nope 2>&1 | grep -o "Unknown option '--nope'"; ln -s ../cli.mjs scripts/tool && scripts/tool a

#### tells the operating system's facts
node -p 'const os = require("os"); [os.platform(), os.homedir() === process.env.HOME, os.tmpdir(), os.cpus().length > 0, os.userInfo().username === process.env.USER, os.hostname().length > 0, os.totalmem() > 1e8, os.availableParallelism() > 0, Object.keys(os.networkInterfaces()).includes("lo")].join()'; nproc; node -p 'process.memoryUsage().rss > 1e6 && process.uptime() > 0 && process.getuid() === Number(require("child_process").execSync("id -u"))'

#### caches between commands in the home
npm config set fund false && npm config get fund && mkdir -p ~/.cache/tool && date +%s > ~/.cache/tool/stamp
# -- next command
test -s ~/.cache/tool/stamp && echo cached; npm config get fund; npm cache verify >/dev/null 2>&1; echo "status $?"; git status --short

#### edits JSON and code by node and sed, then checks the result
node -e 'const fs=require("fs");const p=JSON.parse(fs.readFileSync("package.json"));p.scripts.extra="node -e 1";fs.writeFileSync("package.json",JSON.stringify(p,null,2)+"\n")' && git diff --stat && npm run extra --silent && sed -i "s/'add/'sums/" test/sum.test.js; cat >> src/sum.js <<'E'

export const mean = (numbers) => sum(numbers) / numbers.length
E
node -e "import('./src/sum.js').then(m => console.log(m.mean([2, 4])))" && git diff -U0 src | tail -3

#### uses a unix socket and a pipe between processes
node -e 'const net=require("net");const s=net.createServer(c=>c.end("hello")).listen("/tmp/n.sock",()=>net.connect("/tmp/n.sock").on("data",d=>console.log(String(d))).on("end",()=>s.close()))'; node -e 'const s=require("http").createServer((q,r)=>r.end(q.url)).listen("./h.sock",()=>{require("child_process").exec("curl -s --unix-socket ./h.sock http://x/path",(e,o)=>{console.log(o);s.close()})})'; ls *.sock 2>/dev/null | wc -l

#### asks names and ports that are not there
node -e 'require("net").connect(4999, "127.0.0.1").on("error", e => console.log(e.code))'; node -e 'fetch("http://localhost:4998").catch(e => console.log(e.cause.code))'; node -e 'require("dns").lookup("localhost", (e, a) => console.log(e, ["127.0.0.1","::1"].includes(a)))'
