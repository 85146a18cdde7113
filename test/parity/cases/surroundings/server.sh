# Servers and clients: localhost, unix sockets, background processes.
# project: npm
# ignore: times pids

#### serves files by Python and fetches one
# subset: yes
# needs: python3 curl
python3 -m http.server 8077 --bind 127.0.0.1 >/dev/null 2>&1 &
server=$!
for i in $(seq 1 50); do curl -s -o /dev/null localhost:8077/ && break; sleep 0.1; done
curl -s localhost:8077/package.json | head -3
curl -s -o /dev/null -w '%{http_code}\n' http://127.0.0.1:8077/nothing
kill $server

#### starts the app, tries its interface and stops it
# subset: yes
# needs: node curl pkill
PORT=3456 npm start --silent > server.log 2>&1 &
for i in $(seq 1 100); do curl -sf http://localhost:3456/health >/dev/null && break; sleep 0.1; done
curl -s http://localhost:3456/health
curl -s -X POST -H 'content-type: application/json' -d '{"title":"ship it"}' http://localhost:3456/todos; echo
curl -s http://localhost:3456/todos; echo
curl -si http://localhost:3456/missing | head -1
kill %1; pkill -f src/server.js; wait 2>/dev/null
cat server.log

#### asks a server by wget
# needs: node wget
node src/server.js > server.log & sleep 1
wget -qO- http://127.0.0.1:3000/todos; echo; wget -q http://localhost:3000/missing; echo "status $?"; kill $!

#### asks a server by node
# needs: node
node src/server.js > server.log &
node -e '
const wait = async () => { for (;;) { try { return await fetch("http://127.0.0.1:3000/health") } catch { await new Promise((r) => setTimeout(r, 50)) } } }
wait().then(async (r) => { console.log(r.status, await r.text()); console.log(await (await fetch("http://localhost:3000/todos")).json()) })'
kill $!

#### asks a server by Python
# needs: python3 node
node src/server.js > server.log & 
python3 - <<'PY'
import json, time, urllib.request
for _ in range(100):
    try:
        print(json.load(urllib.request.urlopen("http://localhost:3000/todos")))
        break
    except OSError:
        time.sleep(0.05)
PY
kill $!

#### finds nothing listening
# subset: yes
# needs: curl
curl -sS http://localhost:9/ ; echo "status $?"; curl -sS http://127.0.0.1:5999/x; echo "status $?"; (exec 3<>/dev/tcp/127.0.0.1/6553) 2>/dev/null || echo refused

#### waits for a port by bash alone
# needs: node
node src/server.js > server.log & for i in $(seq 1 100); do (exec 3<>/dev/tcp/127.0.0.1/3000) 2>/dev/null && echo open && break; sleep 0.05; done; exec 3<>/dev/tcp/localhost/3000; printf 'GET /health HTTP/1.0\r\n\r\n' >&3; tail -1 <&3; kill %1

#### refuses a port that is taken
# needs: node
node src/server.js > server.log & sleep 1; node src/server.js 2>&1 | grep -o EADDRINUSE | head -1; kill %1

#### listens on all addresses and on IPv6
# needs: node
node -e '
const { createServer } = require("net")
const serve = (host, family) => new Promise((done) => { const s = createServer((c) => c.end("hi " + family)).listen(0, host, () => require("net").connect(s.address().port, family === 6 ? "::1" : "127.0.0.1").on("data", (d) => { console.log(String(d)); s.close(done) }).on("error", (e) => { console.log(e.code); s.close(done) })).on("error", (e) => { console.log(e.code); done() }) })
serve("0.0.0.0", 4).then(() => serve("::1", 6)).then(() => serve("::", 6))'

#### resolves localhost
# subset: yes
# needs: node
getent hosts localhost | awk '{ print $2 }'; node -e 'require("dns").lookup("localhost", { all: true }, (e, a) => console.log(e?.code, a?.some((x) => x.address.endsWith("1"))))'; grep -c localhost /etc/hosts | grep -c .; cat /etc/hosts | head -1

#### serves on a unix socket in the project
# subset: yes
# needs: node curl
node -e 'require("http").createServer((q, r) => r.end("by socket\n")).listen("./app.sock", () => console.log("listening"))' &
for i in $(seq 1 100); do [ -S app.sock ] && break; sleep 0.05; done
curl -s --unix-socket app.sock http://localhost/; stat -c %F app.sock; kill %1; wait 2>/dev/null; rm -f app.sock

