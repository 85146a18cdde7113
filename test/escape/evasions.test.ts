import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadProfiles } from '../../src/host/settings/profiles.js'
import { runEvasions } from './evasion-run.js'
import { EVASIONS } from './evasions.js'

const builtinDir = resolve(import.meta.dirname, '../../profiles')
const profiles = loadProfiles({ workspace: '/', home: '/nonexistent', env: {}, builtinDir })
const setting = { ownNamespace: false, abreast: 4 } as const
const inProfile = (name: string) => [profiles.profileFor(null, name)]

describe('denied programs in every disguise, when the reader lets everything through', () => {
  it.each(['workspace', 'readonly'])(
    'none is executed inside the wall of %s',
    async (name) => {
      const report = await runEvasions({ ...setting, commands: EVASIONS, profiles: inProfile(name), masks: true })
      expect(report.executed).toEqual([])
      expect(report.runs).toBe(EVASIONS.length)
      // The others try on a program that is not there, or are stopped by something else.
      expect(report.stopped).toBeGreaterThan(0.8 * EVASIONS.length)
    },
    240_000,
  )

  it('all but a few are executed where nothing is masked, so the disguises are good', async () => {
    const commands = EVASIONS.filter((_, index) => index % 4 === 0)
    const report = await runEvasions({ ...setting, commands, profiles: inProfile('workspace'), masks: false })
    expect(report.executed.length).toBeGreaterThan(0.8 * commands.length)
  }, 120_000)
})
