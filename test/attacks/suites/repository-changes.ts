import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BY_HAND } from '../../../src/core/model/policy/allow-command.js'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'

/** Tests changes of repositories by a command, and git of a person on the result. */
export function repositoryChanges(who: string): void {
  let top: string
  let workspace: string
  let marker: string
  let cordon: Cordon
  const evidence: string[] = []
  const env = (): NodeJS.ProcessEnv => ({ PATH: '/usr/bin:/bin', HOME: `${top}/home`, GIT_CONFIG_NOSYSTEM: '1' })
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args], {
      cwd,
      env: env(),
      stdio: 'pipe',
    }).toString()
  beforeEach(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-repository-')))
    workspace = join(top, 'workspace')
    marker = join(top, 'marker')
    for (const name of ['workspace', 'home', 'state']) mkdirSync(join(top, name))
    git(workspace, 'init', '-q', '-b', 'main')
    writeFileSync(join(workspace, 'a'), 'a\n')
    git(workspace, 'add', '-A')
    git(workspace, 'commit', '-qm', 'first')
    cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env: env() })
  })
  afterEach(async () => {
    await cordon.close()
    await removeQuarantined(evidence.splice(0))
    await removeTree(top)
  })
  const run = async (script: string) => {
    const result = await cordon.run(script)
    evidence.push(...result.evidence)
    return result
  }
  const config = (): string => readFileSync(join(workspace, '.git/config'), 'utf8')

  describe(`${who}: everyday changes of a repository`, () => {
    const WORKS = [
      'git config user.email a@example.com && git config user.email',
      'git config pull.rebase true && git config pull.rebase',
      'git remote add up https://example.com/up.git && git remote -v',
      'git branch x && git branch -u main x && git branch -d x',
      'git checkout -qb x && git checkout -q main && git branch -d x',
      'git worktree add -q ./tree -b x && cd tree && echo b > b && git add b && git -c user.name=t -c user.email=t@t commit -qm b && cd .. && git worktree remove tree',
      'mkdir d && git sparse-checkout set d && git sparse-checkout disable',
      'git init -q sub && git -C sub config core.autocrlf input && git clone -q . copy && git -C copy status --short',
      'git clone -q --bare . bare.git && git remote add local ./bare.git && git push -q local main --dry-run',
    ]
    it.each(WORKS)('an everyday change of a repository works without a message: %s', async (script) => {
      const result = await run(script)
      expect([result.exitCode, result.stderr, result.evidence]).toEqual([0, '', []])
      expect(spawnSync('find', ['.', '-name', '*.lock'], { cwd: workspace }).stdout.toString()).toBe('')
      git(workspace, 'status')
    })

    it('a command adds a submodule, which later commands update and remove', async () => {
      git(workspace, 'clone', '-q', '.', 'library')
      const adds = await run(`git -c protocol.file.allow=always submodule --quiet add ./library lib`)
      expect([adds.exitCode, adds.evidence]).toEqual([0, []])
      expect((await run('git -C lib log --format=%s && git submodule status')).exitCode).toBe(0)
      const removes = await run('git submodule deinit -f lib && git rm -qf lib && git status --short')
      expect([removes.exitCode, removes.evidence]).toEqual([0, []])
      expect(existsSync(join(workspace, 'lib'))).toBe(false)
    })

    it('a linked worktree stays usable for later commands', async () => {
      await run('git worktree add -q ./tree -b x')
      expect((await run('git -C tree status --short && git worktree remove tree && git branch -D x')).exitCode).toBe(0)
      expect(git(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    })
  })

  describe(`${who}: settings that a command may not make`, () => {
    it('forbidden git settings are put back at commit, named with their file, and other changes stay', async () => {
      const result = await run(
        'perl -e \'open F, ">>.git/config"; print F "[core]\\n\\thooksPath = x\\n[pull]\\n\\trebase = true\\n"\'',
      )
      expect(result.evidence).toEqual([
        `git: restored settings in ${workspace}/.git/config: core.hookspath could make git run or trust other files. ${BY_HAND}`,
      ])
      expect([config().includes('hooksPath'), config().includes('rebase')]).toEqual([false, true])
    })

    it('a git configuration that git cannot read is restored byte for byte', async () => {
      const before = config()
      await run('perl -e \'open F, ">.git/config"; print F "[core"\'')
      expect(config()).toBe(before)
    })

    it("a remote's address cannot be redirected", async () => {
      git(workspace, 'remote', 'add', 'origin', 'https://example.com/a.git')
      await run(
        'perl -e \'$/ = undef; open F, "+<.git/config"; $_ = <F>; s/example.com/evil.invalid/; seek F, 0, 0; print F $_\'',
      )
      expect(git(workspace, 'remote', 'get-url', 'origin')).toBe('https://example.com/a.git\n')
    })

    it('git configuration is read-only in a sandbox without a transaction', async () => {
      mkdirSync(join(top, 'home/.config/cordon'), { recursive: true })
      const settings = '[profiles.live]\nextends = "workspace"\ntransaction = { mode = "off" }\n'
      writeFileSync(join(top, 'home/.config/cordon/cordon.toml'), settings)
      const live = await createCordon({ workspace, stateDirectory: join(top, 'state'), env: env(), profile: 'live' })
      const before = config()
      await live.run('perl -e \'open F, ">>.git/config"; print F "[core]\\n\\tfsmonitor = x\\n"\'')
      await live.close()
      expect(config()).toBe(before)
    })
  })

  describe(`${who}: a person's git after an attack on a repository`, () => {
    /** Appends settings to a file, so that the analyser sees no path. */
    const append = (path: string, text: string): string =>
      `perl -e 'open F, ">>", shift; print F shift' ${path} $'${text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`
    const evil = (): string => `[core]\n\tfsmonitor = touch ${marker}; false\n`
    const bare = (path: string): string =>
      `mkdir -p ${path}/objects ${path}/refs; echo "ref: refs/heads/main" > ${path}/HEAD`
    const worktree = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n'
    const ATTACKS: readonly (readonly [name: string, script: () => string, second?: () => string])[] = [
      ['a setting', () => append('.git/config', evil())],
      [
        'an included file',
        () => `${append('x.conf', evil())}; ${append('.git/config', '[include]\n\tpath = ../x.conf\n')}`,
      ],
      [
        'a symlink for the configuration',
        () =>
          `cp .git/config x.conf; ${append('x.conf', evil())}; perl -e 'unlink ".git/config"; symlink "../x.conf", ".git/config"'`,
      ],
      [
        'a second name for the configuration',
        () => `${append('.git/config', evil())}; perl -e 'link ".git/config", "x"'`,
      ],
      [
        'the configuration of a worktree',
        () => `git config extensions.worktreeConfig true; ${append('.git/config.worktree', evil())}`,
      ],
      [
        'a pipe for the configuration',
        () => 'git init -q sub; perl -e \'unlink "sub/.git/config"\'; mkfifo sub/.git/config',
      ],
      ['a repository of its own', () => `git init -q sub; ${append('sub/.git/config', evil())}`],
      [
        'a repository with a name that is no text',
        () => `git init -q $'s\\xffb'; ${append("$'s\\xffb'/.git/config", evil())}`,
      ],
      [
        'a hook of its own repository',
        () =>
          `git init -q sub; (cd sub; echo b > b; git add b); ${append('sub/.git/hooks/post-index-change', `#!/bin/sh\ntouch ${marker}\n`)}; chmod +x sub/.git/hooks/*; touch sub/b`,
      ],
      [
        'a symlink for the hooks',
        () =>
          `mkdir h; ${append('h/post-index-change', `#!/bin/sh\ntouch ${marker}\n`)}; chmod +x h/*; git init -q sub; (cd sub; echo b > b; git add b); perl -e 'rename "sub/.git/hooks", "sub/old"; symlink "../../h", "sub/.git/hooks"'; touch sub/b`,
      ],
      [
        'a directory that git takes for a repository',
        () => `${bare('sub')}; ${append('sub/config', worktree + evil())}`,
      ],
      [
        'one that becomes a repository later',
        () => `mkdir sub; ${append('sub/config', worktree + evil())}`,
        () => bare('sub'),
      ],
      [
        'one whose hooks were there before',
        () =>
          `mkdir -p sub/hooks; echo b > sub/b; ${append('sub/hooks/post-index-change', `#!/bin/sh\ntouch ${marker}\n`)}; chmod +x sub/hooks/*`,
        () =>
          `git init -q made; cp -r made/.git/{HEAD,objects,refs,config} sub; ${append('sub/config', '[core]\n\tworktree = .\n')}; (cd sub; git add b; touch b)`,
      ],
      [
        'a .git file that leads to tracked files',
        () => `mkdir x; echo > x/a; ${append('x/config', worktree + evil())}`,
        () => `${bare('x')}; mkdir sub; echo "gitdir: ../x" > sub/.git`,
      ],
      ['a .git file that leads out', () => `mkdir sub; echo "gitdir: ${top}/evil" > sub/.git`],
      ['a .git symlink that leads out', () => `mkdir sub; ln -s ${top}/evil sub/.git`],
      [
        'a worktree whose repository is elsewhere',
        () =>
          `git worktree add -q ./tree -b x; perl -e 'open F, ">.git/worktrees/tree/commondir"; print F "${top}/evil\\n"'`,
      ],
      ['a shared directory for the repository', () => `perl -e 'open F, ">.git/commondir"; print F "${top}/evil\\n"'`],
      [
        'a repository of a submodule',
        () =>
          `mkdir -p .git/modules; git init -q --separate-git-dir .git/modules/sub sub; ${append('.git/modules/sub/config', evil())}`,
      ],
      [
        'a gitlink to a repository in the tree',
        () =>
          `git init -q sub; (cd sub; git -c user.name=t -c user.email=t@t commit -q --allow-empty -m x); git add sub 2>/dev/null; ${append('sub/.git/config', evil())}`,
      ],
      [
        'a partial clone that asks a remote for what is missing',
        () =>
          `git clone -q . sub; perl -e 'unlink glob("sub/.git/objects/*/*"), "sub/a"'; ${append('sub/.git/config', `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n\tuploadpack = touch ${marker}; git-upload-pack\n`)}`,
      ],
      [
        'alternates, replacements and attributes',
        () =>
          `git init -q sub; echo ${top}/evil/objects > sub/.git/objects/info/alternates; echo "* filter=x diff=x merge=x" > sub/.git/info/attributes; echo b > sub/b; git -C sub add b; touch sub/b`,
      ],
    ]
    it.each(ATTACKS.map(([name, first, second]) => ({ name, first, second })))(
      'git runs nothing by $name',
      async ({ first, second }) => {
        mkdirSync(join(top, 'evil'))
        git(join(top, 'evil'), 'init', '-q', '--bare')
        writeFileSync(join(top, 'evil/config'), `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${evil()}`)
        // The owner's run shows that the attack would work.
        const proof = spawnSync('git', ['--git-dir', join(top, 'evil'), '--work-tree', '.', 'status'], {
          cwd: workspace,
          env: env(),
        })
        expect([existsSync(marker), proof.error]).toEqual([true, undefined])
        rmSync(marker)
        for (const script of [first, second]) if (script) await run(script())
        const look =
          'find . -type d -not -path "*/objects/*" -print0 | while IFS= read -r -d "" d; do for c in status "log -p -1" "diff HEAD"; do (cd "$d" && timeout 5 git $c); done; done'
        spawnSync('bash', ['-c', look], { cwd: workspace, env: { ...env(), GIT_TERMINAL_PROMPT: '0' } })
        expect(existsSync(marker)).toBe(false)
        expect(git(workspace, 'status', '--short').includes('fatal')).toBe(false)
      },
    )
  })
  describe(`${who}: other version control`, () => {
    const SETTINGS: readonly string[] = [
      ...['.hg/hgrc', 'sub/.hg/hgrc-not-shared', 'sub/.hg/sharedpath', 'sub/.sl/config'],
      ...['sub/.jj/repo/config.toml', 'sub/.jj/workspace-config.toml', 'sub/_darcs/prefs/defaults', 'other/.jj/repo'],
    ]

    it.each(SETTINGS)('settings of other version control that run programs are not kept: %s', async (path) => {
      const write = `mkdir -p $(dirname ${path}); perl -e 'open F, ">", shift; print F "[hooks]\nstatus = x\n"' ${path}`
      const { evidence } = await run(write)
      expect(evidence.join()).toMatch(/version control would run or trust|is protected/)
      expect(existsSync(join(workspace, path))).toBe(false)
    })

    it('an address that `hg clone` writes is kept', async () => {
      const text = '# example\n[paths]\ndefault = https://example.com/a\n'
      await run(`mkdir -p sub/.hg && printf ${JSON.stringify(text)} > sub/.hg/hgrc`)
      expect(existsSync(join(workspace, 'sub/.hg/hgrc'))).toBe(true)
    })
  })
}
