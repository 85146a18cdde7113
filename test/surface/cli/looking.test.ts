import { describe, expect, it } from 'vitest'
import { CordonError, errorInfo } from '../../../src/core/model/basics/errors.js'
import type { Approval } from '../../../src/core/model/policy/approval.js'
import type { AuditQuery, AuditRecord } from '../../../src/core/model/run/audit.js'
import { localTime } from '../../../src/surface/cli/terminal/local-time.js'
import { cordon, sampleCheckResult } from './in-process.js'

const record = (over: Partial<AuditRecord> = {}): AuditRecord => ({
  id: 'r1',
  at: '2026-01-02T03:04:05.678Z',
  agent: 'builder',
  caller: 'cli',
  tool: 'bash',
  command: 'npm test',
  request: { mode: 'shell', script: 'npm test' },
  cwd: '/workspace',
  profile: 'workspace',
  verdict: 'allow',
  rule: 'default',
  reason: null,
  planDigest: 'd',
  policyDigest: 'p',
  outcome: 'success',
  exitCode: 0,
  durationMs: 1_500,
  endedAt: '2026-01-02T03:04:07.178Z',
  ...over,
})

describe('cordon check', () => {
  const checking = (over = {}) => ({ check: () => sampleCheckResult(over) })

  it('gives each part its verdict, then the reasons', async () => {
    const { status, stdout, stderr } = await cordon(['check', '--', 'echo hi && sudo id'], { engine: checking() })
    expect([status, stderr]).toEqual([20, ''])
    expect(stdout).toBe(
      [
        '✘ This would be refused.',
        '',
        '  ✔ echo hi                        ',
        '  ✘ sudo id                        builtin/sudo',
        '  ✔ id                              (through sudo)',
        '',
        '  echo hi && sudo id',
        '             ^^^^^^^',
        '  rule     builtin/sudo',
        '  reason   Command not allowed: sudo',
        '  instead  Run it without root.',
        '',
      ].join('\n'),
    )
  })

  it('shows opaque spots, paths and the plan', async () => {
    const checked = sampleCheckResult({
      verdict: 'allow',
      because: [],
      decision: { verdict: 'allow', because: [], matches: [] },
      text: 'cat a > b',
      facts: {
        ...sampleCheckResult().facts,
        invocations: [{ program: 'cat', argv: ['cat', 'a'], span: [0, 9], via: [] }],
        reads: [{ path: '/workspace/a', span: [4, 5], by: 'cat' }],
        writes: [{ path: '/workspace/b', span: [8, 9], by: 'redirect' }],
        hosts: [{ host: 'example.com', port: 443, span: [0, 1], by: 'curl' }],
        opaque: [{ span: [4, 5], kind: 'unknown', reason: 'a variable' }],
      },
    })
    const { status, stdout } = await cordon(['check', 'cat a > b'], { engine: { check: () => checked } })
    expect(status).toBe(0)
    for (const line of [
      '✔ This would be run.',
      '  unknown  1:5 a  a variable',
      '  reads    /workspace/a  cat',
      '  writes   /workspace/b  redirect',
      '  host     example.com:443  curl',
    ]) {
      expect(stdout.split('\n')).toContain(line)
    }
  })

  it('--json gives verdict, because, facts and plan', async () => {
    const { status, stdout } = await cordon(['check', '--json', '--', 'x'], { engine: checking() })
    const { verdict, because, facts, plan } = sampleCheckResult()
    const { writesAnything, ...others } = facts
    expect([status, JSON.parse(stdout)]).toEqual([
      20,
      { verdict, because, facts: { ...others, writes_anything: writesAnything }, plan },
    ])
  })

  it.each([
    ['allow', 0],
    ['ask', 10],
    ['deny', 20],
  ] as const)('cordon check %s exits with %i', async (verdict, status) => {
    expect((await cordon(['check', 'x'], { engine: checking({ verdict, because: [] }) })).status).toBe(status)
  })

  it('exits 125 when this host could not enforce the plan', async () => {
    const unenforceable = new CordonError('SANDBOX_UNAVAILABLE', 'bubblewrap is missing: apt-get install it').info
    const { status, stdout } = await cordon(['check', 'x'], {
      engine: checking({ verdict: 'allow', because: [], unenforceable }),
    })
    expect(status).toBe(125)
    expect(stdout).toContain('bubblewrap is missing')
  })

  it('--exec checks a program with arguments', async () => {
    const asked: unknown[] = []
    const check = (command: unknown) => {
      asked.push(command)
      return sampleCheckResult()
    }
    await cordon(['check', '--exec', '--', 'rm', '-r', 'x'], { engine: { check } })
    expect(asked).toEqual([{ program: 'rm', args: ['-r', 'x'] }])
  })
})

