import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { createMcpServer } from '../../../src/surface/mcp/create-server.js'
import { createServing } from '../../../src/surface/mcp/serving.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const temporary = temporaryCordons()

type Answer = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string> }

/** Runs text of a file, so that it is held; each run leaves a line. */
const HELD = { command: 'eval "$(cat script)" >> ran.txt' }

/** A client that shows forms and gives the answers in order. */
async function connected(answers: readonly Answer[]) {
  const { cordon, workspace } = await temporary()
  writeFileSync(join(workspace, 'script'), 'echo line')
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createMcpServer(createServing(cordon, { version: '0', waitMs: 0 })).connect(ours)
  const client = new Client({ name: 'test', version: '0' }, { capabilities: { elicitation: { form: {} } } })
  const asked: { message: string; requestedSchema?: unknown }[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params as { message: string })
    return answers[asked.length - 1] ?? { action: 'cancel' }
  })
  await client.connect(theirs)
  const call = () => client.callTool({ name: 'bash', arguments: HELD })
  const ran = () => (existsSync(join(workspace, 'ran.txt')) ? readFileSync(join(workspace, 'ran.txt'), 'utf8') : '')
  return { cordon, client, asked, call, ran }
}

const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? ''
const accept = (decision: string, note?: string): Answer => ({
  action: 'accept',
  content: { decision, ...(note === undefined ? {} : { note }) },
})

describe('a held command, with a client that shows forms', () => {
  it('runs once after allow_once, with the note, and the next call is asked about again', async () => {
    const { client, asked, call, ran, cordon } = await connected([accept('allow_once', 'fine by me')])
    const first = await call()
    expect(textOf(first)).toContain('The person who approved this says: fine by me')
    expect(ran()).toBe('line\n')
    expect(asked[0]?.message).toContain(HELD.command)
    expect(JSON.stringify(asked[0]?.requestedSchema)).not.toContain('always')
    expect(await call()).toMatchObject({ isError: true })
    expect(asked).toHaveLength(2)
    expect(ran()).toBe('line\n')
    const [used] = cordon.approvals.list().filter(({ state }) => state === 'used')
    expect(() => cordon.approvals.answer(used?.id ?? '', 'approved')).toThrow(/used already; the first answer counts/)
    await client.close()
  })

  it('runs without another question after allow_session', async () => {
    const { client, asked, call, ran, cordon } = await connected([accept('allow_session')])
    await call()
    await call()
    expect([asked.length, ran()]).toEqual([1, 'line\nline\n'])
    expect(cordon.approvals.list().map(({ state }) => state)).toEqual(['used'])
    await client.close()
  })

  it.each<[string, Answer]>([
    ['deny', accept('deny', 'use a script')],
    ['decline', { action: 'decline' }],
  ])('does not run after %s, and is refused with the words of the person', async (_, answer) => {
    const { client, call, ran } = await connected([answer])
    const refused = await call()
    expect(refused).toMatchObject({ isError: true })
    expect(textOf(refused)).toContain('A person denied it')
    if (answer.content?.note) expect(textOf(refused)).toContain(answer.content.note)
    expect(ran()).toBe('')
    await client.close()
  })

  it.each<[string, Answer]>([
    ['cancel', { action: 'cancel' }],
    ['an answer that the form does not have', accept('always')],
  ])('does not run after %s and stays held', async (_, answer) => {
    const { client, call, ran, cordon } = await connected([answer])
    expect(textOf(await call())).toMatch(/Held for approval \w+/)
    expect(ran()).toBe('')
    expect(cordon.approvals.list().map(({ state }) => state)).toEqual(['pending'])
    await client.close()
  })
})

describe('the tool for --permission-prompt-tool', () => {
  it('allows, denies with the reason, holds what needs a person, and decides about commands only', async () => {
    const { client, cordon } = await connected([])
    const ask = async (tool_name: string, input: object) =>
      JSON.parse(textOf(await client.callTool({ name: 'permission', arguments: { tool_name, input } })))
    const allowed = { command: 'echo hi', description: 'x' }
    expect(await ask('Bash', allowed)).toEqual({ behavior: 'allow', updatedInput: allowed })
    expect(await ask('Bash', { command: 'sudo id' })).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('sudo'),
    })
    expect(await ask('WebFetch', { url: 'x' })).toMatchObject({ behavior: 'deny' })
    expect(await ask('Bash', HELD)).toMatchObject({ behavior: 'deny', message: expect.stringMatching(/Held for/) })
    cordon.approvals.answer(cordon.approvals.list()[0]?.id ?? '', 'approved')
    expect(await ask('Bash', HELD)).toMatchObject({ behavior: 'allow' })
    await client.close()
  })
})
