import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/model/policy/approval.js'
import { promptApproval } from '../../../src/surface/cli/request/prompt-approval.js'
import { collector } from './in-process.js'

const approval: Approval = {
  id: 'p1',
  digest: 'd',
  command: 'git push\u200b origin',
  cwd: '/workspace',
  agent: null,
  profile: 'workspace',
  because: [{ rule: 'git/push', verdict: 'ask', span: [0, 16], reason: 'It leaves the sandbox.' }],
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

/** Simulates typing at a terminal; resolves with the answer and what was shown. */
async function asked(type: (stdin: PassThrough, abort: AbortController) => void, about: Approval = approval) {
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  const stderr = collector(false)
  const abort = new AbortController()
  const surroundings = { env: {}, cwd: '/', version: '0', hasOneOutput: false, isForeground: () => true }
  const io = { stdin, stderr, stdout: collector(false), ...surroundings, onInterrupt: () => () => {} }
  const dependencies = {
    openEngine: () => Promise.reject(),
    agentChanges: () => Promise.reject(),
    examineAgents: () => Promise.reject(),
    allow: () => Promise.reject(),
    serveMcp: () => Promise.reject(),
  }
  const answer = promptApproval({ io, ...dependencies, exit: () => {} }, { color: false }, () => {})(
    about,
    abort.signal,
  )
  type(stdin, abort)
  return { answer: await answer, shown: stderr.text() }
}

describe('a person asked at the terminal', () => {
  it('the prompt shows the command with escaped control characters, the rule and the reason', async () => {
    const { shown } = await asked((stdin) => stdin.end('n\n'))
    expect(shown).toContain('  git push\\u{200b} origin\n')
    expect(shown).toContain('git/push')
    expect(shown).toContain('It leaves the sandbox.')
  })

  it('a command longer than a line is shown whole, independent of the span of the rule', async () => {
    const command = `git push ${'x'.repeat(300)} the-end`
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, command })
    expect(shown).toContain(`  The whole command:\n  ${command}\n`)
    const lines = "cat <<'X' > a\n\u202eone\nX\ngit push\nlast"
    const several = await asked((stdin) => stdin.end('n\n'), { ...approval, command: lines })
    expect(several.shown).toContain("  The whole command:\n  cat <<'X' > a\n  \\u{202e}one\n  X\n  git push\n  last\n")
    expect((await asked((stdin) => stdin.end('n\n'))).shown).not.toContain('The whole command')
  })

  it('an overlong command is cut, and the prompt reports the rest', async () => {
    const command = `begin ${'x'.repeat(30_000)} the-end`
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, command })
    expect(shown).toContain('  … 10014 characters are not shown …\n')
    expect(shown).toContain(' the-end\n')
  })

  it('the prompt offers a host once, for the session or always, and shows the saved line', async () => {
    const lifts = { hosts: ['a.test:443'] }
    const about: Approval = {
      ...approval,
      because: [{ rule: 'builtin/network', verdict: 'ask', span: [0, 3], reason: 'x', lifts }],
    }
    const typed = async (text: string, one: Approval = about) => await asked((stdin) => stdin.end(`${text}\n`), one)
    expect((await typed('n')).shown).toMatch(/always +would save: the host a\.test:443\n/)
    const answers = await Promise.all(['y', 's', 'always', ''].map(async (text) => (await typed(text)).answer))
    expect(answers).toEqual(['once', 'session', 'always', 'deny'])
    const any = { ...about, because: about.because.map((match) => ({ ...match, lifts: { hosts: ['*'] } })) }
    expect([(await typed('s', any)).answer, (await typed('a', any)).answer]).toEqual(['deny', 'deny'])
    const mixed = { ...about, because: [...about.because, ...approval.because] }
    expect((await typed('always', mixed)).answer).toBe('deny')
  })

  it('the prompt names the agent', async () => {
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, agent: 'bob\u200b' })
    expect(shown).toContain('  agent    bob\\u{200b}\n')
  })

  it.each([
    ['y', 'once'],
    ['YES', 'once'],
    ['n', 'deny'],
    ['', 'deny'],
    ['yesterday', 'deny'],
  ])('a person at the terminal answers %j: %s', async (typed, answer) => {
    expect((await asked((stdin) => stdin.end(`${typed}\n`))).answer).toBe(answer)
  })

  it('the answer "always" needs a narrow rule, which is shown first', async () => {
    const hits: string[] = []
    const rule = {
      id: 'r',
      program: null,
      args: [],
      action: 'tool:*:git push origin',
      because: 'b',
      instead: null,
      hits,
      misses: hits,
    }
    const narrow: Approval = { ...approval, rule: { ...rule, verdict: 'allow' } }
    const { answer, shown } = await asked((stdin) => stdin.end('a\n'), narrow)
    expect(answer).toBe('always')
    expect(shown).toContain('would save: allow tool:*:git push origin')
    expect((await asked((stdin) => stdin.end('a\n'))).answer).toBe('deny')
  })

  it('a closed terminal counts as no', async () => {
    expect((await asked((stdin) => stdin.end())).answer).toBe('deny')
  })

  it('the prompt ends if the run is cancelled or another person answers', async () => {
    expect((await asked((_, abort) => abort.abort())).answer).toBe('deny')
  })
})
