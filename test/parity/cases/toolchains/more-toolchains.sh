# Node, npm, Python, C and SQLite in long lines, as a person tries them.
# project: npm
# ignore: hashes times pids

#### runs a matrix of node one-liners
# needs: node
node -e 'console.log([..."héllo"].length, process.argv.length)' a b; node -p '1+1'; echo 'console.log("stdin")' | node; echo 'console.log("dash")' | node - x; node --input-type=module -e 'import fs from "fs"; console.log(fs.existsSync("package.json"))'; node -r ./scripts/check.js -e '0' 2>&1 | head -1; node nope.js 2>&1 | grep -o MODULE_NOT_FOUND | head -1; node -e 'process.exit(3)'; echo $?; node -e 'throw new Error("x")' 2>/dev/null; echo $?

#### installs and lists
# needs: npm
npm install --silent && npm ls --depth=0 | sed 's|@1.0.0 .*|@1.0.0|' && ls -la node_modules/greeter | grep -c '\->' && npx greet you && npm exec -- greet exec && node_modules/.bin/greet bin; npm root | sed 's|.*/||'; npm pkg get name version; npm pkg set description=hi && grep description package.json

#### npm ci, scripts and failing
# needs: npm
npm install --silent --package-lock-only && npm ci --silent && npm run; npm run fail --silent; echo "status $?"; npm run nope 2>&1 | head -2; npm test --silent 2>&1 | grep -E '^# (pass|fail)|(pass|fail) [0-9]'; npm run build && cat dist/bundle.js | head -1; npm pack --silent && tar -tzf app-1.0.0.tgz | sort | head -3; rm app-1.0.0.tgz

#### node watches, workers, streams and child processes
# needs: node
node -e 'const {Worker}=require("worker_threads"); new Worker("require(\"worker_threads\").parentPort.postMessage(42)",{eval:true}).on("message",(m)=>console.log(m))'; node -e 'require("child_process").exec("echo child; exit 2",(e,o)=>console.log(o.trim(),e.code))'; node -e 'const c=require("child_process").fork("./scripts/check.js"); c.on("exit",(x)=>console.log("exit",x))'; node -e 'const fs=require("fs"); fs.mkdtemp(require("os").tmpdir()+"/x-",(e,d)=>{fs.writeFileSync(d+"/f","1"); console.log(fs.readdirSync(d)); fs.rmSync(d,{recursive:true})})'; node -e 'const {pipeline}=require("stream/promises"),z=require("zlib"),fs=require("fs"); pipeline(fs.createReadStream("package.json"),z.createGzip(),fs.createWriteStream("p.gz")).then(()=>console.log(fs.statSync("p.gz").size>10))'; gunzip -c p.gz | head -1; rm p.gz; node -e 'console.log(require("os").cpus().length>0, require("os").hostname().length>0, require("os").userInfo().username.length>0)'

#### npm workspaces
# needs: npm
mkdir -p ws && cd ws && printf '{"name":"root","private":true,"workspaces":["pkgs/*"]}' > package.json && for p in a b; do mkdir -p pkgs/$p && printf '{"name":"%s","version":"1.0.0","main":"i.js","scripts":{"hi":"echo hi %s"}}' $p $p > pkgs/$p/package.json && echo "module.exports='$p'" > pkgs/$p/i.js; done && npm install --silent --no-audit --no-fund && npm run hi -ws --silent && node -p 'require("a")+require("b")' && npm ls -ws 2>/dev/null | grep -c '@1.0.0'; cd .. && rm -rf ws

#### serves and fetches by node alone
# needs: node
node -e '
const http=require("http"); const s=http.createServer((q,r)=>{ r.setHeader("x","1"); r.end(q.url) }).listen(0, async ()=>{ const u="http://127.0.0.1:"+s.address().port; const r=await fetch(u+"/a?b=1"); console.log(r.status, await r.text(), r.headers.get("x")); const n=await Promise.all([1,2,3].map((i)=>fetch(u+"/"+i).then((x)=>x.text()))); console.log(n.join()); s.close() })'

#### python one-liners, exit codes and stdin
# project: python
# needs: python3
python3 -c 'import sys; print(sys.argv)' a 'b c'; echo 'print(1+1)' | python3; python3 - x <<'P'
import sys; print(sys.argv)
P
python3 -c 'import sys; sys.exit(4)'; echo $?; python3 -c 'raise SystemExit("bye")'; echo $?; python3 -c '1/0' 2>&1 | tail -1; python3 -m calc.cli 1 2; python3 -m unittest -q 2>&1 | tail -1; python3 -m compileall -q calc; ls calc/__pycache__ | wc -l; rm -rf calc/__pycache__ tests/__pycache__; python3 -m json.tool <<< '{"a":[1,2]}'; python3 nope.py 2>&1 | grep -o 'No such file'

