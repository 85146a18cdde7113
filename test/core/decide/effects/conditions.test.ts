import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../../src/core/analyse/analyse.js'
import { decide } from '../../../../src/core/decide/decide.js'
import { noAnswers } from '../../../../src/core/model/run/facts.js'
import { loadProfiles } from '../../../../src/host/settings/profiles.js'
import { HOME, SURROUNDINGS, WORKSPACE } from '../fixture.js'
import { decidedByReader, rulesOf } from '../reading.js'

const profiles = loadProfiles({
  workspace: WORKSPACE,
  home: HOME,
  env: {},
  builtinDir: resolve(import.meta.dirname, '../../../../profiles'),
})
const developer = profiles.profileFor(null, 'developer')
const verdictOf = (script: string) => decidedByReader(script, developer).verdict

/** With a file that the host was asked for and has read. */
function withFile(script: string, path: string, text: string) {
  const command = { mode: 'shell', script } as const
  const context = { cwd: WORKSPACE, home: HOME, env: [] }
  const { questions } = analyse(command, context, noAnswers())
  const answers = noAnswers()
  for (const question of questions)
    if (question.ask === 'script' && question.path === path) answers.scripts.set(path, text)
  const { facts } = analyse(command, context, answers)
  return decide({
    command,
    text: script,
    facts,
    answers,
    profile: developer,
    surroundings: SURROUNDINGS,
    cwd: WORKSPACE,
  })
}

describe('statements of a database', () => {
  it.each([
    "psql -c 'DELETE FROM users'",
    "psql -c 'select 1; delete from users;'",
    "psql -c 'delete from users where 1=1'",
    "psql -c 'WITH x AS (select 1) DELETE FROM users'",
    'psql -c "delete from users -- where id = 1"',
    'mysql -e \'UPDATE users SET name = "where"\'',
    "echo 'delete from users' | psql",
    "psql <<'X'\nDELETE\nFROM users;\nX",
    "psql -h db.example.com <<< 'insert into t values (1)'",
    "psql 'host=db.example.com dbname=app' -c 'create table t (a int)'",
    "mysql --host=db.example.com -e 'grant all on *.* to me'",
    "PGPASSWORD=x psql -hdb.example.com -c 'alter table t add a int'",
    'mysql -h db.example.com app < dump.sql',
    'redis-cli -h cache.example.com config set dir /tmp',
  ])('are asked about where they change every row, or another machine: %s', (script) => {
    expect(verdictOf(script)).toBe('ask')
  })

  it.each([
    "psql -c 'delete from users where id = 1'",
    "psql <<'X'\nDELETE FROM users\nWHERE id = 1;\nX",
    "psql -c 'update users set name = 1 where id in (select 1)'",
    "psql -h 127.0.0.1 -c 'insert into t values (1)'",
    "psql postgres://app:app@localhost:5432/app -c 'create table t (a int)'",
    'psql -h db.example.com -c "select \'delete from users\'"',
    'mysql -h 127.0.0.1 app < dump.sql',
    'psql -f schema.sql',
    "sqlite3 dev.db 'delete from sessions'",
    'redis-cli -h cache.example.com config get dir',
    'redis-cli -h cache.example.com',
  ])('are left alone where they do not: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each(['psql -f x.sql', 'psql < x.sql', 'cd . && mysql app < x.sql'])(
    'are read in a file that the line names: %s',
    (script) => {
      const path = `${WORKSPACE}/x.sql`
      expect(withFile(script, path, 'create table t (a int);\ninsert into t values (1);').verdict).toBe('allow')
      expect(withFile(script, path, 'DROP TABLE users;').verdict).toBe('ask')
      expect(withFile(script, path, 'DELETE FROM users;').verdict).toBe('ask')
      expect(withFile(script, path, 'drop table if exists t; create table t (a int);').verdict).toBe('allow')
    },
  )

  it('make a file run what it names, as they would on the line', () => {
    expect(withFile('psql -f x.sql', `${WORKSPACE}/x.sql`, '\\! sudo id\n').verdict).toBe('deny')
  })
})

