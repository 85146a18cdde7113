import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BY_HAND } from '../../src/core/model/policy/allow-command.js'
import { openWorkbench, type Workbench } from '../conformance/workbench.js'

const SETTINGS = `
[profiles.outward]
extends = "workspace"
paths = { write_outside = "allow" }

[profiles.unsecured]
extends = "workspace"
transaction = { mode = "off" }
`

describe('evidence of a failed command', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench({ settings: SETTINGS, profile: 'outward' })
  })
  afterAll(() => bench.close())

  it('names the read-only path if the command prints nothing', async () => {
    const result = await bench.cordon.run('echo x 2>/dev/null > /etc/cordon-was-here')
    expect([result.exitCode === 0, result.evidence]).toEqual([
      false,
      [`write: /etc/cordon-was-here read-only. ${BY_HAND}`],
    ])
  })

  it('records evidence with secrets masked', async () => {
    const { evidence } = await bench.cordon.run('echo x 2>/dev/null > /etc/token=tiger-stripes')
    expect(evidence).toEqual([`write: /etc/token=tiger-stripes read-only. ${BY_HAND}`])
    const [row] = bench.cordon.audit.query({ limit: 1 })
    expect(row?.evidence).toHaveLength(1)
    expect(JSON.stringify(row)).not.toContain('tiger-stripes')
  })

  it('names no path with a similar name', async () => {
    bench.write('read-only', '')
    expect(
      (await bench.cordon.run('echo "/etc/x: Read-only file system" >&2; cat read-only; exit 1')).evidence,
    ).toEqual([])
  })

  it('names the symlink that leads to a closed path', async () => {
    symlinkSync('/etc', bench.path('away'))
    const { evidence } = await bench.cordon.run('touch away/x')
    expect(evidence).toEqual([`write: ${bench.path('away/x')} read-only. ${BY_HAND}`])
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

  it('names a path that is not shared where stdout and stderr are one, as at a terminal', async () => {
    const outside = mkdtempSync('/tmp/cordon-unshared-')
    const script = `git ls-remote "$(printf %s ${outside})"`
    const run = (merged: boolean) =>
      bench.cordon.run(script, { relay: { merged, write: () => true } }).then(({ evidence }) => evidence)
    try {
      for (const merged of [false, true])
        expect(await run(merged)).toEqual([expect.stringContaining(`read: ${outside}`)])
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  it('names the masked program if the command line does not name it', async () => {
    const { evidence, exitCode } = await bench.cordon.run(
      'p=$(printf pass)wd; perl -e "exit(system(@ARGV) >> 8)" "$p" 2>/dev/null',
    )
    expect([exitCode, evidence]).toEqual([
      126,
      ['exec: passwd denied; to allow: cordon allow rule passwd --profile outward'],
    ])
  })

  it('is in the audit log', async () => {
    const { id } = await bench.cordon.run('touch /usr/x')
    expect(bench.cordon.audit.query({ id })[0]?.evidence).toEqual([`write: /usr/x read-only. ${BY_HAND}`])
  })
})
