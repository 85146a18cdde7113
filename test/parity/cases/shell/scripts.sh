# Python, databases, make and longer shell scripts as agents write them.
# project: python
# needs: python3
# ignore: times temp

#### makes a virtual environment with pip and installs a local path
# needs: python3:venv python3:ensurepip
python3 -m venv .venv && . .venv/bin/activate && pip --version | cut -d' ' -f1 && pip list --format=freeze --disable-pip-version-check | cut -d= -f1 | head -1; which python | sed 's|.*/app/||'; python -m pip install --disable-pip-version-check -q --no-index ./nowhere 2>&1 | tail -1; deactivate; which python3 | grep -c venv

#### runs unittest in many ways
python3 -m unittest discover -s tests -q 2>&1 | tail -1; python3 -m unittest tests.test_core.TestCore.test_add 2>&1 | tail -1; python3 -m unittest -k divide -v 2>&1 | head -1; python3 -m unittest tests.nope; echo "status $?"; python3 -m doctest calc/core.py && echo doctest; python3 -W error -c 'import calc'; python3 -m pytest --version >/dev/null 2>&1; echo "has pytest: $(( $? == 0 ))"; python3 -m trace --count --summary -C /tmp/trace calc/cli.py 2>&1 | tail -1 | cut -c1-5; PYTHONPATH=. python3 tests/test_core.py; echo "status $?"

#### keeps a database
python3 - <<'P'
import sqlite3
db = sqlite3.connect("app.db"); db.execute("pragma journal_mode=wal"); db.execute("create table t(a integer primary key, b text)")
with db: db.executemany("insert into t(b) values (?)", [("x",), ("ÿ",), (None,)])
try:
    with db: db.execute("insert into t values (1, 'dup')")
except sqlite3.IntegrityError as e: print(e)
print(db.execute("select count(*), max(b) from t").fetchone()); db.backup(sqlite3.connect("copy.db"))
other = sqlite3.connect("app.db", timeout=0.1); db.execute("begin immediate")
try: other.execute("begin immediate")
except sqlite3.OperationalError as e: print(e)
db.rollback(); db.close()
P
python3 -c "import sqlite3; print(sqlite3.connect('copy.db').execute('select b from t order by a').fetchall())"; rm -f app.db* copy.db

#### queries by sqlite3
# needs: sqlite3
sqlite3 d.db "create table s(n text, t text, v int)" && sqlite3 d.db -cmd '.mode csv' '.import --skip 1 data/scores.csv s' && sqlite3 -header -column d.db 'select t, avg(v) a from s group by t order by t' && sqlite3 -json d.db 'select n from s limit 1' && sqlite3 d.db .schema && sqlite3 d.db <<'S'
.mode markdown
with r as (select *, rank() over (partition by t order by v desc) k from s) select n, t from r where k = 1;
update s set v = v + 1 where t = 'red'; select changes();
.output dump.txt
.dump
S
wc -l < dump.txt; sqlite3 d.db 'selec 1'; echo "status $?"; echo 'select 1;select 2' | sqlite3; sqlite3 :memory: 'select json_extract(:x, 1)' 2>&1 | head -1; sqlite3 d.db '.tables' 'pragma integrity_check' 'vacuum'; rm d.db dump.txt

#### parses arguments, logs and exits
cat > cli.py <<'P'
#!/usr/bin/env python3
import argparse, logging, os, sys
p = argparse.ArgumentParser(prog="cli"); p.add_argument("--n", type=int, default=1); p.add_argument("file", nargs="?")
a = p.parse_args(); logging.basicConfig(level=os.environ.get("LEVEL", "INFO"), format="%(levelname)s %(message)s")
logging.info("n is %d", a.n); logging.debug("quiet"); sys.exit(a.n if a.n != 1 else 0)
P
python3 cli.py; echo "status $?"; LEVEL=DEBUG python3 cli.py --n 3; echo "status $?"; python3 cli.py --bad; echo "status $?"; python3 cli.py -h; python3 cli.py --n x; echo "status $?"; chmod +x cli.py; ./cli.py; echo "status $?"; rm cli.py

