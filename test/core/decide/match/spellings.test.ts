import { describe, expect, it } from 'vitest'
import { decidedByReader, developerWithForges, rulesOf } from '../reading.js'

const FORGES = developerWithForges()
/** In `developer` where its user has listed the forge: it is the spelling that is asked about here, not the host. */
const inDeveloper = (script: string) => decidedByReader(script, FORGES)

describe('a directory that git takes code from', () => {
  it.each([
    'git --exec-path=/tmp/x status',
    'git --exec-path=bin fetch',
    'git clone --template=/tmp/x https://github.com/a/b',
    'git clone --template /tmp/x https://github.com/a/b',
    'git clone --templ=/tmp/x https://github.com/a/b',
    'git clone --template="$(cat where)" https://github.com/a/b',
    'git init --template=hooks',
    'git clone -c core.hooksPath=/tmp/h https://github.com/a/b',
    'git clone -ccore.hooksPath=/tmp/h https://github.com/a/b',
    'git clone --config=core.hooksPath=h https://github.com/a/b',
    'git clone --config CORE.HooksPath=h https://github.com/a/b',
    'git clone -c core.fsmonitor=./x https://github.com/a/b',
    'git clone -c"core.hooksPath=$(cat where)" https://github.com/a/b',
  ])('is asked about like the variable that names it: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('ask')
  })

  it.each([
    'git --exec-path',
    'git clone https://github.com/a/b --depth 1',
    'git clone -c core.autocrlf=input https://github.com/a/b',
    'git clone -c core.longpaths=true -b main https://github.com/a/b',
    'git clone -c filter.lfs.smudge= -c filter.lfs.required=false https://github.com/a/b',
    'git clone --config core.hooksPath=/dev/null https://github.com/a/b',
    'git init --template= x',
    'git init --template "" x',
    'git commit --template=.message',
  ])('is not seen where there is none: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })
})

describe('an option whose value is not known', () => {
  it.each([
    'wget --post-data="$(cat notes)" https://github.com/x',
    'wget --post-data=$(cat notes) https://github.com/x',
    'wget --body-data="$(cat notes)" --method=GET https://github.com/x',
    'curl -d"$(cat notes)" https://github.com/x',
    'curl -sd"$(cat notes)" https://github.com/x',
    'curl -F"file=$(cat notes)" https://github.com/x',
    'curl --json="$(cat notes)" https://github.com/x',
    'curl -G --data-urlencode name@notes https://github.com/x',
    'curl --get -dname@notes https://github.com/x',
    'curl --url-query name@notes https://github.com/x',
    "wget --post-data=$'a\\nb' https://github.com/x",
    'curl -H "x: $(cat notes)" https://github.com/x',
    'curl -s -A "$(base64 notes)" https://github.com/x',
    'curl -b"$(cat notes)" https://github.com/x',
    'wget --header="x: $(cat notes)" https://github.com/x',
    'wget --post-f=notes https://github.com/x',
    'curl --dat x https://github.com/x',
  ])('sends it all the same: %s', (script) => {
    expect(rulesOf(inDeveloper(script))).toContain('effect/send-data')
  })

  it.each([
    'curl -o"$(cat name)" https://github.com/x',
    'curl -H "x: $(date)" https://github.com/x',
    'curl -H "x: $(cat notes)" http://localhost:3000/x',
    'curl -sL https://github.com/a/b/archive/v$(cat VERSION).tar.gz -o x.tgz',
    'curl --data="$(cat notes)" http://localhost:3000/x',
    'curl -G --data-urlencode q=a https://github.com/x',
    'curl --url-query q=a https://github.com/x',
    'git --git-dir="$(cat where)" log',
    'npm --prefix="$(cat where)" test',
  ])('is neither data nor a subcommand: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })

  it('may be followed by a subcommand where it is not quoted', () => {
    expect(rulesOf(inDeveloper('git -C$(cat where) status'))).toContain('effect/git-push')
  })
})

describe('a cancelled dry run', () => {
  it.each([
    'git push -n --no-dry-run',
    'git push --dry-run --no-dry-run origin main',
    'git push --dry-run --no-dry origin main',
    'npm publish --dry-run --no-dry-run',
    'npm publish --dry-run false',
    'npm publish --dry-run --dry-run=false',
    'kubectl apply -f x.yaml --dry-run=client --dry-run=none',
    'helm upgrade app chart --dry-run --dry-run=false',
  ])('a cancelled dry run counts as the real command: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('ask')
  })

  it('remains a dry run if the option is repeated or belongs to another program', () => {
    expect(inDeveloper('npm publish --dry-run --dry-run=true').verdict).toBe('allow')
    expect(inDeveloper('git push --dry-run origin false').verdict).toBe('allow')
  })
})

