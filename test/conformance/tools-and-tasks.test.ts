import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Event, Tool } from '../../src/index.js'
import { temporaryCordons } from '../temporary-cordon.js'
import { refusal } from './workbench.js'

describe('tool calls', () => {
  const open = temporaryCordons()

  it('a held call carries its approval, and runs with it from the context', async () => {
    const { cordon } = await open()
    const call = { id: 'c1', name: 'bash', arguments: { command: 'git push || echo pushed' } }
    const held = await cordon.tools.execute(call)
    expect(held).toMatchObject({ success: false, error: { code: 'CONFIRMATION_REQUIRED' } })
    expect(held.approval).toEqual({ id: expect.any(String), expires: expect.stringMatching(/Z$/) })
    const approval = held.approval?.id ?? ''
    cordon.approvals.answer(approval, 'approved')
    expect((await cordon.tools.execute({ ...call, context: { approval } })).text).toContain('pushed')
  })

  it('execute of a tool validates, understands both spellings, and throws typed errors', async () => {
    const { cordon } = await open()
    const exec = cordon.tools.get('exec')
    expect((await exec.execute('1', { command: 'echo', args: ['a b'] })).text).toBe('a b')
    expect((await exec.execute('1', { mode: 'structured', binary: 'echo', args: ['a b'] })).text).toBe('a b')
    expect((await exec.execute('1', { mode: 'shell', command: 'echo a  b' })).text).toBe('a b')
    await refusal(exec.execute('1', { mode: 'shell', comand: 'x' }), 'INVALID_ARGUMENTS')
    await refusal(cordon.tools.get('bash').execute('1', { command: 'sudo id' }), 'COMMAND_BLOCKED')
  })

  it.each([
    ['unknown', { id: 'c1', name: 'bsh', arguments: {} }, { outcome: 'invalid', errorCode: 'NOT_FOUND', tool: 'call' }],
    ['invalid', { id: 'c2', name: 'bash', arguments: { cmd: 'x' } }, { outcome: 'invalid', tool: 'call' }],
    [
      'refused',
      { id: 'c3', name: 'exec', arguments: { command: 'sudo', args: ['id'] } },
      { outcome: 'blocked', tool: 'exec' },
    ],
    ['run', { id: 'c4', name: 'bash', arguments: { command: 'true' } }, { outcome: 'success', tool: 'bash' }],
  ] as const)('a call that is %s is recorded once, with the name and id of the call', async (_, call, record) => {
    const { cordon } = await open()
    await cordon.tools.execute({ ...call, context: { agent: 'a' } })
    expect(cordon.audit.query()).toHaveLength(1)
    expect(cordon.audit.query({ tool: call.name })).toMatchObject([
      { ...record, toolName: call.name, toolCallId: call.id, agent: 'a', caller: 'tool' },
    ])
  })

  it('definitions have a label and defaults', async () => {
    const { cordon } = await open()
    expect(cordon.tools.definitions().map(({ label }) => label)).toContain('Exec')
    const exec = cordon.tools.definitions().find(({ name }) => name === 'exec')
    expect(exec?.parameters).toMatchObject({
      required: ['mode'],
      properties: { args: { default: [] }, cwd: { default: '.' } },
    })
  })

  it('a tool of one’s own is validated, recorded and given the path check', async () => {
    const { cordon, workspace } = await open()
    const where: Tool = {
      name: 'where',
      label: 'Where',
      description: 'Resolves a path.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      async execute(_id, args, _signal, context) {
        const text = context?.paths?.resolve(String(args['path'])) ?? ''
        return { success: true, text, json: null }
      },
    }
    cordon.tools.register(where)
    const call = (path: unknown) => cordon.tools.execute({ id: 'x', name: 'where', arguments: { path } })
    expect((await call('a')).text).toBe(`${workspace}/a`)
    expect((await call('../a')).error).toMatchObject({ code: 'PATH_NOT_ALLOWED' })
    expect((await call(7)).error).toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(cordon.audit.query({ tool: 'where' }).map(({ outcome }) => outcome)).toEqual([
      'invalid',
      'blocked',
      'success',
    ])
  })
})

/** A process that was killed but not yet collected (state Z) runs no more. */
const runs = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('events and tasks', () => {
  const open = temporaryCordons()

  it('every event names the agent and the tool, and the last one says how the command ended', async () => {
    const { cordon } = await open()
    const events: Event[] = []
    const onEvent = (event: Event): void => void events.push(event)
    await cordon.run('echo x; exit 3', { agent: 'a', onEvent, keepOutput: true })
    expect(events.map(({ type }) => type)).toEqual(['started', 'output', 'completed'])
    for (const event of events) expect(event).toMatchObject({ agent: 'a', tool: 'bash' })
    expect(events.at(-1)).toMatchObject({
      command: 'echo x; exit 3',
      success: false,
      output: { stdoutBytes: 2, kept: true },
      filter: null,
    })
    events.length = 0
    await cordon.tools.execute({
      id: '1',
      name: 'exec',
      arguments: { command: 'sudo', args: [] },
      context: { onEvent },
    })
    expect(events).toMatchObject([{ type: 'refused', tool: 'exec', agent: null }])
  })

  it('a task shows its command as a person would type it, and how it ended', async () => {
    const { cordon } = await open()
    const task = cordon.start({ program: 'printf', args: ['%s', 'a b'] }, { agent: 'a' })
    expect(cordon.tasks.list('a')).toMatchObject([{ command: "printf %s 'a b'", ended: null }])
    await task.result
    expect(cordon.tasks.list('a')).toMatchObject([
      { state: 'ended', ended: { outcome: 'success', exitCode: 0, durationMs: expect.any(Number) } },
    ])
  })

  it('a start that is refused is refused, not ended', async () => {
    const { cordon } = await open()
    await refusal(cordon.start('sudo id').result, 'COMMAND_BLOCKED')
    expect(cordon.tasks.list()).toMatchObject([{ state: 'refused', ended: { outcome: 'refused', exitCode: null } }])
  })

  it('a foreground command is found and stopped by its id', async () => {
    const { cordon } = await open()
    const onEvent = (event: Event): void => {
      if (event.type === 'started') void cordon.tasks.get(event.id).stop()
    }
    expect(await cordon.run('sleep 300', { onEvent })).toMatchObject({ cancelled: true })
    expect(cordon.tasks.list()).toEqual([])
  })

  it('the pid of a task is that of a process that runs', async () => {
    const { cordon } = await open()
    let pid: number | null = null
    const task = cordon.start('echo; sleep 300', {
      onEvent: ({ type }) => {
        if (type === 'output') pid = cordon.tasks.list()[0]?.pid ?? null
      },
    })
    while (pid === null) await new Promise((resolve) => setImmediate(resolve))
    expect(runs(pid)).toBe(true)
    await task.stop()
    expect(runs(pid)).toBe(false)
    expect(cordon.tasks.list()[0]?.pid).toBeNull()
  })

  it('endAgent needs a name; null means the commands without one', async () => {
    const { cordon } = await open()
    const task = cordon.start('sleep 300')
    const other = cordon.start('sleep 300', { agent: 'a' })
    await refusal(cordon.endAgent(undefined as never), 'INVALID_ARGUMENTS')
    expect(await cordon.endAgent(null)).toBe(1)
    expect(await task.result).toMatchObject({ cancelled: true })
    expect(cordon.tasks.list('a')[0]?.ended).toBeNull()
    expect(await cordon.endAgent('a')).toBe(1)
    await other.result
  })
})
