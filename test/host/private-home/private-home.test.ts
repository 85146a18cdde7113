import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../tools.js'
import { people, snapshot } from './person.js'

const person = people()

const ROUNDS = Number(process.env['CORDON_ROUNDS'] ?? 10)
const PATIENCE_MS = 60_000 + 5_000 * ROUNDS

describe('a private home', () => {
  it('has the path of the real home, keeps files of commands, and changes neither that home nor the workspace', async () => {
    const { home, workspace, write, open } = person()
    write('.bashrc', 'alias x=y\n')
    write('.cache/real', 'real')
    const before = snapshot(home)
    for (const profile of ['workspace', 'developer']) {
      const cordon = await open({ profile })
      const wrote = await cordon.run(
        'echo "$HOME"; mkdir -p ~/.cache/tool && echo cached > ~/.cache/tool/x && echo more >> ~/.bashrc && echo 1 > ~/note',
      )
      expect(wrote).toMatchObject({ exitCode: 0, stdout: `${home}\n`, stderr: '' })
      expect((await cordon.run('cat ~/.cache/tool/x ~/note; tail -n 1 ~/.bashrc; pwd; ls -A')).stdout).toBe(
        `cached\n1\nmore\n${workspace}\n`,
      )
      await cordon.close()
      expect((await (await open({ profile })).run('cat ~/note')).stdout).toBe('1\n')
    }
    expect(snapshot(home)).toEqual(before)
  })

  it('is not shared between profiles or workspaces', async () => {
    const { home, open } = person()
    mkdirSync(join(home, 'other'))
    const one = await open()
    await one.run('echo "touch /tmp/planted" > ~/.bash_profile; echo 1 > /tmp/mine')
    const looks = 'cd ~; ls -A .bash_profile /tmp/mine 2>/dev/null'
    expect((await one.run(looks)).stdout).toBe('.bash_profile\n/tmp/mine\n')
    expect((await one.run(looks, { profile: 'developer' })).stdout).toBe('')
    const two = await open({ workspace: join(home, 'other') })
    expect((await two.run(looks)).stdout).toBe('')
  })

  it('shows toolchains and nothing else of the real home in the profile "workspace"', async () => {
    const { workspace, write, open } = person()
    write('.local/bin/tool', '#!/bin/sh\necho tool\n', 0o755)
    write('.nvm/nvm.sh', 'nvm() { echo nvm; }\n')
    write('.inputrc', 'set x on\n')
    write('Documents/letter', 'private')
    write('projects/sibling/README', 'sibling')
    const cordon = await open()
    const { stdout } = await cordon.run(
      '~/.local/bin/tool; . ~/.nvm/nvm.sh; nvm; cat ~/.inputrc ../sibling/README; ls ~',
    )
    expect(stdout).toBe('tool\nnvm\nset x on\nsiblingprojects\n')
    expect((await cordon.run('cp ~/.local/bin/tool ~/.local/bin/mine && ~/.local/bin/mine')).stdout).toBe('tool\n')
    const missed = await cordon.run('cat ~/Documents/letter ~/nothing')
    expect(missed.evidence.filter((line) => line.includes('not shared'))).toEqual([
      expect.stringContaining('home/u/Documents/letter is on the host and not shared with commands'),
    ])
    const refused = cordon.check('echo x > ~/.nvm/versions')
    expect(refused.because[0]?.reason).toContain('shared read-only with commands')
    expect(existsSync(join(workspace, '.local'))).toBe(false)
  })

  it('shows all of the real home but secrets in the profile "developer", and new entries at once', async () => {
    const { home, write, open } = person()
    write('Documents/letter', 'letter\n')
    write('.config/tool/rc', 'rc\n')
    write('.ssh/id_rsa', 'secret')
    write('.npmrc', 'secret')
    const cordon = await open({ profile: 'developer' })
    expect((await cordon.run('cat ~/Documents/letter ~/.config/tool/rc; ls -A ~')).stdout).toBe(
      'letter\nrc\n.cache\n.config\n.gitconfig\n.local\nDocuments\nprojects\n',
    )
    write('Music/song', 'song\n')
    write('.config/new/rc', 'new\n')
    expect((await cordon.run('cat ~/Music/song ~/.config/new/rc; echo 1 > ~/.config/own')).stdout).toBe('song\nnew\n')
    await cordon.run('rm ~/Documents ~/.config/tool; rm -r ~/.local')
    expect((await cordon.run('cat ~/Documents/letter ~/.config/tool/rc')).stdout).toBe('letter\nrc\n')
    execFileSync('rm', ['-r', join(home, 'Music')])
    expect((await cordon.run('ls ~ ~/.config')).stdout).not.toContain('Music')
    await cordon.run(`perl -e 'for ("$ENV{HOME}/x", "/run/cordon/home/x", "/run/cordon/x") { open my $f, ">", $_ }'`)
    expect(existsSync(join(home, 'x'))).toBe(false)
  })

  it('leaves the workspace and the state directory below the home writable in every profile', async () => {
    const { home, open } = person()
    for (const profile of ['workspace', 'developer']) {
      const cordon = await open({ profile, stateDirectory: join(home, '.local/state/cordon') })
      const ran = await cordon.run(
        'echo 1 > made && mkdir -p ~/.config/tool && touch ~/.config/tool/x && realpath made',
      )
      expect(ran).toMatchObject({ exitCode: 0, stdout: `${home}/projects/app/made\n`, stderr: '' })
    }
  })

  it('is the real home where the workspace is the home', async () => {
    const { home, open } = person()
    const cordon = await open({ workspace: home })
    await cordon.run('echo 1 > ~/note')
    expect(existsSync(join(home, 'note'))).toBe(true)
  })

  it('leaves HOME to the workspace or the real home where the profile says so', async () => {
    const { home, workspace, open } = person(
      '[profiles.own]\nenvironment = { home = "workspace" }\n[profiles.real]\nenvironment = { home = "real" }\n',
    )
    const cordon = await open()
    expect((await cordon.run('echo $HOME; echo 1 > ~/note', { profile: 'own' })).stdout).toBe(`${workspace}\n`)
    expect(existsSync(join(workspace, 'note'))).toBe(true)
    expect((await cordon.run('echo $HOME; touch "$HOME/x"', { profile: 'real' })).stdout).toBe(`${home}\n`)
    expect(existsSync(join(home, 'x'))).toBe(false)
  })

  it("does not take the project's own .npmrc for the person's", async () => {
    const { workspace, write, open } = person()
    write('.npmrc', 'secret')
    writeFileSync(join(workspace, '.npmrc'), 'save-exact=true\n')
    const cordon = await open()
    expect((await cordon.run('cat .npmrc')).stdout).toBe('save-exact=true\n')
    expect(cordon.check('cat ~/.npmrc').verdict).toBe('deny')
  })

  it('reads scripts that an earlier command put there before it lets them run', async () => {
    const { open } = person()
    const cordon = await open()
    await cordon.run('printf "sudo id\\n" > ~/run.sh; printf "sudo id\\n" > /tmp/run.sh')
    for (const script of ['bash ~/run.sh', 'bash /tmp/run.sh'])
      expect(cordon.check(script).because.map(({ rule }) => rule)).toContain('builtin/sudo')
  })
})

