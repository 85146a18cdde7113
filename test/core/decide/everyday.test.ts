import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { decide } from '../../../src/core/decide/decide.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { LISTED_HOSTS, ORDINARY, OWN_LOOPBACK } from './everyday.js'
import { HOME, SURROUNDINGS, WORKSPACE } from './fixture.js'
import { developerWithForges } from './reading.js'

const profiles = loadProfiles({
  workspace: WORKSPACE,
  home: HOME,
  env: {},
  builtinDir: resolve(import.meta.dirname, '../../../profiles'),
})

const FORGES = 'developer and github'

/** With an environment that is told, as the engine tells it, and files that nobody was asked for. */
function verdictIn(name: string, script: string): string {
  const answers = noAnswers()
  const inherited = [
    ['PATH', '/usr/bin:/bin'],
    ['HOME', HOME],
  ] as const
  const { facts } = analyse({ mode: 'shell', script }, { cwd: WORKSPACE, home: HOME, env: [], inherited }, answers)
  const profile = name === FORGES ? developerWithForges() : profiles.profileFor(null, name)
  const command = { mode: 'shell', script } as const
  return decide({ command, text: script, facts, answers, profile, surroundings: SURROUNDINGS, cwd: WORKSPACE }).verdict
}

const held = (name: string, scripts: readonly string[]): readonly string[] =>
  scripts.filter((script) => verdictIn(name, script) !== 'allow')

/** Secrets, hosts and places that nobody listed, names and programs that nobody can tell. */
const HELD = [
  'source .env',
  'set -a; . ./.env; set +a',
  'while read -r url; do curl -sI "$url"; done < urls.txt',
  'git worktree add ../other fix',
  'git remote set-url origin git@github.com:me/x.git',
  'export $(cat settings | xargs)',
  'dig +short example.com',
  'docker buildx build --push -t example/app .',
  '(crontab -l; echo "* * * * * make") | crontab -',
  'crontab jobs.txt',
  "sed -i 's/a/b/' x.sh && bash x.sh",
]

const commandsOf = (file: string): readonly string[] =>
  readFileSync(resolve(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as string)

describe('effects outside the sandbox, destruction and obfuscation', () => {
  it('is held in every spelling', () => {
    const dangers = commandsOf('dangers.jsonl')
    expect(dangers.filter((script) => verdictIn('developer', script) === 'allow')).toEqual([])
  })
})

describe('the commands of every day', () => {
  it('are allowed in the sandbox, with and without a network', () => {
    expect(held('workspace', ORDINARY)).toEqual([])
    expect(held(FORGES, ORDINARY)).toEqual([])
  })

  it('are allowed in every trade, and what is held is held for a reason', () => {
    expect(held(FORGES, commandsOf('trades.jsonl'))).toEqual([])
    expect(held('developer', HELD)).toEqual(HELD)
  })

  it("that reach the sandbox's own loopback are allowed in every sandbox", () => {
    for (const name of ['workspace', 'developer', 'readonly']) expect(held(name, OWN_LOOPBACK)).toEqual([])
  })

  it('that reach a listed host are allowed where hosts are listed, and nowhere else', () => {
    expect(held(FORGES, LISTED_HOSTS)).toEqual([])
    expect(held('developer', LISTED_HOSTS)).toEqual([...LISTED_HOSTS])
    expect(held('workspace', LISTED_HOSTS)).toEqual([...LISTED_HOSTS])
  })
})
