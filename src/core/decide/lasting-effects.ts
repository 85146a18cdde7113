import type { Rule } from '../model/profile.js'
import { ask } from './effect-rule.js'

const words = (text: string): readonly string[] => text.split(/\s+/)

/** What runs elsewhere or later, what is sent, and data outside the workspace that is gone afterwards. */
export const LASTING_EFFECTS: readonly Rule[] = [
  ask({
    name: 'remote-shell',
    program: words(
      'ssh slogin mosh scp sftp ssh-copy-id sshpass telnet autossh rsh rlogin pssh parallel-ssh pscp parallel-scp clush pdsh dsh plink evil-winrm psexec et',
    ),
    because: 'It acts on another machine, outside the sandbox.',
    instead: 'Work here, and let a person act there.',
    hits: ['ssh example.com ls', 'scp a example.com:b'],
    misses: ['ssh-keygen -t ed25519 -f k', 'echo ssh'],
  }),
  ask({
    name: 'remote-copy',
    program: ['rsync'],
    args: [words('?*:* rsync://*')],
    because: 'It copies to or from another machine.',
    instead: 'Copy here, and let a person send it.',
    hits: ['rsync -az ./ example.com:/srv/app', 'rsync -a x rsync://example.com/m'],
    misses: ['rsync -a src/ dst/', 'rsync -avn ./ copy/', 'rsync --version'],
  }),
  ask({
    name: 'git-clone-config',
    program: ['git'],
    args: [
      ['clone', 'init', 'init-db'],
      ['--te*', '-c*', '--co*', '*.*=*'],
    ],
    because: 'It puts hooks or settings into a repository that git runs whenever somebody works there.',
    instead: 'Clone it without them.',
    hits: [
      'git clone --template=hooks https://github.com/a/b',
      'git init --template hooks',
      'git clone -c core.hooksPath=hooks https://github.com/a/b',
      "git clone --config alias.x='!sh x' https://github.com/a/b",
    ],
    misses: [
      'git clone https://github.com/a/b.git',
      'git clone -c core.autocrlf=false https://github.com/a/b',
      'git clone -c filter.lfs.smudge= -c filter.lfs.required=false https://github.com/a/b',
      'git init --template= x',
      'git commit --template=x',
    ],
  }),
  ask({
    name: 'self-approval',
    program: ['cordon'],
    args: [['approve', 'allow']],
    because: 'An agent must not approve its own command or widen its own profile.',
    instead: 'Ask a person to run it in their terminal.',
    hits: ['cordon approve 3f2c38a2a789', 'npx cordon approve 3f2c38a2a789', 'cordon allow host example.com'],
    misses: ['cordon approvals', 'cordon check -- ls', 'cordon deny 3f2c38a2a789'],
  }),
  ask({
    name: 'scheduled',
    program: ['crontab', 'at', 'batch', 'systemd-run'],
    because: 'What is scheduled runs later, when nobody looks.',
    instead: 'Run it now.',
    hits: ['crontab -r', 'crontab x', 'echo ls | at now'],
    misses: ['cat /etc/crontab', 'echo crontab', 'crontab -l', 'at -l'],
  }),
  ask({
    name: 'mail',
    program: words('mail mailx sendmail mutt msmtp ssmtp swaks s-nail nail mpack sendemail'),
    because: 'It sends mail.',
    instead: 'Write the text to a file, and let a person send it.',
    hits: ['echo hi | mail -s x a@example.com'],
    misses: ['git log --format=mail', 'ls mail'],
  }),
  ask({
    name: 'container-data',
    program: ['docker', 'podman', 'nerdctl', 'docker-compose'],
    args: [
      ['volume', 'system'],
      ['rm', 'prune', 'remove', 'reset'],
    ],
    because: 'It removes data of containers, which nothing brings back.',
    instead: 'Remove the one container or image that is meant.',
    hits: ['docker volume rm db', 'docker system prune -af'],
    misses: ['docker volume ls', 'docker system df', 'docker rm app', 'docker image prune'],
  }),
  ask({
    name: 'compose-data',
    program: ['docker', 'podman', 'docker-compose', 'podman-compose'],
    args: ['down', ['-v', '--volumes']],
    because: 'It removes data of containers, which nothing brings back.',
    instead: 'Leave the volumes: `down` without -v.',
    hits: ['docker-compose down -v'],
    misses: ['docker-compose down', 'docker compose up -d'],
  }),
  ask({
    name: 'database-drop',
    program: ['dropdb', 'dropuser'],
    because: 'It removes a database or a user of one, which nothing brings back.',
    instead: 'Let a person do it, or use a database made for the test.',
    hits: ['dropdb app_test'],
    misses: ['createdb app_test', 'psql -l'],
  }),
  ask({
    name: 'database-statement',
    program: words(
      'psql mysql mariadb sqlcmd clickhouse-client clickhouse cockroach mongosh mongo cqlsh snowsql usql pgcli mycli bq wrangler heroku',
    ),
    args: [
      [
        '*DROP *',
        '*drop *',
        '*Drop *',
        '*TRUNCATE *',
        '*truncate *',
        '*Truncate *',
        '*dropDatabase*',
        '*.drop(*',
        '*deleteMany({})*',
      ],
    ],
    because: 'It removes tables or what is in them, which nothing brings back.',
    instead: 'Look first by SELECT, and let a person do it.',
    hits: [
      'psql -c "DROP TABLE users"',
      "mysql -e 'truncate table x'",
      "mongosh app --eval 'db.dropDatabase()'",
      "echo 'DROP TABLE users;' | psql app",
      "psql app <<< 'drop table users'",
      "mysql app <<'X'\nselect 1;\nDROP TABLE users;\nX",
      "wrangler d1 execute DB --command 'drop table users'",
    ],
    misses: ['psql -c "SELECT 1"', 'psql -f schema.sql', "echo 'select 1' | psql", 'echo "drop table x" | cat'],
  }),
  ask({
    name: 'database-flush',
    program: ['redis-cli', 'valkey-cli', 'mysqladmin'],
    args: [['FLUSHALL', 'FLUSHDB', 'SHUTDOWN', 'flushall', 'flushdb', 'shutdown', 'drop']],
    because: 'It empties or stops a database.',
    instead: 'Remove the keys that are meant by name, or let a person do it.',
    hits: [
      'redis-cli FLUSHALL',
      'mysqladmin drop app',
      'redis-cli -h cache.example.com flushdb',
      'redis-cli -h localhost shutdown',
    ],
    misses: ['redis-cli GET x', 'mysqladmin status', 'redis-cli -h localhost flushdb'],
  }),
]