#### edits many files by a script
python3 - <<'P'
import pathlib, re
for path in sorted(pathlib.Path(".").rglob("*.py")):
    text = path.read_text(); new = re.sub(r"\bdivide\b", "div", text)
    if new != text: path.write_text(new); print(path)
P
git diff --stat; python3 -m unittest 2>&1 | tail -1; git stash -q; git stash show --stat | tail -1; git stash pop -q; grep -rn 'div\b' --include='*.py' . | wc -l

#### reads and writes formats
python3 -c '
import csv, json, configparser, tomllib, xml.etree.ElementTree as E, zipfile, tarfile, gzip, base64, hashlib, io
print(tomllib.load(open("pyproject.toml", "rb"))["project"]); c = configparser.ConfigParser(); c["a"] = {"b": "1"}; c.write(open("x.ini", "w"))
print(E.tostring(E.fromstring("<a><b c=\"1\"/></a>"))); zipfile.ZipFile("x.zip", "w").write("pyproject.toml"); print(zipfile.ZipFile("x.zip").namelist())
gzip.open("x.gz", "wt").write("hi"); print(gzip.open("x.gz", "rt").read()); tarfile.open("x.tar", "w").add("calc/core.py"); print(tarfile.open("x.tar").getnames(), hashlib.md5(b"x").hexdigest())
w = csv.writer(open("x.csv", "w", newline="")); w.writerow([1, "a,b", "q\"q"]); json.dump({"k": [1, None, 1.5]}, open("x.json", "w"), indent=1)'; cat x.ini x.csv x.json; echo; python3 -m json.tool x.json >/dev/null && python3 -m zipfile -l x.zip | wc -l; python3 -m tarfile -l x.tar; python3 -m base64 -e x.csv; rm x.*

#### runs a server with its test client
cat > srv.py <<'P'
import http.server, json, socketserver, threading, urllib.request, urllib.error
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/" else 404); self.end_headers(); self.wfile.write(json.dumps({"p": self.path}).encode())
    def log_message(self, *a): pass
with socketserver.TCPServer(("127.0.0.1", 0), H) as s:
    threading.Thread(target=s.serve_forever, daemon=True).start(); u = f"http://localhost:{s.server_address[1]}"
    print(json.load(urllib.request.urlopen(u + "/")))
    try: urllib.request.urlopen(u + "/x")
    except urllib.error.HTTPError as e: print(e.code, e.read())
    s.shutdown()
P
python3 srv.py; rm srv.py

#### serves a directory and downloads it
# needs: curl wget
mkdir -p site/sub && echo '<a href="sub/p.html">p</a>' > site/index.html && echo page > site/sub/p.html; python3 -m http.server 8765 -d site --bind 127.0.0.1 >/tmp/s.log 2>&1 & until curl -s -o /dev/null http://127.0.0.1:8765/; do sleep 0.1; done; curl -s http://localhost:8765/sub/p.html; curl -sf http://localhost:8765/nope; echo "status $?"; wget -q -r -nH -P copy http://localhost:8765/ ; find copy -type f | sort; wget -q -O- localhost:8765/sub/p.html; wget --spider -q http://localhost:8765/nope; echo "status $?"; curl -s -w '%{http_code}\n' -o /dev/null http://127.0.0.1:8765/; grep -c GET /tmp/s.log | grep -c .; kill %1; rm -rf site copy

#### uses processes, queues and shared state
cat > mp.py <<'P'
import multiprocessing as mp, os, signal, time
from concurrent.futures import ProcessPoolExecutor, as_completed
def f(x): return x * x
def worker(q, e):
    e.wait(); q.put(os.getpid() != os.getppid())
if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        c = mp.get_context(method); q, e = c.Queue(), c.Event(); p = c.Process(target=worker, args=(q, e)); p.start(); e.set(); print(method, q.get()); p.join()
    with ProcessPoolExecutor(2) as x: print(sorted(r.result() for r in as_completed([x.submit(f, i) for i in range(5)])))
    a, b = mp.Pipe(); b.send([1]); print(a.recv()); arr = mp.Array("i", 3); arr[1] = 5; print(list(arr)); s = mp.Semaphore(1); print(s.acquire(False), s.acquire(False))
    p = mp.Process(target=time.sleep, args=(9,)); p.start(); p.terminate(); p.join(); print(p.exitcode == -signal.SIGTERM)