describe('cordon check of a command that cannot be started', () => {
  it.each([
    ['SANDBOX_UNAVAILABLE', 'Cordon cannot build the sandbox: the sandbox needs Linux.', 125],
    ['PROGRAM_NOT_EXECUTABLE', './x is not executable.', 126],
    ['PROGRAM_NOT_FOUND', 'The program "x" was not found on PATH.', 127],
  ] as const)('%s is what it says first, and its exit status', async (code, message, exit) => {
    const unenforceable = errorInfo(code, message)
    const check = () => sampleCheckResult({ verdict: 'allow', because: [], unenforceable })
    const { status, stdout } = await cordon(['check', '--no-color', 'echo hi'], { engine: { check } })
    expect([status, stdout.startsWith(`✘ This would not be run.\n  ${message}\n`)]).toEqual([exit, true])
    expect(stdout).not.toContain('would be run')
  })
})

describe('cordon audit', () => {
  const recording = (records: readonly AuditRecord[]) => {
    const asked: unknown[] = []
    const query = (given?: AuditQuery) => {
      asked.push(given)
      return records
    }
    const verify = () => ({ ok: true as const, rows: 2, head: null })
    return { asked, engine: { audit: { query, records: query, verify } } }
  }

  it('as JSON escapes what a terminal would obey or hide, and keeps the value', async () => {
    const command = 'echo \u009b2J \u202e \u200b \u{e0041} é'
    const { engine } = recording([record({ id: 'r1', command })])
    const { stdout } = await cordon(['audit', '--json'], { engine })
    expect(stdout).toMatch(/^[^\u007f-\u009f\p{Cf}]*$/u)
    expect(JSON.parse(stdout)[0].command).toBe(command)
  })

  it('is a table with one line per request and no control characters', async () => {
    const { engine } = recording([
      record({
        id: 'r2',
        agent: null,
        command: 'sudo\n\u001b[2Jid',
        verdict: 'deny',
        rule: 'builtin/sudo',
        outcome: 'blocked',
        exitCode: null,
        durationMs: 0,
      }),
      record(),
    ])
    const { status, stdout } = await cordon(['audit'], { engine })
    expect(status).toBe(0)
    expect(stdout).toBe(
      [
        'id  when                     agent    ended    exit  rule          command',
        `r2  ${localTime('2026-01-02T03:04:05.000Z')}  -        blocked  -     builtin/sudo  sudo\\n\\e[2Jid`,
        `r1  ${localTime('2026-01-02T03:04:05.000Z')}  builder  success  0     default       npm test`,
        '',
      ].join('\n'),
    )
  })

  it('--json is an array in the same order, in the words of the wire', async () => {
    const { engine } = recording([record({ id: 'r2' }), record()])
    const parsed = JSON.parse((await cordon(['audit', '--json'], { engine })).stdout)
    expect(parsed.map(({ id }: { id: string }) => id)).toEqual(['r2', 'r1'])
    expect(parsed[0]).toMatchObject({
      exit_code: 0,
      duration_ms: 1_500,
      outcome: 'success',
      ended_at: expect.any(String),
    })
  })

  it('passes the filters of the command line to the query', async () => {
    const { asked, engine } = recording([])
    const argv = [
      'audit',
      '--text',
      'npm',
      '--agent',
      'a',
      '--outcome',
      'blocked',
      '--verdict',
      'deny',
      '--since',
      '2026-01-02',
      '--limit',
      '5',
    ]
    const { stdout } = await cordon(argv, { engine })
    expect(stdout).toBe('Nothing on record.\n')
    expect(asked).toEqual([
      { text: 'npm', agent: 'a', outcome: 'blocked', verdict: 'deny', since: '2026-01-02T00:00:00.000Z', limit: 5 },
    ])
  })

  it.each([
    [['audit', 'verfy'], /too many arguments for 'audit'.*\nSee 'cordon --help'/],
    [['doctor', 'all'], /too many arguments/],
    [['audit', '--outcome', 'fine'], /must be one of success/],
    [['audit', '--since', 'soon'], /must be a span/],
    [['audit', '--limit', '0'], /from 1 to 10000/],
  ])('invalid arguments are refused with the reason: %j', async (argv, message) => {
    const { status, stderr } = await cordon(argv)
    expect(status).toBe(125)
    expect(stderr).toMatch(message)
  })

  it('verify reports an intact chain, or the first broken row', async () => {
    const whole = await cordon(['audit', 'verify'], { engine: recording([]).engine })
    expect([whole.status, whole.stdout]).toEqual([0, '✔ 2 rows, the chain is whole.\n'])
    const verify = () => ({ ok: false as const, rows: 9, brokenAt: 4, reason: 'the row was changed' })
    const broken = await cordon(['audit', 'verify'], {
      engine: { audit: { query: () => [], records: () => [], verify } },
    })
    expect([broken.status, broken.stdout]).toEqual([1, '✘ Broken at row 4: the row was changed\n'])
    const json = await cordon(['audit', 'verify', '--json'], {
      engine: { audit: { query: () => [], records: () => [], verify } },
    })
    expect(JSON.parse(json.stdout)).toEqual({ ok: false, rows: 9, broken_at: 4, reason: 'the row was changed' })
  })
})

