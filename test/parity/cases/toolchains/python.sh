# Python: one-liners, tests, packages and environments without an index.
# project: python
# needs: python3
# ignore: times temp

#### runs the unit tests
# subset: yes
python3 -m unittest -v 2>&1

#### runs tests that fail
sed -i 's/return a + b/return a - b/' calc/core.py && python3 -m unittest 2>&1 | tail -4; echo "${PIPESTATUS[0]}"

#### runs pytest
# needs: python3:pytest
python3 -m pytest -q

#### runs pytest with a failure and its short summary
# needs: python3:pytest
sed -i 's/return a + b/return a - b/' calc/core.py
python3 -m pytest -q --tb=line -p no:cacheprovider | tail -4; echo "${PIPESTATUS[0]}"

#### selects tests by name and stops at the first failure
# needs: python3:pytest
cat > tests/test_more.py <<'PY'
import pytest

@pytest.mark.parametrize("n", [1, 2, 3])
def test_small(n, tmp_path):
    (tmp_path / "x").write_text(str(n))
    assert (tmp_path / "x").read_text() == str(n)

def test_wrong():
    assert 1 == 2
PY
python3 -m pytest -q -x -k 'small or wrong' -p no:cacheprovider | grep -E 'passed|failed|assert 1'

#### makes a virtual environment and runs in it
# needs: python3:venv python3:ensurepip
python3 -m venv --without-pip .venv && . .venv/bin/activate && python -c 'import sys; print(sys.prefix != sys.base_prefix, sys.prefix.split("/")[-1])'
# -- next command
.venv/bin/python -c 'import calc; print(calc.add(1, 2))'

#### installs the project into a virtual environment without an index
# needs: python3:venv python3:ensurepip python3:setuptools
python3 -m venv --system-site-packages .venv && .venv/bin/pip install -q --no-index --no-build-isolation --disable-pip-version-check . && .venv/bin/calc 1 2
# -- next command
rm -rf .venv build calc.egg-info

#### installs editable and imports
# needs: python3:venv python3:ensurepip python3:setuptools
python3 -m venv --system-site-packages /tmp/venv && /tmp/venv/bin/pip install -q --no-index --no-build-isolation --disable-pip-version-check -e . && cd /tmp && /tmp/venv/bin/python -c 'import calc; print(calc.add(2, 3))'
# -- next command
/tmp/venv/bin/calc 4 5; rm -rf calc.egg-info

#### runs a module with arguments
python3 -m calc.cli 1.5 2.5

#### raises and prints a traceback
# subset: yes
python3 -c 'from calc import divide; divide(1, 0)'

#### exits with several statuses
for code in 0 1 2 3 77 200 255; do python3 -c "import sys; sys.exit($code)"; echo "$code -> $?"; done

#### edits a file by a here-document script
# subset: yes
python3 - <<'PY'
import pathlib, re
path = pathlib.Path('calc/core.py')
text = path.read_text()
path.write_text(re.sub(r'def add\(a, b\):\n    return a \+ b', 'def add(*numbers):\n    return sum(numbers)', text))
PY
git diff; python3 -c 'import calc; print(calc.add(1, 2, 3))'

#### sums a column of a CSV
# subset: yes
python3 -c '
import csv, collections
totals = collections.Counter()
for row in csv.DictReader(open("data/scores.csv")):
    totals[row["team"]] += int(row["score"])
print(dict(totals))'

#### converts CSV to JSON through a pipe
cat data/scores.csv | python3 -c 'import csv, json, sys; print(json.dumps(list(csv.DictReader(sys.stdin)), indent=2))' | tee scores.json | head -5

#### formats JSON
echo '{"b": 1, "a": [1, 2, {"c": null}]}' | python3 -m json.tool --sort-keys

#### compiles all files
python3 -m compileall -q calc && python3 -m py_compile calc/core.py && find . -name '*.pyc' | wc -l

#### finds a syntax error
printf 'def broken(:\n    pass\n' > bad.py && python3 -m py_compile bad.py; echo "status $?"

#### uses a pool of processes
# subset: yes
cat > pool.py <<'PY'
from multiprocessing import Pool

def square(n):
    return n * n

if __name__ == "__main__":
    with Pool(3) as pool:
        print(pool.map(square, range(8)))
