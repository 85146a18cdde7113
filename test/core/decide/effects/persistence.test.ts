import { describe, expect, it } from 'vitest'
import { decidedIn, rulesOf } from '../reading.js'

const inDeveloper = (script: string) => decidedIn('developer', script)
const inOpen = (script: string) => decidedIn('open', script)

describe('a setting that makes git run something later', () => {
  it.each([
    'git config --global core.hooksPath hooks',
    "git config --global alias.x '!sh x'",
    "git config --global core.pager 'sh x'",
    "git config --global core.editor 'sh x'",
    "git config --global credential.helper '!sh x'",
    "git config set --global core.pager 'sh x'",
    "git config --global --add alias.x '!sh x'",
    'git config --global include.path ./x',
    "cd sub && git config --global core.pager 'sh x'",
    'git config core.hooksPath hooks',
    "git config alias.x '!sh x'",
    'git config --local core.fsmonitor ./x',
  ])('asks as writing the file would, with a sandbox and without: %s', (script) => {
    // Global settings of a command are kept in its private home, which no person's git reads.
    const isGlobal = script.includes('--global')
    expect(inDeveloper(script).verdict).toBe(isGlobal ? 'allow' : 'ask')
    expect(rulesOf(inDeveloper(script)).includes('git/setting')).toBe(!isGlobal)
    expect(rulesOf(inOpen(script))).toContain('path/protected')
  })

  it('asks where it is for everybody on the machine', () => {
    expect(rulesOf(inDeveloper('git config --system core.pager x'))).toContain('path/outside-write')
    expect(rulesOf(inOpen('git config --system core.pager x'))).toContain('path/system-paths')
    expect(rulesOf(inOpen('git config --system user.name me'))).toContain('path/system-paths')
    expect(inDeveloper('git config --system --list').verdict).toBe('allow')
    expect(inDeveloper('git config --system --get user.name').verdict).toBe('allow')
  })

  it('is denied where what it runs would be', () => {
    expect(inDeveloper("git config --global core.pager 'sudo id'").verdict).toBe('deny')
    expect(inDeveloper('npm config set script-shell sudo').verdict).toBe('deny')
  })

  it.each([
    'git config --global user.email a@example.com',
    'git config user.name me',
    'git config --global core.editor vim',
    'git config --global core.pager delta',
    'git config --global credential.helper store',
    'git config --global alias.st status',
    'git config --get core.hooksPath',
    'git config --global init.defaultBranch main',
  ])('is not taken for one where it names nothing unusual: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })
})

describe('what runs later', () => {
  it.each([
    "echo '* * * * * sudo id' | crontab -",
    "printf '%s\\n' '@reboot sudo id' | crontab",
    "crontab - <<< '*/5 0-3 * JAN mon sudo id'",
    "crontab <<'X'\nMAILTO=me\n0 0 * * * sudo id\nX",
    "(crontab -l; echo '* * * * * sudo id') | crontab -",
    "echo 'sudo id' | at now",
    "batch <<< 'sudo id'",
  ])('is read like what runs now: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('deny')
    expect(rulesOf(inDeveloper(script))).toContain('builtin/sudo')
  })

  it.each([
    "crontab <<'X'\n# sudo id\nA=sudo id\n* * * * * make\nX",
    "echo '* * * * * mail%sudo id' | crontab -",
    "echo 'make' | at now",
    'crontab -r',
  ])('asks where nothing worse is in it: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('ask')
  })
})

describe('what a client of a database is given on its standard input', () => {
  it('is denied where it would run what is', () => {
    for (const script of [
      "echo '\\! sudo id' | psql",
      "sqlite3 x.db <<< '.shell sudo id'",
      "printf '\\\\! sudo id' | mysql",
    ])
      expect(inDeveloper(script).verdict, script).toBe('deny')
  })

  it('asks where it takes something away, also when a part of it is not known', () => {
    for (const script of [
      'echo FLUSHALL | redis-cli',
      'echo "DROP TABLE $(cat name)" | psql',
      "psql -f - <<< 'drop table x'",
    ])
      expect(rulesOf(inDeveloper(script)).join(' '), script).toMatch(/effect\/database-(?:statement|flush)/)
  })

  it('input of a database client that deletes nothing does not ask', () => {
    for (const script of ["echo 'select 1' | psql", 'sqlite3 x.db < schema.sql', 'echo PING | redis-cli'])
      expect(inDeveloper(script).verdict, script).toBe('allow')
  })
})

describe('a pager', () => {
  it('with a variable that names a program asks, and is denied if that program is', () => {
    expect(rulesOf(inDeveloper("LESS='+!make' less f"))).toContain('environment/LESS')
    expect(rulesOf(inDeveloper("export LESS='-R +!make'; git log"))).toContain('environment/LESS')
    expect(inDeveloper("LESS='+!sudo id' less f").verdict).toBe('deny')
    expect(inDeveloper("LESSOPEN='|sudo id' less f").verdict).toBe('deny')
  })

  it('is left alone with its options', () => {
    expect(inDeveloper('LESS=-R less f').verdict).toBe('allow')
    expect(inDeveloper('LESS="$LESS -R" less f').verdict).toBe('allow')
  })
})

