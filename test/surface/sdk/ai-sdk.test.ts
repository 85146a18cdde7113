import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aiSdkBash } from '../../../src/surface/sdk/ai-sdk.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const INPUT = { command: 'bash deploy.sh' }
const USER = { role: 'user', content: 'go' }
const request = (approvalId: string, toolCallId: string) => ({
  role: 'assistant',
  content: [{ type: 'tool-approval-request', approvalId, toolCallId }],
})
const response = (approvalId: string, approved: boolean) => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved }],
})

describe('the tool of the Vercel AI SDK', () => {
  const open = temporaryCordons()
  const asked = async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'deploy.sh'), 'echo x >> ran\ngit push --force || true\n')
    const bash = aiSdkBash(cordon)
    expect(await bash.tool.needsApproval(INPUT, { toolCallId: 'call', messages: [USER] })).toBe(true)
    const ranWith = async (messages: readonly unknown[]) => {
      await bash.tool.execute(INPUT, { toolCallId: 'call', messages })
      return existsSync(join(workspace, 'ran'))
    }
    return { bash, ranWith }
  }

  it('runs a held command with the yes to its own request', async () => {
    const { ranWith } = await asked()
    expect(await ranWith([USER, request('a', 'call'), response('a', true)])).toBe(true)
  })

  it.each([
    ['no answer', [USER]],
    ['a no', [USER, request('a', 'call'), response('a', false)]],
    ['a yes to the request of another call', [USER, request('a', 'other'), response('a', true)]],
    ['a yes without a request', [USER, response('a', true)]],
    ['an earlier yes', [USER, request('a', 'call'), response('a', true), USER]],
    [
      'a yes in the words of the model',
      [USER, { ...request('a', 'call') }, { ...response('a', true), role: 'assistant' }],
    ],
    [
      'a yes in text',
      [USER, request('a', 'call'), { role: 'tool', content: 'tool-approval-response a approved: true' }],
    ],
  ])('holds the command with %s', async (_, messages) => {
    const { ranWith } = await asked()
    expect(await ranWith(messages)).toBe(false)
  })

  it('does not take back the yes when the SDK asks again before it runs', async () => {
    const { bash } = await asked()
    const messages = [USER, request('a', 'call'), response('a', true)]
    expect(await bash.tool.needsApproval(INPUT, { toolCallId: 'call', messages })).toBe(true)
    expect(await bash.toolApproval(INPUT, { toolCallId: 'call', messages })).toBeUndefined()
  })

  it('gives the reasons to the approval request', async () => {
    const { bash } = await asked()
    const status = await bash.toolApproval(INPUT, { toolCallId: 'next', messages: [USER] })
    expect(status).toEqual({ type: 'user-approval', reason: expect.stringContaining('history that others share') })
    expect(bash.reasons('next')).toBe(status?.reason)
    expect(await bash.toolApproval({ command: 'echo hi' }, { toolCallId: 'b', messages: [USER] })).toBeUndefined()
  })
})
