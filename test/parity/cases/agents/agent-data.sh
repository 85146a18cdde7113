# Databases, formats and long days of work in one script.
# project: sqlite
# ignore: times ports

#### loads, queries and exports by sqlite3
# needs: sqlite3
sqlite3 app.db < schema.sql && sqlite3 app.db '.mode csv' '.import --skip 1 users.csv users' && sqlite3 -header -column app.db 'select name, age from users order by age'; sqlite3 -json app.db 'select count(*) n, avg(age) a from users'; sqlite3 app.db '.schema users'; sqlite3 app.db .dump | tail -2; sqlite3 app.db 'select nothing'; echo "status $?"; sqlite3 app.db "insert into users values(1,'x',1)"; echo "status $?"; sqlite3 :memory: 'select sqlite_version() > "3"'; sqlite3 app.db '.backup copy.db' && cmp <(sqlite3 app.db .dump) <(sqlite3 copy.db .dump) && echo equal; sqlite3 -csv app.db 'select * from users' > out.csv; cat out.csv; rm app.db copy.db

#### migrates in transactions and rolls back
# needs: sqlite3
sqlite3 app.db < schema.sql; for m in migrations/*.sql; do (echo 'BEGIN;'; cat "$m"; echo 'COMMIT;') | sqlite3 -bail app.db && echo "applied ${m##*/}"; done; sqlite3 app.db <<'E'
PRAGMA journal_mode=WAL;
BEGIN; INSERT INTO users(name, age) VALUES('x', 1); ROLLBACK;
BEGIN; INSERT INTO users(name, age) VALUES('y', 2); COMMIT;
SELECT count(*) FROM users;
.tables
E
ls
# -- next command
sqlite3 app.db 'pragma integrity_check; select name from users; pragma table_info(users)' && sqlite3 app.db 'vacuum' && sqlite3 app.db '.indexes'; rm -f app.db*

#### writes from two processes at once
# needs: sqlite3
sqlite3 c.db 'create table t(x)'; for i in 1 2 3 4; do (for j in 1 2 3 4 5; do sqlite3 -cmd '.timeout 5000' c.db "insert into t values($i$j)"; done) & done; wait; sqlite3 c.db 'select count(*), sum(x) from t'; rm c.db

#### keeps state between commands in the home, in /tmp and in the project
# needs: sqlite3
mkdir -p ~/.local/share/tool && sqlite3 ~/.local/share/tool/s.db 'create table t(x); insert into t values(1)'; sqlite3 /tmp/s.db 'create table t(x); insert into t values(2)'; echo 3 > state
# -- next command
sqlite3 ~/.local/share/tool/s.db 'select x from t'; sqlite3 /tmp/s.db 'select x from t'; cat state; sqlite3 ~/.local/share/tool/s.db 'insert into t values(4)'
# -- next command
sqlite3 ~/.local/share/tool/s.db 'select sum(x) from t'; rm -r ~/.local/share/tool /tmp/s.db; ls ~/.local/share/tool /tmp/s.db 2>&1 | wc -l

#### converts CSV, JSON, YAML, XML and INI
# needs: jq xmllint
jq -Rsn '[inputs | split("\n")[] | select(. != "") | split(",")] | .[1:] | map({id: .[0]|tonumber, name: .[1]})' -c < users.csv 2>/dev/null; jq -Rs 'split("\n")[1:-1] | map(split(",")) | map({name: .[1], age: (.[2]|tonumber)})' -c users.csv; jq -r '.[] | [.name, .age] | @tsv' <<< '[{"name":"a","age":1}]'; echo '<r><a n="1">x</a><a n="2">y</a></r>' > d.xml; xmllint --xpath 'string(//a[@n="2"])' d.xml; echo; xmllint --format d.xml | wc -l; xmllint --noout <(echo '<a>') ; echo "status $?"; python3 -c 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open("users.csv"))))[:40])'; python3 -c 'import configparser, io; c = configparser.ConfigParser(); c.read_string("[a]\nb=1"); print(c["a"]["b"])'; python3 -c 'import tomllib; print(tomllib.loads("a = [1, 2]")["a"])'; rm d.xml

#### runs a redis server and talks to it
# needs: redis-server redis-cli
redis-server --port 6390 --save '' --dir /tmp --daemonize no >/dev/null 2>&1 & p=$!; for i in $(seq 50); do redis-cli -p 6390 ping >/dev/null 2>&1 && break; sleep 0.1; done; redis-cli -p 6390 set a 1; redis-cli -p 6390 incr a; redis-cli -p 6390 --raw lrange none 0 -1; printf 'rpush l x y\nllen l\n' | redis-cli -p 6390; kill $p; wait $p; redis-cli -p 6390 ping 2>&1 | cut -c1-32