describe('a private /tmp', () => {
  it('keeps what one command puts there for the next of the same agent, and for no other', async () => {
    const { open } = person()
    const cordon = await open()
    const { stdout } = await cordon.run('stat -c %a /tmp; echo $TMPDIR; d=$(mktemp -d); echo 1 > $d/x; echo $d', {
      agent: 'a',
    })
    const [mode, temporary, directory] = stdout.trimEnd().split('\n')
    expect([mode, temporary]).toEqual(['1777', '/tmp'])
    expect((await cordon.run(`cat ${directory}/x`, { agent: 'a' })).stdout).toBe('1\n')
    expect((await cordon.run(`ls ${directory}`, { agent: 'b' })).exitCode).toBe(2)
    expect(existsSync(directory ?? '')).toBe(false)
  })

  it('is bound to warm sandboxes', async () => {
    const { open } = person()
    const cordon = await open({ warm: 2 })
    for (let i = 0; i < 6; i++)
      await cordon.run(`echo ${i} >> /tmp/log; echo ${i} >> ~/log`, { agent: i % 2 ? 'a' : 'b' })
    expect((await cordon.run('cat /tmp/log ~/log', { agent: 'a' })).stdout).toBe('1\n3\n5\n0\n1\n2\n3\n4\n5\n')
  })
})

