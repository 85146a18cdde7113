# Databases in files.
# project: sqlite

#### makes a database from a schema
# subset: yes
# needs: sqlite3
sqlite3 app.db < schema.sql && sqlite3 app.db '.tables' && sqlite3 app.db "INSERT INTO users VALUES (1, 'ada', 36); SELECT * FROM users;"

#### imports a CSV and queries it
# needs: sqlite3
sqlite3 app.db <<'SQL'
.mode csv
.import users.csv people
.mode column
.headers on
SELECT name, age FROM people WHERE CAST(age AS INT) > 30 ORDER BY name;
SQL

#### runs migrations in order
# needs: sqlite3
sqlite3 app.db < schema.sql; for m in migrations/*.sql; do echo "applying $m"; sqlite3 app.db < "$m"; done; sqlite3 app.db '.schema users'

#### fails on a bad query
# needs: sqlite3
sqlite3 app.db 'SELECT * FROM nothing'; echo "status $?"

#### keeps a database across commands
# needs: sqlite3
sqlite3 app.db < schema.sql
# -- next command
sqlite3 app.db "INSERT INTO users (name, age) VALUES ('grace', 45)"
# -- next command
sqlite3 -json app.db 'SELECT name, age FROM users'

#### dumps and restores
# needs: sqlite3
sqlite3 app.db < schema.sql && sqlite3 app.db "INSERT INTO users VALUES (1,'a',1)" && sqlite3 app.db .dump > dump.sql && sqlite3 copy.db < dump.sql && sqlite3 copy.db 'SELECT count(*) FROM users' && sqlite3 app.db ".backup backup.db" && cmp <(sqlite3 app.db .dump) <(sqlite3 backup.db .dump) && echo equal

#### uses the write-ahead log from two processes
# subset: yes
# needs: python3
python3 - <<'PY'
import sqlite3, subprocess, sys
db = sqlite3.connect("wal.db")
print(db.execute("PRAGMA journal_mode=WAL").fetchone())
db.execute("CREATE TABLE t (x)"); db.commit()
code = "import sqlite3; d = sqlite3.connect('wal.db', timeout=20); d.execute('INSERT INTO t VALUES (1)'); d.commit()"
children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
print([c.wait() for c in children], db.execute("SELECT sum(x) FROM t").fetchone())
db.close()
PY
rm -f wal.db*

#### waits for a locked database
# needs: python3
python3 - <<'PY'
import sqlite3, threading, time
a = sqlite3.connect("l.db", isolation_level=None, check_same_thread=False)
a.execute("CREATE TABLE t (x)"); a.execute("BEGIN IMMEDIATE"); a.execute("INSERT INTO t VALUES (1)")
threading.Timer(0.3, lambda: a.execute("COMMIT")).start()
b = sqlite3.connect("l.db", timeout=5); b.execute("INSERT INTO t VALUES (2)"); b.commit()
print(b.execute("SELECT count(*) FROM t").fetchone())
PY
rm -f l.db*

#### reads by Python what the shell wrote
# needs: sqlite3 python3
sqlite3 app.db < schema.sql && sqlite3 app.db "INSERT INTO users VALUES (1,'ada',36),(2,'grace',45)" && python3 -c '
import sqlite3
db = sqlite3.connect("app.db"); db.row_factory = sqlite3.Row
print([dict(r) for r in db.execute("SELECT * FROM users WHERE age > ?", (40,))])'

#### writes a dbm file
# needs: python3
python3 -c '
import dbm.dumb, shelve
with dbm.dumb.open("cache", "n") as d: d["k"] = "v"
with dbm.dumb.open("cache", "r") as d: print(d["k"])'; ls cache*
