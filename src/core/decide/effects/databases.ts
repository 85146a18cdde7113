import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

const GONE = 'It removes a database or its contents, which Cordon cannot restore.'
const TESTED = 'Use a test database, or ask a person to run it.'
const SQL_CLIENTS = words(
  `psql pgcli mysql mariadb mycli sqlcmd clickhouse-client clickhouse cockroach cqlsh snowsql usql bq wrangler heroku turso trino presto
  spark-sql beeline hive impala-shell duckdb vsql db2 surreal rqlite`,
)

/** Changes of databases. A server is none of the workspace, so that no undo brings back what is taken from it. */
export const DATABASE_EFFECTS: readonly Rule[] = [
  ask({
    name: 'whole-table',
    program: SQL_CLIENTS,
    args: [['*']],
    because: 'It changes every row of a table, which Cordon cannot undo.',
    instead: 'Select the rows with WHERE, or ask a person to run it.',
    hits: [
      "psql -c 'DELETE FROM users'",
      "mysql -e 'update users set admin = 1'",
      "psql -c 'delete from t where true'",
      "echo 'delete from users' | psql",
    ],
    misses: [
      "psql -c 'DELETE FROM t WHERE id = 1'",
      "psql -c 'create table t (a int)'",
      "mysql -e 'select * from deletes'",
    ],
  }),
  ask({
    name: 'database-change',
    program: SQL_CLIENTS,
    args: [['*']],
    because: 'It changes a database on another machine, or sends statements that Cordon cannot read.',
    instead: 'Query with SELECT first, use a local database, or ask a person to run it.',
    hits: [
      "psql -h db.example.com -c 'insert into t values (1)'",
      "psql postgres://u@db.example.com/app -c 'DELETE FROM t WHERE id = 1'",
      'psql -h db.example.com -f x.sql',
      'mysql -h db.example.com app < x.sql',
    ],
    misses: [
      "psql -h db.example.com -c 'select 1'",
      "psql -h localhost -c 'insert into t values (1)'",
      'psql -f schema.sql',
      "mysql -h db.example.com -e 'select * from deletes'",
    ],
  }),
  ask({
    name: 'document-change',
    program: words('mongosh mongo mongorestore mongoimport'),
    args: [['*']],
    because: 'It changes a database on another machine or empties one.',
    instead: 'Query with find first, or ask a person to run it.',
    hits: [
      "mongosh mongodb://db.example.com/app --eval 'db.users.insertOne({})'",
      "mongosh --eval 'db.users.deleteMany({})'",
      'mongorestore --drop --uri mongodb+srv://c.example.com dump',
    ],
    misses: ["mongosh --eval 'db.users.find()'", "mongosh app --eval 'db.users.insertOne({})'", 'mongorestore dump'],
  }),
  ask({
    name: 'cache-change',
    program: words('redis-cli valkey-cli keydb-cli'),
    args: [['*']],
    because: 'It changes a database on another machine.',
    instead: 'Read it, or ask a person to change it.',
    hits: [
      'redis-cli -h cache.example.com del x',
      'redis-cli -u redis://cache.example.com set a b',
      'redis-cli -h cache.example.com --eval x.lua',
    ],
    misses: ['redis-cli -h cache.example.com get x', 'redis-cli set a b', 'redis-cli -h localhost del x'],
  }),
  ask({
    name: 'database-restore',
    program: ['pg_restore'],
    args: [['-c', '--clean', '-C', '--create']],
    because: GONE,
    instead: TESTED,
    hits: ['pg_restore --clean -h db.example.com -d app dump'],
    misses: ['pg_restore -l dump', 'pg_restore -c -d test dump', 'pg_restore -h db.example.com -d app dump'],
  }),
  ask({
    name: 'database-load',
    program: words('mysqlimport pgloader pgcopydb'),
    args: [['*']],
    because: 'It changes a database on another machine.',
    instead: TESTED,
    hits: ['mysqlimport -h db.example.com app x.csv', 'pgloader mysql://localhost/a pgsql://db.example.com/a'],
    misses: ['mysqlimport -h localhost app x.csv', 'pgloader --version', 'pgloader x.load'],
  }),
  ask({
    name: 'migration-rollback',
    program: words(
      'alembic flask knex drizzle-kit prisma goose migrate atlas sqitch yoyo dbmate liquibase flyway typeorm ef phinx',
    ),
    args: [
      words(
        'downgrade push rollback migrate:rollback down reset down-to drop clean revert schema undo rollback-* rollback:*',
      ),
      words('base --force --accept-data-loss -y --force-reset --all -all 0 apply clean --to-change -a -f'),
    ],
    because: 'It removes tables with their rows.',
    instead: TESTED,
    hits: [
      'alembic downgrade base',
      'drizzle-kit push --force',
      'npx prisma db push --accept-data-loss',
      'npx knex migrate:rollback --all',
      'atlas schema apply -u postgres://x --auto-approve',
    ],
    misses: [
      'alembic upgrade head',
      'alembic downgrade -1',
      'drizzle-kit push',
      'knex migrate:latest',
      'atlas schema inspect -u x',
    ],
  }),
  ask({
    name: 'migration-reset',
    program: ['python*', 'manage.py', 'django-admin', 'rails', 'rake'],
    args: [
      ['migrate', 'db:migrate'],
      ['zero', 'VERSION=0'],
    ],
    because: 'It removes tables with their rows.',
    instead: TESTED,
    hits: ['python manage.py migrate app zero', './manage.py migrate app zero'],
    misses: ['python manage.py migrate', './manage.py migrate app 0003'],
  }),
  ask({
    name: 'database-service',
    program: words('turso pscale planetscale neonctl neon influx atlas'),
    args: [words('delete destroy remove promote deploy drop restore reset rename')],
    because: 'It changes a database on another machine.',
    instead: TESTED,
    hits: ['turso db destroy x --yes', 'pscale database delete x', 'influx delete --bucket b'],
    misses: ['turso db list', 'influx query x', 'atlas schema inspect -u x'],
  }),
  ask({
    name: 'framework-drop',
    program: ['dotnet', 'dotnet-ef', 'console', 'php*', 'wp', 'drush'],
    args: [
      ['ef', 'database', '*console', 'doctrine:*', 'db', 'sql-drop', 'site-install'],
      words('drop doctrine:database:drop doctrine:schema:drop --force reset clean -y'),
    ],
    because: GONE,
    instead: TESTED,
    hits: ['dotnet ef database drop --force', 'php bin/console doctrine:database:drop --force', 'wp db reset --yes'],
    misses: ['dotnet ef database update', 'php bin/console cache:clear', 'wp db export', 'dotnet build'],
  }),
]
