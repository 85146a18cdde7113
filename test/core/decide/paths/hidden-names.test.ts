import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../../../src/core/analyse/analyse.js'
import { decide } from '../../../../src/core/decide/decide.js'
import { type Answers, noAnswers } from '../../../../src/core/model/run/facts.js'
import type { HostContext } from '../../../../src/core/model/run/surroundings.js'
import { loadProfiles } from '../../../../src/host/settings/profiles.js'
import { SURROUNDINGS } from '../fixture.js'

const PLACE = { workspace: SURROUNDINGS.workspace, home: SURROUNDINGS.home }
const profiles = loadProfiles({ ...PLACE, env: {}, builtinDir: join(import.meta.dirname, '../../../../profiles') })

const there = (kind: 'file' | 'directory' | 'missing', name = '/work/app/.env'): Answers => ({
  ...noAnswers(),
  paths: new Map([[name, { real: name, kind }]]),
})

const NESTED = { ...SURROUNDINGS, hidden: [['/work/app/packages/a/.env', 'file'] as const] }

function verdictOf(
  script: string,
  answers = there('file'),
  name = 'workspace',
  surroundings: HostContext = SURROUNDINGS,
): string {
  const { facts } = analyse({ mode: 'shell', script }, { cwd: PLACE.workspace, home: PLACE.home, env: [] }, answers)
  const command = { mode: 'shell' as const, script }
  const profile = profiles.profileFor(null, name)
  return decide({ command, text: script, facts, answers, profile, surroundings, cwd: PLACE.workspace }).verdict
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

  it.each([
    'source .env && npm start',
    'set -a; source .env; set +a; npm run dev',
    'set -a && . ./.env && set +a && node server.js',
    "export $(grep -v '^#' .env | xargs)",
    "export $(grep -v '^#' .env | xargs) && npm start",
    'export $(cat .env | xargs)',
    'export "$(head -1 .env)"',
    'export $(< .env)',
    "env $(grep -v '^#' .env | xargs -d '\\n') node server.js",
    "source <(grep -v '^#' .env)",
    'eval "$(sed s/^/export\\ / .env)"',
    'node --env-file=.env server.js',
    'node --env-file .env server.js',
    'docker compose --env-file .env up -d',
    'docker run --env-file .env app',
    'uv run --env-file .env python main.py',
    'bun --env-file=.env run dev',
    'dotenv -e .env -- npm start',
    'dotenv -f .env run -- python3 app.py',
    'npx dotenv-cli -e .env -- npm start',
    'env-cmd -f .env npm start',
    'foreman start -e .env',
    'cp .env.example .env',
    'touch .env',
    'echo PORT=1 >> .env',
    "sed -i 's/PORT=.*/PORT=2/' .env",
    'rm .env',
  ])('is asked about in the profile developer where the file is used or changed, not shown: %s', (script) => {
    expect(verdictOf(script, there('file'), 'developer')).toBe('ask')
    expect(verdictOf(script)).toBe('deny')
  })

  it.each([
    'cat .env',
    'grep PORT .env',
    'cat .env | xargs',
    'echo $(cat .env)',
    'export A=1; cat .env',
    'export A=$(pwd) B=$(cat .env)',
    'echo "export $(true)"; cat .env',
    'echo " --env-file" ; cat .env',
    'cp .env copy',
    'x=$(cat .env); export x',
    'sed s/a/b/ .env > copy',
    'sed -n p .env; sed -i p .env',
    "node -e 'fs.readFileSync(0)' < .env",
    'export $(echo x); curl -d @.env localhost',
    'source .env; cat .env',
    'node --env-file=.env x.js; cat .env',
  ])('is refused there too where the file is shown: %s', (script) => {
    expect(verdictOf(script, there('file'), 'developer')).toBe('deny')
  })

  it.each([
    'cat ~/.aws/credentials',
    'source ~/.ssh/id_rsa',
    'node --env-file=/etc/shadow x.js',
    'rm ~/.ssh/id_rsa',
    'export $(cat ~/.aws/credentials)',
  ])('is refused in the profile developer where it is another secret: %s', (script) => {
    expect(verdictOf(script, noAnswers(), 'developer')).toBe('deny')
  })

  it.each([
    'git status .env',
    'git check-ignore -v .env',
    'git ls-files .env',
    'echo .env >> .gitignore',
    'grep -rn KEY --include=*.ts',
    'grep -rn KEY --include=*.ts .',
    'ls -la .env .env.local',
    'find . -maxdepth 1 -name ".env*"',
    'du -sh .env*',
    'basename .env',
    'realpath .env',
    'if [ ! -f .env ]; then echo none; fi',
    'cat .env.example',
    'tree -a -I node_modules',
    'git diff --stat -- .env',
    'git log --oneline -- .env',
  ])('is no use of it where only the name is named: %s', (script) => {
    expect(verdictOf(script)).toBe('allow')
    expect(verdictOf(script, there('file'), 'developer')).toBe('allow')
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

describe('a directory that holds a hidden file', () => {
  const verdict = (script: string, name?: string): string => verdictOf(script, noAnswers(), name, NESTED)

  it.each(['rm -rf packages/a', 'rm -r packages', 'mv packages/a packages/b'])(
    'is neither removed nor moved without a question, as the sandbox keeps it: %s',
    (script) => {
      expect([verdict(script), verdict(script, 'developer')]).toEqual(['deny', 'ask'])
    },
  )

  it.each([
    'rm packages/a/x',
    'rm -rf packages/b',
    "find . -name '*.pyc' -delete",
    'mv packages/a/x packages/b',
    'ls *.log | head -5 | xargs rm -f',
    'ls | grep x | xargs rm',
    'ls packages',
  ])('is no obstacle to what leaves it in place: %s', (script) => {
    expect(verdict(script)).toBe('allow')
  })
})
