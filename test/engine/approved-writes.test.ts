import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cordon, createCordon } from '../../src/node.js'
import { heldId } from '../held-id.js'

let top: string
let workspace: string
let cordon: Cordon

beforeEach(async () => {
  // Not below /tmp, which commands have of their own.
  top = realpathSync(mkdtempSync('/var/tmp/cordon-approved-'))
  workspace = join(top, 'projects', 'app')
  for (const name of ['home', 'projects/app', 'projects/other', 'victim'])
    mkdirSync(join(top, name), { recursive: true })
  writeFileSync(join(workspace, 'a'), 'text')
  writeFileSync(join(top, 'projects/other/old'), 'old')
  const home = join(top, 'home')
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(top, 'xdg') }
  cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env, profile: 'developer' })
})

afterEach(async () => {
  await cordon.close()
  rmSync(top, { recursive: true, force: true })
})

const at = (path: string): string => join(top, 'projects', path)

async function approved(script: string) {
  const held = await cordon.run(script).catch((error) => error)
  expect(held.code).toBe('CONFIRMATION_REQUIRED')
  cordon.approvals.answer(heldId(held), 'approved')
  return cordon.run(script)
}

describe('an approved write outside the workspace', () => {
  it('an approved write makes a directory with files, and undo removes them', async () => {
    const made = await approved('mkdir ../x && cp a ../x/')
    expect(made).toMatchObject({ exitCode: 0 })
    expect(readFileSync(at('x/a'), 'utf8')).toBe('text')
    await cordon.transactions.undo(made.transaction?.id ?? '')
    expect(existsSync(at('x'))).toBe(false)
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('text')
  })

  it('an approved write copies into an existing directory, and removes one', async () => {
    expect(await approved('cp a ../other/')).toMatchObject({ exitCode: 0 })
    expect(readFileSync(at('other/a'), 'utf8')).toBe('text')
    expect(await approved('rm -r ../other')).toMatchObject({ exitCode: 0 })
    expect(existsSync(at('other'))).toBe(false)
  })

  it('an approved `git worktree add` works beside the workspace', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: workspace })
    git('init', '-q')
    git('add', 'a')
    git('commit', '-qm', 'first')
    expect(await approved('git worktree add ../tree')).toMatchObject({ exitCode: 0 })
    expect(readFileSync(at('tree/a'), 'utf8')).toBe('text')
  })

  it('changes beside the approved path are not kept', async () => {
    writeFileSync(join(workspace, 'more.py'), "open('../other/old', 'w').write('new'); open('../beside', 'w')")
    const ran = await approved('mkdir ../x; bash -c "$(echo python3 more.py)"')
    expect(existsSync(at('x'))).toBe(true)
    expect(readFileSync(at('other/old'), 'utf8')).toBe('old')
    expect(existsSync(at('beside'))).toBe(false)
    expect(JSON.stringify(ran)).toContain('did not keep changes outside the approved paths')
  })

  it('is not made through a symlink that takes the place of the directory after the approval', async () => {
    const script = 'cp a ../other/'
    const held = await cordon.run(script).catch((error) => error)
    cordon.approvals.answer(heldId(held), 'approved')
    rmSync(at('other'), { recursive: true })
    symlinkSync(join(top, 'victim'), at('other'))
    await expect(cordon.run(script)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect(lstatSync(at('other')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(top, 'victim/a'))).toBe(false)
  })

  it('an approved write reaches the real directory around a workspace in the home', async () => {
    const home = join(top, 'projects')
    const inner = join(home, 'code/app')
    mkdirSync(inner, { recursive: true })
    await cordon.close()
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(top, 'xdg') }
    cordon = await createCordon({ workspace: inner, stateDirectory: join(top, 'state'), env, profile: 'developer' })
    expect(await approved('mkdir ../x && touch ../x/made')).toMatchObject({ exitCode: 0 })
    expect(existsSync(at('code/x/made'))).toBe(true)
  })

  it('a write without an approval is still held', async () => {
    await expect(cordon.run('mkdir ../x')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect(existsSync(at('x'))).toBe(false)
  })
})
