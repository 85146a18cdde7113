import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { people, snapshot } from '../../host/private-home/person.js'

const person = people()

/** Returns a program that the analyser does not read, so that only the sandbox decides. */
const perl = (code: string): { readonly program: string; readonly args: readonly string[] } => ({
  program: 'perl',
  args: ['-MFile::Path', '-MFile::Copy', '-e', code],
})

const PROFILES = ['workspace', 'developer', 'readonly'] as const

describe.each(PROFILES)('the home of the host, attacked from the profile "%s"', (profile) => {
  it("a private home gives no access to the host's home by name, symlink, rename or cache variable", async () => {
    const { home, write, open } = person()
    write('.bashrc', 'before\n')
    write('.cache/pip/x', 'cache')
    write('.config/tool/rc', 'rc')
    write('.cargo/bin/cargo', '#!/bin/sh\n', 0o755)
    write('.nvm/nvm.sh', 'nvm')
    write('projects/other/file', 'other')
    const before = snapshot(home)
    const cordon = await open({ profile })
    const attack = perl(`
      my $home = $ENV{HOME};
      $ENV{$_} = "$home/.cache/pip" for qw(XDG_CACHE_HOME npm_config_cache CARGO_HOME PIP_CACHE_DIR);
      my @targets = ("$home", "$home/.cache/pip", "$home/.config/tool", "$home/.nvm", "$home/.cargo/bin", "$home/projects/other",
        "/run/cordon/home", "/run/cordon", "/proc/self/root$home", "/proc/1/root$home", "/proc/1/cwd$home", "$ENV{XDG_CACHE_HOME}");
      for my $to (@targets) {
        mkdir "$to/made"; open my $f, ">", "$to/planted"; open $f, ">>", "$to/rc"; symlink "/etc", "$to/link";
        rename "$home/planted", "$to/renamed"; unlink "$to/x", "$to/nvm.sh", "$to/file"; rename $to, "$to.moved"; chmod 0777, $to;
        link "$to/rc", "$home/hard";
      }
      for ("$home/.bashrc", "$home/.nvm/nvm.sh", "$home/.cargo/bin/cargo") { open my $f, ">>", $_; print $f "planted" if $f }
    `)
    for (let i = 0; i < 2; i++) await cordon.run(attack)
    expect(snapshot(home)).toEqual(before)
  })

  it('a private home shows no secret under any path', async () => {
    const { home, write, open } = person()
    for (const path of ['.ssh/id_rsa', '.npmrc', '.aws/credentials', '.config/gh/hosts.yml', '.docker/config.json'])
      write(path, 'SECRET')
    writeFileSync(join(home, 'projects/app/.env'), 'SECRET')
    symlinkSync('.ssh', join(home, 'keys'))
    symlinkSync(join(home, '.npmrc'), join(home, '.local-npmrc'))
    const cordon = await open({ profile })
    const { stdout } = await cordon.run(
      perl(`
        use File::Find;
        my $home = $ENV{HOME};
        my @roots = grep { -d } ($home, "/run/cordon/home", "/proc/self/root/run", "/tmp", "/proc/1/root/run", "/proc/self/cwd", "/run");
        find({ no_chdir => 1, follow_skip => 2, wanted => sub {
          return unless -f $_ && -s _ < 4096; open my $f, "<", $_ or return; local $/; my $t = <$f>; print "$_\\n" if $t =~ /SECRET/;
        } }, @roots);
        for ("keys/id_rsa", ".local-npmrc", ".ssh/id_rsa", ".config/gh/hosts.yml", "projects/app/.env") {
          for my $at ("$home", "/run/cordon/home", "/proc/self/root$home") { open my $f, "<", "$at/$_" or next; my $t = <$f> // ""; print "$at/$_\\n" if $t =~ /SECRET/ }
        }
        print "looked\\n";
      `),
    )
    expect(stdout).toBe('looked\n')
  })
})

describe("Cordon's own state, attacked from a private home", () => {
  it('mount points are not made through a planted symlink', async () => {
    const { home, workspace, write, open, state } = person()
    write('.local/share/mise/x', 'mise')
    write('projects/other/file', 'other')
    const target = join(home, 'target')
    mkdirSync(target)
    const cordon = await open()
    const targets = (name: string): string =>
      `symlink "${target}", "$ENV{HOME}/${name}" or symlink "../../../../../../oldroot${target}", "$ENV{HOME}/${name}";`
    const attack = perl(`
      for my $name (".local", "projects", ".config", ".gitconfig", ".cache") { rename "$ENV{HOME}/$name", "$ENV{HOME}/$name.away"; unlink "$ENV{HOME}/$name" }
      ${['.local', 'projects', '.config', '.gitconfig', '.cache'].map(targets).join('\n')}
      rename "/tmp/" . (split "/", "${workspace}")[2], "/tmp/away"; symlink "${target}", "/tmp/" . (split "/", "${workspace}")[2];
    `)
    await cordon.run(attack)
    const after = await cordon.run('cat .git 2>/dev/null; pwd; cat ~/.local/share/mise/x; git config user.name; true')
    expect(after).toMatchObject({ stdout: `${workspace}\nmise` })
    expect(readdirSync(target)).toEqual([])
    expect(existsSync(join(home, '.gitconfig'))).toBe(false)
    expect(readdirSync(state)).toContain('homes')
  })

  it('the git configuration is not written through a planted symlink', async () => {
    const { home, workspace, open } = person()
    const target = join(workspace, 'target')
    writeFileSync(target, 'untouched')
    const cordon = await open()
    await cordon.run(
      perl(
        `unlink "$ENV{HOME}/.gitconfig"; symlink "${target}", "$ENV{HOME}/.gitconfig"; mkfifo("$ENV{HOME}/.config/git/ignore")`,
      ),
    )
    await cordon.run(perl(`unlink "$ENV{HOME}/.config/git/ignore"; system "mkfifo", "$ENV{HOME}/.config/git/ignore"`))
    expect((await cordon.run('git config --global core.excludesFile')).stdout).toBe(`${home}/.config/git/ignore\n`)
    expect(readFileSync(target, 'utf8')).toBe('untouched')
  })

  it("Cordon's own state is not visible in a private home", async () => {
    const { home, open } = person()
    const state = join(home, '.local/state/cordon')
    for (const profile of ['workspace', 'developer'] as const) {
      const cordon = await open({ profile, stateDirectory: state })
      const { stdout } = await cordon.run(
        perl(
          `for ("$ENV{HOME}/.local/state/cordon", "/run/cordon/home/.local/state/cordon") { opendir my $d, $_ or next; print "$_\\n" for grep !/^\\./, readdir $d }`,
        ),
      )
      expect(stdout).toBe('')
      await cordon.close()
    }
  })
})