P
python3 mp.py; rm mp.py

#### makes files of odd kinds by Python
python3 - <<'P'
import os, stat, socket, mmap, fcntl, shutil, pathlib, glob
os.mkfifo("f"); print(stat.S_ISFIFO(os.stat("f").st_mode)); os.unlink("f")
s = socket.socket(socket.AF_UNIX); s.bind("s.sock"); print(stat.S_ISSOCK(os.stat("s.sock").st_mode)); os.unlink("s.sock")
with open("m", "w+b") as f: f.write(b"0" * 4096); f.flush(); m = mmap.mmap(f.fileno(), 0); m[:3] = b"abc"; m.flush(); f.seek(0); print(f.read(4))
os.unlink("m"); os.symlink("pyproject.toml", "l"); print(os.path.realpath("l").endswith("pyproject.toml")); os.unlink("l")
os.makedirs("a/b"); pathlib.Path("a/b/c").touch(mode=0o640); print(oct(os.stat("a/b/c").st_mode)); shutil.copytree("a", "d"); shutil.make_archive("z", "zip", "d"); print(sorted(glob.glob("**/c", recursive=True)))
shutil.rmtree("a"); shutil.rmtree("d"); os.unlink("z.zip"); print(shutil.which("bash") is not None, shutil.disk_usage(".").total > 0, os.getloadavg()[0] >= 0)
r, w = os.pipe(); pid = os.fork()
if pid == 0: os.write(w, b"child"); os._exit(7)
print(os.read(r, 9), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), os.get_inheritable(r)); os.setxattr("pyproject.toml", "user.x", b"1") if hasattr(os, "setxattr") and False else None
print(os.access("/etc", os.R_OK), os.path.expanduser("~") == os.environ["HOME"], os.umask(0o22))
P

#### prints a traceback with a cause
python3 -c '
try:
    {}["k"]
except KeyError as e:
    raise ValueError("bad") from e'; echo "status $?"; python3 -c 'import sys; sys.exit("a message")'; echo "status $?"; python3 -c 'import os; os.abort()'; echo "status $?"; python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'; echo "status $?"; python3 -c 'raise SystemExit(300)'; echo "status $?"; python3 nope.py; echo "status $?"; python3 -m nope; echo "status $?"; python3 -c 'import nope_module'; echo "status $?"; python3 -c 'print("x"' ; echo "status $?"; python3 -X faulthandler -c 'import ctypes; ctypes.string_at(0)' 2>/dev/null; echo "status $?"; python3 -c 'import time; time.sleep(9)' & sleep 0.3; kill -INT $!; wait $!; echo "status $?"; yes | python3 -c 'print(input())'; python3 -c 'print("a\n" * 100000)' | head -1

#### builds a package
# needs: python3:setuptools
python3 - <<'P' 2>&1 | tail -1
import setuptools.build_meta as b, os
os.makedirs("dist", exist_ok=True); print(sorted([b.build_wheel("dist").split("-")[0]]))
P
ls dist | head -1; rm -rf dist build *.egg-info

#### runs make with its options
# project: make
# needs: make gcc
make -n | head -2; make -j4 2>&1 | sort | tail -2; make; make -q; echo "status $?"; make -B CFLAGS=-Iinclude 2>&1 | wc -l; make test; make -s broken; echo "status $?"; make -k broken test; echo "status $?"; make nope; echo "status $?"; make -C . -f Makefile --no-print-directory clean; make -p 2>/dev/null | grep -c '^all:'; printf 'x:\n    echo spaces\n' > bad.mk; make -f bad.mk; echo "status $?"; printf 'all: ; @echo $(shell pwd | wc -l) $(words a b) $(V)\n' | make -f - V=3; MAKEFLAGS=-s make build/greet | wc -l; touch src/main.c && make | wc -l; rm bad.mk

