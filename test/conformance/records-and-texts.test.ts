import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toText, toWire } from '../../src/index.js'
import { openWorkbench, refusal, type Workbench } from './workbench.js'

/** Texts for a model, lines of the log, and queries of the audit log. */
describe('texts and records', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench({
      settings: `
[profiles.restoring]
extends = "workspace"
transaction = { on_failure = "restore" }

[profiles.tiny-snapshots]
extends = "workspace"
sandbox = "off"
transaction = { max_bytes = 1, required = false }

[agents.builder]
programs = ["git"]

[agents.other]
`,
    })
  })
  afterAll(() => bench.close())
  const lines = (message: string, id: string) =>
    bench.log.filter((line) => line.message === message && line.fields['id'] === id)

  it('the text of a plain success is its output alone', async () => {
    expect(toText(await bench.cordon.run('echo hi'))).toBe('hi')
  })

  it('the wire form names rules that spoke and no default verdict, and whole milliseconds', async () => {
    const wire = toWire(await bench.cordon.run('echo hi'))
    expect(wire.decision).toEqual({ verdict: 'allow' })
    expect(Number.isInteger(wire.duration_ms)).toBe(true)
  })

  it('a timeout of none that the profile forbids is noted in the result', async () => {
    const result = await bench.cordon.run('true', { timeoutMs: 'none' })
    expect(result.notices).toEqual(['Profile "workspace" allows no command without a timeout: the limit was 120 s.'])
    expect(toWire(result).notices).toEqual(result.notices)
    expect(toText(result)).toContain(result.notices[0])
  })

  it('a roll-back, a filter and the rule of a refusal each have a log line', async () => {
    const rolled = await bench.cordon.run('echo x > a; exit 2', { profile: 'restoring' })
    expect(lines('rolled back', rolled.id)).toMatchObject([{ level: 'warn', fields: { restored: 0, deleted: 1 } }])
    const filtered = await bench.cordon.run('git --version; git status || true')
    if (filtered.filter) expect(lines('filtered', filtered.id)).toHaveLength(1)
    await refusal(bench.cordon.run('sudo id'), 'COMMAND_BLOCKED')
    expect(bench.log.at(-1)).toMatchObject({ message: 'refused', fields: { rule: 'builtin/sudo' } })
  })

  it('an agent that may not use a program is named', async () => {
    const error = await refusal(bench.cordon.run('ls', { agent: 'builder' }))
    expect(error.message).toContain('Agent "builder" may run only git')
    const record = bench.cordon.audit.query({ agent: 'builder', limit: 1 })[0]
    expect(record).toMatchObject({ outcome: 'blocked', rule: 'agent/programs' })
  })

  it('the audit log is asked by time, outcome and tool', async () => {
    const { id } = await bench.cordon.exec('true')
    const record = bench.cordon.audit.query({ id })[0]
    const at = record?.at ?? ''
    const ids = (query: Parameters<typeof bench.cordon.audit.query>[0]) =>
      bench.cordon.audit.query(query).map((one) => one.id)
    expect(ids({ since: at })).toContain(id)
    expect(ids({ until: at })).not.toContain(id)
    expect(ids({ tool: 'exec', outcome: 'success' })).toContain(id)
    expect(ids({ tool: 'bash' })).not.toContain(id)
    expect(() => bench.cordon.audit.query({ untl: at } as never)).toThrow('unknown field untl. Did you mean `until`?')
    expect(() => bench.cordon.audit.query({ since: 'yesterday' })).toThrow(
      'query.since must be a time such as 2026-01-31T12:00:00Z',
    )
  })
})
