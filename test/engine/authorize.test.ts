import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CordonError } from '../../src/core/model/basics/errors.js'
import { heldId } from '../held-id.js'
import { temporaryCordons } from '../temporary-cordon.js'

const fresh = temporaryCordons()
const failureOf = (promise: Promise<unknown>): Promise<CordonError> =>
  promise.then(
    () => Promise.reject(new Error('was authorized')),
    (error) => error,
  )

describe('authorize', () => {
  it('records an allowed command as authorized, and starts nothing', async () => {
    const { cordon, workspace } = await fresh()
    const leave = await cordon.authorize('echo hi > made.txt', { agent: 'a', caller: 'hook' })
    expect(leave).toMatchObject({ by: 'policy', approval: null, decision: { verdict: 'allow' } })
    expect(cordon.audit.query()).toMatchObject([
      {
        id: leave.id,
        outcome: 'authorized',
        caller: 'hook',
        agent: 'a',
        exitCode: null,
        command: 'echo hi > made.txt',
      },
    ])
    expect(await cordon.run('ls').then(({ stdout }) => stdout)).toBe('')
    expect(workspace).toBeTruthy()
  })

  it('rejects a denied command as run does, and records the refusal', async () => {
    const { cordon } = await fresh()
    const error = await failureOf(cordon.authorize('sudo id'))
    expect(error).toMatchObject({ code: 'COMMAND_BLOCKED', message: expect.stringContaining('sudo') })
    expect(cordon.audit.query()).toMatchObject([{ outcome: 'blocked', command: 'sudo id' }])
  })

  it('holds a command that needs a person, grants the repeated one once by its digest, and holds it again', async () => {
    const { cordon } = await fresh()
    const held = await failureOf(cordon.authorize('git push --force', { outsideSandbox: true }))
    expect(held).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      details: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    cordon.approvals.answer(heldId(held), 'approved')
    const leave = await cordon.authorize('git push --force', { outsideSandbox: true })
    expect(leave).toMatchObject({ by: 'person', approval: heldId(held), digest: held.details.digest })
    expect(await failureOf(cordon.authorize('git push --force', { outsideSandbox: true }))).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
    })
    expect(cordon.audit.query().map(({ outcome }) => outcome)).toEqual(['held', 'authorized', 'success', 'held'])
  })

  it('outside the sandbox, denies writes to system paths and asks where only the sandbox would hold', async () => {
    const { cordon } = await fresh()
    expect(await failureOf(cordon.authorize('echo x > /etc/hosts', { outsideSandbox: true }))).toMatchObject({
      code: 'PATH_NOT_ALLOWED',
    })
    await cordon.authorize('grep -r token "$HOME"')
    expect(await failureOf(cordon.authorize('grep -r token "$HOME"', { outsideSandbox: true }))).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
    })
  })

  it('gives the digest that run plans by, so that one answer covers both', async () => {
    const { cordon } = await fresh()
    const held = await failureOf(cordon.authorize('git push --force'))
    const planned = cordon.check('git push --force')
    expect(held.details.digest).toBe(planned.plan?.digest)
  })
})

describe('authorizeFiles', () => {
  const denied = [
    '.git/hooks/pre-commit',
    '.env',
    'sub/.env',
    'cordon.toml',
    '.claude/settings.json',
    '.vscode/tasks.json',
  ]

  it.each(denied)('denies a write of %s and records it', async (path) => {
    const { cordon, workspace } = await fresh()
    const found = cordon.authorizeFiles([join(workspace, path)], { tool: 'Write', agent: 'a', caller: 'hook' })
    expect(found.verdict).toBe('deny')
    expect(found.because[0]?.reason).toContain('`Write` writes')
    expect(cordon.audit.query()).toMatchObject([
      { tool: 'file', outcome: 'blocked', verdict: 'deny', agent: 'a', command: `Write ${join(workspace, path)}` },
    ])
  })

  it.each(['src/a.ts', '.envrc.md', 'new/deep/file', '.claude/worktrees/x/src/a.ts'])(
    'has no opinion about %s, and records nothing',
    async (path) => {
      const { cordon } = await fresh()
      expect(cordon.authorizeFiles([path])).toEqual({ verdict: null, because: [] })
      expect(cordon.audit.query()).toEqual([])
    },
  )

  it("denies Cordon's state and settings, settings of agents in the home, and hooks of other repositories", async () => {
    const { cordon, workspace, state } = await fresh()
    const home = join(dirname(workspace), 'home')
    const paths = [
      join(state, 'audit.db'),
      join(home, '.config/cordon/cordon.toml'),
      join(home, '.claude/settings.json'),
      join(dirname(workspace), 'other/.git/hooks/pre-push'),
      join(workspace, 'nested/.git/config'),
      join(home, '.ssh/authorized_keys'),
    ]
    for (const path of paths) expect([path, cordon.authorizeFiles([path]).verdict]).toEqual([path, 'deny'])
    expect(cordon.authorizeFiles([join(home, '.claude/plans/a.md')]).verdict).toBeNull()
  })

  it('follows symlinks, `..` behind a symlink, and hard links to the file that would be written', async () => {
    const { cordon, workspace } = await fresh()
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true })
    writeFileSync(join(workspace, '.git/config'), '')
    symlinkSync('.git/hooks', join(workspace, 'innocent'))
    mkdirSync(join(workspace, 'src'))
    linkSync(join(workspace, '.git/config'), join(workspace, 'src/twin'))
    expect(cordon.authorizeFiles(['innocent/pre-commit']).verdict).toBe('deny')
    expect(cordon.authorizeFiles(['innocent/../hooks/pre-commit']).verdict).toBe('deny')
    expect(cordon.authorizeFiles(['src/twin']).verdict).toBe('deny')
    expect(cordon.authorizeFiles(['src/x', '../.git/hooks/x'], { cwd: join(workspace, 'src') }).verdict).toBe('deny')
  })

  it('denies reads of hidden paths alone', async () => {
    const { cordon } = await fresh()
    expect(cordon.authorizeFiles(['.env'], { access: 'read' }).verdict).toBe('deny')
    expect(cordon.authorizeFiles(['.git/config'], { access: 'read' }).verdict).toBeNull()
  })

  it('refuses no paths, and paths that are none', async () => {
    const { cordon } = await fresh()
    expect(() => cordon.authorizeFiles([])).toThrow(/at least one path/)
    expect(() => cordon.authorizeFiles(['a\0b'])).toThrow(/without NUL/)
  })
})
