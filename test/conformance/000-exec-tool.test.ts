import { mkdirSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCordon } from '../../src/node.js'
import { oddSeconds, openWorkbench, processesWith, refusal, type Workbench } from './workbench.js'

/** The first document: a tool that runs one program with an array of arguments. */
describe('the exec tool', () => {
  let bench: Workbench
  const call = (args: unknown) => bench.cordon.tools.execute({ id: 'call-1', name: 'exec', arguments: args })

  beforeAll(async () => {
    bench = await openWorkbench({ settings: '[profiles.bare]\nextends = "workspace"\nprograms = { paths = false }\n' })
  })
  afterAll(() => bench.close())

  describe('its parameters', () => {
    it('are a command, an array of arguments and an optional directory', async () => {
      mkdirSync(bench.path('sub'))
      const result = await call({ command: 'pwd', args: [], cwd: 'sub' })
      expect(result).toMatchObject({ success: true, json: { stdout: `${bench.path('sub')}\n`, exit_code: 0 } })
    })

    it('are described to the model: args is an array of strings, cwd a string', () => {
      const { parameters } = bench.cordon.tools.get('exec')
      expect(parameters).toMatchObject({
        type: 'object',
        properties: {
          command: { type: 'string' },
          args: { type: 'array', items: { type: 'string' } },
          cwd: { type: 'string' },
        },
      })
    })

    it.each([
      ['a string', 'hello world'],
      ['a number among strings', ['hello', 5]],
      ['null among strings', ['hello', null]],
      ['an object', { 0: 'hello' }],
    ])('refuse arguments given as %s instead of converting or dropping them', async (_what, args) => {
      const result = await call({ command: 'echo', args })
      expect(result).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
      expect(result.text).toContain('args')
    })

    it('refuse a command line in place of a program', async () => {
      const result = await call({ command: 'echo hello', args: [] })
      expect(result).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
      expect(result.text).toContain('bare name')
    })

    it.each(['echo;id', 'echo|id', 'echo&', '$(id)', '`id`', 'a>b'])(
      'refuse the metacharacters of %s',
      async (command) => {
        expect(await call({ command, args: [] })).toMatchObject({
          success: false,
          error: { code: 'INVALID_ARGUMENTS' },
        })
      },
    )

    it.each([[{}], [{ command: 5, args: [] }], [null], ['echo'], [[]], [{ command: 'echo', args: [], shell: true }]])(
      'that make no sense (%j) give a clear error, never a crash',
      async (args) => {
        const result = await call(args)
        expect(result).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
        expect(result.text).not.toBe('')
      },
    )

    it.each(['', '   '])('refuse an empty program (%j)', async (command) => {
      expect(await call({ command, args: [] })).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
    })
  })

  describe('the programs it refuses', () => {
    const BLOCKED = ['rm', 'sudo', 'dd', 'mkfs', 'shutdown', 'reboot', 'passwd', 'visudo']

    it.each(BLOCKED)('%s is refused by name', async (command) => {
      const result = await call({ command, args: [] })
      expect(result).toMatchObject({ success: false, error: { code: 'COMMAND_BLOCKED', category: 'policy-blocked' } })
      expect(result.text).toMatch(new RegExp(`^Command not allowed: ${command}\\b`))
    })

    it.each(['RM', 'Sudo', 'sHuTdOwN'])('%s is refused in any letter case', async (command) => {
      expect(await call({ command, args: [] })).toMatchObject({ success: false, error: { code: 'COMMAND_BLOCKED' } })
    })

    it.each(['/bin/rm', '/usr/bin/sudo', '/sbin/../bin/rm'])(
      '%s is refused where paths are let in at all',
      async (program) => {
        const error = await refusal(bench.cordon.exec(program))
        expect(error.message).toMatch(/rm|sudo/)
        expect(['COMMAND_BLOCKED', 'INVALID_ARGUMENTS']).toContain(error.code)
      },
    )

    it('a path to an allowed program runs where the profile lets paths in, and only there', async () => {
      expect(await bench.cordon.exec('/bin/echo', ['hi'])).toMatchObject({ stdout: 'hi\n' })
      expect((await refusal(bench.cordon.exec('/bin/echo', ['hi'], { profile: 'bare' }))).message).toContain(
        'bare name',
      )
    })

    it('a refused program starts nothing and is recorded', async () => {
      const file = bench.write('kept.txt', 'kept')
      await call({ command: 'rm', args: ['-rf', file] })
      expect(bench.read('kept.txt')).toBe('kept')
      expect(bench.cordon.audit.query({ text: 'kept.txt' })[0]).toMatchObject({
        outcome: 'blocked',
        verdict: 'deny',
        tool: 'exec',
      })
    })
  })

  describe('shell injection', () => {
    it.each(['; rm -rf /', '| cat /etc/passwd', '&& id', '$(id)', '`id`', '> /tmp/x', '$HOME', '*', "it's"])(
      '%s is passed on as a literal',
      async (arg) => {
        expect(await call({ command: 'echo', args: [arg] })).toMatchObject({
          success: true,
          json: { stdout: `${arg}\n` },
        })
      },
    )

    it('every argument arrives as its own, spaces, quotes and newlines included', async () => {
      const args = ['%s|', 'a b', '', '"q"', 'line\nbreak', '\\n']
      const result = await bench.cordon.exec('printf', args)
      expect(result.stdout).toBe('a b||"q"|line\nbreak|\\n|')
    })
  })

  describe('what it captures', () => {
    it('both streams apart, together and the exit code', async () => {
      const result = await bench.cordon.exec('bash', ['-c', 'echo out; echo err >&2; exit 3'])
      expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 3 })
      expect(result.output).toContain('out')
      expect(result.output).toContain('err')
    })

    it('as JSON with the names stdout, stderr and exit_code', async () => {
      const { json } = await call({ command: 'echo', args: ['hello'] })
      expect(json).toMatchObject({ stdout: 'hello\n', stderr: '', exit_code: 0 })
    })

    it('a failing command gives its output and reports the failure to the agent', async () => {
      const result = await call({ command: 'bash', args: ['-c', 'echo before; exit 4'] })
      expect(result).toMatchObject({ success: false, json: { stdout: 'before\n', exit_code: 4 } })
      expect(result.text).toContain('before')
      expect(result.text).toContain('Command exited with code 4')
    })

    it('a missing program is distinguished from a failing one', async () => {
      const error = await refusal(bench.cordon.exec('no-such-program-here'), 'PROGRAM_NOT_FOUND')
      expect(error.message).toContain('no-such-program-here')
    })
  })

  describe('its time limit', () => {
    it('is 30 seconds unless something else is asked for', () => {
      expect(bench.cordon.check({ program: 'echo' }).plan).toMatchObject({ timeoutMs: 30_000 })
    })

    it('kills the process and says after how long', async () => {
      const seconds = oddSeconds()
      const result = await call({ command: 'sleep', args: [seconds], timeout: 1 })
      expect(result).toMatchObject({
        success: false,
        json: { timed_out: true, exit_code: 124 },
        error: { code: 'TIMED_OUT' },
      })
      expect(result.text).toContain('Command timed out after 1s')
      expect(processesWith(seconds)).toEqual([])
    })

    it('asks with SIGTERM before it kills', async () => {
      const script = 'trap "echo asked; exit 0" TERM; echo ready; while :; do sleep 0.05; done'
      const result = await bench.cordon.exec('bash', ['-c', script], { timeoutMs: 3_000 })
      expect(result).toMatchObject({ timedOut: true, stdout: 'ready\nasked\n' })
    })

    it('kills what does not listen', async () => {
      const result = await bench.cordon.exec('bash', ['-c', 'trap "" TERM; echo deaf; while :; do sleep 0.05; done'], {
        timeoutMs: 3_000,
      })
      expect(result).toMatchObject({ timedOut: true, signal: 'SIGKILL', stdout: 'deaf\n' })
    })
  })

  describe('its working directory', () => {
    it('is the workspace unless another is named', async () => {
      expect(await bench.cordon.exec('pwd')).toMatchObject({ stdout: `${bench.workspace}\n` })
    })

    it.each([
      ['../../../etc', 'PATH_NOT_ALLOWED'],
      ['/etc', 'PATH_NOT_ALLOWED'],
      ['nowhere', 'DIRECTORY_NOT_FOUND'],
      ['file.txt', 'NOT_A_DIRECTORY'],
      ['way-out', 'PATH_NOT_ALLOWED'],
    ] as const)('%s is refused with an error of its own', async (cwd, code) => {
      bench.write('file.txt', '')
      if (cwd === 'way-out') symlinkSync('/etc', bench.path('way-out'))
      const error = await refusal(bench.cordon.exec('pwd', [], { cwd }), code)
      expect(error.message).toContain(cwd.split('/').at(-1))
    })

    it('a link that stays inside the workspace is followed', async () => {
      mkdirSync(bench.path('real'))
      symlinkSync(bench.path('real'), bench.path('link'))
      expect(await bench.cordon.exec('pwd', [], { cwd: 'link' })).toMatchObject({ stdout: `${bench.path('real')}\n` })
    })
  })

  describe('its registration', () => {
    it('it is listed and its definition is ready for a model', () => {
      expect(bench.cordon.tools.list().map((tool) => tool.name)).toContain('exec')
      expect(bench.cordon.tools.definitions().find(({ name }) => name === 'exec')).toMatchObject({
        description: expect.stringContaining('array'),
      })
    })

    it('a second tool of the same name is refused', () => {
      const exec = bench.cordon.tools.get('exec')
      expect(() => bench.cordon.tools.register(exec)).toThrow(/exec/)
    })

    it('a workspace that is not there is refused when the engine is made, not later', async () => {
      expect((await refusal(createCordon({ workspace: bench.path('gone') }))).code).toBe('DIRECTORY_NOT_FOUND')
      expect((await refusal(createCordon({ workspace: bench.write('a-file', '') }))).code).toBe('NOT_A_DIRECTORY')
    })
  })
})