describe('what is done to a stand-in here', () => {
  it.each([
    'aws --endpoint-url http://localhost:4566 s3 mb s3://test',
    'aws --endpoint-url=http://127.0.0.1:8000 dynamodb create-table --cli-input-json x',
    'gcloud emulators firestore start',
    'az account set --subscription x',
    'wrangler d1 migrations apply DB --local',
    'RAILS_ENV=test bundle exec rake db:reset',
    'make -n deploy',
    'python deploy.py --dry-run',
    'az deployment group what-if -g g -f main.bicep',
    'sam local invoke F',
    'pnpm deploy --filter=web out',
    'ko build --local ./cmd',
    './gradlew publishToMavenLocal',
    "gh api graphql -f query='query { viewer { login } }'",
    'mysql -u root -proot -h 127.0.0.1 app < schema.sql',
    'docker --context default rm -f web',
    'curl -X PUT -d @x.json http://localhost:9200/index',
  ])('is not asked about: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each([
    'aws --endpoint-url https://s3.example.com s3 mb s3://test',
    'aws --endpoint-url http://localhost.example.com s3 mb s3://test',
    'wrangler d1 migrations apply DB --remote',
    'RAILS_ENV=production bundle exec rake db:migrate',
    'docker --context prod rm -f web',
    'DOCKER_HOST=tcp://10.0.0.1:2375 docker ps',
    'docker -c prod ps',
    'docker -H=tcp://10.0.0.1:2376 ps',
    "PGHOST=db.example.com psql -c 'insert into t values (1)'",
    'pg_dump app | psql -h db.example.com',
    './gradlew publishReleaseBundle',
    "gh api graphql -f query='mutation { x }'",
    'php artisan migrate --env=production',
    'export DOCKER_HOST=ssh://root@prod; docker compose up -d',
    'curl -X DELETE https://api.github.com/repos/a/b',
    'curl -sSd@x.json https://api.github.com/gists',
  ])('is asked about where it is done elsewhere: %s', (script) => {
    expect(verdictOf(script)).toBe('ask')
  })
})

describe('variables', () => {
  it.each([
    'ENV=test pytest',
    'RUBYOPT=-W0 rspec',
    'PERL5LIB=lib prove -l t',
    'LD_LIBRARY_PATH=./build/lib ./build/app',
    'LD_LIBRARY_PATH=. ./app',
    `LD_LIBRARY_PATH=${WORKSPACE}/src ./app | head -1`,
    'export LD_LIBRARY_PATH=$PWD; cd src; ./app && ../app',
    'MAKEFLAGS=-j8 make',
    'MAVEN_OPTS="-Xmx1g -Dx=y" mvn test',
    `LD_LIBRARY_PATH=${WORKSPACE}/target/debug/deps python -c 'import x'`,
    'NODE_OPTIONS="--import tsx --enable-source-maps" npm test',
    "NODE_OPTIONS='-r dotenv/config --loader=ts-node/esm' node src/a.ts",
    'NODE_OPTIONS=--inspect npm start',
    'BROWSER=none npm start',
    'PYTHONBREAKPOINT=0 pytest',
    'RUSTC_WRAPPER=sccache cargo build',
    'DOCKER_CONTEXT=default docker ps',
  ])('that only tune a program are left alone: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each([
    'ENV=./x sh -i',
    'RUBYOPT=-r./x rspec',
    'PERL5LIB=/tmp/x prove',
    'LD_LIBRARY_PATH=/tmp/build ls',
    'LD_LIBRARY_PATH=. ls',
    'LD_LIBRARY_PATH=. /usr/bin/../bin/ls',
    'LD_LIBRARY_PATH=.. ./app',
    'LD_LIBRARY_PATH=/tmp/build ./app',
    'LD_LIBRARY_PATH=. env ./app',
    'export LD_LIBRARY_PATH=.; ./app; ls',
    'LD_LIBRARY_PATH=build/../../x ls',
    "MAKEFLAGS='--eval=x' make",
    'MAVEN_OPTS=-javaagent:x.jar mvn test',
    `LD_LIBRARY_PATH=${WORKSPACE}/build/../../x ls`,
    'NODE_OPTIONS="--require ./x" npm test',
    'NODE_OPTIONS="--import=/tmp/x.mjs" npm test',
    'NODE_OPTIONS="-r a/../../x" npm test',
    'NODE_OPTIONS="--import data:text/javascript,x" npm test',
    'PYTHONBREAKPOINT=os.system pytest',
    'RUSTC_WRAPPER=/tmp/sccache cargo build',
    'BROWSER=./none npm start',
    'DOTNET_STARTUP_HOOKS=/tmp/x.dll dotnet run',
    'DOCKER_CONTEXT=prod docker ps',
  ])('that bring in code or another machine are held: %s', (script) => {
    expect(verdictOf(script)).not.toBe('allow')
  })
})

