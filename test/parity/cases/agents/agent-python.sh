# Python as agents use it, without an index.
# project: python
# ignore: times addresses temp

#### makes a virtual environment, activates it and works in it
# needs: python3:venv
python3 -m venv --without-pip .venv && . .venv/bin/activate && python -c 'import sys; print(sys.prefix != sys.base_prefix, sys.prefix.endswith("app/.venv"))' && which python | sed 's|.*/app/||' && deactivate; which python3 >/dev/null && echo back
# -- next command
source .venv/bin/activate && python -m unittest -q 2>&1 | tail -1; .venv/bin/python -c 'import calc; print(calc.add(1, 2))'

#### installs the project editable with its own tools, offline
# needs: python3:venv python3:setuptools
python3 -m venv --system-site-packages .venv && .venv/bin/pip install --quiet --no-index --no-build-isolation --disable-pip-version-check -e . 2>/dev/null && .venv/bin/calc 2 3 && .venv/bin/pip show calc 2>/dev/null | head -2 && .venv/bin/pip list --format=freeze --disable-pip-version-check | grep -i calc | cut -c1-4; rm -rf .venv build; git status --short

#### builds a wheel and installs it to a target
# needs: python3:setuptools python3:wheel
python3 -m pip wheel --quiet --no-index --no-build-isolation --disable-pip-version-check --no-deps -w dist . && ls dist && python3 -m pip install --quiet --no-index --disable-pip-version-check --root-user-action=ignore --target lib dist/*.whl && PYTHONPATH=lib python3 -c 'import calc; print(calc.__file__.split("app/")[1])' && unzip -l dist/*.whl | grep -c calc/

#### asks pip for things it can say offline
# needs: python3:pip
python3 -m pip --version | cut -d' ' -f1; python3 -m pip list --disable-pip-version-check >/dev/null; echo $?; python3 -m pip check >/dev/null 2>&1; python3 -m pip show nothing-there; echo $?; python3 -m pip freeze >/dev/null; echo $?; python3 -m pip cache dir | sed "s|$HOME|~|"; python3 -m pip config get global.nothing 2>/dev/null; echo $?

#### tests by unittest, doctest and a script of its own
python3 -m unittest discover -s tests -v 2>&1 | grep -E '^(test|OK|Ran)' | sed 's/ in .*//'; cat > calc/doc.py <<'E'
def double(x):
    """
    >>> double(2)
    4
    >>> double('a')
    'aa'
    """
    return x * 2
E
python3 -m doctest calc/doc.py -v | tail -3; python3 -m unittest tests.test_core.TestCore.test_add -q; python3 -m unittest nothing 2>&1 | tail -1; echo $?

#### runs pytest with markers, fixtures and temporary directories
# needs: python3:pytest
cat > tests/test_more.py <<'E'
import os, sys
import pytest

@pytest.fixture
def box(tmp_path):
    (tmp_path / 'a.txt').write_text('a')
    return tmp_path

def test_file(box, capsys, monkeypatch):
    monkeypatch.setenv('X', '1')
    print((box / 'a.txt').read_text(), os.environ['X'])
    assert capsys.readouterr().out == 'a 1\n'

@pytest.mark.parametrize('n', [1, 2, 3])
def test_n(n):
    assert n != 2

@pytest.mark.skip
def test_s(): pass

@pytest.mark.xfail
def test_x(): assert False
E
python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -3; echo "${PIPESTATUS[0]}"; python3 -m pytest -q -k 'n and not 2' --co -p no:cacheprovider | head -3; python3 -m pytest -x --tb=line -q -p no:cacheprovider tests/test_more.py | grep -c Error; python3 -m pytest --junitxml=r.xml -q tests/test_core.py -p no:cacheprovider >/dev/null; grep -o 'tests="[0-9]*"' r.xml; rm r.xml

#### keeps pytest's cache and reruns what failed
# needs: python3:pytest
sed -i 's/, 3)/, 4)/' tests/test_core.py; python3 -m pytest -q 2>&1 | tail -1; python3 -m pytest --lf -q 2>&1 | tail -1; sed -i 's/, 4)/, 3)/' tests/test_core.py
# -- next command
python3 -m pytest --ff -q 2>&1 | tail -1; git status --short

#### uses pools, queues, locks and shared memory
cat > /tmp/mp.py <<'E'
import multiprocessing as mp, os, concurrent.futures as cf
from multiprocessing import shared_memory
def sq(x): return x * x
def put(q, l):
    with l: q.put(os.getpid() != os.getppid())
