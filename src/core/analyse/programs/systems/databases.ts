import type { Family } from '../grammar/roles.js'
import { client, inFile, inputOf, psqlOutput, sqliteEffects } from './database-effects.js'

const psqlClient = client(
  'psql',
  ['-c', '--command'],
  ['-f', '--file', '-l', '--list', '-V', '--version', '-?', '--help'],
)

/** Database clients and related programs. */
export const databases: Family = [
  {
    names: 'psql pgcli',
    flags: '-a -A -b -e -E -l --list -L -n -s -S -t -V --version -w -x -X -z -0 -? --help',
    values: {
      '-c --command -d --dbname -F --field-separator -p --port -P --pset -R --record-separator -T --table-attr -U --username -v --set --variable -o --output':
        'text',
      '-h --host': 'host',
      '-f --file': 'code-file',
      '-L --log-file': 'write',
    },
    effects: (call) => {
      const file = call.value('-f', '--file')
      const given = file?.text === '-' ? inputOf(call, 'psql', '-c') : psqlClient(call)
      const read = file && file.text !== '-' ? [inFile(call, file, 'psql', '-c')] : []
      return [...given, ...read, ...psqlOutput(call)]
    },
    unlisted: 'ignore',
  },
  {
    names: 'mysql mariadb mycli',
    flags: '-A -b -B -C -E -f --force -i -I --help -? -L -n -r -s -t -v -V --version -w --wait -X -U',
    values: {
      '-e --execute -D --database -P --port -S --socket -u --user --delimiter --default-character-set --protocol --init-command --max-allowed-packet --ssl-mode':
        'text',
      '-h --host': 'host',
      '--pager': 'shell',
      '--tee': 'write',
      '--plugin-dir --defaults-file --defaults-extra-file --login-path': 'read',
    },
    optional: { '-p --password': 'text' },
    effects: client('mysql', ['-e', '--execute'], ['-V', '--version', '-?', '--help']),
    unlisted: 'ignore',
  },
  {
    names: 'sqlite3 sqlite litecli duckdb sqlite-utils sqlcipher',
    flags: '-help -version --version',
    values: {
      '-cmd -c': 'text',
      '-init': 'code-file',
      '-A -heap -lookaside -maxsize -mmap -newline -nullvalue -pagecache -separator -vfs': 'text',
      '-s': 'text',
    },
    style: 'single-dash',
    effects: sqliteEffects,
    unlisted: 'ignore',
  },
  {
    names: 'mongo mongosh',
    values: {
      '--eval': 'code',
      '-f --file': 'code-file',
      '--host': 'host',
      '--port -u --username -p --password --authenticationDatabase': 'text',
    },
    foreign: 'a JavaScript program',
    unlisted: 'ignore',
    effects: (call) => (call.has('--eval', '-f', '--file') ? [] : inputOf(call, null, '--eval')),
  },
  {
    names: 'redis-cli valkey-cli keydb-cli',
    values: {
      '--eval': 'code-file',
      '-h': 'host',
      '-u': 'url',
      '-p -a -n -r -i -d -D --user --pass': 'text',
      '--rdb --functions-rdb': 'write',
    },
    unlisted: 'ignore',
    effects: (call) => (call.operands.length > 0 ? [] : inputOf(call, null)),
  },
  {
    names:
      'pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport redis-dump pg_basebackup mysqlpump xtrabackup',
    values: {
      '-f --file -r --result-file -o --out': 'write',
      '-h --host': 'host',
      '-U --username -u --user -d --dbname --db -p --port -P -t --table -n --schema -F --format -c --collection':
        'text',
    },
    rest: 'text',
  },
  {
    names: 'pg_restore mongorestore mongoimport mysqlimport pg_upgrade pgloader',
    values: {
      '--file': 'read',
      '-h --host': 'host',
      '-U --username -u --user -d --dbname --db -p --port -t --table -F --format -j --jobs -c --collection': 'text',
    },
    rest: 'read',
  },
  {
    names:
      'createdb dropdb createuser dropuser pg_ctl pg_isready initdb vacuumdb reindexdb clusterdb pgbench postgres mysqladmin mysqlcheck mysqlshow mysqld mysqlslap mariadb-admin mongod mongos redis-server memcached pg_lsclusters pg_createcluster influx influxd cypher-shell clickhouse-client clickhouse cqlsh rqlite usql sqlcmd bcp sqlplus isql impala-shell hive beeline spark-shell spark-submit spark-sql pyspark presto trino snowsql vsql db2 surreal neo4j elasticsearch',
    values: { '-e --execute --eval -q -Q --query': 'text', '-f --file -i': 'code-file', '-h --host': 'host' },
    rest: 'text',
    foreign: 'statements, which may start programs',
    unlisted: 'ignore',
  },
]
