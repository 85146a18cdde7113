import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CordonError } from '../../src/core/model/basics/errors.js'
import { heldId } from '../held-id.js'
import { type Temporary, temporaryCordons } from '../temporary-cordon.js'

const open = temporaryCordons()
const PUSH = 'git push --force origin main\n'

/** Asks for the command and has a person approve it. Returns what was held. */
async function approved(
  { cordon }: Temporary,
  command: string,
  options: Parameters<Temporary['cordon']['run']>[1] = {},
) {
  const held = (await cordon.run(command, options).catch((error: unknown) => error)) as CordonError
  expect(held).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  return cordon.approvals.answer(heldId(held), 'approved')
}

const outcomeOf = (run: Promise<{ exitCode: number }>): Promise<unknown> =>
  run.then(
    () => 'ran',
    (error: CordonError) => error.code,
  )

describe('an approval of a command that names a script', () => {
  it('the question shows the text of the script', async () => {
    const here = await open()
    writeFileSync(join(here.workspace, 'deploy.sh'), PUSH)
    const approval = await approved(here, 'bash deploy.sh')
    expect(approval.scripts).toEqual([[join(here.workspace, 'deploy.sh'), PUSH]])
    expect(await outcomeOf(here.cordon.run('bash deploy.sh'))).toBe('ran')
  })

  it.each<[string, (workspace: string) => void]>([
    [
      'was rewritten',
      (workspace) => writeFileSync(join(workspace, 'deploy.sh'), `${PUSH}git push --force origin prod\n`),
    ],
    [
      'was replaced by a symlink to another one',
      (workspace) => {
        writeFileSync(join(workspace, 'other.sh'), `${PUSH}: more\n`)
        rmSync(join(workspace, 'deploy.sh'))
        symlinkSync('other.sh', join(workspace, 'deploy.sh'))
      },
    ],
    [
      'sources a file that was rewritten',
      (workspace) => writeFileSync(join(workspace, 'lib.sh'), 'git push --force origin x\n'),
    ],
  ])('an approval is not used if the script %s', async (_, change) => {
    const here = await open()
    writeFileSync(join(here.workspace, 'lib.sh'), 'name=origin\n')
    writeFileSync(join(here.workspace, 'deploy.sh'), `. ./lib.sh\n${PUSH}`)
    await approved(here, 'bash deploy.sh')
    change(here.workspace)
    expect(await outcomeOf(here.cordon.run('bash deploy.sh'))).toBe('CONFIRMATION_REQUIRED')
  })

  it('does not hold for the session either once the script was rewritten', async () => {
    let asked = 0
    const here = await open({ onApproval: async () => (++asked === 1 ? 'session' : 'deny') })
    writeFileSync(join(here.workspace, 'deploy.sh'), PUSH)
    expect(await outcomeOf(here.cordon.run('bash deploy.sh'))).toBe('ran')
    expect(await outcomeOf(here.cordon.run('bash deploy.sh'))).toBe('ran')
    expect(asked).toBe(1)
    writeFileSync(join(here.workspace, 'deploy.sh'), `${PUSH}: more\n`)
    expect(await outcomeOf(here.cordon.run('bash deploy.sh'))).toBe('POLICY_DENIED')
  })

  it('a question about a script has no answer "always"', async () => {
    const here = await open()
    writeFileSync(join(here.workspace, 'deploy.sh'), PUSH)
    expect((await approved(here, 'bash deploy.sh')).rule).toBeNull()
  })
})

describe('an approval of a command that starts a program of the workspace', () => {
  it('does not hold once another file stands there, even with the same bytes and times', async () => {
    const here = await open()
    const tool = join(here.workspace, 'tool')
    copyFileSync('/bin/true', tool)
    chmodSync(tool, 0o755)
    const command = './tool && git push --force origin main'
    await approved(here, command)
    copyFileSync(tool, `${tool}.new`)
    chmodSync(`${tool}.new`, 0o755)
    renameSync(`${tool}.new`, tool)
    expect(await outcomeOf(here.cordon.run(command))).toBe('CONFIRMATION_REQUIRED')
    expect(existsSync(tool)).toBe(true)
  })
})