if __name__ == '__main__':
    with mp.Pool(3) as p: print(p.map(sq, range(5)))
    with cf.ProcessPoolExecutor(2) as e: print(list(e.map(sq, [7, 8])))
    for method in ('fork', 'spawn', 'forkserver'):
        c = mp.get_context(method); q = c.Queue(); l = c.Lock(); p = c.Process(target=put, args=(q, l)); p.start(); print(method, q.get()); p.join(); print(p.exitcode)
    m = shared_memory.SharedMemory(create=True, size=16); m.buf[:3] = b'abc'; n = shared_memory.SharedMemory(m.name); print(bytes(n.buf[:3])); n.close(); m.close(); m.unlink()
    with mp.Manager() as g: d = g.dict(); d['x'] = 1; print(dict(d))
    a, b = mp.Pipe(); a.send([1]); print(b.recv()); v = mp.Value('i', 3); print(v.value); s = mp.Semaphore(1); print(s.acquire())
E
python3 /tmp/mp.py

#### keeps a database and migrates it in steps
python3 - <<'E'
import sqlite3
c = sqlite3.connect('data/app.db')
c.executescript('create table t(id integer primary key, v text); create index i on t(v); pragma journal_mode=wal;')
with c: c.executemany('insert into t(v) values(?)', [('a',), ('b',)])
print(c.execute('select count(*), max(v) from t').fetchone())
c.close()
E
ls data
# -- next command
python3 -c "
import sqlite3
c = sqlite3.connect('data/app.db', timeout=2)
try:
    with c: c.execute('insert into t(v) values(?)', ('c',)); raise ValueError('roll back')
except ValueError as e: print(e)
print(c.execute('select group_concat(v) from t').fetchone()[0])
for line in c.iterdump(): print(line)
"; file data/app.db | cut -d, -f1

#### serves and asks by http.server and urllib
python3 -m http.server 8123 --bind 127.0.0.1 --directory data >/tmp/http.log 2>&1 & p=$!
python3 - <<'E'
import time, urllib.request, urllib.error
for _ in range(100):
    try: print(urllib.request.urlopen('http://localhost:8123/scores.csv').read().decode().splitlines()[0]); break
    except OSError: time.sleep(0.05)
try: urllib.request.urlopen('http://127.0.0.1:8123/none')
except urllib.error.HTTPError as e: print(e.code)
E
kill $p; wait $p 2>/dev/null; grep -c GET /tmp/http.log

#### runs a TCP echo server with asyncio and a client
python3 - <<'E'
import asyncio
async def handle(r, w):
    w.write((await r.readline()).upper()); await w.drain(); w.close()
async def main():
    s = await asyncio.start_server(handle, '127.0.0.1', 0)
    port = s.sockets[0].getsockname()[1]
    r, w = await asyncio.open_connection('localhost', port)
    w.write(b'hello\n'); print(await r.read())
    w.close(); s.close()
    p = await asyncio.create_subprocess_exec('sh', '-c', 'echo out; echo err >&2; exit 3', stdout=-1, stderr=-1)
    print(await p.communicate(), p.returncode)
    u = await asyncio.start_unix_server(handle, '/tmp/u.sock'); r, w = await asyncio.open_unix_connection('/tmp/u.sock'); w.write(b'u\n'); print(await r.read())
asyncio.run(main())
E

#### handles signals, alarms and timeouts
python3 - <<'E'
import signal, os, subprocess, time, sys
signal.signal(signal.SIGALRM, lambda *a: print('alarm', flush=True)); signal.alarm(1); signal.pause()
signal.signal(signal.SIGUSR1, lambda *a: print('usr1', flush=True)); os.kill(os.getpid(), signal.SIGUSR1)
try: subprocess.run(['sleep', '5'], timeout=0.3)
except subprocess.TimeoutExpired as e: print(type(e).__name__)
p = subprocess.Popen(['sleep', '30']); p.terminate(); print(p.wait())
p = subprocess.Popen(['sleep', '30'], start_new_session=True); os.killpg(p.pid, 9); print(p.wait())
r, w = os.pipe(); pid = os.fork()
if pid == 0: os.write(w, b'child'); os._exit(7)
print(os.read(r, 9), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
E

#### reads and writes files of many kinds
python3 - <<'E'
import pathlib, shutil, tempfile, os, json, csv, gzip, zipfile, tarfile, pickle, configparser, stat, glob
p = pathlib.Path('out'); p.mkdir(); (p / 'ü ñ.txt').write_text('ü\n', encoding='utf-8'); print(sorted(x.name for x in p.iterdir()))
with gzip.open('out/a.gz', 'wt') as f: f.write('z')
with zipfile.ZipFile('out/a.zip', 'w') as z: z.write('data/scores.csv', 's.csv'); print(z.namelist())
with tarfile.open('out/a.tar', 'w') as t: t.add('calc'); print(len(t.getmembers()) >= 4)
with tempfile.TemporaryDirectory() as d: print(os.path.isdir(d), d.startswith('/tmp'))
with tempfile.NamedTemporaryFile('w', suffix='.x') as f: print(f.name.endswith('.x'))
shutil.copytree('calc', 'out/calc', ignore=shutil.ignore_patterns('__pycache__')); os.symlink('calc', 'out/link'); os.link('out/a.gz', 'out/b.gz'); print(os.stat('out/b.gz').st_nlink)
os.chmod('out/a.zip', 0o640); print(stat.filemode(os.stat('out/a.zip').st_mode)); os.utime('out/a.zip', (0, 0)); print(os.path.getmtime('out/a.zip'))
os.replace('out/a.tar', 'out/c.tar'); print(sorted(glob.glob('out/*.*'))); shutil.rmtree('out/calc'); print(shutil.disk_usage('.').total > 0, shutil.which('sh'))
E
rm out/a.gz out/b.gz out/c.tar out/a.zip

#### reports a traceback, exits and warns
python3 -c 'import calc; calc.divide(1, 0)' 2>&1 | tail -1; python3 -c 'raise SystemExit("bye")'; echo $?; python3 -c 'import sys; sys.exit(77)'; echo $?; python3 -W error -c 'import warnings; warnings.warn("w")' 2>&1 | tail -1; python3 -c 'print("no'; echo $?; python3 nothing.py; echo $?; python3 -m nothing 2>&1 | sed 's/.*: //'; python3 -c 'import nothing' 2>&1 | tail -1; python3 -X faulthandler -c 'import os; os.abort()' 2>/dev/null; echo $?; python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)'; echo $?

