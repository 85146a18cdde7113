import { beforeEach, describe, expect, it } from 'vitest'
import { personRepository } from '../support/person-repository.js'

/** Tests git operations that a command leaves unfinished, and a person's git on them. */
export function interruptedGit(who: string): void {
  const { workspace, marker, git, write, read, run, tries, hasRun } = personRepository()

  /** Makes two branches that change the same line, the side branch by two commits. */
  const diverge = (): void => {
    git('checkout', '-q', '-b', 'side')
    write('a', 'side\n')
    git('commit', '-qam', 'side')
    write('b', 'b\n')
    git('add', 'b')
    git('commit', '-qm', 'more')
    git('checkout', '-q', 'main')
    write('a', 'main\n')
    git('commit', '-qam', 'main')
  }

  describe(`${who}: an operation that stops at a conflict`, () => {
    beforeEach(diverge)
    const RESOLVE = 'echo both > a && git add a'
    it.each([
      ['rebase', 'git checkout -q side; git rebase main', `${RESOLVE} && git rebase --continue`],
      ['rebase by patches', 'git checkout -q side; git rebase --apply main', `${RESOLVE} && git rebase --continue`],
      ['cherry-pick', 'git cherry-pick main..side', `${RESOLVE} && git cherry-pick --continue`],
      ['merge', 'git merge side', `${RESOLVE} && git merge --continue`],
      ['revert', 'git cherry-pick -X theirs side~1; git revert --no-edit HEAD HEAD~1', 'git status'],
      ['am', 'git format-patch -q --stdout main..side > /tmp/p; git am -3 /tmp/p', `${RESOLVE} && git am --continue`],
      ['bisect', 'git bisect start side main~1 -- a b', 'git bisect good && git bisect reset'],
    ])('an interrupted git operation continues in the next command: %s', async (_name, begin, end) => {
      const first = await run(`export GIT_EDITOR=true; ${begin}`)
      expect(first.evidence).toEqual([])
      const second = await run(`export GIT_EDITOR=true; ${end}`)
      expect([second.exitCode, second.evidence]).toEqual([0, []])
    })

    it("an interrupted rebase keeps a person's own commands", async () => {
      expect(tries('rebase', '--exec', `touch ${marker()}`, 'main', 'side').status).not.toBe(0)
      const result = await run('echo both > a && git add a && git status')
      expect(result.evidence).toEqual([])
      tries('rebase', '--continue')
      expect(hasRun()).toBe(true)
    })
  })

  describe(`${who}: an operation that a command prepared`, () => {
    beforeEach(diverge)
    const REBASE = 'git checkout -q side; git rebase main;'
    const todo = (): string => `\\nexec touch ${marker()}\\n x touch ${marker()}\\nx\\ttouch ${marker()}\\n`
    it.each([
      ['commands in the todo', () => `${REBASE} printf '${todo()}' >> .git/rebase-merge/git-rebase-todo`],
      [
        'a symlink for the todo',
        () =>
          `${REBASE} cd .git/rebase-merge; cp git-rebase-todo ../../todo; printf '${todo()}' >> ../../todo; ln -sf ../../todo git-rebase-todo`,
      ],
      [
        'a symlink for the directory',
        () =>
          `${REBASE} mv .git/rebase-merge kept; printf '${todo()}' >> kept/git-rebase-todo; ln -s ../kept .git/rebase-merge`,
      ],
      ['rebase --exec of its own', () => `git checkout -q side; git rebase --exec 'touch ${marker()}' main`],
      [
        'a merge strategy of the working tree',
        () =>
          `${REBASE} echo x/evil > .git/rebase-merge/strategy; mkdir git-merge-x; printf '#!/bin/sh\\ntouch ${marker()}\\n' > git-merge-x/evil; chmod +x git-merge-x/evil`,
      ],
      [
        'a merge strategy for cherry-picks',
        () =>
          `git cherry-pick main..side; printf '[options]\\n\\tstrategy = x/evil\\n' > .git/sequencer/opts; mkdir git-merge-x; printf '#!/bin/sh\\ntouch ${marker()}\\n' > git-merge-x/evil; chmod +x git-merge-x/evil`,
      ],
      [
        'the todo of a linked worktree',
        () =>
          `git worktree add -q tree side; cd tree; git rebase main; printf '${todo()}' >> ../.git/worktrees/tree/rebase-merge/git-rebase-todo`,
      ],
    ])('a prepared git operation runs nothing when a person continues: %s', async (_name, script) => {
      const result = await run(`export GIT_EDITOR=true; ${script()}`)
      expect(result.evidence.join('\n')).toMatch(/^git: /m)
      for (const at of ['.', 'tree'])
        for (const how of ['rebase', 'cherry-pick']) {
          write(`${at}/a`, 'both\n')
          tries('-C', at, 'add', '-f', 'a')
          tries('-C', at, how, '--continue')
          tries('-C', at, how, '--skip')
        }
      expect(hasRun()).toBe(false)
    })

    it('a rebase continues with the rest of the todo after commands were removed', async () => {
      await run(`${REBASE} printf '${todo()}' >> .git/rebase-merge/git-rebase-todo`)
      write('a', 'both\n')
      git('add', 'a')
      expect(tries('rebase', '--continue').status).toBe(0)
      expect([hasRun(), read('b')]).toEqual([false, 'b\n'])
    })

    it('an old file of remote addresses does not redirect a fetch', async () => {
      await run(
        `mkdir -p .git/remotes .git/branches; echo "URL: ${workspace()}/evil" > .git/remotes/origin; echo ${workspace()}/evil > .git/branches/other`,
      )
      expect([read('.git/remotes/origin'), read('.git/branches/other')]).toEqual([null, null])
    })
  })
}