describe('arguments that bash takes for variables', () => {
  it('are asked about after set -k', () => {
    for (const script of ['set -k; ls LD_PRELOAD=x.so', 'set -o keyword; ls', "bash -k -c 'ls LD_PRELOAD=x.so'"])
      expect(inDeveloper(script).verdict).toBe('ask')
    expect(inDeveloper('set -k; dd if=a of=/dev/sda').verdict).toBe('deny')
  })

  it('without set -k, an argument NAME=value is no variable', () => {
    expect(inDeveloper('ls LD_PRELOAD=x.so').verdict).toBe('allow')
    expect(inDeveloper('set +k; ls LD_PRELOAD=x.so').verdict).toBe('allow')
  })
})

describe('ending processes', () => {
  it('of the whole machine is denied, and asked about where they are chosen broadly', () => {
    for (const script of ['kill -9 -1', 'kill -KILL -- -1', 'killall5']) expect(inOpen(script).verdict).toBe('deny')
    for (const script of ['fuser -km /', 'fuser -k -m /home', 'pkill -9 -u me'])
      expect(inOpen(script).verdict).toBe('ask')
  })

  it('is allowed where it reaches no further than the command itself or a port: a run has a group of its own', () => {
    for (const script of ['kill 0', "trap 'kill 0' EXIT; ls", 'fuser -k 3000/tcp']) {
      expect(inOpen(script).verdict).toBe('allow')
      expect(inDeveloper(script).verdict).toBe('allow')
    }
  })
})

describe('a disk', () => {
  it.each([
    'qemu-img convert x /dev/sda',
    'qemu-img convert -O raw x.qcow2 /dev/nvme0n1',
    'qemu-img create -f raw /dev/sdb 1G',
    'qemu-img dd if=x of=/dev/sda',
  ])('is not written by an image: %s', (script) => {
    expect(rulesOf(inDeveloper(script))).toContain('builtin/block-device')
  })

  it.each(['qemu-img convert -O qcow2 a.raw a.qcow2', 'qemu-img info a.qcow2', 'qemu-img create -f qcow2 a.qcow2 1G'])(
    'is left alone: %s',
    (script) => {
      expect(inDeveloper(script).verdict).toBe('allow')
    },
  )
})

describe('the syntax of scripts', () => {
  it.each([
    "find . -name '*.sh' -exec bash -n {} \\;",
    "find scripts -name '*.sh' -exec bash -n {} +",
    "find . -name '*.sh' -print0 | xargs -0 -n1 bash -n",
  ])('is looked at without a question: %s', (script) => {
    expect(inDeveloper(script).verdict).toBe('allow')
  })

  it.each(["find . -name '*.sh' -exec bash {} \\;", 'bash -n $(cat list)', "find . -name '*.sh' -exec bash -c {} \\;"])(
    'is not all that is looked at where something may run: %s',
    (script) => {
      expect(inDeveloper(script).verdict).toBe('ask')
    },
  )
})

describe('an archive made by Python', () => {
  it('an archive made by Python is judged by the paths it reads and writes', () => {
    expect(rulesOf(inOpen('python -m zipfile -c ~/.bashrc a'))).toContain('path/protected')
    expect(rulesOf(inDeveloper('python -m tarfile -e x.tar /etc'))).toContain('path/outside-write')
    expect(rulesOf(inDeveloper('python -m zipfile -c x.zip .env'))).toContain('path/hidden')
    expect(inDeveloper('python -m zipfile -e x.zip out').verdict).toBe('allow')
  })
})

describe('what is put into the directory of the repository', () => {
  it.each([
    'cp -r hooks .git/',
    'cp -r hooks .git',
    'mv hooks .git/',
    'cp config .git/',
    'rsync -a hooks .git/',
    'tar -C .git -xf hooks.tar',
  ])('is asked about where no sandbox keeps them closed, for it may be hooks or settings: %s', (script) => {
    expect(rulesOf(inOpen(script))).toContain('path/protected')
    expect(inDeveloper(script).verdict).toBe('allow')
  })

  it.each([
    'cp -r .git /tmp/copy',
    'rm -f .git/index.lock',
    'chmod -R u+w .git',
    'cp -r hooks vendor/x/.git/',
    'cp x .gitignore',
    'mv x .github/',
  ])('is not seen where nothing is put there: %s', (script) => {
    expect(rulesOf(inOpen(script))).not.toContain('path/protected')
  })
})

describe('a name of git for something that sends', () => {
  it('asks when the alias is defined, because its later use is not recognised', () => {
    expect(rulesOf(inDeveloper('git config alias.p push; git p'))).toContain('effect/git-push')
    expect(rulesOf(inDeveloper("git config --global alias.p 'push --force origin'"))).toContain('effect/force-push')
    expect(inDeveloper('git config alias.st status').verdict).toBe('allow')
    expect(inDeveloper("git config alias.pushed 'log origin/main'").verdict).toBe('allow')
  })
})
