import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentsShell } from '../../../src/surface/sdk/openai-agents.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const ACTION = { commands: ['bash deploy.sh'] }
const approving = { isToolApproved: () => true }
const undecided = { isToolApproved: () => undefined }

describe('the shell of the OpenAI Agents SDK', () => {
  const open = temporaryCordons()
  const deploy = (workspace: string) => {
    writeFileSync(join(workspace, 'deploy.sh'), 'echo x >> ran\ngit push --force || true\n')
    return () => existsSync(join(workspace, 'ran'))
  }

  it('holds an action that the SDK runs without having asked, as after alwaysApprove', async () => {
    const { cordon, workspace } = await open()
    const ran = deploy(workspace)
    const { output } = await agentsShell(cordon).shell.run(ACTION)
    expect(output).toMatchObject([{ stderr: expect.stringContaining('cordon approve'), outcome: { exitCode: 123 } }])
    expect(ran()).toBe(false)
  })

  it('holds an action that was asked about and not approved', async () => {
    const { cordon, workspace } = await open()
    const ran = deploy(workspace)
    const shell = agentsShell(cordon)
    expect(await shell.needsApproval(undecided, ACTION, 'call')).toBe(true)
    await shell.shell.run(ACTION)
    expect(ran()).toBe(false)
  })

  it('runs an approved action of a stored run state once it is told about the call', async () => {
    const { workspace, state } = await open()
    const same = { workspace, stateDirectory: state, env: { PATH: process.env['PATH'], HOME: state } }
    const ran = deploy(workspace)
    await agentsShell((await open(same)).cordon).needsApproval(undecided, ACTION, 'call')
    const shell = agentsShell((await open(same)).cordon)
    const action = { ...ACTION }
    shell.started(approving, {}, { toolCall: { type: 'shell_call', callId: 'call', action } })
    await shell.shell.run(action)
    expect(ran()).toBe(true)
  })

  it('runs each approved command of an action, and says why it asks', async () => {
    const { cordon, workspace } = await open()
    const ran = deploy(workspace)
    const shell = agentsShell(cordon)
    const action = { commands: ['echo hi', 'bash deploy.sh'] }
    await shell.needsApproval(approving, action, 'call')
    expect(shell.reasons({ rawItem: { callId: 'call', action: { ...action } } })).toContain('history that others share')
    const { output } = await shell.shell.run(action)
    expect(output.map(({ outcome }) => outcome)).toEqual(action.commands.map(() => ({ type: 'exit', exitCode: 0 })))
    expect(ran()).toBe(true)
  })
})
