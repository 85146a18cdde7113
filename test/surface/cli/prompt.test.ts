import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/model/approval.js'
import { promptApproval } from '../../../src/surface/cli/prompt-approval.js'
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
  state: 'pending',
}

/** A terminal at which somebody types; resolves with the answer and what was shown. */
async function asked(type: (stdin: PassThrough, abort: AbortController) => void, about: Approval = approval) {
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  const stderr = collector(false)
  const abort = new AbortController()
  const surroundings = { env: {}, cwd: '/', version: '0', hasOneOutput: false, isForeground: () => true }
  const io = { stdin, stderr, stdout: collector(false), ...surroundings, onInterrupt: () => () => {} }
  const doors = { openEngine: () => Promise.reject(), allow: () => Promise.reject(), serveMcp: () => Promise.reject() }
  const answer = promptApproval({ io, doors, exit: () => {} }, { color: false }, () => {})(about, abort.signal)
  type(stdin, abort)
  return { answer: await answer, shown: stderr.text() }
}

describe('a person asked at the terminal', () => {
  it('sees the command with what is hidden in it, the rule and the reason', async () => {
    const { shown } = await asked((stdin) => stdin.end('n\n'))
    expect(shown).toContain('  git push\\u{200b} origin\n')
    expect(shown).toContain('git/push')
    expect(shown).toContain('It leaves the sandbox.')
  })

  it('sees all of a command that is longer than a line, whatever the rule points at', async () => {
    const command = `git push ${'x'.repeat(300)} the-end`
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, command })
    expect(shown).toContain(`  The whole command:\n  ${command}\n`)
    const lines = "cat <<'X' > a\n\u202eone\nX\ngit push\nlast"
    const several = await asked((stdin) => stdin.end('n\n'), { ...approval, command: lines })
    expect(several.shown).toContain("  The whole command:\n  cat <<'X' > a\n  \\u{202e}one\n  X\n  git push\n  last\n")
    expect((await asked((stdin) => stdin.end('n\n'))).shown).not.toContain('The whole command')
  })

  it('is told what is missing of a command that nobody would read', async () => {
    const command = `begin ${'x'.repeat(30_000)} the-end`
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, command })
    expect(shown).toContain('  … 10014 characters are not shown …\n')
    expect(shown).toContain(' the-end\n')
  })

  it('is offered a host for the command, for the session or for good, and sees what would be saved', async () => {
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

  it('sees for whom it is asked', async () => {
    const { shown } = await asked((stdin) => stdin.end('n\n'), { ...approval, agent: 'bob\u200b' })
    expect(shown).toContain('  agent    bob\\u{200b}\n')
  })

  it.each([
    ['y', 'once'],
    ['YES', 'once'],
    ['n', 'deny'],
    ['', 'deny'],
    ['yesterday', 'deny'],
  ])('answers %j: %s', async (typed, answer) => {
    expect((await asked((stdin) => stdin.end(`${typed}\n`))).answer).toBe(answer)
  })

  it('can allow it for good only where there is a narrow rule, which is shown first', async () => {
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

  it('says no by going away', async () => {
    expect((await asked((stdin) => stdin.end())).answer).toBe('deny')
  })

  it('is not waited for when the run was cancelled or somebody else answered', async () => {
    expect((await asked((_, abort) => abort.abort())).answer).toBe('deny')
  })
})
