import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { remoteQuestions, withRemotes } from '../../../src/core/decide/match/git-remotes.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { HOME, WORKSPACE } from './fixture.js'

const REMOTES = [
  ['origin', 'https://git.example.com/a/b'],
  ['fork', 'git@fork.example.com:a/b.git'],
  ['odd', 'ssh://[::2]:2222/a'],
  ['near', '/srv/git/a'],
] as const

function hostsOf(script: string): readonly string[] {
  const { facts } = analyse({ mode: 'shell', script }, { cwd: WORKSPACE, home: HOME, env: [] }, noAnswers())
  const answers = noAnswers()
  for (const question of remoteQuestions(facts, WORKSPACE))
    if (question.ask === 'remotes' && question.path.startsWith(WORKSPACE)) answers.remotes?.set(question.path, REMOTES)
  return withRemotes(facts, answers, WORKSPACE).hosts.map(({ host, port }) =>
    port === null ? host : `${host} ${port}`,
  )
}

describe('git with a remote of the repository', () => {
  it.each([
    ['git fetch', ['git.example.com']],
    ['git pull --rebase origin main', ['git.example.com']],
    ['git fetch fork', ['fork.example.com']],
    ['git -c x.y=z ls-remote --heads odd', ['::2 2222']],
    ['git fetch --all', ['git.example.com', 'fork.example.com', '::2 2222']],
    ['git remote update fork', ['fork.example.com']],
    ['git push fork main', ['fork.example.com']],
    [`cd ${WORKSPACE}/sub && git fetch`, ['git.example.com']],
    ['git fetch near', []],
    ['git fetch https://else.example.com/x', ['else.example.com']],
    ['git fetch && git pull fork', ['git.example.com', 'fork.example.com']],
    ['cd "$(x)" && git fetch', []],
    ['cd /elsewhere && git fetch', []],
    ['git -C ../other fetch', []],
    ['git remote -v', []],
    ['git status', []],
    ['echo git fetch', []],
  ])('`%s` reaches %j', (script, hosts) => {
    expect(hostsOf(script)).toEqual(hosts)
  })
})
