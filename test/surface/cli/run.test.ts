import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import type { Result } from '../../../src/core/model/run/result.js'
import type { CommandInput, RunOptions } from '../../../src/engine/api.js'
import type { CliEngine } from '../../../src/surface/cli/terminal/dependencies.js'
import { sampleResult } from '../sample-result.js'
import { cordon, sampleCheckResult } from './in-process.js'

/** An engine that notes what it was asked and answers the same each time. */
function engine(answer: Result | CordonError = sampleResult()) {
  const asked: (readonly [CommandInput, RunOptions])[] = []
  return {
    asked,
    async run(command: CommandInput, options: RunOptions = {}): Promise<Result> {
      asked.push([command, options])
      if (answer instanceof CordonError) throw answer
      await options.relay?.write('stdout', Buffer.from(answer.stdout))
      await options.relay?.write('stderr', Buffer.from(answer.stderr))
      return answer
    },
  }
}

const denied = new CordonError('COMMAND_BLOCKED', 'Command not allowed: sudo Run it without root.', {
  decision: sampleCheckResult().decision,
})

describe('cordon run', () => {
  it("cordon run prints only the command's output and exits with its status", async () => {
    const result = sampleResult({ stdout: 'out\n', stderr: 'err\n', exitCode: 3 })
    expect(await cordon(['run', '--', 'make'], { engine: engine(result) })).toEqual({
      status: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
  })

  it('hands every option to the engine', async () => {
    const given = engine()
    const options = [
      '--profile',
      'readonly',
      '--agent',
      'a',
      '--cwd',
      'src',
      '--timeout',
      '2.5',
      '--env',
      'A=1',
      '--env',
      'B=x=y',
    ]
    await cordon(['run', '--json', ...options, '--keep-output', '--approval', 'p1', '--stdin', '--', 'make'], {
      engine: given,
      stdin: 'in',
    })
    const [command, { signal, ...rest }] = given.asked[0] ?? ['', {}]
    expect(command).toBe('make')
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(rest).toEqual({
      caller: 'cli',
      profile: 'readonly',
      agent: 'a',
      cwd: 'src',
      timeoutMs: 2_500,
      env: { A: '1', B: 'x=y' },
      keepOutput: true,
      approval: 'p1',
      filters: true,
      stdin: 'in',
      relay: undefined,
    })
  })

  it.each([
    ['99999', 600_000, 'Timeout limited to 600 s by profile "workspace"; set timeouts.max_ms to allow more.\n'],
    ['0.2', 600_000, 'Timeout raised to 1 s, the shortest there is.\n'],
    [
      'none',
      600_000,
      'Timeout not switched off by profile "workspace"; set timeouts.none_allowed = true to allow it.\n',
    ],
    ['60', 600_000, ''],
  ])('a timeout of %s is reported with the effective limit on stderr', async (timeout, maxMs, stderr) => {
    const profile = { name: 'workspace', timeouts: { maxMs, noneAllowed: false } } as Profile
    const profiles = { get: () => profile } as unknown as CliEngine['profiles']
    const given = { ...engine(sampleResult()), profiles }
    expect((await cordon(['run', '--timeout', timeout, 'true'], { engine: given })).stderr).toBe(stderr)
    expect((await cordon(['run', '--json', '--timeout', timeout, 'true'], { engine: given })).stderr).toBe('')
  })

  it.each([
    [['run', 'git', 'status', '-s'], 'git status -s'],
    [['run', '--', 'echo', 'a  b', ';', "it's", '--json'], "echo 'a  b' ';' 'it'\\''s' --json"],
    [['run', '--cwd', 'x', 'ls', '--cwd', 'y'], 'ls --cwd y'],
    [['run', 'a | b'], 'a | b'],
    [['try', 'rm', '-r', 'a b'], "rm -r 'a b'"],
  ])('cordon run %j runs %s', async (argv, script) => {
    const given = engine()
    await cordon(argv, { engine: given })
    expect(given.asked.map(([command]) => command)).toEqual([script])
  })

  it("takes 'none' for a timeout", async () => {
    const given = engine()
    await cordon(['run', '--timeout', 'none', 'make'], { engine: given })
    expect(given.asked[0]?.[1].timeoutMs).toBe('none')
  })

  it("reads the script from standard input when it is '-'", async () => {
    const given = engine()
    await cordon(['run', '-'], { engine: given, stdin: 'echo hi\necho ho\n' })
    expect(given.asked[0]?.[0]).toBe('echo hi\necho ho\n')
  })

  it.each([
    ['a script with more words', ['run', '--', 'echo hi; ls', 'x'], /"x" follows it. Quote the whole script/],
    ['an option after a script', ['run', 'echo hi', '--json'], /cordon … --json -- '<script>'/],
    ['an unknown flag', ['run', '--profil', 'x', 'ls'], /unknown option '--profil'\n\(Did you mean --profile\?\)/],
    ['an unknown command', ['rnu', 'ls'], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    ['no script', ['run'], /missing required argument 'script'/],
    ['a timeout that is no number', ['run', '--timeout', 'soon', 'ls'], /number of seconds or 'none'/],
    ['a negative timeout', ['run', '--timeout', '-1', 'ls'], /number of seconds or 'none'|argument missing/],
    ['a variable without a value', ['run', '--env', 'A', 'ls'], /NAME=value/],
    ["'-' together with --stdin", ['run', '--stdin', '-'], /both want standard input/],
    ['nothing at all', [], /Usage: cordon/],
  ])('%s is a caller error: 125, a message on stderr, no stack', async (_, argv, message) => {
    const { status, stdout, stderr } = await cordon(argv)
    expect({ status, stdout }).toEqual({ status: 125, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('refuses standard input that is not text', async () => {
    const { Readable } = await import('node:stream')
    const { status, stderr } = await cordon(['run', '-'], { stdin: Readable.from([Buffer.from([0x65, 0xff, 0xfe])]) })
    expect([status, stderr]).toEqual([125, 'The script is not valid UTF-8 text.\n'])
  })

  it('a refusal shows the excerpt, the rule and the alternative', async () => {
    expect(await cordon(['run', '--', 'echo hi && sudo id'], { engine: engine(denied) })).toEqual({
      status: 126,
      stdout: '',
      stderr: [
        'Command not allowed: sudo',
        '',
        '  echo hi && sudo id',
        '             ^^^^^^^',
        '  rule     builtin/sudo',
        '  instead  Run it without root.',
        '',
      ].join('\n'),
    })
  })

  it('a denial whose reason omits it begins with "Command not allowed"', async () => {
    const reason = 'A redirect writes /etc/x, outside the allowed roots (/work).'
    const because = [{ rule: 'path/outside-write', verdict: 'deny', span: [7, 13], reason }]
    const error = new CordonError('PATH_NOT_ALLOWED', reason, { decision: { verdict: 'deny', because, matches: [] } })
    const { stderr } = await cordon(['run', '--', 'echo > /etc/x'], { engine: engine(error) })
    expect(stderr.split('\n')[0]).toBe(`Command not allowed. ${reason}`)
  })

  it('a denied held command begins with the answer and keeps the reason', async () => {
    const reason = 'Pushes to a shared place.'
    const because = [{ rule: 'git/push', verdict: 'ask', span: [0, 8], reason }]
    const answer = 'A person denied it: open a pull request'
    const error = new CordonError('POLICY_DENIED', `${reason} ${answer}`, {
      decision: { verdict: 'ask', because, matches: [] },
      answer,
    })
    const { stderr } = await cordon(['run', '--', 'git push'], { engine: engine(error) })
    expect(stderr.split('\n')[0]).toBe(`Not run. ${answer}`)
    expect(stderr).toContain(`reason   ${reason}`)
  })

  it('a held command shows how to approve it', async () => {
    const held = new CordonError('CONFIRMATION_REQUIRED', 'Pushes to a shared place.', {
      decision: {
        verdict: 'ask',
        because: [{ rule: 'git/push', verdict: 'ask', span: [0, 8], reason: 'Pushes to a shared place.' }],
        matches: [],
      },
      approval: { id: 'abc123', expires: '2026-01-02T00:00:00.000Z' },
    })
    const { status, stderr } = await cordon(['run', '--', 'git push'], { engine: engine(held) })
    expect(status).toBe(123)
    expect(stderr).toMatch(/^Not run\. A person has to approve this first\.\n/)
    expect(stderr).toContain('cordon approve abc123')
    expect(stderr).toContain('repeat the same command')
  })

  it('control characters in a message are escaped', async () => {
    const error = new CordonError('NOT_FOUND', 'no profile \u001b[2J\u202e')
    expect((await cordon(['run', 'ls'], { engine: engine(error) })).stderr).toBe('no profile \\e[2J\\u{202e}\n')
  })

  it('a defect gives one sentence', async () => {
    const broken = { run: () => Promise.reject(new TypeError('x is not a function')) }
    const { status, stderr } = await cordon(['run', 'ls'], { engine: broken })
    expect([status, stderr]).toEqual([125, 'Cordon itself failed: x is not a function. Please report this.\n'])
  })

  it.each([
    [
      'a timeout',
      {
        timedOut: true,
        exitCode: 124,
        ending: { how: 'killed', signal: 'SIGKILL', by: 'timeout' },
        error: errorOf('TIMED_OUT', 'Command timed out after 1s'),
      },
      'Command timed out after 1s\n',
    ],
    [
      'a signal of its own, which a pipe is not told of',
      { exitCode: 139, ending: { how: 'killed', signal: 'SIGSEGV', by: 'itself' } },
      '',
    ],
    [
      'a limit',
      {
        exitCode: 137,
        ending: { how: 'killed', signal: 'SIGKILL', by: 'limit' },
        error: errorOf('LIMIT_EXCEEDED', 'killed by limit: memory (512 MiB)'),
      },
      'killed by limit: memory (512 MiB)\n',
    ],
    [
      'rolled-back changes',
      { exitCode: 2, transaction: { mode: 'auto', outcome: 'rolled-back', restored: 1, deleted: 2, warning: null } },
      'Rolled back: 1 file restored, 2 files deleted\n',
    ],
    [
      'a failure that changed files',
      {
        exitCode: 2,
        transaction: {
          mode: 'auto',
          outcome: 'committed',
          restored: 0,
          deleted: 0,
          warning: null,
          id: 't1',
          changes: {
            counts: { created: 2, modified: 0, deleted: 1, modeChanged: 0, directories: 0, bytes: 3 },
            list: [],
            omitted: 0,
          },
        },
      },
      '2 files created, 1 file deleted; cordon undo t1\n',
    ],
    ['output kept', { streams: { stdoutBytes: 3, stderrBytes: 0, kept: true } }, 'Output kept: cordon logs r1\n'],
  ] as const)('says on stderr when there was %s', async (_, over, stderr) => {
    const result = sampleResult(over as Partial<Result>)
    expect(await cordon(['run', 'x'], { engine: engine(result) })).toEqual({
      status: result.exitCode,
      stdout: 'hi\n',
      stderr,
    })
  })

  it('with --json prints one line for programs and nothing on stderr', async () => {
    const { stdout, stderr, status } = await cordon(['run', '--json', 'x'], {
      engine: engine(sampleResult({ exitCode: 3 })),
    })
    expect([status, stderr, stdout.trimEnd().split('\n')]).toEqual([3, '', [expect.any(String)]])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'r1', stdout: 'hi\n', exit_code: 3, timed_out: false })
  })

  it('with --json an error is JSON too, with the same exit status', async () => {
    const { stdout, stderr, status } = await cordon(['run', '--json', 'sudo id'], { engine: engine(denied) })
    expect([status, stderr]).toEqual([126, ''])
    expect(JSON.parse(stdout)).toEqual({ error: denied.info })
  })

  it('Ctrl-C cancels the run', async () => {
    let interrupt = (): void => {}
    const waiting = {
      async run(_: CommandInput, { signal }: RunOptions = {}): Promise<Result> {
        queueMicrotask(interrupt)
        if (signal) await once(signal, 'abort')
        return sampleResult({
          exitCode: 130,
          cancelled: true,
          stdout: '',
          ending: { how: 'killed', signal: 'SIGKILL', by: 'caller' },
          error: errorOf('CANCELLED', 'Cancelled by the caller.'),
        })
      },
    }
    const whenListening = (play: () => void): void => {
      interrupt = play
    }
    expect(await cordon(['run', 'sleep 9'], { engine: waiting, whenListening })).toEqual({
      status: 130,
      stdout: '',
      stderr: '',
    })
  })

  it('on a terminal shows output as it comes, colours kept and other controls dropped', async () => {
    const live = {
      async run(_: CommandInput, { relay }: RunOptions = {}): Promise<Result> {
        await relay?.write('stdout', Buffer.from('\u001b[31mone\u001b[2J\n'))
        await relay?.write('stderr', Buffer.from('two\n'))
        return sampleResult({ stdout: 'cleaned' })
      },
    }
    expect(await cordon(['run', 'x'], { engine: live, tty: true })).toEqual({
      status: 0,
      stdout: '\u001b[31mone\n\u001b[0m',
      stderr: 'two\n',
    })
  })
})

describe('cordon exec', () => {
  it('takes everything after the program as its arguments, dashes included', async () => {
    const given = engine()
    await cordon(['exec', '--agent', 'a', '--', 'ls', '--json', '--', '-x'], { engine: given })
    await cordon(['exec', 'ls', '-l', '--profile'], { engine: given })
    expect(given.asked.map(([command]) => command)).toEqual([
      { program: 'ls', args: ['--json', '--', '-x'] },
      { program: 'ls', args: ['-l', '--profile'] },
    ])
  })

  it('underlines in the quoted form of the command', async () => {
    const error = new CordonError('COMMAND_BLOCKED', 'Command not allowed: rm', {
      decision: {
        verdict: 'deny',
        because: [{ rule: 'builtin/rm', verdict: 'deny', span: [0, 2], reason: 'Command not allowed: rm' }],
        matches: [],
      },
    })
    const { status, stderr } = await cordon(['exec', '--', 'rm', 'a b'], { engine: engine(error) })
    expect(status).toBe(126)
    expect(stderr).toContain("  rm 'a b'\n  ^^\n")
  })
})

describe('colours', () => {
  const red = '\u001b[31m'
  const stderrWith = async (
    env: Record<string, string>,
    tty: boolean,
    flags: readonly string[] = [],
  ): Promise<boolean> =>
    (await cordon(['run', ...flags, '--', 'echo hi && sudo id'], { engine: engine(denied), env, tty })).stderr.includes(
      red,
    )

  it.each([
    ['a terminal', {}, true, [], true],
    ['a pipe', {}, false, [], false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, [], false],
    ['an empty NO_COLOR, which does not count', { NO_COLOR: '' }, true, [], true],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, [], true],
    ['FORCE_COLOR=0 on a terminal', { FORCE_COLOR: '0' }, true, [], false],
    ['a dumb terminal', { TERM: 'dumb' }, true, [], false],
    ['--no-color against FORCE_COLOR', { FORCE_COLOR: '1' }, true, ['--no-color'], false],
  ] as const)('%s', async (_, env, tty, flags, expected) => {
    expect(await stderrWith(env, tty, flags)).toBe(expected)
  })
})

function errorOf(code: 'TIMED_OUT' | 'LIMIT_EXCEEDED' | 'CANCELLED', message: string) {
  return new CordonError(code, message).info
}
