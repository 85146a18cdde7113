import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCordon } from '../../src/node.js'
import { temporaryCordons } from '../temporary-cordon.js'

const open = temporaryCordons()
const HELD = 'git push origin main'

describe('a held command that a person has approved', () => {
  it('runs when a tool repeats it, once, and the words of the person reach the model', async () => {
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

  it('runs in another engine of the same user, though files and times have changed', async () => {
    const { cordon, workspace, state } = await open()
    const first = await cordon.run(HELD).catch((error) => error)
    expect(first.code).toBe('CONFIRMATION_REQUIRED')
    writeFileSync(join(workspace, 'made-meanwhile'), 'x')
    cordon.approvals.answer(first.details.approval, 'approved')
    const home = { HOME: join(workspace, '../home'), XDG_CONFIG_HOME: join(workspace, '../home/.config') }
    const other = await createCordon({ workspace, stateDirectory: state, env: { ...process.env, ...home } })
    try {
      expect((await other.run(HELD)).approval).toEqual({ id: first.details.approval, note: null })
      await expect(other.run(HELD)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    } finally {
      await other.close()
    }
  })

  it('does not run for another agent', async () => {
    const { cordon } = await open()
    const held = await cordon.run(HELD, { agent: 'a' }).catch((error) => error)
    cordon.approvals.answer(held.details.approval, 'approved')
    await expect(cordon.run(HELD, { agent: 'b' })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect((await cordon.run(HELD, { agent: 'a' })).approval).toEqual({ id: held.details.approval, note: null })
  })

  it('runs for one of two engines that repeat it at the same moment', async () => {
    const { cordon, workspace, state } = await open()
    const held = await cordon.run(HELD).catch((error) => error)
    cordon.approvals.answer(held.details.approval, 'approved')
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
  it('is refused with the words of the person when it is repeated', async () => {
    const { cordon } = await open()
    const held = await cordon.run(HELD).catch((error) => error)
    cordon.approvals.answer(held.details.approval, 'denied', 'open a pull request')
    await expect(cordon.run(HELD)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      message: expect.stringContaining('A person said no: open a pull request'),
    })
    expect(cordon.approvals.list()).toHaveLength(1)
  })
})
