import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sdkCommands } from '../../../src/surface/sdk/sdk-commands.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const HELD = { command: 'git push --force' }
const pending = (cordon: { readonly approvals: { list(): readonly { readonly state: string }[] } }) =>
  cordon.approvals.list().filter(({ state }) => state === 'pending').length

describe('the commands of an SDK', () => {
  const open = temporaryCordons()

  /** A held command that leaves a file, so that a test counts its runs. */
  const script = (workspace: string, text: string): { readonly command: string } => {
    writeFileSync(join(workspace, 'deploy.sh'), `${text}\ngit push --force || true\n`)
    return { command: 'bash deploy.sh' }
  }
  const runs = (workspace: string): string =>
    existsSync(join(workspace, 'ran')) ? readFileSync(join(workspace, 'ran'), 'utf8') : ''

  it('answers a plain command, a failed one and a refused one with text', async () => {
    const { cordon } = await open()
    const commands = sdkCommands(cordon)
    expect(await commands.answer({ command: 'echo hi' })).toMatchObject({ text: 'hi', success: true })
    expect(await commands.answer({ command: 'exit 3' })).toMatchObject({ success: false })
    const refused = await commands.answer({ command: 'sudo id' })
    expect(refused).toMatchObject({ success: false, result: null })
    expect(refused.text).toContain('Command not allowed: sudo')
  })

  it('asks about a held command only, and with its reasons', async () => {
    const { cordon } = await open()
    const commands = sdkCommands(cordon)
    expect(await commands.ask('a', { command: 'echo hi' })).toBeNull()
    expect(await commands.ask('b', { command: 'sudo id' })).toBeNull()
    const question = await commands.ask('c', HELD)
    expect(question).toEqual({ reasons: expect.stringContaining('push'), isNew: true })
    expect(commands.reasons('c')).toBe(question?.reasons)
    expect(await commands.ask('c', HELD)).toEqual({ ...question, isNew: false })
    expect(pending(cordon)).toBe(1)
  })

  it('runs an approved call once', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    const command = script(workspace, 'echo x >> ran')
    expect(await commands.ask('call', command)).not.toBeNull()
    await commands.answer(command, { approvedCall: 'call' })
    expect(runs(workspace)).toBe('x\n')
    const again = await commands.answer(command, { approvedCall: 'call' })
    expect(again.text).toMatch(/Held for approval .*cordon approve/)
    expect(runs(workspace)).toBe('x\n')
  })

  it('holds an approved call whose script changed after the person was asked', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    const command = script(workspace, 'true')
    await commands.ask('call', command)
    script(workspace, 'echo x >> ran')
    const { text } = await commands.answer(command, { approvedCall: 'call' })
    expect(text).toContain('Held for approval')
    expect(runs(workspace)).toBe('')
  })

  it('does not let the yes to one call run another command', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    await commands.ask('call', HELD)
    const { text } = await commands.answer(script(workspace, 'echo x >> ran'), { approvedCall: 'call' })
    expect(text).toContain('Held for approval')
    expect(runs(workspace)).toBe('')
  })

  it('keeps to the plan that was held first when it asks again about the same call', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    const command = script(workspace, 'true')
    await commands.ask('call', command)
    script(workspace, 'echo x >> ran')
    await commands.ask('call', command)
    expect((await commands.answer(command, { approvedCall: 'call' })).text).toContain('Held for approval')
    expect(runs(workspace)).toBe('')
  })

  it('holds a command that no person said yes to, although it was asked about', async () => {
    const { cordon } = await open()
    const commands = sdkCommands(cordon)
    await commands.ask('call', HELD)
    expect((await commands.answer(HELD)).text).toContain('Held for approval')
  })

  it('runs an approved call in another process than the one that asked', async () => {
    const { workspace, state } = await open()
    const same = { workspace, stateDirectory: state, env: { PATH: process.env['PATH'], HOME: state } }
    const command = script(workspace, 'echo x >> ran')
    await sdkCommands((await open(same)).cordon).ask('call', command)
    const { cordon: other } = await open(same)
    await sdkCommands(other).answer(command, { approvedCall: 'call' })
    expect(runs(workspace)).toBe('x\n')
  })

  it('runs two approved calls of the same command once each', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    const command = script(workspace, 'mktemp -p . ran.XXXXXXXX')
    await commands.ask('a', command)
    await commands.ask('b', command)
    await Promise.all(['a', 'b'].map((approvedCall) => commands.answer(command, { approvedCall })))
    expect(readdirSync(workspace).filter((name) => name.startsWith('ran.'))).toHaveLength(2)
    expect(pending(cordon)).toBe(0)
  })

  it('runs without a question what a person has approved at another terminal', async () => {
    const { cordon, workspace } = await open()
    const commands = sdkCommands(cordon)
    const command = script(workspace, 'echo x >> ran')
    await commands.answer(command)
    expect(pending(cordon)).toBe(1)
    cordon.approvals.answer(cordon.approvals.list()[0]?.id ?? '', 'approved')
    expect(await commands.ask('call', command)).toBeNull()
    await commands.answer(command)
    expect(runs(workspace)).toBe('x\n')
  })

  it('cancels a running command when the signal is aborted', async () => {
    const { cordon } = await open()
    const stop = new AbortController()
    const onEvent = (event: { readonly type: string }): void => {
      if (event.type === 'started') stop.abort()
    }
    const { result } = await sdkCommands(cordon, { onEvent }).answer({ command: 'sleep 60' }, { signal: stop.signal })
    expect(result).toMatchObject({ cancelled: true, exitCode: 130 })
  })
})
