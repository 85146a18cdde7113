import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Answer, Approval } from '../../../src/core/model/policy/approval.js'
import type { Decision } from '../../../src/core/model/policy/decision.js'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import type { Rule } from '../../../src/core/model/policy/profile.js'
import type { ApprovalRequest } from '../../../src/engine/ports/ports.js'
import { openApprovals } from '../../../src/host/approve/approval-store.js'
import { type ApproverOptions, createApprover } from '../../../src/host/approve/approver.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { heldId } from '../../held-id.js'

const plan: Plan = {
  argv: ['/bin/bash', '-c', 'git push'],
  cwd: '/w',
  env: [],
  stdinDigest: null,
  sandbox: { kind: 'none' },
  limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
  timeoutMs: 1000,
  graceMs: 0,
  transaction: 'off',
  workspace: '/w',
  agent: 'a',
  profile: 'workspace',
  policyDigest: 'p',
  digest: 'the plan',
}
const match = { rule: 'git/push', verdict: 'ask', span: [0, 8], reason: 'It leaves the sandbox.' } as const
const ask: Decision = { verdict: 'ask', because: [match], matches: [match] }
const rule: Rule = {
  id: 'r',
  program: ['git'],
  args: ['push'],
  action: null,
  verdict: 'allow',
  because: 'b',
  instead: null,
  hits: [],
  misses: [],
}

const origin = { user: 'anna', uid: 7, loginUid: 7, sudoUser: null, terminal: '/dev/pts/3', pid: 1 }