describe('cordon doctor', () => {
  it('exits 1 with the fix if something is missing', async () => {
    const doctor = () => [
      { name: 'bubblewrap', ok: false, detail: 'not found', fix: 'apt-get install bubblewrap' },
      { name: 'audit', ok: true, detail: '3 rows', fix: null },
    ]
    const { status, stdout } = await cordon(['doctor'], { engine: { doctor } })
    expect([status, stdout]).toEqual([
      1,
      '✘ bubblewrap  not found\n              apt-get install bubblewrap\n✔ audit       3 rows\n',
    ])
  })
})

describe('cordon logs', () => {
  it('prints the kept output in pieces, and a range of it', async () => {
    const kept = Buffer.from('x'.repeat(3 * 1024 * 1024))
    const asked: (readonly [number, number])[] = []
    const logs = async (_id: string, _stream: string, from: number, to: number) => {
      asked.push([from, to])
      return { text: kept.subarray(from, to).toString(), totalBytes: kept.length }
    }
    const whole = await cordon(['logs', 'r1'], { engine: { logs } })
    expect([whole.status, whole.stdout.length, asked.length]).toEqual([0, kept.length, 3])
    const range = await cordon(['logs', 'r1', '--from', '10', '--to', '14'], { engine: { logs } })
    expect([range.stdout, asked.at(-1)]).toEqual(['xxxx', [10, 14]])
  })
})

describe('profiles --lint', () => {
  const list = () => [{ name: 'mine', summary: '', source: '' }]
  const notAsked = (): never => {
    throw new Error('not expected to be asked')
  }
  const engine = (complaints: readonly { rule: string; kind: 'over-broad'; message: string }[]) => ({
    profiles: { list, get: notAsked, replay: notAsked, lint: () => complaints },
  })

  it('reports no warnings, or names the rule and its fault and exits 1', async () => {
    expect(await cordon(['profiles', '--lint'], { engine: engine([]) })).toMatchObject({
      status: 0,
      stdout: '✔ No complaints.\n',
    })
    const bad = await cordon(['profiles', '--lint'], {
      engine: engine([{ rule: 'allow/1', kind: 'over-broad', message: 'allows all' }]),
    })
    expect(bad).toMatchObject({ status: 1, stdout: expect.stringMatching(/over-broad mine allow\/1 {2}allows all/) })
  })

  it('lists a warning of several profiles once', async () => {
    const several = engine([{ rule: 'allow/1', kind: 'over-broad', message: 'allows all' }])
    const two = () => ['mine', 'yours'].map((name) => ({ name, summary: '', source: '' }))
    const asked = { engine: { profiles: { ...several.profiles, list: two } } }
    expect((await cordon(['profiles', '--lint'], asked)).stdout).toBe('over-broad mine, yours allow/1  allows all\n')
    expect(JSON.parse((await cordon(['profiles', '--lint', '--json'], asked)).stdout)).toHaveLength(2)
  })
})

