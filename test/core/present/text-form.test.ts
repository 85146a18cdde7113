import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Result } from '../../../src/core/model/run/result.js'
import { classifyExit } from '../../../src/core/present/classify-exit.js'
import { toText } from '../../../src/core/present/text-form.js'
import { took } from '../../../src/core/present/took.js'
import { errorToWire, toWire } from '../../../src/core/present/wire.js'

const result = (over: Partial<Result> = {}): Result => ({
  id: 'r1',
  command: 'x',
  agent: null,
  claimSource: 'shell',
  stdout: 'hello\n',
  stderr: '',
  output: 'hello\n',
  exitCode: 0,
  signal: null,
  timedOut: false,
  cancelled: false,
  truncated: false,
  durationMs: 1500,
  ending: { how: 'exited', status: 0 },
  decision: { verdict: 'allow', because: [], matches: [] },
  error: null,
  transaction: null,
  filter: null,
  evidence: [],
  notices: [],
  streams: { stdoutBytes: 6, stderrBytes: 0, kept: false },
  ...over,
})

describe('the text form', () => {
  it.each([
    ['output and time', {}, 'hello\n\nTook 1.5s'],
    ['both streams', { stderr: 'oops\n' }, 'hello\noops\n\nTook 1.5s'],
    ['stderr alone', { stdout: '', stderr: 'oops' }, 'oops\n\nTook 1.5s'],
    ['nothing', { stdout: '' }, '(no output)\n\nTook 1.5s'],
    ['a failure', { exitCode: 7 }, 'hello\n\nCommand exited with code 7\n\nTook 1.5s'],
    ['less than a second', { durationMs: 999 }, 'hello'],
    ['a second', { durationMs: 1_000 }, 'hello\n\nTook 1.0s'],
    ['minutes', { durationMs: 125_000 }, 'hello\n\nTook 2m 5.0s'],
    [
      'a timeout',
      {
        exitCode: 124,
        timedOut: true,
        error: new CordonError('TIMED_OUT', 'Command timed out after 1s').info,
        ending: { how: 'killed', signal: 'SIGKILL', by: 'timeout' },
      },
      'hello\n\nCommand timed out after 1s\n\nTook 1.5s',
    ],
    [
      'a rollback',
      {
        exitCode: 2,
        transaction: { mode: 'auto', outcome: 'rolled-back', restored: 2, deleted: 1, warning: null },
      },
      'hello\n\nCommand exited with code 2\n\nChanges were rolled back: 2 restored, 1 deleted\n\nTook 1.5s',
    ],
    [
      'changes that are held',
      { transaction: { mode: 'review', outcome: 'waiting-for-review', restored: 0, deleted: 0, warning: null } },
      'hello\n\nChanges are held until a person reviews them; the files are unchanged\n\nTook 1.5s',
    ],
  ] as const)('the text form reports %s', (_, over, text) => {
    expect(toText(result(over))).toBe(text)
  })

  it('names the first rolled-back files and counts the rest', () => {
    const list = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
      path: `/w/${name}`,
      kind: 'modified' as const,
      type: 'file' as const,
      bytesBefore: 1,
      bytesAfter: 2,
    }))
    const counts = { created: 0, modified: 16, deleted: 0, modeChanged: 0, directories: 0, bytes: 32 }
    const transaction = {
      ...({ mode: 'auto', outcome: 'rolled-back', restored: 16, deleted: 0, warning: null } as const),
      changes: { counts, list, omitted: 10 },
    }
    expect(toText(result({ exitCode: 2, transaction }))).toContain(
      '16 restored, 0 deleted (/w/a, /w/b, /w/c, /w/d, /w/e and 11 more)',
    )
  })

  it.each([
    [0, 'Took 0.0s'],
    [49, 'Took 0.0s'],
    [59_949, 'Took 59.9s'],
    [59_960, 'Took 1m 0.0s'],
    [119_980, 'Took 2m 0.0s'],
    [3_600_000, 'Took 60m 0.0s'],
  ])('a duration of %d ms is shown as: %s', (ms, text) => {
    expect(took(ms)).toBe(text)
  })
})

describe('exits', () => {
  it.each([
    [0, 'x: Permission denied', null],
    [1, 'some failure', null],
    [126, '', 'policy-blocked'],
    [126, 'Command not allowed: sudo', 'policy-blocked'],
    [127, 'bash: foo: command not found', 'permanent'],
    [1, 'cat: x: Permission denied', 'policy-blocked'],
    [2, 'ls: x: No such file or directory', 'permanent'],
  ])('exit code %d with stderr %j is classified as %s', (code, stderr, category) => {
    const info = classifyExit(code, stderr)
    expect(info?.category ?? null).toBe(category)
    if (info !== null) expect(info).toMatchObject({ code: 'COMMAND_FAILED', domain: 'command', phase: 'run' })
    if (info !== null && stderr !== '') expect(info.message).toBe(stderr)
  })
})

describe('the wire form', () => {
  it('toWire() gives the documented JSON without absent fields', () => {
    const because = [{ rule: 'own/rule', verdict: 'allow', span: [0, 1], reason: 'why', program: 'x' }] as const
    const wire = toWire(result({ decision: { verdict: 'allow', because, matches: because } }))
    expect(JSON.parse(JSON.stringify(wire))).toEqual({
      id: 'r1',
      command: 'x',
      stdout: 'hello\n',
      stderr: '',
      exit_code: 0,
      signal: null,
      timed_out: false,
      cancelled: false,
      truncated: false,
      duration_ms: 1500,
      agent: null,
      decision: { verdict: 'allow', because: [...because] },
    })
  })

  it('carries the filter, the transaction and the error where there are some', () => {
    const filter = {
      filter: 'git',
      confidence: 'full',
      rawChars: 9,
      keptChars: 5,
      rawLines: 3,
      keptLines: 2,
      kept: [[1, 2]],
    } as const
    const transaction = { mode: 'auto', outcome: 'committed', restored: 0, deleted: 0, warning: null } as const
    const error = new CordonError('TIMED_OUT', 'Command timed out after 1s').info
    expect(toWire(result({ filter, transaction, error }))).toMatchObject({
      filter: { filter: 'git', raw_chars: 9, kept_chars: 5, raw_lines: 3, kept_lines: 2 },
      transaction,
      error,
    })
  })

  it('errorToWire() gives code, category, domain, phase and message', () => {
    expect(errorToWire(new CordonError('COMMAND_BLOCKED', 'Command not allowed: sudo'))).toEqual({
      error: {
        code: 'COMMAND_BLOCKED',
        category: 'policy-blocked',
        domain: 'policy',
        phase: 'decide',
        message: 'Command not allowed: sudo',
      },
    })
  })
})