#### csv, sqlite, subprocess, threads and multiprocessing
# project: python
# needs: python3
python3 - <<'P'
import csv, sqlite3, subprocess, threading, multiprocessing as mp, tempfile, pathlib, concurrent.futures as cf
rows = list(csv.DictReader(open("data/scores.csv")))
print(sum(int(r["score"]) for r in rows))
db = sqlite3.connect("t.db"); db.execute("create table t(a)"); db.executemany("insert into t values(?)", [(i,) for i in range(5)]); db.commit(); print(db.execute("select sum(a) from t").fetchone())
print(subprocess.run(["wc", "-l", "data/scores.csv"], capture_output=True, text=True).stdout.strip())
print(subprocess.run("exit 3", shell=True).returncode)
def f(x): return x * x
with cf.ThreadPoolExecutor(3) as e: print(list(e.map(f, range(4))))
with mp.Pool(2) as p: print(p.map(f, range(4)))
with tempfile.TemporaryDirectory() as d: pathlib.Path(d, "x").write_text("hi"); print(sorted(x.name for x in pathlib.Path(d).iterdir()))
q = mp.Queue(); pr = mp.Process(target=q.put, args=("from child",)); pr.start(); print(q.get()); pr.join()
P
rm t.db

#### serves by python and asks with urllib
# project: python
# needs: python3
python3 - <<'P'
import http.server, threading, urllib.request, socketserver
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(self.path.encode())
    def log_message(self, *a): pass
s = socketserver.TCPServer(("127.0.0.1", 0), H); threading.Thread(target=s.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{s.server_address[1]}/x").read())
s.shutdown()
P

#### asyncio, signals and locale
# project: python
# needs: python3
python3 - <<'P'
import asyncio, signal, os, sys, locale, time
async def main():
    p = await asyncio.create_subprocess_exec("sh", "-c", "echo out; echo err >&2; exit 5", stdout=-1, stderr=-1)
    print(await p.communicate(), p.returncode)
    r, w = await asyncio.open_connection("127.0.0.1", srv.sockets[0].getsockname()[1]); w.write(b"ping\n"); print(await r.readline()); w.close()
async def serve():
    global srv
    async def h(r, w): w.write((await r.readline()).upper()); await w.drain(); w.close()
    srv = await asyncio.start_server(h, "127.0.0.1", 0); await main(); srv.close()
asyncio.run(serve())
signal.signal(signal.SIGUSR1, lambda *a: print("usr1")); os.kill(os.getpid(), signal.SIGUSR1)
print(sys.getfilesystemencoding(), sys.stdout.encoding, os.getcwd().endswith("app"), len(os.listdir(".")) > 2)
P

#### compiles, links and debugs C
# project: make
# needs: gcc
printf '#include <stdio.h>\nint main(int c,char**v){printf("%%d %%s\\n",c,v[1]);return c;}\n' > t.c && gcc -Wall -O2 -g t.c -o t && ./t a; echo "status $?"; gcc -c t.c && ar rcs libt.a t.o && nm libt.a | grep -c main; echo 'int f(void){return 7;}' > f.c && gcc -shared -fPIC f.c -o libf.so && echo 'int f(void);int main(void){return f();}' > g.c && gcc g.c -L. -lf -o g && LD_LIBRARY_PATH=. ./g; echo "status $?"; strip t && ./t b; gcc bad.c; echo "status $?"; echo 'int main(void){int*p=0;return *p;}' > s.c && gcc s.c -o s && ./s; echo "status $?"; rm -f t t.c t.o libt.a f.c libf.so g g.c s s.c

#### sqlite and other tools
# project: sqlite
# needs: sqlite3
sqlite3 t.db 'create table a(x,y); insert into a values(1,2),(3,4);' && sqlite3 -header -csv t.db 'select * from a' && sqlite3 t.db .schema && echo 'select count(*) from a;' | sqlite3 t.db && sqlite3 t.db '.mode json' 'select * from a'; sqlite3 t.db 'select * from nope'; echo "status $?"; sqlite3 t.db .dump | wc -l; rm t.db
