import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'
import { personRepository } from '../support/person-repository.js'

/** Commands that change settings that tools run by themselves. */
const PLANTS: readonly string[] = [
  ...['.vscode/settings.json', '.devcontainer/devcontainer.json', '.opencode/command/x.md', '.claude/hooks/x.sh'],
  ...[
    '.claude/skills/x/SKILL.md',
    '.cursor/rules/x.mdc',
    '.codex/hooks.json',
    '.gemini/commands/x.toml',
    '.idea/workspace.xml',
  ],
  ...['.zed/tasks.json', '.kiro/hooks/x.kiro.hook', '.roo/mcp.json', '.github/hooks/x.json', '.mise/config.toml'],
  ...['.helix/languages.toml', '.aider.conf.yml', '.config/mise/config.toml', '.kilocode/mcp.json', '.lfsconfig'],
]

const perl = (code: string): string => `perl -e '${code.replaceAll("'", `'\\''`)}'`
const PLANT = perl(
  `for my $p (qw(${PLANTS.join(' ')})) { my $m = ""; for (split m{/}, $p =~ m{(.*)/} ? $1 : q()) { $m .= "$_/"; mkdir $m } open my $f, ">", $p; print $f "evil\\n" }`,
)

export function toolSettings(who: string): void {
  const { workspace, git, write, read, run, top } = personRepository()
  const planted = (): readonly string[] => PLANTS.filter((name) => existsSync(join(workspace(), name)))

  describe(`${who}: settings that tools run by themselves`, () => {
    it('planted tool settings are removed and reported, with the command that would allow them', async () => {
      const { evidence } = await run(PLANT)
      expect(planted()).toEqual([])
      expect(evidence.join('\n')).toContain('.vscode/settings.json is protected')
      expect(evidence.join('\n')).toContain(
        'A person can set `paths.protected = ["...", "!.vscode"]` of [profiles.workspace]',
      )
    })

    it('tool settings cannot be changed, removed, renamed or redirected by a symlink', async () => {
      for (const name of PLANTS) write(name, 'kept\n')
      for (const script of [
        PLANT,
        perl('for (qw(.vscode .claude .github .idea)) { rename $_, "moved$_"; mkdir $_ }'),
        perl(
          'rename ".github", "old"; mkdir "new"; mkdir "new/hooks"; open my $f, ">", "new/hooks/x.json"; print $f "evil"; symlink "new", ".github"',
        ),
        perl(
          'for (glob ".vscode/* .claude/*/*") { unlink; symlink "/etc/passwd", $_ } rmdir ".zed"; unlink ".zed/tasks.json"',
        ),
        perl(
          'chmod 0777, ".claude/hooks/x.sh"; open my $f, ">", "evil"; print $f "evil\\n"; close $f; link "evil", ".vscode/tasks.json"',
        ),
      ])
        await run(script)
      expect(PLANTS.map(read)).toEqual(PLANTS.map(() => 'kept\n'))
      expect(read('.vscode/tasks.json')).toBe(null)
    })

    it('a command that names tool settings is refused before it runs', async () => {
      await expect(run('mkdir .vscode && echo {} > .vscode/settings.json')).rejects.toThrow(
        /protected = \["...", "!\.vscode"\]/,
      )
    })

    it("an agent's worktrees among tool settings stay writable", async () => {
      write('.claude/settings.json', '{}\n')
      const { evidence } = await run('git worktree add -q .claude/worktrees/w && echo x > .claude/worktrees/w/file')
      expect([evidence, read('.claude/worktrees/w/file')]).toEqual([[], 'x\n'])
    })
  })

  describe(`${who}: settings that tools run by themselves, which git tracks`, () => {
    beforeEach(() => {
      write('.vscode/settings.json', 'one\n')
      git('add', '-A')
      git('commit', '-qm', 'one')
      git('checkout', '-q', '-b', 'side')
      write('.vscode/settings.json', 'two\n')
      write('.vscode/tasks.json', 'two\n')
      git('add', '-A')
      git('commit', '-qm', 'two')
      write('b', 'b\n')
      git('add', 'b')
      git('commit', '-qm', 'three')
      git('checkout', '-q', 'main')
      write('c', 'c\n')
      git('add', 'c')
      git('commit', '-qm', 'four')
    })
    const both = () => [read('.vscode/settings.json'), read('.vscode/tasks.json')]

    it.each([
      ['git checkout -q side', ['two\n', 'two\n']],
      ['git checkout -q side~1', ['two\n', 'two\n']],
      ['git checkout -q side && git checkout -q main', ['one\n', null]],
      ['git checkout -q side && git rebase -q main', ['two\n', 'two\n']],
      ['git merge -q --no-edit side', ['two\n', 'two\n']],
      ['git restore --source side -- .vscode', ['two\n', 'two\n']],
      ['git reset -q --hard side', ['two\n', 'two\n']],
    ])('git may change tool settings from an earlier commit: %s', async (script, expected) => {
      const result = await run(script)
      expect([result.exitCode, result.evidence, both()]).toEqual([0, [], expected])
      expect(git('status', '--short')).toBe(script.includes('restore') ? git('status', '--short') : '')
    })

    it('tracked tool settings are restored by checkout and stash', async () => {
      git('checkout', '-q', 'side')
      expect([(await run('git checkout -q main')).evidence, both()]).toEqual([[], ['one\n', null]])
      write('.vscode/settings.json', 'two\n')
      expect([(await run('git stash -q')).evidence, both()]).toEqual([[], ['one\n', null]])
      expect([(await run('git stash pop -q')).evidence, both()]).toEqual([[], ['two\n', null]])
    })

    it.each([
      [
        'a commit of the same command',
        'echo evil > .vscode/x; git add -A; git commit -qm x; git checkout -q side; git checkout -q main',
      ],
      ['a blob without a commit', 'o=$(echo evil | git hash-object -w --stdin); git cat-file blob $o > .vscode/x'],
      ['a removal', 'rm -r .vscode'],
    ])('tracked tool settings are not changed by %s', async (_name, script) => {
      await run(perl(`system("bash", "-c", ${JSON.stringify(script).replaceAll('$', '\\$')})`))
      expect([read('.vscode/settings.json'), read('.vscode/x')]).toEqual(['one\n', null])
    })
  })

  describe(`${who}: settings that a person lets a command change`, () => {
    it('tool settings are changed by an approved command, and by none if the profile forbids it', async () => {
      mkdirSync(join(top(), 'home/.config/cordon'), { recursive: true })
      writeFileSync(
        join(top(), 'home/.config/cordon/cordon.toml'),
        '[profiles.free]\nextends = "workspace"\npaths.protected = ["...", "!.vscode"]\n',
      )
      const cordon = await createCordon({
        workspace: workspace(),
        stateDirectory: join(top(), 'state2'),
        env: { PATH: '/usr/bin:/bin', HOME: join(top(), 'home') },
        warm: 0,
        onApproval: async () => 'once',
      })
      const evidence: string[] = []
      const text = (name: string): string => readFileSync(join(workspace(), name), 'utf8')
      try {
        const asked = await cordon.run('mkdir -p .vscode && echo yes > .vscode/settings.json', { profile: 'developer' })
        evidence.push(...asked.evidence)
        expect([text('.vscode/settings.json'), asked.evidence]).toEqual(['yes\n', []])
        const free = await cordon.run('echo free > .vscode/settings.json', { profile: 'free' })
        expect([text('.vscode/settings.json'), free.evidence]).toEqual(['free\n', []])
      } finally {
        await cordon.close()
        await removeQuarantined(evidence)
      }
    })
  })
}