#### takes a script from standard input, arguments and a heredoc with variables
name='Ada "L"'; python3 - "$name" 2 <<'E'
import sys
print(sys.argv, sys.stdin.isatty())
E
echo 'print(6*7)' | python3; python3 -c 'import sys; print(sys.stdin.read().upper())' < pyproject.toml | head -2; python3 <(echo 'print("from fd")'); printf 'a b\nc d\n' | python3 -c 'import sys
for l in sys.stdin: print(*reversed(l.split()))'; PYTHONDONTWRITEBYTECODE=1 python3 -c 'import calc'; ls calc

#### compiles, formats by ast and finds names
python3 -m compileall -q calc && ls calc/__pycache__ | wc -l; python3 -m py_compile calc/core.py; python3 -m ast calc/cli.py | head -1; python3 -m tokenize calc/__init__.py | wc -l; python3 -m json.tool <<< '{"b":1,"a":[1,2]}' --sort-keys; python3 -m timeit -n 1 -r 1 pass | cut -d' ' -f1-2; python3 -m calendar 2026 3 | head -1; python3 -m site --user-base | sed "s|$HOME|~|"; python3 -m dis calc/core.py | head -1 | wc -l; python3 -m zipapp calc -m 'cli:main' -o c.pyz; ls c.pyz; rm c.pyz

#### logs to files that rotate
python3 - <<'E'
import logging, logging.handlers
h = logging.handlers.RotatingFileHandler('data/app.log', maxBytes=200, backupCount=2)
log = logging.getLogger('x'); log.addHandler(h); log.setLevel('INFO')
for i in range(20): log.info('line %03d %s', i, 'x' * 10)
E
ls data; tail -1 data/app.log

#### finds where Python puts things
python3 -c 'import sys, os, site, sysconfig, platform; print(sys.executable != "", os.getcwd().endswith("work/app"), sys.flags.isolated, platform.system(), os.path.expanduser("~") == os.environ["HOME"], os.cpu_count() > 0, site.ENABLE_USER_SITE)'; python3 -c 'import getpass, pwd, os; print(getpass.getuser() == pwd.getpwuid(os.getuid()).pw_name)'; python3 -c 'import locale, sys; print(locale.getpreferredencoding(), sys.getfilesystemencoding())'; python3 -c 'import ssl, ctypes, curses, readline, lzma, bz2, tkinter' 2>&1 | tail -1 | cut -c1-40; python3 -c 'import socket; print(socket.gethostbyname("localhost"), socket.gethostname() != "")'; python3 -c 'import time, zoneinfo, datetime; print(datetime.datetime(2026,7,1,tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset())'
# ends with a comment

#### uses a pseudo terminal and a subprocess that asks
python3 - <<'E'
import pty, os, sys
pid, fd = pty.fork()
if pid == 0: os.execvp('sh', ['sh', '-c', 'test -t 0 && echo tty; read x; echo "got $x"'])
os.write(fd, b'answer\n'); out = b''
try:
    while True: out += os.read(fd, 100)
except OSError: pass
print(sorted(out.decode().split())); os.waitpid(pid, 0)
E
python3 -c 'import subprocess; print(subprocess.run(["python3", "-c", "print(input())"], input="typed", text=True, capture_output=True).stdout)'; echo y | python3 -c 'print(input("sure? ") == "y")'; python3 -c 'input()' </dev/null 2>&1 | tail -1
