import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toText } from '../../src/core/present/text-form.js'
import type { Result } from '../../src/index.js'
import { oddSeconds, openWorkbench, processesWith, refusal, SECRETS, type Workbench } from './workbench.js'

const SETTINGS = `
[profiles.echo-only]
extends = "strict"
programs = { allow_only = ["echo", "cat"] }

[profiles.no-shell]
extends = "workspace"
modes = ["structured"]

[profiles.short]
extends = "workspace"
timeouts = { max_ms = 5_000 }

[agents.lister]
programs = ["ls", "echo"]

[agents.ls-only]
programs = ["ls"]

[agents.sheller]
programs = ["bash"]
`

/** The second document: one tool with a shell mode and a structured mode, an allowlist and permissions per agent. */
describe('exec with two modes', () => {
  let bench: Workbench
  const call = (args: unknown, agent?: string) =>
    bench.cordon.tools.execute({ id: 'call-1', name: 'exec', arguments: args, context: { agent } })
  const strict = (program: string, ...args: string[]) => bench.cordon.exec(program, args, { profile: 'echo-only' })

  beforeAll(async () => {
    bench = await openWorkbench({ settings: SETTINGS })
  })
  afterAll(() => bench.close())

  describe('shell mode', () => {
    it('runs a script and reports its output and how long it took', async () => {
      const result = await bench.cordon.run('echo hello', { timeoutMs: 5_000 })
      expect(result).toMatchObject({ exitCode: 0, stdout: 'hello\n' })
      expect(result.durationMs).toBeLessThan(5_000)
    })

    it('shell mode runs pipelines and redirects', async () => {
      expect(await bench.cordon.run('echo foo | tr f b')).toMatchObject({ exitCode: 0, stdout: 'boo\n' })
      expect(await bench.cordon.run('echo x > out.txt && cat < out.txt')).toMatchObject({ stdout: 'x\n' })
    })

    it('a non-zero exit is a result', async () => {
      expect(await bench.cordon.run('exit 42')).toMatchObject({ exitCode: 42 })
    })

    it.each(['', ' ', '\n\t'])('a blank command (%j) is refused before anything starts', async (script) => {
      expect((await refusal(bench.cordon.run(script), 'INVALID_ARGUMENTS')).message).toContain('must not be empty')
    })

    it('a command that takes too long is killed', async () => {
      const seconds = oddSeconds()
      const result = await bench.cordon.run(`sleep ${seconds}`, { timeoutMs: 1_000 })
      expect(result).toMatchObject({ timedOut: true, error: { code: 'TIMED_OUT' } })
      expect(result.error?.message).toContain('timed out')
      expect(processesWith(seconds)).toEqual([])
    })

    it('switched off, it names the setting and the alternative', async () => {
      const error = await refusal(bench.cordon.run('echo hi', { profile: 'no-shell' }), 'SHELL_DISABLED')
      expect(error.message).toContain('modes')
      expect(error.message).toMatch(/exec|structured/)
      expect(await bench.cordon.exec('echo', ['hi'], { profile: 'no-shell' })).toMatchObject({ stdout: 'hi\n' })
    })
  })

  describe('structured mode', () => {
    it('runs a listed program with its arguments', async () => {
      expect(await strict('echo', 'hello', 'world')).toMatchObject({ exitCode: 0, stdout: 'hello world\n' })
    })

    it('refuses a program that is not listed, naming it and the allowlist', async () => {
      const error = await refusal(strict('ls', '-la'))
      expect(error.message).toContain('ls')
      expect(error.message).toContain('allowlist')
    })

    it('refuses rm on the allowlist or off it', async () => {
      expect((await refusal(strict('rm', '-rf', '/'))).info.category).toBe('policy-blocked')
    })

    it('refuses a program given as a path', async () => {
      expect((await refusal(strict('/usr/bin/echo'))).message).toContain('bare name')
    })

    it('refuses a path that climbs', async () => {
      expect((await refusal(strict('../bin/evil'))).message).toContain('path traversal')
    })

    it.each([
      'foo; rm -rf /',
      'a | b',
      '$(whoami)',
      '`id`',
      'a&b',
      'a<b',
      'a>b',
      '(a',
      'a)',
      '{a',
      'a}',
      'a\nb',
      'a\rb',
    ])('refuses the metacharacters of %j under strict', async (arg) => {
      const error = await refusal(strict('echo', arg))
      expect(error.message).toContain('metacharacters')
    })

    it('refuses a NUL byte anywhere', async () => {
      expect((await refusal(strict('echo', 'a\0b'), 'INVALID_ARGUMENTS')).message).toContain('NUL')
    })

    it('refuses `..` in an argument under strict', async () => {
      const error = await refusal(strict('cat', '../etc/passwd'))
      expect(error.message).toContain('path traversal')
    })

    it('takes the same arguments as literals elsewhere', async () => {
      expect(await bench.cordon.exec('echo', ['foo; rm -rf /'])).toMatchObject({ stdout: 'foo; rm -rf /\n' })
    })
  })

  describe('the time limit', () => {
    const planned = (timeoutMs: number | 'none' | undefined, profile?: string) =>
      bench.cordon.check('echo', { timeoutMs, profile }).plan?.timeoutMs

    it('is 120 seconds for a script that asks for none', () => {
      expect(planned(undefined)).toBe(120_000)
    })

    it('is raised to a second and lowered to the maximum of the profile', () => {
      expect([planned(1), planned(3_000, 'short'), planned(999_000_000, 'short')]).toEqual([1_000, 3_000, 5_000])
    })

    it('cannot be switched off where the profile does not allow that', () => {
      expect(planned('none')).toBe(120_000)
    })
  })

  describe('the environment', () => {
    it('holds the known variables, a dumb terminal and nothing else of the parent', async () => {
      const { stdout } = await bench.cordon.run('env')
      const names = stdout.split('\n').flatMap((line) => /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(line)?.[1] ?? [])
      for (const name of ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TERM']) expect(names).toContain(name)
      expect(stdout).toContain('TERM=dumb\n')
      for (const [name, value] of Object.entries(SECRETS)) {
        expect(names).not.toContain(name)
        expect(stdout).not.toContain(value)
      }
    })
  })

  describe('the tool', () => {
    it('is called exec, for people Exec', () => {
      expect(bench.cordon.tools.get('exec')).toMatchObject({ name: 'exec', label: 'Exec' })
    })

    it('describes mode, command, binary, args and timeout, and requires the mode', () => {
      const { parameters } = bench.cordon.tools.get('exec')
      expect(Object.keys(parameters['properties'] ?? {})).toEqual(
        expect.arrayContaining(['mode', 'command', 'binary', 'args', 'timeout']),
      )
      expect(parameters['required']).toContain('mode')
    })

    it('runs a script in shell mode', async () => {
      const result = await call({ mode: 'shell', command: 'echo hello' })
      expect(result).toMatchObject({ success: true, text: expect.stringContaining('hello') })
    })

    it('runs a program in structured mode', async () => {
      const result = await call({ mode: 'structured', binary: 'echo', args: ['hi'] })
      expect(result).toMatchObject({ success: true, text: expect.stringContaining('hi') })
    })

    it('says when the mode is missing', async () => {
      const result = await call({ command: 'echo hi' })
      expect(result).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
      expect(result.text).toContain('Missing required parameter: mode')
    })

    it('says which modes there are when it is given another', async () => {
      const result = await call({ mode: 'docker' })
      expect(result.text).toContain("Invalid mode 'docker': expected 'shell' or 'structured'")
    })

    it('says what shell mode needs', async () => {
      expect(await call({ mode: 'shell' })).toMatchObject({
        success: false,
        text: expect.stringContaining("shell mode requires 'command' parameter"),
      })
    })

    it('says what structured mode needs', async () => {
      expect(await call({ mode: 'structured' })).toMatchObject({
        success: false,
        text: expect.stringContaining("structured mode requires 'binary' parameter"),
      })
    })

    it('tells the model of a failing command with its code', async () => {
      const result = await call({ mode: 'shell', command: 'exit 7' })
      expect(result).toMatchObject({ success: false, text: expect.stringContaining('exited with code 7') })
    })

    it('refuses an argument that is not a string instead of dropping it', async () => {
      const result = await call({ mode: 'structured', binary: 'echo', args: ['a', 1, 'b'] })
      expect(result).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
    })

    it('takes the timeout in seconds', async () => {
      const result = await call({ mode: 'shell', command: 'sleep 300', timeout: 1 })
      expect(result.text).toContain('Command timed out after 1s')
    })
  })

  describe('the text form', () => {
    const base: Result = {
      id: 'x',
      command: 'x',
      agent: null,
      claimSource: 'shell',
      stdout: '',
      stderr: '',
      output: '',
      exitCode: 0,
      signal: null,
      timedOut: false,
      cancelled: false,
      truncated: false,
      durationMs: 100,
      ending: { how: 'exited', status: 0 },
      decision: { verdict: 'allow', because: [], matches: [] },
      error: null,
      transaction: null,
      filter: null,
      evidence: [],
      notices: [],
      streams: { stdoutBytes: 0, stderrBytes: 0, kept: false },
    }

    it('of a success is the output and the time, without a word of codes', () => {
      const text = toText({ ...base, stdout: 'hello', durationMs: 1_500 })
      expect(text).toContain('hello')
      expect(text).toContain('Took 1.5s')
      expect(text).not.toContain('exited with code')
    })

    it('of a failure ends with the code', () => {
      const text = toText({ ...base, stderr: 'error!', exitCode: 1, ending: { how: 'exited', status: 1 } })
      expect(text).toContain('error!')
      expect(text).toContain('Command exited with code 1')
    })

    it('puts stdout before stderr, each on its own line', () => {
      expect(toText({ ...base, stdout: 'out', stderr: 'err', durationMs: 1_500 })).toMatch(/^out\nerr\n/)
    })

    it('the text form of a command without output says so', () => {
      expect(toText(base)).toContain('(no output)')
    })

    it('the text form shows long times in minutes', () => {
      expect(toText({ ...base, stdout: 'done', durationMs: 125_000 })).toContain('Took 2m 5.0s')
    })
  })

  describe('permissions per agent', () => {
    it('an agent runs the programs of its list', async () => {
      expect(await call({ mode: 'structured', binary: 'echo', args: ['hello'] }, 'lister')).toMatchObject({
        success: true,
        text: expect.stringContaining('hello'),
      })
    })

    it('and no others; the refusal names the program', async () => {
      const result = await call({ mode: 'structured', binary: 'echo', args: ['hello'] }, 'ls-only')
      expect(result).toMatchObject({ success: false, error: { category: 'policy-blocked' } })
      expect(result.text).toMatch(/not allowed/)
      expect(result.text).toContain('echo')
    })

    it('bash in the list stands for shell mode', async () => {
      expect(await call({ mode: 'shell', command: 'echo hello' }, 'sheller')).toMatchObject({ success: true })
    })

    it('without it there is no shell mode; the refusal names bash', async () => {
      const result = await call({ mode: 'shell', command: 'echo hello' }, 'ls-only')
      expect(result).toMatchObject({ success: false })
      expect(result.text).toMatch(/not allowed/)
      expect(result.text).toContain('bash')
    })

    it('a caller without a name has its own default profile, and that is logged', async () => {
      const before = bench.log.length
      expect(await bench.cordon.run('echo unrestricted')).toMatchObject({ exitCode: 0, agent: null })
      expect(bench.log.slice(before).find(({ message }) => message.includes('no agent named'))).toMatchObject({
        level: 'warn',
        fields: { mode: expect.stringMatching(/^(?:shell|structured)$/), command: expect.any(String) },
      })
    })

    it('the name of the agent is on the result and in the audit log', async () => {
      const result = await bench.cordon.exec('echo', ['named'], { agent: 'lister' })
      expect(result.agent).toBe('lister')
      expect(bench.cordon.audit.query({ id: result.id })).toMatchObject([{ agent: 'lister', outcome: 'success' }])
    })
  })

  it('log lines show the mode and at most 200 characters of the command', async () => {
    const before = bench.log.length
    await bench.cordon.run(`echo ${'x'.repeat(500)}`)
    const started = bench.log.slice(before).find(({ message }) => message === 'started')
    expect(started?.fields).toMatchObject({ mode: 'shell' })
    expect(String(started?.fields['command']).length).toBeLessThanOrEqual(201)
  })
})
