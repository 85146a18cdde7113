import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { decide } from '../../../src/core/decide/decide.js'
import { type Answers, noAnswers } from '../../../src/core/model/facts.js'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { SURROUNDINGS } from './fixture.js'

const PLACE = { workspace: SURROUNDINGS.workspace, home: SURROUNDINGS.home }
const profiles = loadProfiles({ ...PLACE, env: {}, builtinDir: join(import.meta.dirname, '../../../profiles') })

const there = (kind: 'file' | 'directory' | 'missing', name = '/work/app/.env'): Answers => ({
  ...noAnswers(),
  paths: new Map([[name, { real: name, kind }]]),
})

function verdictOf(script: string, answers = there('file'), name = 'workspace'): string {
  const { facts } = analyse({ mode: 'shell', script }, { cwd: PLACE.workspace, home: PLACE.home, env: [] }, answers)
  const command = { mode: 'shell' as const, script }
  const profile = profiles.profileFor(null, name)
  return decide({ command, text: script, facts, answers, profile, surroundings: SURROUNDINGS, cwd: PLACE.workspace })
    .verdict
}

describe('the name of a hidden file', () => {
  it.each([
    'ls -la .env',
    'ls -la .env*',
    'stat .env',
    'du -h .env',
    'test -f .env',
    '[ -f .env ] && echo yes',
    '[[ -e .env ]] || echo no',
    'find . -name .env',
    'readlink -f .env',
  ])('may be listed and tested: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each([
    'cat .env',
    'cat .env*',
    'grep A .env',
    'cp .env copy',
    'head -1 < .env',
    'cat $(ls -a | grep env) .env',
    'rm .env',
    'mv .env .env.bak',
    'echo A=1 > .env',
    'cp .env.example .env',
    'touch .env',
  ])('is refused where the file would be read, changed, moved or removed: %s', (script) => {
    expect(verdictOf(script)).toBe('deny')
  })

  it('stays hidden with the names in a hidden directory', () => {
    expect(verdictOf('ls ~/.ssh', there('directory', '/home/me/.ssh'))).toBe('deny')
    expect(verdictOf('ls -l /etc/shadow', there('file', '/etc/shadow'))).toBe('allow')
  })

  it.each(['cp .env.example .env', 'touch .env', 'echo A=1 > .env', 'cp .env.example .env && cat .env'])(
    'may be given to a new file, which is the command’s own: %s',
    (script) => {
      expect(verdictOf(script, there('missing'))).toBe('allow')
    },
  )

  it('is asked about in the profile developer where the shell reads settings from the file', () => {
    expect(verdictOf('source .env && npm start', there('file'), 'developer')).toBe('ask')
    expect(verdictOf('source .env && npm start')).toBe('deny')
    expect(verdictOf('cat .env', there('file'), 'developer')).toBe('deny')
  })
})

describe('a pattern of two stars', () => {
  it.each(['rm -rf */*', 'chmod 644 */*', 'sed -i s/a/b/ */*.ts'])('is no protected file: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
  })

  it.each(['rm -rf .*/*', 'rm -rf .git/h*', 'rm c*.toml'])('is one where it can stand for one: %s', (script) => {
    expect(verdictOf(script)).not.toBe('allow')
  })
})
