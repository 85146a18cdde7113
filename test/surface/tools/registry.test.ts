import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import { createRegistry } from '../../../src/surface/tools/registry.js'
import type { Tool } from '../../../src/surface/tools/tool.js'

const echo: Tool = {
  name: 'echo',
  label: 'Echo',
  description: 'Gives back what it was given.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
    required: ['text'],
  },
  execute: async (callId, args, signal, context) => ({
    success: true,
    text: `${args.text}`,
    json: { callId, args, aborted: signal?.aborted ?? null, agent: context?.agent ?? null },
  }),
}

const broken = (over: object): Tool => ({ ...echo, ...over })

const withEcho = () => {
  const registry = createRegistry()
  registry.register(echo)
  return registry
}

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof CordonError) return error.code
    throw error
  }
  return 'nothing was thrown'
}

describe('a registry', () => {
  it('lists, looks up and describes what was registered', () => {
    const registry = withEcho()
    expect(registry.list()).toEqual([echo])
    expect(registry.get('echo')).toBe(echo)
    expect(registry.definitions()).toEqual([
      { name: 'echo', label: 'Echo', description: 'Gives back what it was given.', parameters: echo.parameters },
    ])
  })

  it('refuses a name that is taken, at once', () => {
    expect(codeOf(() => withEcho().register({ ...echo, label: 'Another' }))).toBe('INVALID_ARGUMENTS')
  })

  it.each([
    ['a name with a space', { ...echo, name: 'a b' }],
    ['no name', { ...echo, name: '' }],
    ['no label', { ...echo, label: '' }],
    ['no description', { ...echo, description: '' }],
    ['parameters that are no schema of an object', { ...echo, parameters: { type: 'string' } }],
    [
      'parameters that are no schema at all',
      { ...echo, parameters: { type: 'object', properties: { a: { type: 'nonsense' } } } },
    ],
    ['no execute', broken({ execute: undefined })],
    ['null', JSON.parse('null')],
  ])('refuses a tool with %s when it is registered, not later', (_, tool) => {
    expect(codeOf(() => createRegistry().register(tool))).toBe('INVALID_ARGUMENTS')
  })

  it('has no tools by inheritance', async () => {
    const registry = withEcho()
    expect(codeOf(() => registry.get('constructor'))).toBe('NOT_FOUND')
    expect((await registry.execute({ id: '1', name: '__proto__', arguments: {} })).error?.code).toBe('NOT_FOUND')
  })

  it('hands call id, arguments, signal and context to the tool', async () => {
    const abort = new AbortController()
    abort.abort()
    const call = {
      id: 'c7',
      name: 'echo',
      arguments: { text: 'x' },
      signal: abort.signal,
      context: { agent: 'builder' },
    }
    expect(await withEcho().execute(call)).toEqual({
      success: true,
      text: 'x',
      json: { callId: 'c7', args: { text: 'x' }, aborted: true, agent: 'builder' },
    })
  })

  it.each([
    [{}, 'Missing required parameter: text'],
    [{ text: 5 }, 'Invalid text: expected string, not number'],
    [{ text: null }, 'Invalid text: expected string, not null'],
    [{ text: 'x', tiems: 2 }, 'Unknown parameter: tiems. Did you mean `times`?'],
    [{ text: 'x', times: 0 }, 'Invalid times: it must be at least 1'],
    ['text', 'The arguments must be an object, not string'],
    [['text'], 'The arguments must be an object, not array'],
    [null, 'The arguments must be an object, not null'],
    [undefined, 'The arguments must be an object, not undefined'],
  ])('answers %j with a sentence and runs nothing', async (args, message) => {
    const result = await withEcho().execute({ id: '1', name: 'echo', arguments: args })
    expect(result).toMatchObject({ success: false, text: message, error: { code: 'INVALID_ARGUMENTS', message } })
    expect(result.json).toEqual({ error: result.error })
  })

  it('names the tools there are when asked for another', async () => {
    const result = await withEcho().execute({ id: '1', name: 'ecko', arguments: {} })
    expect(result.text).toBe("There is no tool named 'ecko'. Registered: echo.")
  })

  it('turns a defect of a tool into a result without a stack', async () => {
    const registry = createRegistry()
    registry.register({ ...echo, execute: () => Promise.reject(new TypeError('boom')) })
    const result = await registry.execute({ id: '1', name: 'echo', arguments: { text: 'x' } })
    expect(result).toMatchObject({ success: false, error: { code: 'INTERNAL' } })
    expect(JSON.stringify(result)).not.toContain('at ')
  })
})
