import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from '../conformance/workbench.js'

const SETTINGS = `
[profiles.outward]
extends = "workspace"
paths = { write_outside = "allow" }

[profiles.unsecured]
extends = "workspace"
transaction = { mode = "off" }
`

describe('why a command failed, from evidence and not from its words', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench({ settings: SETTINGS, profile: 'outward' })
  })
  afterAll(() => bench.close())

  it('names the place that is read-only, though the command says nothing', async () => {
    const result = await bench.cordon.run('echo x 2>/dev/null > /etc/cordon-was-here')
    expect([result.exitCode === 0, result.evidence]).toEqual([
      false,
      ['write: /etc/cordon-was-here read-only; outside paths.writable of the profile "outward"'],
    ])
  })

  it('names no place that only sounds like it', async () => {
    bench.write('read-only', '')
    expect(
      (await bench.cordon.run('echo "/etc/x: Read-only file system" >&2; cat read-only; exit 1')).evidence,
    ).toEqual([])
  })

  it('names the place a link leads to a closed one by', async () => {
    symlinkSync('/etc', bench.path('away'))
    const { evidence } = await bench.cordon.run('touch away/x')
    expect(evidence).toEqual([
      `write: ${bench.path('away/x')} read-only; in paths.protected, or by a link outside paths.writable, of the profile "outward"`,
    ])
  })

  it("names the file of git's settings that no transaction reviews", async () => {
    execFileSync('git', ['init', '-q', bench.path('.')])
    const { evidence, exitCode } = await bench.cordon.run('git config user.name x', { profile: 'unsecured' })
    rmSync(bench.path('.git'), { recursive: true })
    expect([exitCode, evidence]).toEqual([
      4,
      [
        `write: ${bench.path('.git/config')} read-only; a transaction makes it writable, and transaction.mode of the profile "unsecured" is "off"`,
      ],
    ])
  })

  it('names the program that was masked, though nothing on the line names it', async () => {
    const { evidence, exitCode } = await bench.cordon.run(
      'p=$(printf pass)wd; perl -e "exit(system(@ARGV) >> 8)" "$p" 2>/dev/null',
    )
    expect([exitCode, evidence]).toEqual([126, ['exec: passwd masked; denied by a rule of the profile "outward"']])
  })

  it('is in the record too', async () => {
    const { id } = await bench.cordon.run('touch /usr/x')
    expect(bench.cordon.audit.query({ id })[0]?.evidence).toEqual([
      'write: /usr/x read-only; outside paths.writable of the profile "outward"',
    ])
  })
})