describe('two engines in one private home', () => {
  it('exclude each other by file locks and see new files at once', async () => {
    const { open } = person()
    const engines = [await open(), await open()]
    const count =
      "touch ~/n; for i in 1 2 3 4 5; do flock ~/lock sh -c 'cp ~/n ~/n2; echo x >> ~/n2; mv ~/n2 ~/n'; done"
    await Promise.all(Array.from({ length: 8 }, (_, i) => engines[i % 2]?.run(count)))
    expect((await engines[0]?.run('wc -l < ~/n'))?.stdout).toBe('40\n')
    const made = await Promise.all(engines.map((engine) => engine.run('mkdir ~/once && echo made; true')))
    expect(made.map(({ stdout }) => stdout).sort()).toEqual(['', 'made\n'])
  })

  it('keep an SQLite database whole', async (context) => {
    needs(context, 'python3')
    const { open } = person()
    const engines = [await open(), await open()]
    const insert = `python3 -c "
import sqlite3, os
db = sqlite3.connect(os.path.expanduser('~/.cache/x.db'), timeout=60)
db.execute('create table if not exists t(a)')
for i in range(20):
    with db: db.execute('insert into t values (?)', (i,))
"`
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => engines[i % 2]?.run(insert)))
    expect(results.map((result) => result?.stderr)).toEqual(Array(8).fill(''))
    const check = `python3 -c "
import sqlite3, os
db = sqlite3.connect(os.path.expanduser('~/.cache/x.db'))
print(db.execute('select count(*) from t').fetchone()[0], db.execute('pragma integrity_check').fetchone()[0])
"`
    expect((await engines[0]?.run(check))?.stdout).toBe('160 ok\n')
  })

  it(
    'exclude each other, see new files and keep a database whole in every one of many rounds',
    async (context) => {
      needs(context, 'python3')
      const { open } = person()
      const engines = [await open(), await open()]
      const step = (round: number, engine: number): string => `touch ~/made-${round}-${engine}
touch ~/count; flock ~/lock sh -c 'cp ~/count ~/count2; echo x >> ~/count2; mv ~/count2 ~/count'
python3 -c "
import sqlite3, os
db = sqlite3.connect(os.path.expanduser('~/.cache/rounds.db'), timeout=60)
with db: db.execute('create table if not exists t(a)')
with db: db.execute('insert into t values (1)')
"`
      const look = `wc -l < ~/count; ls ~/made-* | wc -l; python3 -c "
import sqlite3, os
db = sqlite3.connect(os.path.expanduser('~/.cache/rounds.db'))
print(db.execute('select count(*) from t').fetchone()[0], db.execute('pragma integrity_check').fetchone()[0])
"`
      for (let round = 1; round <= ROUNDS; round++) {
        const results = await Promise.all(engines.map((engine, index) => engine.run(step(round, index))))
        expect(results.map(({ stderr, exitCode }) => [round, exitCode, stderr])).toEqual(Array(2).fill([round, 0, '']))
        const seen = await engines[round % 2]?.run(look)
        expect(seen?.stdout).toBe(`${2 * round}\n${2 * round}\n${2 * round} ok\n`)
      }
    },
    PATIENCE_MS,
  )
})