PY
python3 pool.py

#### shares state by a manager, a queue and a lock
cat > shared.py <<'PY'
from multiprocessing import Lock, Manager, Process, Queue, Value

def work(counts, queue, total, lock, n):
    counts[n] = n * n
    queue.put(n)
    with lock:
        total.value += n

if __name__ == "__main__":
    with Manager() as manager:
        counts, queue, total, lock = manager.dict(), Queue(), Value("i", 0), Lock()
        workers = [Process(target=work, args=(counts, queue, total, lock, n)) for n in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(dict(sorted(counts.items())), sorted(queue.get() for _ in workers), total.value)
PY
timeout 60 python3 shared.py

#### shares memory between processes
python3 -c '
from multiprocessing import shared_memory
block = shared_memory.SharedMemory(create=True, size=16)
other = shared_memory.SharedMemory(name=block.name)
other.buf[:5] = b"hello"
print(bytes(block.buf[:5]))
other.close(); block.close(); block.unlink()'

#### runs threads, subprocesses and an executor
python3 -c '
import subprocess, concurrent.futures as cf, threading
print(subprocess.run(["echo", "hi"], capture_output=True, text=True).stdout.strip())
print(subprocess.check_output("ls calc | sort | head -2", shell=True, text=True).split())
with cf.ThreadPoolExecutor(4) as pool: print(list(pool.map(len, ["a", "bb", "ccc"])))
with cf.ProcessPoolExecutor(2) as pool: print(list(pool.map(abs, [-1, -2])))
try: subprocess.run(["sleep", "5"], timeout=0.2)
except subprocess.TimeoutExpired as error: print("timed out")'

#### runs asyncio with subprocesses and a local server
cat > server.py <<'PY'
import asyncio

async def echo(reader, writer):
    writer.write((await reader.readline()).upper())
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello\n")
    print(await reader.readline())
    process = await asyncio.create_subprocess_exec("echo", "child", stdout=asyncio.subprocess.PIPE)
    print((await process.communicate())[0])
    server.close()

asyncio.run(main())
PY
python3 server.py

#### uses temporary files and directories
python3 -c '
import tempfile, os, pathlib
with tempfile.TemporaryDirectory() as d:
    pathlib.Path(d, "a").write_text("x"); print(os.listdir(d), d.startswith("/tmp"))
with tempfile.NamedTemporaryFile("w+") as f:
    f.write("abc"); f.seek(0); print(f.read())
print(tempfile.gettempdir())'

#### keeps a database in the home's data directory across commands
python3 -c '
import sqlite3, os
os.makedirs(os.path.expanduser("~/.local/share/calc"), exist_ok=True)
db = sqlite3.connect(os.path.expanduser("~/.local/share/calc/history.db"))
db.execute("create table h (x)"); db.execute("insert into h values (42)"); db.commit()'
# -- next command
python3 -c 'import sqlite3, os; print(sqlite3.connect(os.path.expanduser("~/.local/share/calc/history.db")).execute("select * from h").fetchall())'

#### reads standard input line by line
# stdin: one\ntwo\nthree\n
python3 -c 'import sys; [print(n, line.strip()) for n, line in enumerate(sys.stdin, 1)]'

#### dies by an interrupt and by an assertion
python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGINT)' 2>&1 | tail -1
python3 -c 'assert False, "no"' 2>&1 | tail -1; python3 -O -c 'assert False'; echo $?

#### tells the user, the home and the directory
python3 -c 'import os, getpass, pathlib; print(getpass.getuser(), os.getcwd() == str(pathlib.Path().resolve()), pathlib.Path.home() == pathlib.Path(os.environ["HOME"]), os.cpu_count() > 0)'

#### profiles and times code
python3 -m timeit -n 10 -r 1 'sum(range(100))' | grep -c 'best of'; python3 -X importtime -c 'import json' 2>&1 | grep -c json

#### prints unicode to pipes
python3 -c 'print("naïve ☃ 日本語")' | cat; python3 -c 'import sys; print(sys.stdout.encoding, sys.getfilesystemencoding())'

#### serialises objects and packs bytes
python3 -c 'import pickle, struct, sys; sys.stdout.buffer.write(struct.pack("<IHB", 1, 2, 255) + pickle.dumps([1], 0))' | xxd
