import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/core/model/basics/errors.js'
import type { Event } from '../../src/index.js'
import { oddSeconds, openWorkbench, processesWith, refusal, SECRETS, type Workbench } from './workbench.js'

const SETTINGS = `
[profiles.workspace]
environment = { home = "workspace" }

[profiles.guarded]
extends = "workspace"
permissions = { allow = ["tool:bash:echo *"], ask = ["tool:bash:git push*"], deny = ["tool:bash:*forbidden*"] }

[profiles.small]
extends = "workspace"
output = { presented_chars = 50 }

[profiles.few]
extends = "workspace"
concurrency = { per_agent = 2 }

[[profiles.fills-nothing.rules]]
verdict = "deny"
program = "dd"
args = [["if=/dev/zero", "if=/dev/*random"]]
because = "Command not allowed: dd. It fills a file."
`

/**
 * The fifth document: bash inside an agent's workspace, with permissions, tracking and an environment that tells
 * nothing.
 */
describe('bash in the workspace of an agent', () => {
  let bench: Workbench

  beforeAll(async () => {
    bench = await openWorkbench({ settings: SETTINGS })
    bench.write('sample.txt', 'sample\n')
  })
  afterAll(() => bench.close())

  describe('execution', () => {
    it('runs a simple command and says everything about it', async () => {
      const result = await bench.cordon.run('echo hello')
      expect(result).toMatchObject({
        command: 'echo hello',
        exitCode: 0,
        stdout: 'hello\n',
        stderr: '',
        timedOut: false,
        truncated: false,
      })
    })

    it('keeps stdout and stderr apart', async () => {
      expect(await bench.cordon.run('echo a; echo b >&2')).toMatchObject({ stdout: 'a\n', stderr: 'b\n' })
    })

    it('returns the exit code, zero or not', async () => {
      const codes = await Promise.all(
        ['true', 'false', 'exit 77'].map(async (s) => (await bench.cordon.run(s)).exitCode),
      )
      expect(codes).toEqual([0, 1, 77])
    })

    it('starts in the workspace and sees its files', async () => {
      expect(await bench.cordon.run('pwd; cat sample.txt')).toMatchObject({ stdout: `${bench.workspace}\nsample\n` })
    })

    it('measures the duration in milliseconds', async () => {
      const { durationMs } = await bench.cordon.run('sleep 0.2')
      expect(durationMs).toBeGreaterThanOrEqual(200)
      expect(durationMs).toBeLessThan(20_000)
    })
  })

  describe('permission', () => {
    const guarded = { profile: 'guarded' }

    it('is checked before anything runs: a denied command leaves no trace but its record', async () => {
      await refusal(bench.cordon.run('touch forbidden', guarded), 'POLICY_DENIED')
      expect(existsSync(bench.path('forbidden'))).toBe(false)
      expect(bench.cordon.audit.query({ text: 'touch forbidden' })[0]).toMatchObject({ outcome: 'blocked' })
    })

    it('sees the whole command as an action string', async () => {
      const { verdict, because } = bench.cordon.check('echo forbidden', guarded)
      expect(verdict).toBe('deny')
      expect(because[0]?.reason).not.toBe('')
    })

    it('ask goes back to the caller, who gets the reason and runs nothing by it', async () => {
      const events: Event[] = []
      const error = await refusal(
        bench.cordon.run('git push origin main && touch pushed', { ...guarded, onEvent: (e) => events.push(e) }),
        'CONFIRMATION_REQUIRED',
      )
      expect(error.info.category).toBe('needs-approval')
      expect(existsSync(bench.path('pushed'))).toBe(false)
      expect(events.map(({ type }) => type)).toContain('approval-required')
      expect(bench.cordon.audit.query({ outcome: 'held' })[0]).toMatchObject({ verdict: 'ask' })
    })
  })

  describe('the time limit', () => {
    it('kills the whole tree and sets the flag', async () => {
      const seconds = oddSeconds()
      const result = await bench.cordon.run(
        `echo partial; setsid sleep ${seconds} & (sleep ${seconds} &) ; sleep ${seconds}`,
        {
          timeoutMs: 3_000,
        },
      )
      expect(result).toMatchObject({ timedOut: true, exitCode: 124, stdout: 'partial\n' })
      expect(result.error?.message).toBe('Command timed out after 3s')
      expect(processesWith(seconds)).toEqual([])
    })

    it('leaves a command alone that ends in time', async () => {
      expect(await bench.cordon.run('sleep 0.3; echo done', { timeoutMs: 10_000 })).toMatchObject({
        timedOut: false,
        stdout: 'done\n',
      })
    })

    it('is SIGTERM, a grace of two seconds, then SIGKILL', async () => {
      expect(bench.cordon.check('true').plan).toMatchObject({ graceMs: 2_000, timeoutMs: 120_000 })
      const polite = await bench.cordon.run('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done', {
        timeoutMs: 3_000,
      })
      expect(polite).toMatchObject({ timedOut: true, stdout: 'up\nbye\n' })
      const deaf = await bench.cordon.run('trap "" TERM; while :; do sleep 0.05; done', { timeoutMs: 3_000 })
      expect(deaf).toMatchObject({ timedOut: true, signal: 'SIGKILL' })
      expect(deaf.durationMs).toBeGreaterThanOrEqual(4_900)
    })
  })

  describe('output', () => {
    it.each([
      ['stdout', 'seq 1 500'],
      ['stderr', 'seq 1 500 >&2'],
    ] as const)('a long %s keeps its tail, with a header that counts', async (stream, script) => {
      const result = await bench.cordon.run(script, { profile: 'small' })
      const whole = Array.from({ length: 500 }, (_, i) => `${i + 1}\n`).join('')
      expect(result.truncated).toBe(true)
      expect(result[stream]).toBe(
        `[Output truncated: showing last 50 chars of ${whole.length} chars]\n${whole.slice(-50)}`,
      )
    })

    it('is 50,000 characters unless the profile says otherwise', async () => {
      const result = await bench.cordon.run('head -c 60000 /dev/zero | tr "\\0" x')
      expect(result.stdout).toBe(`[Output truncated: showing last 50000 chars of 60000 chars]\n${'x'.repeat(50_000)}`)
    })

    it('a command without output gives an empty result', async () => {
      expect(await bench.cordon.run('true')).toMatchObject({ stdout: '', stderr: '', truncated: false })
    })

    it('binary output does not fail the call', async () => {
      const result = await bench.cordon.run("printf 'a\\xff\\xfe\\x00b'; head -c 1000 /dev/urandom >&2")
      expect(result.exitCode).toBe(0)
      expect(result.stdout).toContain('a\uFFFD\uFFFD')
      expect(result.streams).toMatchObject({ stdoutBytes: 5, stderrBytes: 1_000 })
    })
  })

  describe('the environment', () => {
    it.each(Object.entries(SECRETS))('does not hold %s, neither in variables nor in /proc', async (name, value) => {
      const { output } = await bench.cordon.run('env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; true')
      expect(output).not.toContain(name)
      expect(output).not.toContain(value)
    })

    it('holds PATH, and HOME is the workspace', async () => {
      const { stdout } = await bench.cordon.run('echo "$PATH"; echo "$HOME"')
      expect(stdout).toBe(`${process.env['PATH']}\n${bench.workspace}\n`)
    })
  })

  describe('the blocklist', () => {
    const isRejected = async (script: string, code: ErrorCode, profile?: string) => {
      const error = await refusal(bench.cordon.run(script, { profile }), code)
      expect(error.message).toMatch(/^Command not allowed/)
      expect(bench.cordon.audit.query({ text: script })[0]).toMatchObject({ outcome: 'blocked' })
    }

    it.each(['rm -rf /', ':(){ :|:& };:', 'dd if=x of=/dev/sda', 'mkfs /dev/sda', 'echo x > /dev/sda'])(
      'rejects %s before any process',
      (script) => isRejected(script, 'COMMAND_BLOCKED'),
    )

    it('rejects dd if=/dev/zero of=x before any process, where a rule of the profile says so', () =>
      isRejected('dd if=/dev/zero of=x', 'POLICY_DENIED', 'fills-nothing'))

    it('allows an ordinary rm, and rm -rf of a directory of the workspace', async () => {
      bench.write('gone.txt', '')
      mkdirSync(bench.path('build/deep'), { recursive: true })
      writeFileSync(bench.path('build/deep/file'), '')
      expect(await bench.cordon.run('rm gone.txt && rm -rf build/')).toMatchObject({ exitCode: 0 })
      expect([existsSync(bench.path('gone.txt')), existsSync(bench.path('build'))]).toEqual([false, false])
    })
  })

  describe('many commands', () => {
    it('run at once for one agent', async () => {
      const tasks = ['1', '2', '3', '4'].map(() => bench.cordon.start('read -r line; echo "$line"', { agent: 'busy' }))
      await until(() => bench.cordon.tasks.list('busy').filter(({ state }) => state === 'running').length === 4)
      for (const [i, task] of tasks.entries()) task.input(`${i}\n`)
      const results = await Promise.all(tasks.map((task) => task.result))
      expect(results.map((r) => r.stdout)).toEqual(['0\n', '1\n', '2\n', '3\n'])
    })

    it('are tracked while they run, per agent, with their state', async () => {
      const task = bench.cordon.start('echo up; read -r line; echo "$line"', { agent: 'tracked' })
      await until(() => task.logs('stdout', 0).text.includes('up'))
      expect(bench.cordon.tasks.list('tracked')).toMatchObject([{ id: task.id, state: 'running', background: true }])
      expect(bench.cordon.status()).toMatchObject({ running: 1, agents: [{ agent: 'tracked', running: 1 }] })
      task.input('heard\n')
      expect(await task.result).toMatchObject({ exitCode: 0, stdout: 'up\nheard\n' })
      expect(bench.cordon.status()).toMatchObject({ running: 0 })
    })

    it('wait for their turn past the ceiling of the agent', async () => {
      const tasks = [1, 2, 3].map(() => bench.cordon.start('echo up; cat', { agent: 'capped', profile: 'few' }))
      await until(() => bench.cordon.status().waiting === 1)
      expect(bench.cordon.status()).toMatchObject({ running: 2, waiting: 1 })
      for (const task of tasks) task.endInput()
      expect((await Promise.all(tasks.map((task) => task.result))).map((r) => r.exitCode)).toEqual([0, 0, 0])
    })

    it('commands end when their agent ends', async () => {
      const seconds = oddSeconds()
      const task = bench.cordon.start(`echo up; sleep ${seconds} & sleep ${seconds}`, { agent: 'doomed' })
      await until(() => task.logs('stdout', 0).text.includes('up'))
      expect(await bench.cordon.endAgent('doomed')).toBe(1)
      expect(await task.result).toMatchObject({ cancelled: true })
      expect(processesWith(seconds)).toEqual([])
    })

    it('a child left behind does not hold the caller', async () => {
      const seconds = oddSeconds()
      expect(await bench.cordon.run(`sleep ${seconds} & echo done`)).toMatchObject({
        stdout: 'done\n',
        timedOut: false,
      })
      expect(processesWith(seconds)).toEqual([])
    })
  })

  it('the tool is registered with its schema', () => {
    expect(bench.cordon.tools.get('bash')).toMatchObject({
      name: 'bash',
      parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    })
  })

  it('the tool answers with the documented fields', async () => {
    const { json } = await bench.cordon.tools.execute({ id: '1', name: 'bash', arguments: { command: 'echo hi' } })
    expect(json).toMatchObject({
      command: 'echo hi',
      exit_code: 0,
      stdout: 'hi\n',
      stderr: '',
      timed_out: false,
      truncated: false,
      duration_ms: expect.any(Number),
    })
  })
})

/** Resolves as soon as the condition holds; the test's own time limit is the bound. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