#### serves on a unix socket in /tmp
# needs: python3
python3 - <<'PY'
import os, socket, threading
path = "/tmp/parity.sock"
server = socket.socket(socket.AF_UNIX)
server.bind(path); server.listen()
def serve():
    c, _ = server.accept(); c.sendall(c.recv(9).upper()); c.close()
threading.Thread(target=serve).start()
client = socket.socket(socket.AF_UNIX); client.connect(path); client.sendall(b"hello"); print(client.recv(9)); os.unlink(path)
PY

#### talks over datagrams and abstract sockets
# needs: python3
python3 - <<'PY'
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); a.bind(("127.0.0.1", 0))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); b.sendto(b"datagram", a.getsockname()); print(a.recv(20))
s = socket.socket(socket.AF_UNIX); s.bind("\0parity-abstract"); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect("\0parity-abstract"); print("abstract")
d = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); d.bind("d.sock"); e = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); e.sendto(b"unix", "d.sock"); print(d.recv(9))
PY
rm -f d.sock

#### serves JSON by Python with threads
# needs: python3 curl
cat > api.py <<'PY'
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = json.dumps({"sum": sum(body["numbers"])}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass

ThreadingHTTPServer(("127.0.0.1", 8099), Handler).serve_forever()
PY
python3 api.py & pid=$!
curl -s --retry 20 --retry-connrefused --retry-delay 0 --retry-max-time 10 -d '{"numbers":[1,2,3]}' http://127.0.0.1:8099/; echo
kill $pid; rm api.py

#### downloads from localhost to a file
# needs: python3 curl
seq 1 50000 > served.txt; python3 -m http.server 8078 --bind 127.0.0.1 >/dev/null 2>&1 & curl -sS --retry 50 --retry-connrefused --retry-delay 0 --retry-max-time 10 -o got.txt http://localhost:8078/served.txt && cmp served.txt got.txt && echo equal; curl -sfO http://localhost:8078/missing.txt; echo "status $?"; kill %1

#### follows redirects and sends headers
# needs: node curl
node -e '
require("http").createServer((q, r) => q.url === "/old" ? r.writeHead(302, { location: "/new" }).end() : r.end(`${q.method} ${q.url} ${q.headers["x-test"] ?? "-"} ${q.headers["user-agent"].split("/")[0]}\n`)).listen(3111, () => console.log("up"))' & sleep 0.7
curl -sL -H 'X-Test: yes' localhost:3111/old; curl -s -o /dev/null -w '%{http_code} %{redirect_url}\n' http://localhost:3111/old; curl -s -u user:pass http://localhost:3111/auth; curl -s -G --data-urlencode 'q=a b' localhost:3111/find; kill %1

#### runs the tests against a server it starts
# subset: yes
# needs: node
cat > test/server.test.js <<'JS'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

test('serves health', async () => {
  const server = spawn(process.execPath, ['src/server.js'], { env: { ...process.env, PORT: '3999' } })
  await once(server.stdout, 'data')
  const response = await fetch('http://localhost:3999/health')
  assert.equal(await response.text(), 'ok\n')
  server.kill()
  await once(server, 'exit')
})
JS
node --test --test-reporter=tap test/ | grep -E '^# (tests|pass|fail)'

#### runs a static check and then the server in one script
# needs: node curl
set -e
node --check src/server.js
trap 'kill $(jobs -p) 2>/dev/null' EXIT
node src/server.js &
sleep 0.8
test "$(curl -s localhost:3000/health)" = ok && echo PASS

#### proxies a WebSocket-like upgrade
# needs: node
node -e '
const http = require("http"), net = require("net")
const s = http.createServer().on("upgrade", (q, socket) => { socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"); socket.on("data", (d) => { socket.end(String(d).toUpperCase()) }) })
s.listen(0, () => { const c = http.request({ port: s.address().port, headers: { Connection: "Upgrade", Upgrade: "x" } }); c.end(); c.on("upgrade", (r, socket) => { socket.write("ping"); socket.on("data", (d) => { console.log(r.statusCode, String(d)); s.close() }) }) })'

#### lists its listening sockets
# needs: ss node
node src/server.js > server.log & sleep 0.8; ss -ltn | grep -c ':3000'; kill %1

#### looks for a process on a port and stops it
# needs: node
node src/server.js > server.log & sleep 0.8; grep -c ":0BB8" /proc/net/tcp | head -1; pkill -fx 'node src/server.js'; wait 2>/dev/null; (exec 3<>/dev/tcp/127.0.0.1/3000) 2>/dev/null || echo closed

#### tells that a server ends with its command
# needs: node
# expect: both note /left|ended|stopped|still running|background/
node src/server.js > server.log 2>&1 & sleep 0.7; echo started
