import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { langChainBash } from '../../../src/surface/sdk/langchain.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const INPUT = { command: 'bash deploy.sh' }
const TOOL_CALL = { id: 'call', args: INPUT }
const REQUEST = { toolCall: TOOL_CALL }

describe('the tool of LangChain', () => {
  const open = temporaryCordons()
  const place = async () => {
    const { workspace, state } = await open()
    const same = { workspace, stateDirectory: state, env: { PATH: process.env['PATH'], HOME: state } }
    const deploy = (first: string) =>
      writeFileSync(join(workspace, 'deploy.sh'), `${first}\ngit push --force || true\n`)
    deploy('echo x >> ran')
    return {
      deploy,
      ran: () => existsSync(join(workspace, 'ran')),
      /** The tool as a new process makes it. */
      bash: async () => langChainBash((await open(same)).cordon),
    }
  }

  it('interrupts for a held command only, and says why', async () => {
    const bash = await (await place()).bash()
    expect(await bash.interruptOn.when({ toolCall: { id: 'a', args: { command: 'echo hi' } } })).toBe(false)
    expect(await bash.interruptOn.when({ toolCall: { id: 'b', args: { cmd: 'x' } } })).toBe(false)
    expect(await bash.interruptOn.when(REQUEST)).toBe(true)
    expect(bash.interruptOn.description(TOOL_CALL)).toContain('history that others share')
  })

  it('holds a command that LangChain runs without resuming, as without the middleware', async () => {
    const { bash: make, ran } = await place()
    const bash = await make()
    await bash.interruptOn.when(REQUEST)
    expect(await bash.run(INPUT, { toolCall: TOOL_CALL })).toContain('cordon approve')
    expect(ran()).toBe(false)
  })

  it('runs a call that is resumed in another process', async () => {
    const { bash, ran } = await place()
    await (await bash()).interruptOn.when(REQUEST)
    const later = await bash()
    expect(await later.interruptOn.when(REQUEST)).toBe(true)
    await later.run(INPUT, { toolCall: TOOL_CALL })
    expect(ran()).toBe(true)
  })

  it('holds a call that is resumed in another process after its script changed', async () => {
    const { bash, ran, deploy } = await place()
    await (await bash()).interruptOn.when(REQUEST)
    deploy('echo more >> ran')
    const later = await bash()
    expect(await later.interruptOn.when(REQUEST)).toBe(true)
    expect(await later.run(INPUT, { toolCall: TOOL_CALL })).toContain('cordon approve')
    expect(ran()).toBe(false)
  })
})
