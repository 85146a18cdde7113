import type { Ended, Intent } from '../../src/core/model/run/audit.js'

export const intent = (id: string, over: Partial<Intent> = {}): Intent => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  agent: null,
  caller: 'library',
  tool: 'bash',
  command: `echo ${id}`,
  request: { mode: 'shell', script: `echo ${id}` },
  cwd: '/w',
  profile: 'workspace',
  verdict: 'allow',
  rule: 'default',
  reason: 'why',
  planDigest: 'd',
  policyDigest: 'p',
  ...over,
})

export const ended = (id: string, over: Partial<Ended> = {}): Ended => ({
  id,
  at: '2026-01-01T00:00:01.000Z',
  outcome: 'success',
  exitCode: 0,
  signal: null,
  durationMs: 1000,
  truncated: false,
  errorCode: null,
  errorCategory: null,
  errorDomain: null,
  errorPhase: null,
  message: null,
  restored: 0,
  deleted: 0,
  ...over,
})