describe('profiles diff', () => {
  const change = {
    command: 'git push',
    cwd: '/w',
    agent: null,
    from: 'ask',
    to: 'deny',
    fromRule: 'effect/git-push',
    toRule: 'profile/modes',
    times: 1,
  } as const
  const saying = async (replay: object) => {
    const profiles = { replay: () => ({ commands: 4, skipped: 0, newest: null, changes: [], ...replay }) }
    return (await cordon(['profiles', 'diff', 'a', 'b'], { engine: { profiles } as never })).stdout
  }

  it('names the rule that matches now, or the one that no longer does', async () => {
    const allowed = { ...change, command: 'npm publish', to: 'allow', fromRule: 'effect/publish', times: 3 }
    expect(await saying({ changes: [change, allowed] })).toBe(
      'ask   → deny  git push profile/modes\nask   → allow npm publish effect/publish ×3\n2 of 4 commands change.\n',
    )
  })

  it('adds directory and agent if a command is listed twice', async () => {
    expect(await saying({ changes: [change, { ...change, cwd: '/w/sub', agent: 'a\u202e' }] })).toContain(
      'git push profile/modes in /w\nask   → deny  git push profile/modes in /w/sub for a\\u{202e}\n',
    )
  })

  it('reports the records outside its limit', async () => {
    expect(await saying({ skipped: 2, newest: 10_000 })).toBe(
      '0 of 4 commands change, 2 could not be decided again. Only the newest 10000 requests were looked at.\n',
    )
  })
})

describe('approvals', () => {
  const approval: Approval = {
    id: 'p1',
    digest: 'd',
    command: 'git push\u202e',
    cwd: '/workspace',
    agent: null,
    profile: 'workspace',
    because: [{ rule: 'git/push', verdict: 'ask', span: [0, 8], reason: 'It leaves the sandbox.' }],
    scripts: [],
    rule: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    expiresAt: '2026-01-02T03:14:05.000Z',
    workspace: '/workspace',
    runMs: 600_000,
    answeredAt: null,
    note: null,
    approver: null,
    state: 'pending',
  }

  it('are listed while they wait, with the reason and nothing hidden', async () => {
    const list = () => [approval, { ...approval, id: 'p0', state: 'used' as const }]
    const engine = { approvals: { list, answer: () => approval } }
    const long = { ...approval, command: `git push ${'x'.repeat(200)} the-end` }
    const whole = await cordon(['approvals'], { engine: { approvals: { list: () => [long], answer: () => long } } })
    expect(whole.stdout).toContain(`  The whole command:\n  ${long.command}\n`)
    const { stdout } = await cordon(['approvals'], { engine })
    expect(stdout).toContain(
      `p1  pending  until ${localTime('2026-01-02T03:14:05.000Z')}\n  git push\\u{202e}\n  ^^^^^^^^\n`,
    )
    expect(stdout).toContain('  agent    not named\n')
    expect(stdout).not.toContain('p0')
    expect(JSON.parse((await cordon(['approvals', '--all', '--json'], { engine })).stdout)).toHaveLength(2)
  })

  it('approvals are answered by their id', async () => {
    const answers: unknown[] = []
    const answer = (...given: unknown[]) => {
      answers.push(given)
      return approval
    }
    const engine = { approvals: { list: () => [], answer } }
    expect((await cordon(['approve', 'p1', '--note', 'go on'], { engine })).stdout).toContain(
      'runs once when it is repeated',
    )
    expect((await cordon(['deny', 'p1'], { engine })).status).toBe(0)
    expect(answers).toEqual([
      ['p1', 'approved', 'go on'],
      ['p1', 'denied', undefined],
    ])
  })
})

describe('help', () => {
  it('lists every command, and each of them its exit statuses', async () => {
    const { status, stdout } = await cordon(['--help'])
    expect(status).toBe(0)
    const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1])
    expect(names).toEqual(
      expect.arrayContaining(['run', 'exec', 'check', 'audit', 'doctor', 'profiles', 'mcp', 'completion']),
    )
    for (const name of names) {
      if (name === 'help') continue
      expect((await cordon([`${name}`, '--help'])).stdout).toMatch(/Exit status:\n( {2}\S+ +\S.*\n)+/)
    }
  })

  it('prints the version without an engine', async () => {
    expect(await cordon(['--version'])).toEqual({ status: 0, stdout: '1.2.3\n', stderr: '' })
  })
})
