import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCordon } from '../../../src/node.js'

/** Names of directories with a meaning for globs, shells, mount lists or options. */
const NAMES = [
  'plain',
  'a*b',
  '**',
  '[x]',
  '{a,b}',
  '!(x)',
  '+(y)',
  'what?',
  'two words',
  "it's",
  'a"b',
  'line\nbreak',
  'back\\slash',
  '\\*',
  'colon:comma,',
  '$(id)',
  '~',
  '-rf',
  '#',
]

/** Files of the workspace that a command must not change. */
const MINE: readonly string[] = ['.git/config', '.bashrc', '.claude/settings.json']
const SECRETS: readonly string[] = ['.env', 'deploy.key', 'new\nline/deploy.key']
const SETTINGS = '[profiles.pattern]\nextends = "workspace"\npaths = { hidden = [".env", "**/*.key"] }\n'
/** Uses Perl, in which the analyser sees no path, so that only the sandbox decides. */
const ATTACK = `
use Cwd;
for (${[...MINE, '.git/hooks/pre-commit'].map((name) => `'${name}'`)}) { print open(my $file, '>>', $_) ? 'open' : $! + 0, "\\n" }
for (${SECRETS.map((name) => `'${name}'`)}) { print open(my $file, '<', $_) ? <$file> : $! + 0, "\\n" }
open(my $made, '>', 'made') or die; print $made 'made'; print getcwd, "\\n"`

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-odd-')))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function laidOut(name: string): { readonly workspace: string; readonly home: string } {
  const [workspace, home] = [join(top, name, 'inner'), join(top, name, 'home')]
  for (const folder of [
    ...['.git/hooks', '.claude', 'new\nline'].map((folder) => join(workspace, folder)),
    join(home, '.config/cordon'),
  ])
    mkdirSync(folder, { recursive: true })
  for (const file of MINE) writeFileSync(join(workspace, file), '# mine\n')
  for (const file of SECRETS) writeFileSync(join(workspace, file), 'the secret\n')
  writeFileSync(join(workspace, 'attack.pl'), ATTACK)
  writeFileSync(join(home, '.config/cordon/cordon.toml'), SETTINGS)
  return { workspace, home }
}

describe.each(NAMES.map((name) => [JSON.stringify(name), name]))('a workspace called %s', (_shown, name) => {
  // Settings of git and of tools can be opened. Changes are reviewed when they are committed.
  it('a workspace with an odd name protects, hides and writes like any other', async () => {
    const { workspace, home } = laidOut(name)
    const env = { PATH: process.env['PATH'], HOME: home }
    const cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env, profile: 'pattern' })
    try {
      const { stdout, exitCode } = await cordon.run('perl attack.pl')
      expect([stdout, exitCode]).toEqual([`open\nopen\nopen\n30\n13\n13\n13\n${workspace}\n`, 0])
      for (const file of MINE) expect(readFileSync(join(workspace, file), 'utf8')).toBe('# mine\n')
      expect(readdirSync(join(workspace, '.git/hooks'))).toEqual([])
      expect(readFileSync(join(workspace, 'made'), 'utf8')).toBe('made')
      await expect(cordon.run('echo evil >> .git/config')).rejects.toThrow(/protected path/)
    } finally {
      await cordon.close()
    }
  })
})
