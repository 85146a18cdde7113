import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { whyNoSandbox } from '../../../src/host/launch/sandbox/why-no-sandbox.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const open = temporaryCordons()

/** Leftovers in a workspace that would stop later commands. */
const LOCKS: readonly (readonly [name: string, leave: (workspace: string) => void])[] = [
  ['.env as a symlink to bash', (at) => symlinkSync('/bin/bash', join(at, '.env'))],
  ['.env as a symlink to the programs of the system', (at) => symlinkSync('/usr', join(at, '.env'))],
  ['.env as a symlink to the root', (at) => symlinkSync('/', join(at, '.env'))],
  ['.env as a symlink to the workspace', (at) => symlinkSync('.', join(at, '.env'))],
  ['.env as a symlink to a file of the system', (at) => symlinkSync('/etc/passwd', join(at, '.env'))],
  ['.env as a symlink to itself', (at) => symlinkSync('.env', join(at, '.env'))],
  ['.vscode as a symlink to itself', (at) => symlinkSync('.vscode', join(at, '.vscode'))],
  ['.git/hooks as a symlink to itself', (at) => symlinkSync('hooks', join(at, '.git/hooks'))],
  ['.git/config as a symlink to bash', (at) => symlinkSync('/bin/bash', join(at, '.git/config'))],
  [
    '.env as a symlink to a program by way of another',
    (at) => {
      symlinkSync('/bin', join(at, 'tools'))
      symlinkSync('tools/env', join(at, '.env'))
    },
  ],
  [
    'two thousand directories in .git/worktrees',
    (at) => {
      for (let i = 0; i < 2_000; i++) mkdirSync(join(at, '.git/worktrees', `w${i}`), { recursive: true })
    },
  ],
  [
    'two thousand symlinks called .env.*',
    (at) => {
      for (let i = 0; i < 2_000; i++) symlinkSync('/bin/bash', join(at, `.env.${i}`))
    },
  ],
]

describe('a command cannot keep later commands from starting', () => {
  it.each(LOCKS)(
    'by %s',
    async (_, leave) => {
      const { cordon, workspace } = await open({ profile: 'workspace' })
      mkdirSync(join(workspace, '.git'))
      leave(workspace)
      const result = await cordon.run('echo works; cat /etc/passwd | head -c 4; id -u > out')
      expect([result.stdout, result.exitCode]).toEqual(['works\nroot', 0])
      expect(readFileSync(join(workspace, 'out'), 'utf8')).toMatch(/^\d+\n$/)
    },
    60_000,
  )
})

describe('a hidden file reached by a symlink', () => {
  it("a hidden symlink's target is hidden under its own name too", async () => {
    const { cordon, workspace } = await open({ profile: 'workspace' })
    mkdirSync(join(workspace, 'secrets'))
    writeFileSync(join(workspace, 'secrets/production'), 'KEY=1')
    symlinkSync('secrets/production', join(workspace, '.env'))
    const result = await cordon.run('perl -e \'open(F, "<", "secrets/production") or exit 3; print <F>\'')
    expect([result.stdout, result.exitCode]).toEqual(['', 3])
  })
})

describe('a path in the way of the sandbox', () => {
  it.each([
    'bwrap: execvp /bin/bash: Permission denied',
    "bwrap: Can't bind mount /oldroot/w/a on /newroot/w/a: Permission denied",
    "bwrap: Can't create file at /w/.env: Operation not permitted",
  ])('an error names the path in the way and never advises weakening a container: %s', (said) => {
    const { cause, fix } = whyNoSandbox(said)
    expect(cause).toBe(said)
    expect(fix).not.toMatch(/unconfined|sysctl|user namespaces/)
  })
})
