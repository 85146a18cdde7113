import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { type Appender, buildAppender, startAppender } from './appender-process.js'

describe('the audit log and the death of its writers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cordon-audit-'))
  let script = ''
  beforeAll(async () => {
    script = await buildAppender(directory)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  const start = (file: string, ...args: string[]): Appender => startAppender([process.execPath, script, file, ...args])

  it('shows a request as running while its process lives, and as interrupted once that is killed', async () => {
    const file = join(directory, 'running', 'audit.db')
    const { child, line, exited } = start(file, 'begin', 'a')
    await line(/^began a$/)
    const audit = openAudit({ file })
    expect(audit.query({})).toMatchObject([{ id: 'a', outcome: 'running', endedAt: null }])
    child.kill('SIGKILL')
    await exited
    expect(audit.query({})).toMatchObject([{ id: 'a', outcome: 'interrupted', endedAt: null }])
    expect(audit.query({ outcome: 'interrupted' })).toHaveLength(1)
    expect(audit.query({ outcome: 'running' })).toHaveLength(0)
    expect(audit.verify()).toMatchObject({ ok: true, rows: 1 })
    audit.close()
  })

  it('loses nothing that was promised when writers are killed at random moments while others go on', async () => {
    const file = join(directory, 'killed', 'audit.db')
    const survivors = [start(file, 'append', 's0', '150'), start(file, 'append', 's1', '150')]
    const targets: Appender[] = []
    for (let i = 0; i < 12; i += 1) {
      const target = start(file, 'append', `v${i}`, '100000')
      targets.push(target)
      // A different place in its work each time: in the middle of an append as likely as not.
      await target.line(new RegExp(`^(?:began|ended) v${i}-${(i * 7) % 23}$`))
      setImmediate(() => target.child.kill('SIGKILL'))
      await target.exited
    }
    await Promise.all(survivors.map(({ exited }) => exited))
    for (const { said } of survivors) expect(said.at(-1)).toBe('done')

    const audit = openAudit({ file })
    expect(audit.verify()).toMatchObject({ ok: true })
    const records = new Map(audit.query({ limit: 10_000 }).map((record) => [record.id, record.outcome]))
    for (const line of [...survivors, ...targets].flatMap(({ said }) => said)) {
      const [what, id = ''] = line.split(' ')
      if (what === 'began') expect(records.has(id)).toBe(true)
      if (what === 'ended') expect(records.get(id)).toBe('success')
    }
    expect([...records.values()].filter((outcome) => outcome === 'running')).toEqual([])
    // Each target leaves at most the one request it was working on.
    expect(audit.query({ outcome: 'interrupted' }).length).toBeLessThanOrEqual(targets.length)
    audit.close()
  })

  it('lets many processes create one log at the same moment', async () => {
    const file = join(directory, 'together', 'audit.db')
    const writers = Array.from({ length: 6 }, (_, i) => start(file, 'append', `w${i}`, '10'))
    await Promise.all(writers.map(({ exited }) => exited))
    for (const { said } of writers) expect(said.at(-1)).toBe('done')
    const audit = openAudit({ file })
    expect(audit.verify()).toMatchObject({ ok: true, rows: 120 })
    audit.close()
  })
})