describe('a name that is not known', () => {
  it.each([
    'for f in *.py; do python "$f"; done',
    'for f in tests/*.sh; do bash "$f"; done',
    'while read -r a; do rsync "$a" out/; done < list',
    'while read -r a; do code "$a"; done < list',
    'while read -r a; do psql -c "$a"; done < list',
  ])('is not taken for the one that is asked about: %s', (script) => {
    expect(rulesOf(decidedByReader(script, developer)).filter((rule) => rule.startsWith('effect/'))).toEqual([])
  })
})

describe('settings of git', () => {
  it.each([
    "git config --global core.sshCommand 'ssh -i ~/.ssh/key -o IdentitiesOnly=yes'",
    "git config core.editor 'vim -f'",
    'git config --global url.git@github.com:.insteadOf https://github.com/',
  ])('are ordinary where they name the same by another way: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each([
    "git config core.sshCommand 'ssh -oProxyCommand=x'",
    "git config core.sshCommand 'ssh -F x'",
    "git config core.editor 'vim -S x'",
    'git config url.https://example.com/.insteadOf https://github.com/',
    "git config core.sshCommand 'ssh -i ~/.ssh/key -o IdentitiesOnly=yes'",
    'git config url.git@github.com:.insteadOf https://github.com/',
  ])('are held where they run or reach something else: %s', (script) => {
    expect(verdictOf(script)).not.toBe('allow')
  })

  it('are held by what they write, and say so', () => {
    expect(rulesOf(decidedByReader("git config core.editor 'vim -S x'", developer))).toContain('git/setting')
  })
})

describe('everyday commands that look like a question', () => {
  it.each([
    'curl',
    'curl -s',
    'curl unknown://example.com/x',
    'wget -q',
    'strip app && ./app',
    'chrt -p $$',
    "seq 10 | awk 'NR%2' | xargs",
    'git push ./copy.git main',
    'git push --force /tmp/copy.git main',
    'git init -q --bare copy.git && git remote add copy ./copy.git && git push -u copy HEAD',
    "find . -name '*.js' | xargs -I{} sh -c 'wc -l {} | head'",
    "ls *.txt | xargs -I% bash -c 'echo %'",
    'taskset -cp $$',
    'git update-ref -d refs/heads/done',
    'git update-ref -d refs/tags/v1',
    'mkdir shared && chmod g+s shared',
    'mkdir -p shared; chmod 2775 shared',
    "printf '#!/bin/sh\\necho up\\n' > deploy.sh; chmod +x deploy.sh; ./deploy.sh prod",
  ])('an everyday command is allowed: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each([
    'curl "$URL"',
    'curl -K settings',
    'curl -s $(cat url)',
    'xargs curl < urls',
    'wget -i list',
    'strip -O binary app && ./app',
    'strip @options && ./app',
    'chrt $(cat x) app',
    "seq 10 | awk 'NR%2' | xargs rm -rf",
    'git push',
    'git push ./copy.git:main',
    'git push /srv/copy.git main',
    'cd /srv; git push ./copy.git main',
    'git push "$address" main',
    'git push --receive-pack=x ./copy.git',
    'git -c url.https://example.com/.insteadOf=./ push ./copy.git',
    'git remote add copy https://example.com/copy; git push copy',
    'git remote add copy ./copy.git; git remote set-url copy https://example.com/copy; git push copy',
    'git remote add copy ./copy.git; git remote add copy2 https://example.com/copy; git push',
    "find . -type f | xargs -I{} sh -c '{}'",
    "find . -type f | xargs -I{} sh -c 'eval {}'",
    "find . -type f | xargs -I{} sh -c 'sudo rm {}'",
    "find . -type f | xargs -I{} sh -c 'cat {} | sh'",
    "touch '$(id)'; find . -type f | xargs -I{} sh -c 'echo {}'",
    "cat list | xargs -I{} sh -c 'echo {}'",
    'git update-ref -d refs/heads/main',
    'git update-ref -d refs/stash',
    'git update-ref -d "$ref"',
    'chmod g+s app',
    'mkdir shared; chmod -R g+s shared',
    'mkdir shared; chmod u+s,g+s shared',
    'mkdir shared; chmod g+s shared app',
    "printf '#!/bin/sh\\n./upload\\n' > deploy.sh; chmod +x deploy.sh; ./deploy.sh prod",
    './deploy.sh prod',
  ])('a command that only looks like an everyday one is held: %s', (script) => {
    expect(verdictOf(script)).not.toBe('allow')
  })
})