#### queues work in files and takes it by workers
mkdir -p q/todo q/done; for i in 1 2 3 4 5 6; do echo "job $i" > q/todo/$i; done; worker() { for f in q/todo/*; do mv "$f" "q/$1.${f##*/}" 2>/dev/null || continue; sed "s/job/done/" "q/$1.${f##*/}" > "q/done/${f##*/}"; rm "q/$1.${f##*/}"; done; }; worker a & worker b & wait; cat q/done/* | sort; ls -A q

#### benchmarks and profiles quickly
{ time -p true; } 2>&1 | awk '{ print $1 }'; { time sleep 0.1; } 2>&1 | grep -c real; TIMEFORMAT=%R; { time true; } 2>&1 | grep -cE '^0'; /usr/bin/time -f '%e %M' true 2>&1 | grep -cE '^[0-9.]+ [0-9]+$'; perf stat true >/dev/null 2>&1; echo "perf $?" | grep -c perf; python3 -m cProfile -s time -c 'sum(range(1000))' 2>/dev/null | head -1 | wc -l; node --cpu-prof --cpu-prof-dir=/tmp/prof -e 1 && ls /tmp/prof | wc -l; ab -V 2>/dev/null | head -1 | cut -d, -f1

#### has a long session in one script
set -e
mkdir -p pkg/{api,web}; cat > pkg/api/users.py <<'E'
import csv, pathlib
def load(path='users.csv'):
    with open(path) as f:
        return [row['name'] for row in csv.DictReader(f)]
E
touch pkg/__init__.py pkg/api/__init__.py
cat > test_users.py <<'E'
import unittest
from pkg.api.users import load
class T(unittest.TestCase):
    def test_load(self): self.assertEqual(load()[0], 'ada')
unittest.main(verbosity=0)
E
PYTHONDONTWRITEBYTECODE=1 python3 test_users.py 2>&1 | tail -1
git init -q; git add -A; git commit -qm 'Add users'; git log --format='%an %s'
sed -i "s/'ada'/'bob'/" test_users.py; PYTHONDONTWRITEBYTECODE=1 python3 test_users.py >/dev/null 2>&1 || echo "fails with $?"
git diff --stat; git checkout -q test_users.py; git status --short | wc -l
# -- next command
grep -rn "def " pkg | wc -l; find pkg -name '*.py' | xargs wc -l | tail -1; tar czf /tmp/pkg.tgz pkg && tar tzf /tmp/pkg.tgz | wc -l; git tag v1 && git describe --tags

#### writes with xargs, tee, sponge and redirections of every kind
# needs: sponge ts
sort -r users.csv | sponge users.csv && cat users.csv; echo x | tee a b | tee -a a >/dev/null; cat a b; seq 3 | xargs -I{} sh -c 'echo {} >> c'; cat c; { echo 1; echo 2 >&2; } > both 2>&1; cat both; echo append >> both; : > a; cat a; echo e 2>/dev/null >&2; cat < c > d; cmp c d; (echo sub; exit 2) > s || echo "sub failed $?"; cat s; exec > >(tee log) 2>&1; echo logged; exec >&-; wait; true
# -- next command
cat log; echo hi | ts '%Y' | cut -c5-; vidir --help >/dev/null 2>&1; isutf8 users.csv; rm a b c d s both log

#### waits, polls and retries with background servers
for i in 1 2; do (python3 -m http.server $((8800 + i)) --bind 127.0.0.1 >/dev/null 2>&1 & echo $! > /tmp/s$i.pid); done; for i in 1 2; do for n in $(seq 50); do curl -sf http://localhost:$((8800 + i))/users.csv -o got$i && break; sleep 0.1; done; head -1 got$i; done; kill $(cat /tmp/s1.pid /tmp/s2.pid); sleep 0.3; curl -s localhost:8801; echo "status $?"; curl -s --retry 2 --retry-delay 0 --retry-connrefused localhost:8802 -o /dev/null; echo "status $?"; rm got*

#### uploads, downloads and posts to its own server
cat > srv.py <<'E'
import http.server, json
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        b = self.rfile.read(int(self.headers['content-length']))
        self.send_response(201); self.end_headers(); self.wfile.write(json.dumps({'n': len(b), 'ct': self.headers['content-type'].split(';')[0]}).encode())
    def do_GET(self):
        if self.path == '/r': self.send_response(302); self.send_header('location', '/x'); self.end_headers(); return
        self.send_response(200); self.send_header('content-type', 'text/plain'); self.end_headers(); self.wfile.write(self.path.encode())
    do_PUT = do_POST
    def log_message(self, *a): pass
http.server.ThreadingHTTPServer.handle_error = lambda *a: None
http.server.ThreadingHTTPServer(('127.0.0.1', 8850), H).serve_forever()
E
python3 srv.py & p=$!; for n in $(seq 50); do curl -s localhost:8850 -o /dev/null && break; sleep 0.1; done
curl -s -F file=@users.csv localhost:8850 | jq -c .ct; curl -s -T users.csv localhost:8850/up | jq -c .n; curl -s --data-binary @users.csv localhost:8850 | jq -c .; curl -s -L localhost:8850/r; echo; curl -s -D - -o /dev/null localhost:8850 | head -1 | tr -d '\r'; curl -s -o out.txt -w '%{http_code} %{content_type} %{size_download}\n' localhost:8850/abc; cat out.txt; echo; wget -qO- http://localhost:8850/w; echo; curl -s localhost:8850/{a,b}; echo; curl -s -H "X-A: b" http://127.0.0.1:8850/h; echo; kill $p; wait $p 2>/dev/null; rm out.txt srv.py

#### writes to a log in one process while another follows it
(for i in 1 2 3 4; do echo "line $i" >> app.log; sleep 0.1; done; echo END >> app.log) & sed '/END/q' <(timeout 10 tail -n +1 -F --pid=$! app.log 2>/dev/null); wait; wc -l < app.log; rm app.log

#### prints colours, progress and wide characters
printf '\033[31mred\033[0m\n'; for i in 25 50 100; do printf '\r%3d%%' $i; done; echo; printf '%-10s|\n' 日本; tput colors 2>/dev/null; echo $TERM; ls --color=always -d . | od -c | head -1; grep --color=always a users.csv | head -1 | od -c | head -1; stty size 2>&1; test -t 1; echo $?; [ -t 0 ]; echo $?; tty; python3 -c 'import os, sys; print(sys.stdout.isatty(), os.get_terminal_size(0))' 2>&1 | tail -1; less users.csv | head -1; more users.csv | head -1; clear 2>/dev/null | wc -c | grep -c .; man -f ls >/dev/null 2>&1; watch --version | cut -c1-5; column -t -s, users.csv