#### configures and builds by CMake
# project: cmake
# needs: cmake make gcc
cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/tmp/c.log && cmake --build build -j2 2>&1 | grep -c Built; (cd build && ctest --output-on-failure | grep -c 'Passed'); cmake --install build --prefix out >/dev/null && out/bin/area; grep -c '"file"' build/compile_commands.json; cmake --build build --target nope >/dev/null 2>&1; echo "status $?"; sed -i 's/width \* height/width + height/' src/area.c && cmake --build build >/dev/null && ctest --test-dir build 2>&1 | grep -c 'Failed'; cmake --build build --target clean; ls build | head -2; rm -rf build out; cmake -P /dev/stdin <<< 'message(STATUS "script")' 2>/dev/null; cmake --version | head -1 | cut -d' ' -f1

#### checks, builds and tests a crate
# project: rust
# needs: cargo
export CARGO_TERM_COLOR=never; cargo check --offline -q 2>&1 | tail -1; cargo test --offline -q 2>&1 | grep -c '^test result: ok'; echo 'a b c' | cargo run --offline -q; cargo tree --offline | sed 's/(.*//'; cargo metadata --offline --format-version 1 --no-deps | head -c 12; echo; sed -i 's/words::split(text).len()/words::split(text).len() as u8/' src/lib.rs; cargo build --offline -q 2>/dev/null; echo "status $?"; git init -q && git add -A && git status --short | grep -c target; cargo fmt --version >/dev/null 2>&1; rustc --version | cut -d' ' -f1; cargo new --offline -q extra --vcs none 2>/dev/null; ls extra; rm -rf target

