import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Result } from '../../../src/core/model/run/result.js'
import type { CommandInput, RunOptions } from '../../../src/engine/api.js'
import { createTools } from '../../../src/surface/tools/create-tools.js'
import { sampleResult } from '../sample-result.js'

type Asked = readonly [CommandInput, RunOptions | undefined]

/** Tools over an engine that only notes what it was asked. */
function withEngine(answer: Result | CordonError = sampleResult()) {
  const asked: Asked[] = []
  const tools = createTools({
    async run(command, options) {
      asked.push([command, options])
      if (answer instanceof CordonError) throw answer
      return answer
    },
  })
  const execute = (name: string, args: unknown, context = {}) =>
    tools.execute({ id: 'c1', name, arguments: args, context })
  return { tools, asked, execute }
}

describe('the tools', () => {
  it('are exec and bash, each with a label, a description and a schema that names every parameter', () => {
    const { tools } = withEngine()
    expect(tools.list().map(({ name, label }) => [name, label])).toEqual([
      ['exec', 'Exec'],
      ['bash', 'Bash'],
    ])
    const [exec, bash] = tools.definitions()
    expect(exec?.parameters).toMatchObject({
      type: 'object',
      properties: {
        mode: { enum: ['shell', 'structured'] },
        command: {},
        binary: {},
        args: { items: { type: 'string' } },
        timeout: {},
        cwd: {},
      },
      required: ['mode'],
      additionalProperties: false,
    })
    expect(bash?.parameters).toMatchObject({ properties: { command: { type: 'string' } }, required: ['command'] })
  })

  it('have no parameter with which a model could choose its own policy', () => {
    const names = withEngine()
      .tools.definitions()
      .flatMap(({ parameters }) => Object.keys(parameters.properties as object))
    expect([...new Set(names)].sort()).toEqual(['args', 'binary', 'command', 'cwd', 'mode', 'timeout'])
  })

  it.each([
    ['bash', { command: 'echo hi | tr h H' }, 'echo hi | tr h H'],
    ['exec', { mode: 'shell', command: 'echo hi | tr h H' }, 'echo hi | tr h H'],
    ['exec', { mode: 'structured', binary: 'echo', args: ['hi'] }, { program: 'echo', args: ['hi'] }],
    ['exec', { mode: 'structured', binary: 'ls' }, { program: 'ls', args: [] }],
    ['exec', { command: 'echo', args: ['; rm -rf /'] }, { program: 'echo', args: ['; rm -rf /'] }],
    ['exec', { command: 'ls', args: [] }, { program: 'ls', args: [] }],
    ['exec', { mode: 'structured', command: 'echo', args: ['hi'] }, { program: 'echo', args: ['hi'] }],
  ])('%s %j asks the engine for %j', async (name, args, command) => {
    const { asked, execute } = withEngine()
    expect((await execute(name, args)).success).toBe(true)
    expect(asked.map(([input]) => input)).toEqual([command])
  })

  it.each([
    [{}, "Missing required parameter: mode (expected 'shell' or 'structured')"],
    [{ command: 'echo hi' }, "Missing required parameter: mode (expected 'shell' or 'structured')"],
    [{ mode: 'docker' }, "Invalid mode 'docker': expected 'shell' or 'structured'"],
    [{ mode: 7 }, "Invalid mode number: expected 'shell' or 'structured'"],
    [{ mode: 'shell' }, "shell mode requires 'command' parameter"],
    [{ mode: 'structured' }, "structured mode requires 'binary' parameter"],
    [{ mode: 'structured', binary: 'echo', args: 'hi' }, 'Invalid args: expected array, not string'],
    [{ mode: 'structured', binary: 'echo', args: ['a', 1] }, 'Invalid args[1]: expected string, not number'],
    [{ command: 'echo', args: ['a', null] }, 'Invalid args[1]: expected string, not null'],
    [{ command: 'echo', args: 'a b' }, 'Invalid args: expected array, not string'],
    [
      { command: ['echo'], args: [] },
      "Missing required parameter: mode (expected 'shell' or 'structured'); Invalid command: expected string, not array",
    ],
    [
      { command: 'echo', args: [], shell: true },
      'Unknown parameter: shell. The keys here are mode, command, binary, args, cwd, timeout.',
    ],
    [
      { mode: 'shell', command: 'ls', profile: 'open' },
      'Unknown parameter: profile. The keys here are mode, command, binary, args, cwd, timeout.',
    ],
    [
      { mode: 'shell', command: 'ls', args: ['-l'] },
      "shell mode takes 'command' alone: put the arguments into the script, or use mode 'structured'",
    ],
    [
      { mode: 'structured', binary: 'ls', command: 'ls' },
      "structured mode takes 'binary' and 'args', not 'command' as well",
    ],
    [{ mode: 'shell', command: 'ls', timeout: -1 }, 'Invalid timeout: it must be at least 0'],
    [{ mode: 'shell', command: 'ls', timeout: '5' }, 'Invalid timeout: expected number, not string'],
  ])('exec %j is answered "%s" and nothing is asked of the engine', async (args, message) => {
    const { asked, execute } = withEngine()
    expect(await execute('exec', args)).toMatchObject({
      success: false,
      text: message,
      error: { code: 'INVALID_ARGUMENTS' },
    })
    expect(asked).toEqual([])
  })

  it.each([
    [30, 30_000],
    [1.5, 1_500],
    [0, 1],
    [1e300, Number.MAX_SAFE_INTEGER],
    [undefined, undefined],
  ])('a timeout of %s seconds is %s ms to the engine', async (timeout, timeoutMs) => {
    const { asked, execute } = withEngine()
    await execute('bash', timeout === undefined ? { command: 'ls' } : { command: 'ls', timeout })
    expect(asked[0]?.[1]?.timeoutMs).toBe(timeoutMs)
  })

  it('pass the directory of the model and the agent of the application on', async () => {
    const { asked, execute } = withEngine()
    await execute('bash', { command: 'ls', cwd: 'src' }, { agent: 'builder', profile: 'readonly' })
    expect(asked[0]?.[1]).toMatchObject({ cwd: 'src', agent: 'builder', profile: 'readonly', caller: 'tool' })
  })

  it('give text for the model and the wire form for programs', async () => {
    const { execute } = withEngine()
    const result = await execute('bash', { command: 'echo hi' })
    expect(result).toMatchObject({ success: true, text: 'hi\n\nTook 1.5s' })
    expect(result.json).toMatchObject({
      stdout: 'hi\n',
      stderr: '',
      exit_code: 0,
      duration_ms: 1_500,
      timed_out: false,
      truncated: false,
    })
  })

  it('a non-zero exit did not succeed, and its output is there', async () => {
    const { execute } = withEngine(sampleResult({ exitCode: 7, stdout: '', stderr: 'no\n' }))
    expect(await execute('bash', { command: 'exit 7' })).toMatchObject({
      success: false,
      text: 'no\n\nCommand exited with code 7\n\nTook 1.5s',
      json: { exit_code: 7, stderr: 'no\n' },
    })
  })

  it('a refusal is a result with its code', async () => {
    const { execute } = withEngine(new CordonError('COMMAND_BLOCKED', 'Command not allowed: sudo'))
    expect(await execute('exec', { command: 'sudo', args: ['id'] })).toMatchObject({
      success: false,
      text: 'Command not allowed: sudo',
      error: { code: 'COMMAND_BLOCKED', category: 'policy-blocked' },
    })
  })
})
