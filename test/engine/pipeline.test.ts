import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryCordons } from '../temporary-cordon.js'

describe('the pipeline', () => {
  const open = temporaryCordons()

  it('a mode outside the profile is denied without an analysis', async () => {
    const { cordon, workspace } = await open()
    const settings = `${dirname(workspace)}/home/.config/cordon/cordon.toml`
    mkdirSync(dirname(settings), { recursive: true })
    writeFileSync(settings, '[profiles.plain]\nextends = "workspace"\nmodes = ["structured"]\n')
    const checked = cordon.check('rm -rf src', { profile: 'plain' })
    expect(checked).toMatchObject({ verdict: 'deny', because: [{ rule: 'profile/modes' }] })
    expect(checked.facts.invocations).toEqual([])
    await expect(cordon.run('rm -rf src', { profile: 'plain' })).rejects.toMatchObject({ code: 'SHELL_DISABLED' })
    expect(cordon.audit.query()).toMatchObject([{ outcome: 'blocked', rule: 'profile/modes', cwd: workspace }])
  })

  it('a failed request is recorded with the nouns of the stages before the failure', async () => {
    const { cordon, workspace } = await open()
    await expect(cordon.run('ls', { profile: 'missing' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(cordon.run('ls', { cwd: 'missing' })).rejects.toMatchObject({ code: 'DIRECTORY_NOT_FOUND' })
    await expect(cordon.exec('no-such-program')).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' })
    const request = { mode: 'shell', script: 'ls' }
    const [planned, profiled, checked] = cordon.audit.query()
    expect(checked).toMatchObject({ request, profile: '', policyDigest: null, cwd: null, verdict: null })
    expect(profiled).toMatchObject({ request, profile: 'workspace', cwd: null, verdict: null })
    expect(profiled?.policyDigest).toMatch(/^[0-9a-f]{64}$/)
    expect(planned).toMatchObject({ cwd: workspace, verdict: 'allow', planDigest: null })
  })

  it('input that cannot be displayed is refused and recorded', async () => {
    const { cordon } = await open()
    const input: { program: unknown } = { program: null }
    input.program = input
    const run = cordon.run(input as never)
    await expect(run).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(cordon.audit.query()).toMatchObject([{ outcome: 'invalid' }])
  })
})