#### starts a script of many parts
# project: files
cat > count-files.sh <<'S'
#!/usr/bin/env bash
set -Eeuo pipefail
IFS=$'\n\t'
readonly ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
log() { printf '[%s] %s\n' "$1" "${*:2}" >&2; }
die() { log ERROR "$@"; exit 1; }
trap 'log TRACE "line $LINENO"' ERR
tmp="$(mktemp -d)"; trap 'rm -rf "$tmp"' EXIT
usage() { cat <<U
Usage: $(basename "$0") [-v] [-o FILE] DIR
U
}
verbose=0
while getopts ':vh' o; do case $o in v) verbose=1 ;; h) usage; exit 0 ;; \?) die "unknown -$OPTARG" ;; esac; done
shift $((OPTIND - 1)); [ $# -eq 1 ] || { usage >&2; exit 64; }
[[ -d $1 ]] || die "no directory: $1"
mapfile -t files < <(find "$1" -type f | sort)
(( verbose )) && log INFO "${#files[@]} files"
for f in "${files[@]}"; do sha1sum < "$f" | cut -c1-4; done > "$tmp/sums"
wc -l < "$tmp/sums"
S
chmod +x count-files.sh; ./count-files.sh; echo "status $?"; ./count-files.sh -v docs; ./count-files.sh src > n.txt && cat n.txt; ./count-files.sh nope; echo "status $?"; ./count-files.sh -x .; echo "status $?"; bash -x ./count-files.sh -h 2>&1 | tail -2; rm count-files.sh n.txt

#### retries until it works
# project: files
n=0; until [ -f /tmp/flag ]; do n=$((n + 1)); [ $n -ge 3 ] && touch /tmp/flag; sleep 0.05; done; echo "tries $n"; rm /tmp/flag; for i in {1..3}; do false && break || echo "try $i failed"; done; retry() { local n=$1; shift; for ((i = 0; i < n; i++)); do "$@" && return; done; return 1; }; retry 2 test -f nope; echo "status $?"; timeout 2 bash -c 'until grep -q done /tmp/x 2>/dev/null; do sleep 0.1; done' & sleep 0.3; echo done > /tmp/x; wait $!; echo "status $?"; rm /tmp/x

#### shows progress, colours and tables
# project: files
for i in 1 2 3; do printf '\r[%-3s] %d%%' "$(printf '#%.0s' $(seq $i))" $((i * 33)); done; echo; printf '\033[31m%s\033[0m\n' red; tput bold 2>/dev/null | wc -c; printf '%-10s|%5s|\n' name n apple 3; printf '%s\n' 'a b' | cat -A; echo -e '\x41\u00e9\t.'; ls --color=auto -d src; grep --color=auto o <<< old; printf '%b' 'a\nb\n'; echo $'bell\a' | cat -v; seq 3 | tee >(cat > t.txt) | wc -l; sleep 0.2; cat t.txt; rm t.txt; yes '' | head -3 | wc -l; printf '\e]0;title\a' | xxd -p

#### substitutes processes and files
# project: files
cat <(echo a) <(echo b) - <<< c; diff <(cd src && find . | sort) <(cd docs && find . | sort) | head -2; while read -r a b; do echo "$b $a"; done < <(paste <(seq 2) <(seq 3 4)); exec 5< <(seq 3); read -r -u5 x; cat <&5; exec 5<&-; tee >(sed s/^/1:/ > o1) >(sed s/^/2:/ > o2) <<< hi >/dev/null; sleep 0.3; cat o1 o2; rm o1 o2; source <(echo 'v=5'); echo $v; wc -l < <(cat README.md docs/guide.md); grep -f <(echo TODO) README.md; comm -3 <(seq 3) <(seq 2 4); python3 <(echo 'print(1 + 1)'); bash <(echo 'echo from a file'); node -e "$(echo 'console.log(3)')"; cat /dev/fd/3 3<<< three; sort -m <(seq 1 2 5) <(seq 2 2 6) | paste -sd' '

#### walks unicode and odd names
# project: files
touch 'a b' $'tab\there' "q'uote" 'dollar$x' '*star*' '日本' 'é' $'nl\nx' '#hash' '~tilde' 'back\slash' '-n'; ls -1b | head -20; for f in ./*; do [ -e "$f" ] || echo "lost $f"; done; find . -maxdepth 1 -newer README.md -type f -print0 | sort -z | tr '\0' ';'; echo; rm -- ./-n '*star*' 'a b' "q'uote" $'nl\nx'; ls -Q | grep -c '"'; mv '日本' 'dollar$x' docs/; ls docs | sort | tail -2; stat -c %n é; printf '%q\n' docs/*; basename 'docs/a/é.txt' .txt; cat '#hash' '~tilde' 'back\slash'; rm '#hash' '~tilde' 'back\slash' $'tab\there' é; mkdir -p 'dir with space/sub' && cd 'dir with space/sub' && pwd | sed 's|.*app||'; long=$(printf 'x%.0s' {1..250}); touch "$long" && ls | wc -c; touch "${long}xxxxxx"; echo "status $?"; cd ../.. && rm -r 'dir with space'

#### keeps standard input for the right command
# stdin: one\ntwo\nthree\nfour\n
read -r first; echo "first $first"; head -n1; while read -r l; do echo "loop $l"; ssh -V </dev/null >/dev/null 2>&1; done; cat; wc -c

#### takes binary standard input
# stdin: a\0b\n
xxd; echo "status $?"

#### appends, truncates and rewrites one file
# project: files
> empty; : > empty; echo 1 >> log; { echo 2; echo 3; } >> log; echo 0 | cat - log > tmp && mv tmp log; cat log; set -o noclobber; echo x > log; echo "status $?"; echo y >| log; cat log; set +o noclobber; sort -o log log; tac log | tee log >/dev/null; cat > log <<< new; exec 3>>log; echo a >&3; echo b >&3; exec 3>&-; cat log; echo z &> both; ls nope &>> both; cat both; ls nope > /dev/null 2>&1; echo "status $?"; ls nope 2>&1 > /dev/null | wc -l; echo x > missing/dir; echo "status $?"; cat < nope; echo "status $?"; cat log > log 2>/dev/null; wc -c < log; dd of=log conv=notrunc bs=1 seek=2 status=none <<< Q; xxd log; echo hi > docs; echo "status $?"; sponge 2>/dev/null; true