describe('the approver', () => {
  let state = ''
  let directory = ''
  let clock = 0
  let audit: ReturnType<typeof openAudit>
  const openStore = () =>
    openApprovals({ directory, now: () => clock, log: audit.answers, origin: () => origin, caller: 'library' })
  const open = (options: Partial<ApproverOptions> = {}) =>
    createApprover({ store: openStore(), now: () => clock, ...options })
  const request = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    plan,
    decision: ask,
    text: 'git push',
    approval: null,
    rule,
    scripts: [],
    approvals: { waitMs: 86_400_000, runMs: 600_000 },
    signal: new AbortController().signal,
    ...over,
  })
  const aboutHost = (host: string, digest: string, agent = 'a'): ApprovalRequest => {
    const question = { ...match, rule: 'builtin/network', lifts: { hosts: [host] } }
    const decision: Decision = { verdict: 'ask', because: [question], matches: [question] }
    return request({ plan: { ...plan, digest, agent }, decision, rule: null })
  }

  it('remembers a host for the session, for other commands of that agent too', async () => {
    const answers: Answer[] = ['session', 'deny', 'deny']
    const approver = open({ ask: async () => answers.shift() ?? 'deny' })
    await approver.approve(aboutHost('a.test', 'one'))
    expect(await approver.approve(aboutHost('a.test', 'two'))).toMatchObject({
      digest: 'two',
      by: 'person',
      approval: null,
    })
    await expect(approver.approve(aboutHost('b.test', 'three'))).rejects.toThrow(/A person denied it/)
    await expect(approver.approve(aboutHost('a.test', 'four', 'b'))).rejects.toThrow(/A person denied it/)
  })

  it('saves a host for good, for the profile that asked', async () => {
    const saved: unknown[] = []
    const approver = open({ ask: async () => 'always', saveHosts: (...words) => saved.push(words) })
    await approver.approve(aboutHost('a.test:443', 'one'))
    expect(saved).toEqual([[['a.test:443'], 'workspace']])
  })

  const hold = async (): Promise<string> => {
    const error = await open()
      .approve(request())
      .catch((e: CordonError) => e)
    expect(error).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    return heldId(error)
  }

  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'cordon-approve-'))
    directory = join(state, 'approvals')
    audit = openAudit({ file: join(state, 'audit.db') })
    clock = Date.parse('2026-01-01T00:00:00Z')
  })
  afterEach(() => {
    audit.close()
    rmSync(state, { recursive: true, force: true })
  })

  it('grants what the policy allows without a question', async () => {
    const grant = await open().approve(request({ decision: { verdict: 'allow', because: [], matches: [] } }))
    expect(grant).toEqual({ digest: 'the plan', by: 'policy', approval: null })
    expect(open().list()).toEqual([])
  })

  it('holds the rest, and says how to approve it', async () => {
    const id = await hold()
    expect(open().list()).toMatchObject([{ id, state: 'pending', command: 'git push', digest: 'the plan' }])
    await expect(open().approve(request())).rejects.toThrow(/It leaves the sandbox\..*cordon approve [0-9a-f]+/)
  })

  it('lets an approved plan run once, and not twice', async () => {
    const id = await hold()
    open().answer(id, 'approved')
    expect(await open().approve(request({ approval: id }))).toEqual({
      digest: 'the plan',
      by: 'person',
      approval: id,
      approver: 'anna (uid 7) at /dev/pts/3',
    })
    await expect(open().approve(request({ approval: id }))).rejects.toThrow(/was used already/)
  })

  it('lets only one of many that try at once use an approval', async () => {
    const id = await hold()
    open().answer(id, 'approved')
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => open().approve(request({ approval: id }))))
    expect(tries.filter((t) => t.status === 'fulfilled')).toHaveLength(1)
  })

  it('refuses an approval for another plan: a changed command, directory, agent or policy has another digest', async () => {
    const id = await hold()
    open().answer(id, 'approved')
    const other = { ...plan, digest: 'another plan' }
    await expect(open().approve(request({ plan: other, approval: id }))).rejects.toThrow(/ changed since/)
    expect(await open().approve(request({ approval: id }))).toMatchObject({ approval: id })
  })

  it.each<[string, Partial<ApprovalRequest>, Partial<Plan>]>([
    ['the command changed', { text: 'git push -f' }, {}],
    ['the directory changed', {}, { cwd: '/w/x' }],
    ['the agent changed', {}, { agent: 'b' }],
    ['the directory, the profile changed', {}, { cwd: '/', profile: 'open' }],
    ['its variables, input, limits or the settings changed', {}, { env: [['A', '1']] }],
  ])('says what is no longer as a person saw it: %s', async (what, over, planned) => {
    const id = await hold()
    open().answer(id, 'approved')
    const other = { ...plan, ...planned, digest: 'another plan' }
    await expect(open().approve(request({ ...over, plan: other, approval: id }))).rejects.toThrow(
      `Approval ${id} is for "git push" in /w under "workspace"; ${what} since. Run the command without it to ask again.`,
    )
  })

  it.each([false, true, undefined, null, 'no', 'denied', 'yes', {}])(
    'takes an answer of a callback that is none for a no: %s',
    async (answer) => {
      const approver = open({ ask: async () => answer as unknown as Answer })
      await expect(approver.approve(request())).rejects.toThrow(/A person denied it/)
      expect(open().list()).toMatchObject([{ state: 'denied' }])
    },
  )

  it('says that no person answered after the waiting time', async () => {
    const approver = open({
      ask: () => {
        clock += 25 * 3_600_000
        return new Promise(() => {})
      },
    })
    await expect(approver.approve(request())).rejects.toThrow(/No person answered in time/)
  })

  it('reports the first answer to a second one, and leaves no file behind', async () => {
    const id = await hold()
    const before = readdirSync(directory)
    const store = openStore()
    store.answer(id, 'once')
    expect(() => store.answer(id, 'deny')).toThrow('Run the same command again to use it.')
    expect(readdirSync(directory)).toEqual(before)
  })

  it('refuses one that still waits, was denied, has expired or never was', async () => {
    const waits = await hold()
    await expect(open().approve(request({ approval: waits }))).rejects.toThrow(/still waits/)
    open().answer(waits, 'denied')
    await expect(open().approve(request({ approval: waits }))).rejects.toThrow(/was denied/)
    await expect(open().approve(request())).rejects.toThrow(/A person denied it/)
    clock += 11 * 60_000
    const late = await hold()
    open().answer(late, 'approved')
    clock += 11 * 60_000
    await expect(open().approve(request({ approval: late }))).rejects.toThrow(/ expired at /)
    await expect(open().approve(request({ approval: '../../etc/passwd' }))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('runs the same plan without an id once a person has approved it, and then holds it again', async () => {
    const id = await hold()
    open().answer(id, 'approved', 'only this branch')
    expect(await open().approve(request())).toEqual({
      digest: 'the plan',
      by: 'person',
      approval: id,
      approver: 'anna (uid 7) at /dev/pts/3',
      note: 'only this branch',
    })
    expect(await hold()).not.toBe(id)
  })

  it('does not use an approval of another plan, nor one that expired unused', async () => {
    const id = await hold()
    open().answer(id, 'approved')
    const other = { ...plan, digest: 'another plan' }
    await expect(open().approve(request({ plan: other }))).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    clock += 10 * 60_000
    await expect(open().approve(request())).rejects.toThrow(
      new RegExp(`Approval ${id.slice(0, 4)}\\w* expired before it was used. Held for approval`),
    )
  })

  it('lets one of many that repeat the plan at once use the approval', async () => {
    const id = await hold()
    open().answer(id, 'approved')
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => open().approve(request())))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('keeps one pending approval for a plan that is asked for again', async () => {
    const id = await hold()
    expect([await hold(), await hold()]).toEqual([id, id])
    expect(open().list()).toHaveLength(1)
  })

  it('waits for an answer and runs from it on as long as the profile says', async () => {
    const id = await hold()
    clock += 23 * 3_600_000
    expect(open().answer(id.slice(0, 6), 'approved')).toMatchObject({
      expiresAt: new Date(clock + 600_000).toISOString(),
    })
    clock += 9 * 60_000
    expect(await open().approve(request())).toMatchObject({ approval: id })
    const brief = { waitMs: 1_000, runMs: 1_000 }
    const error = await open()
      .approve(request({ approvals: brief }))
      .catch((thrown: CordonError) => thrown)
    clock += 1_000
    const unanswered = heldId(error)
    expect(() => open().answer(unanswered, 'approved')).toThrow(/is expired already/)
  })

  it('reports the note of a denial to a repeated plan at least once', async () => {
    const id = await hold()
    open().answer(id, 'denied', 'use a branch')
    clock += 3_600_000
    await expect(open().approve(request())).rejects.toThrow(/A person denied it: use a branch/)
    expect(await hold()).not.toBe(id)
  })

  it('names the candidates of an ambiguous id', async () => {
    const store = openStore()
    const approval = { ...store.get(await hold()), digest: 'x' }
    for (const id of ['abcd11111111', 'abcd22222222']) store.add({ ...approval, id, digest: id })
    expect(() => open().answer('abcd', 'approved')).toThrow(/abcd11111111, abcd22222222/)
    expect(open().answer('abcd1', 'approved')).toMatchObject({ id: 'abcd11111111', state: 'approved' })
  })

  it.each([
    ['a symlink', (path: string) => symlinkSync('/etc/hostname', path)],
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a directory', (path: string) => mkdirSync(path)],
    ['a word', (path: string) => writeFileSync(path, 'approved')],
    [
      'what was an answer once',
      (path: string) => writeFileSync(path, '{"verdict":"approved","note":null,"at":"2026-01-01T00:00:00.000Z"}'),
    ],
  ])('does not take %s in the place of an answer for one, says so and records it', async (_, plant) => {
    const id = await hold()
    plant(join(directory, `${id}.answer`))
    await expect(open().approve(request())).rejects.toThrow(
      /Cordon rejected an answer to approval \w+: a file with the/,
    )
    expect(audit.query({})).toMatchObject([
      { id, approval: id, tool: 'approve', outcome: 'blocked', rule: 'approval/forged', planDigest: 'the plan' },
    ])
    plant(join(directory, `${id}.answer`))
    await expect(open().approve(request({ approval: id }))).rejects.toThrow(/still waits .*The audit log records it/)
    expect(open().answer(id, 'approved')).toMatchObject({ state: 'approved' })
  })

  it('hears the first answer and refuses the second', async () => {
    const id = await hold()
    open().answer(id, 'denied')
    expect(() => open().answer(id, 'approved')).toThrow(/denied already/)
  })

  it('denies every question if the engine is unattended', async () => {
    await expect(open({ unattended: true }).approve(request())).rejects.toMatchObject({ code: 'POLICY_DENIED' })
    expect(open().list()).toEqual([])
  })

  it('asks the person who is there, once for a session and every time otherwise', async () => {
    const asked: Approval[] = []
    const answers: Answer[] = ['once', 'session']
    const approver = open({
      ask: async (approval) => {
        asked.push(approval)
        return answers.shift() ?? 'deny'
      },
    })
    for (let i = 0; i < 4; i++) await approver.approve(request())
    expect(asked).toHaveLength(2)
    expect(asked[0]).toMatchObject({ command: 'git push', rule })
    await expect(approver.approve(request({ plan: { ...plan, digest: 'other' } }))).rejects.toThrow(
      /A person denied it/,
    )
  })

  it('saves the narrow rule of an `always`, and none for the other answers', async () => {
    const saved: Rule[] = []
    const approver = (answer: Answer) => open({ ask: async () => answer, saveRule: (r) => saved.push(r) })
    await approver('once').approve(request())
    expect(saved).toEqual([])
    await approver('always').approve(request())
    expect(saved).toEqual([rule])
  })

  it('uses the first answer, from another terminal, and stops the prompt', async () => {
    let stopped = false
    const approver = open({
      ask: (approval, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped = true
            reject(signal.reason)
          })
          open().answer(approval.id, 'approved')
        }),
    })
    expect(await approver.approve(request())).toMatchObject({ by: 'person' })
    expect(stopped).toBe(true)
  })

  it('is not disturbed by a broken file in its directory', async () => {
    const id = await hold()
    writeFileSync(join(directory, 'abcdef123456.json'), '{')
    expect(
      open()
        .list()
        .map((approval) => approval.id),
    ).toEqual([id])
  })
})
