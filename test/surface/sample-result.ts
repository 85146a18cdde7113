import type { Result } from '../../src/core/model/run/result.js'

/** A finished command as the engine reports it, with what a test cares about laid over. */
export const sampleResult = (over: Partial<Result> = {}): Result => ({
  id: 'r1',
  command: 'echo hi',
  agent: null,
  claimSource: 'shell',
  stdout: 'hi\n',
  stderr: '',
  output: 'hi\n',
  exitCode: 0,
  signal: null,
  timedOut: false,
  cancelled: false,
  truncated: false,
  durationMs: 1_500,
  ending: { how: 'exited', status: over.exitCode ?? 0 },
  decision: { verdict: 'allow', because: [], matches: [] },
  error: null,
  transaction: null,
  filter: null,
  evidence: [],
  notices: [],
  streams: { stdoutBytes: 3, stderrBytes: 0, kept: false },
  ...over,
})
