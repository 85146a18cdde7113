import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCordon } from '../../src/node.js'
import { heldId } from '../held-id.js'
import { temporaryCordons } from '../temporary-cordon.js'

const open = temporaryCordons()
const HELD = 'git push origin main'

describe('a held command that a person has approved', () => {
  it('an approved command runs once when a tool repeats it, and the note reaches the model', async () => {
    const { cordon } = await open()
    const call = (id: string) =>
      cordon.tools.execute({ id, name: 'bash', arguments: { command: HELD }, context: { agent: 'coder' } })
    const held = await call('1')
    expect(held.text).toMatch(
      /Held for approval (\w+): ask the person to run `cordon approve \1`, then repeat the same command\.$/,
    )
    const { approval } = held.json as { approval: { id: string; expires_at: string } }
    expect(approval.id).toMatch(/^\w{12}$/)
    expect(Date.parse(approval.expires_at)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect((await call('2')).json).toMatchObject({ approval })
    cordon.approvals.answer(approval.id.slice(0, 6), 'approved', 'this branch only')
    const ran = await call('3')
    expect(ran.json).toMatchObject({ exit_code: 128, approval: { id: approval.id, note: 'this branch only' } })
    expect(ran.text).toContain('The person who approved this says: this branch only')
    expect((await call('4')).error?.code).toBe('CONFIRMATION_REQUIRED')
  })

  it('an approved command runs in another engine of the user, after files and times have changed', async () => {
    const { cordon, workspace, state } = await open()
    const first = await cordon.run(HELD).catch((error) => error)
    expect(first.code).toBe('CONFIRMATION_REQUIRED')
    writeFileSync(join(workspace, 'made-meanwhile'), 'x')
    cordon.approvals.answer(heldId(first), 'approved')
    const home = { HOME: join(workspace, '../home'), XDG_CONFIG_HOME: join(workspace, '../home/.config') }
    const other = await createCordon({ workspace, stateDirectory: state, env: { ...process.env, ...home } })
    try {
      expect((await other.run(HELD)).approval).toEqual({ id: heldId(first), note: null })
      await expect(other.run(HELD)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    } finally {
      await other.close()
    }
  })

  it('an approved command does not run for another agent', async () => {
    const { cordon } = await open()
    const held = await cordon.run(HELD, { agent: 'a' }).catch((error) => error)
    cordon.approvals.answer(heldId(held), 'approved')
    await expect(cordon.run(HELD, { agent: 'b' })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect((await cordon.run(HELD, { agent: 'a' })).approval).toEqual({ id: heldId(held), note: null })
  })

  it('an approved command runs in one of two engines that repeat it at once', async () => {
    const { cordon, workspace, state } = await open()
    const held = await cordon.run(HELD).catch((error) => error)
    cordon.approvals.answer(heldId(held), 'approved')
    const home = { HOME: join(workspace, '../home'), XDG_CONFIG_HOME: join(workspace, '../home/.config') }
    const other = await createCordon({ workspace, stateDirectory: state, env: { ...process.env, ...home } })
    try {
      const tries = await Promise.allSettled([cordon, other, cordon, other].map((engine) => engine.run(HELD)))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    } finally {
      await other.close()
    }
  })
})

describe('a held command that a person has denied', () => {
  it('a denied command is refused with the note when it is repeated', async () => {
    const { cordon } = await open()
    const held = await cordon.run(HELD).catch((error) => error)
    cordon.approvals.answer(heldId(held), 'denied', 'open a pull request')
    await expect(cordon.run(HELD)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      message: expect.stringContaining('A person denied it: open a pull request'),
    })
    expect(cordon.approvals.list()).toHaveLength(1)
  })
})

describe('the record of an approval', () => {
  it('the audit log has a row for the answer, and the run names the approval and the person', async () => {
    const { cordon } = await open()
    const held = await cordon.run(HELD, { agent: 'coder' }).catch((error) => error)
    const id = heldId(held)
    cordon.approvals.answer(id, 'approved', 'this branch only')
    await cordon.run(HELD, { agent: 'coder' })
    const [ran, answered, asked] = cordon.audit.query()
    expect(asked).toMatchObject({ outcome: 'held', agent: 'coder' })
    expect(answered).toMatchObject({
      ...{ id, approval: id, tool: 'approve', caller: 'library', agent: 'coder', command: `approve ${id}: ${HELD}` },
      planDigest: asked?.planDigest,
      answer: { scope: 'once', note: 'this branch only', from: { uid: process.getuid?.(), pid: process.pid } },
    })
    expect(ran).toMatchObject({ tool: 'bash', approval: id, approver: answered?.approver })
    expect(cordon.audit.verify()).toMatchObject({ ok: true })
  })

  it('the audit log names the answer behind a session approval', async () => {
    const { cordon } = await open({ onApproval: async () => 'session' })
    await cordon.run(HELD)
    await cordon.run(HELD)
    const [, , answered] = cordon.audit.query()
    expect(answered).toMatchObject({ tool: 'approve', answer: { scope: 'session' } })
    expect(cordon.audit.query()[0]).toMatchObject({ approver: answered?.approver })
  })

  it('a forged answer file starts nothing and is recorded', async () => {
    const { cordon, state } = await open()
    const held = await cordon.run(HELD).catch((error) => error)
    const yes = { verdict: 'approved', note: null, at: new Date().toISOString() }
    writeFileSync(join(state, 'approvals', `${heldId(held)}.answer`), JSON.stringify(yes))
    await expect(cordon.run(HELD)).rejects.toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      message: expect.stringContaining('Cordon rejected an answer'),
    })
    expect(cordon.audit.query({ text: 'approve' })).toMatchObject([{ rule: 'approval/forged', outcome: 'blocked' }])
  })
})