describe('a database or a cache on a local host', () => {
  it.each([
    'redis-cli -h localhost flushdb',
    'redis-cli -h 127.0.0.1 -p 6380 FLUSHALL',
    'redis-cli -u redis://localhost:6379/1 flushdb',
    'psql -h localhost app -c "DROP TABLE IF EXISTS t"',
    'psql postgres://me@localhost/app -c "drop view if exists v; create view v as select 1"',
    'mysql -h 127.0.0.1 app -e "DROP TABLE IF EXISTS t; CREATE TABLE t (a int)"',
    "psql -h localhost app <<'X'\nDROP TABLE IF EXISTS t;\nCREATE TABLE t (a int);\nX",
    'sqlite3 test.db "DROP TABLE t"',
  ])('may be made anew: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })

  it.each([
    'redis-cli flushdb',
    'redis-cli -h localhost shutdown',
    'redis-cli -h cache.example.com flushdb',
    'mysqladmin -h localhost drop app',
    'psql app -c "DROP TABLE IF EXISTS t"',
    'psql -h localhost app -c "DROP TABLE t"',
    'psql -h localhost app -c "DROP TABLE IF EXISTS t; DROP TABLE users"',
    'psql -h localhost -c "DROP DATABASE IF EXISTS app"',
    'psql -h localhost -c "DROP SCHEMA IF EXISTS public CASCADE"',
    'psql -h localhost -h db.example.com app -c "DROP TABLE IF EXISTS t"',
    'psql -h localhost "host=db.example.com" -c "DROP TABLE IF EXISTS t"',
    'psql -h localhost app -c "TRUNCATE users"',
  ])('is asked about where more is taken, or it is not said: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('ask')
  })
})

describe('the program of a container', () => {
  it.each([
    'docker run -it --entrypoint sh image',
    'docker run --entrypoint=bash image -l',
    'docker run --rm --entrypoint "" image npm test',
    "docker run --entrypoint sh image -c 'echo hi'",
    'docker compose run --entrypoint sh web',
    'podman run --entrypoint python3 image app.py',
  ])('is read where it is named by an option: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })

  it('is held where what it is given would be', () => {
    expect(rulesOf(inDeveloper("docker run --entrypoint /bin/sh image -c 'git push'"))).toContain('effect/git-push')
    expect(rulesOf(inDeveloper('docker run --entrypoint terraform image apply'))).toContain(
      'effect/infrastructure-change',
    )
    expect(inDeveloper('docker run --entrypoint "$(cat name)" image').verdict).toBe('ask')
  })
})

describe('a setting that has git run ssh', () => {
  it.each([
    ["git config core.sshCommand 'ssh -F x'", 'core.sshCommand'],
    ["GIT_SSH_COMMAND='ssh -F x' git fetch", 'GIT_SSH_COMMAND'],
  ])('is named by the question: %s', (script, setting) => {
    expect(inDeveloper(script).because[0]).toMatchObject({
      rule: 'builtin/network',
      reason: `${setting} makes git run ssh with options that can reach any host. Profile "developer" allows listed hosts only.`,
      instead: `Leave ${setting} unchanged, or ask a person to set it.`,
    })
  })
})

describe('the beginning of a command of npm', () => {
  it('an abbreviated npm command counts as the whole command', () => {
    expect(rulesOf(inDeveloper('npm pub'))).toContain('effect/publish-abbreviated')
    expect(rulesOf(inDeveloper('npm --prefix x unpub y@1.0.0'))).toContain('effect/publish-abbreviated')
    expect(inDeveloper('npm run pub').verdict).toBe('allow')
  })
})
