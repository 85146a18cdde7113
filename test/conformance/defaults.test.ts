import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from './workbench.js'

/** Defaults that nothing else would notice a change of. */
describe('defaults', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench()
  })
  afterAll(() => bench.close())

  it('ten mebibytes of a stream are captured, and not a byte more', async () => {
    const bytes = 10 * 1024 * 1024
    for (const name of ['workspace', 'developer', 'readonly', 'open'])
      expect(bench.cordon.profiles.get(name).output.captureBytes, name).toBe(bytes)
    const task = bench.cordon.start(`head -c ${bytes + 5} /dev/zero | tr '\\0' x`)
    await task.result
    expect(task.logs('stdout', 0)).toMatchObject({ skippedBytes: 5, next: bytes + 5 })
  })

  it('a background child that keeps the output open does not hang the caller', async () => {
    const result = await bench.cordon.run('sleep 300 & echo done')
    expect(result).toMatchObject({ stdout: 'done\n', exitCode: 0, timedOut: false })
  })

  it('secrets are masked in the log and in the audit log, the file included', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const { id } = await bench.cordon.run(`echo ${secret} >/dev/null`)
    const shown = JSON.stringify([bench.log, bench.cordon.audit.query({ id })])
    expect(shown).not.toContain(secret)
    expect(bench.cordon.audit.query({ id })[0]?.command).toContain('echo ')
    for (const name of ['audit.db', 'audit.db-wal']) {
      const file = join(bench.workspace, '../state', name)
      expect(readFileSync(file, 'latin1').includes(secret), name).toBe(false)
    }
  })
})
