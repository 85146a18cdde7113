import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCordon } from '../../src/index.js'
import { temporaryCordons } from '../temporary-cordon.js'
import { refusal } from './workbench.js'

/** Policy that a program gives in code: profiles and settings as objects, requests that tighten, sticky variables. */
describe('policy in code', () => {
  const open = temporaryCordons()

  it('a profile given as an object decides, with the keys of the settings file', async () => {
    const { cordon } = await open({
      profile: {
        extends: 'workspace',
        network: 'none',
        rules: [{ program: 'git', args: ['push'], verdict: 'deny', because: 'No pushes here.' }],
      },
    })
    expect(cordon.check('git push').because[0]).toMatchObject({ verdict: 'deny', reason: 'No pushes here.' })
    expect(cordon.profiles.get(null).name).toBe('inline')
    expect(await cordon.run('echo hi')).toMatchObject({ stdout: 'hi\n', exitCode: 0 })
  })

  it('settings given as an object replace the files', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(`${workspace}/cordon.toml`, 'permissions = { deny = ["Bash(git status:*)"] }')
    const { cordon: other } = await open({ workspace, settings: { permissions: { deny: ['Bash(git log:*)'] } } })
    expect(other.check('git log').verdict).toBe('deny')
    expect(other.check('git status').verdict).toBe('allow')
    expect(cordon.check('git log').verdict).toBe('allow')
  })

  it('a list of allowed profiles also binds a profile given as an object', async () => {
    const settings = { allowed_profiles: ['strict'] }
    await refusal(open({ settings, profile: { extends: 'open' } }), 'POLICY_DENIED')
    const { cordon } = await open({ settings, profile: { extends: 'strict' } })
    expect(cordon.profiles.get(null).name).toBe('inline')
  })

  it('a request can block more commands, strip variables and show less', async () => {
    const { cordon } = await open({
      settings: { profiles: { mine: { environment: { set: { DEMO_A: '1', B: '2' } } } } },
    })
    expect((await refusal(cordon.run('npm publish', { blocked: ['npm publish'] }), 'POLICY_DENIED')).message).toContain(
      'The request blocks `npm publish`.',
    )
    expect(cordon.check('npm test', { blocked: ['npm publish'] }).verdict).toBe('allow')
    const kept = await cordon.run('echo $DEMO_A$B', { profile: 'mine', stripEnv: ['DEMO_'] })
    expect(kept.stdout).toBe('2\n')
    expect((await cordon.run('echo $B$C', { profile: 'mine', clearEnv: true, env: { C: '3' } })).stdout).toBe('3\n')
    expect((await cordon.run('seq 1000', { maxOutput: 50 })).stdout).toContain('showing last 50 chars')
  })

  it.each([
    ['more output', { maxOutput: 1_000_000 }, 'output.presented_chars'],
    ['no transaction', { transaction: 'off' }, 'transaction.mode'],
  ] as const)('a request cannot loosen its profile: %s', async (_, options, key) => {
    const { cordon } = await open()
    const error = await refusal(cordon.run('true', options), 'POLICY_DENIED')
    expect(error.message).toContain(`\`${key}\` would be looser`)
    const { cordon: chosen } = await open({ profile: 'workspace' })
    expect(await chosen.run('true', options)).toMatchObject({ exitCode: 0 })
  })

  it('a request can hold its changes for review', async () => {
    const { cordon } = await open()
    expect((await cordon.run('echo x > a', { transaction: 'review' })).transaction).toMatchObject({
      outcome: 'waiting-for-review',
    })
  })

  it('sticky variables are set for every later request until they are cleared', async () => {
    const { cordon } = await open()
    cordon.env.set({ SKILL: 'one', OTHER: 'x' })
    expect((await cordon.run('echo $SKILL$OTHER', { env: { OTHER: 'y' } })).stdout).toBe('oney\n')
    expect((await cordon.exec('printenv', ['SKILL'])).stdout).toBe('one\n')
    cordon.env.clear()
    expect((await cordon.run('echo [$SKILL]')).stdout).toBe('[]\n')
    expect(() => cordon.env.set({ 'a b': 'x' })).toThrow('is not a variable name')
  })
})

describe('options of createCordon', () => {
  it('are all known to the check', async () => {
    const text = readFileSync(new URL('../../src/deciding.ts', import.meta.url), 'utf8')
    const api = /interface CordonOptions \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? ''
    const names = [...api.matchAll(/readonly (\w+)\?:/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(8)
    const error = await refusal(createCordon({ thing: 1 } as never), 'INVALID_ARGUMENTS')
    expect(error.message).toBe(`options: unknown field thing. The keys here are ${names.join(', ')}.`)
  })

  it.each([
    [{ profle: 'strict' }, 'unknown field profle. Did you mean `profile`?'],
    [{ workspace: 5 }, 'options.workspace must be a string, not number'],
    [{ onApproval: 'yes' }, 'options.onApproval must be a function: (approval, signal) => Promise<Answer>'],
    [{ log: {} }, 'options.log must be a function'],
    [{ warm: -1 }, 'options.warm must be at least 0'],
    [{ warm: 1.5 }, 'options.warm must be a whole number, not number'],
    [{ unattended: 'true' }, 'options.unattended must be a boolean, not string'],
    [{ env: { A: 1 } }, 'options.env.A must be'],
    [{ profile: { netwrk: 'none' } }, 'unknown field netwrk. Did you mean `network`?'],
    [{ profile: { paths: { hiden: [] } } }, 'options.profile.paths: unknown field hiden. Did you mean `hidden`?'],
    [{ profile: 7 }, 'options.profile must be an object, not number'],
    [{ settings: { profil: 'x' } }, 'options.settings: unknown field profil. Did you mean `profile`?'],
    [null, 'options must be an object, not null'],
  ])('%j is refused at construction', async (options, message) => {
    const error = await refusal(createCordon(options as never), 'INVALID_ARGUMENTS')
    expect(error.message).toContain(message)
    expect(error.message).not.toMatch(/Invalid input|received|expected/)
  })
})

describe('output filters of one’s own', () => {
  const open = temporaryCordons()
  it('drop lines of their program when it succeeds, and never what looks like a failure', async () => {
    const filters = [{ match: 'printf', drop: [/^noise/g], what: 'noise' }]
    const { cordon } = await open({ filters })
    const lines = Array.from({ length: 20 }, (_, i) => `noise ${i}`).join('\\n')
    const result = await cordon.run(`printf '${lines}\\nnoise error\\nresult\\n'`)
    expect(result.stdout).toBe('[… 20 lines of noise omitted]\nnoise error\nresult\n')
    expect(result.filter).toMatchObject({ filter: 'printf', keptLines: 2 })
    const failed = await cordon.run(`printf '${lines}\\n'; exit 3`)
    expect(failed.stdout).toContain('noise 19')
    await refusal(open({ filters: [{ match: 'x', drop: ['^x'] }] } as never), 'INVALID_ARGUMENTS')
  })
})

describe('a settings file', () => {
  const open = temporaryCordons()
  it('that is broken is reported at construction', async () => {
    const { workspace } = await open()
    writeFileSync(`${workspace}/cordon.toml`, 'profil = "x"')
    expect((await refusal(open({ workspace }), 'SETTINGS_INVALID')).message).toContain('Did you mean `profile`?')
  })

  it('an unknown option of a call names the nearest right one', async () => {
    const { cordon } = await open()
    const error = await refusal(cordon.run('true', { agnet: 'x' } as never), 'INVALID_ARGUMENTS')
    expect(error.message).toBe('options: unknown field agnet. Did you mean `agent`?')
  })
})
